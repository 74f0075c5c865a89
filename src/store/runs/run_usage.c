/* run_usage.c - the figures of a run from how it moved. */
#include "store/runs/run_usage.h"

#include <math.h>

#include "model/figure.h"
#include "model/levels.h"
#include "store/runs/run_series.h"

#define WHY "from the records of a file"

static void *at(struct gput_usage *u, size_t offset)
{
    return (char *)u + offset;
}

static void set(struct gput_figure *f, double value)
{
    if (f->source == GPUT_UNAVAILABLE && isfinite(value))
        *f = (struct gput_figure){ value, GPUT_SAMPLED, WHY };
}

static double maximum(const double *column, size_t n)
{
    double max = -INFINITY;

    for (size_t i = 0; i < n; i++)
        max = column[i] > max ? column[i] : max;
    return max;
}

/* The rate times the time that it is of, and that time. */
static double integral(const struct gput__run *run, enum gput__metric m, double *ret_time)
{
    const double *column = run->series.value[m];
    double sum = 0;

    *ret_time = 0;
    for (size_t i = 0; i < run->series.n; i++) {
        double span = gput__run_series_span(&run->series, i, run->interval);

        if (isnan(column[i]) || !(span > 0))
            continue;
        sum += column[i] * span;
        *ret_time += span;
    }
    return sum;
}

static double mean(const struct gput__run *run, enum gput__metric m)
{
    double time, sum = integral(run, m, &time);

    /* Of a single record the time is not known. */
    return time > 0 ? sum / time : maximum(run->series.value[m], run->series.n);
}

static void set_percentages(struct gput__run *run, enum gput__metric m, struct gput_percentages *p,
                            const struct gput_figure *of)
{
    double max = maximum(run->series.value[m], run->series.n), average = mean(run, m);

    set(&p->max_sum_percent, max);
    set(&p->mean_sum_percent, average);
    if (of->source == GPUT_UNAVAILABLE || !(of->value > 0))
        return;
    set(&p->max_hardware_percent, p->max_sum_percent.value / of->value);
    set(&p->mean_hardware_percent, p->mean_sum_percent.value / of->value);
}

static const struct gput_figure *hardware_of(const struct gput_usage *u, enum gput__metric m)
{
    switch (gput__metrics[m].hardware) {
    case GPUT__SYSTEM_CORES:
        return &u->cpu_utilization.system_core_count;
    case GPUT__EXPECTED_GPUS:
        return &u->gpu_utilization.n_expected_gpus;
    default:
        return &u->cpu_utilization.n_expected_cores;
    }
}

/* Where two metrics tell the same figure the first that is known is taken: in a stream the job is the
 * process with its children, and the GPUs that count are those that it used. */
static void set_figure(struct gput__run *run, enum gput__metric m,
                       const struct gput__metric_figure *f)
{
    const double *column = run->series.value[m];
    double time;

    switch (f->kind) {
    case GPUT__FIGURE_MAX:
        set(at(&run->usage, f->at), maximum(column, run->series.n));
        break;
    case GPUT__FIGURE_TOTAL:
        set(at(&run->usage, f->at), integral(run, m, &time) / gput__metric_rate_unit(m));
        break;
    case GPUT__FIGURE_LAST:
        set(at(&run->usage, f->at), column[run->series.n - 1]);
        break;
    case GPUT__FIGURE_PERCENTAGES:
        set_percentages(run, m, at(&run->usage, f->at), hardware_of(&run->usage, m));
        break;
    case GPUT__NO_FIGURE:
        break;
    }
}

static void sum_up_time(struct gput__run *run)
{
    const struct gput__run_series *s = &run->series;

    if (isnan(run->interval))
        run->interval = gput__usual_step(s->time, s->n);
    if (s->n == 0)
        return;
    if (isnan(run->start))
        run->start = s->time[0] - (isnan(run->interval) ? 0 : run->interval);
    if (isnan(run->end))
        run->end = s->time[s->n - 1];
    if (run->end > run->start) /* of a single record the time is not known */
        set(&run->usage.compute_time.time, run->end - run->start);
    run->n_records = s->n;
    set(&run->usage.tracker.n_records, (double)s->n);
}

void gput__run_begin(struct gput__run *run)
{
    *run = (struct gput__run){ .start = NAN, .end = NAN, .interval = NAN };
    run->usage = (struct gput_usage){ .size = sizeof(struct gput_usage),
                                      .ram_unit = "gigabytes",
                                      .gpu_ram_unit = "gigabytes",
                                      .time_unit = "hours" };
    run->usage.job.ending = GPUT_GONE;
}

static const double *first_known(const struct gput__run *run, const enum gput__metric m[3])
{
    const double *column = NULL;

    for (int i = 0; i < 3 && !column; i++)
        column = run->series.value[m[i]];
    return column;
}

/* As at each record of the run itself: see summary/summary.c.  The last 10 % of the memory are near its
 * limit. */
static void sum_up_use(struct gput__run *run)
{
    const enum gput__metric cpus[] = { GPUT__COMBINED_CPU, GPUT__JOB_CPU, GPUT__SYSTEM_CPU };
    const enum gput__metric memories[] = { GPUT__COMBINED_RAM, GPUT__JOB_PSS, GPUT__SYSTEM_RAM };
    const double *cpu = first_known(run, cpus), *memory = first_known(run, memories);
    struct gput_usage *u = &run->usage;
    double limit = gput__known_or(u->limits.memory_effective, u->max_ram.system_capacity), near = 0;

    for (size_t i = 0; i < run->series.n; i++) {
        double span = gput__run_series_span(&run->series, i, run->interval);

        if (!(span > 0))
            continue;
        if (cpu && !isnan(cpu[i]))
            u->cpu_levels.seconds[gput__level_of(cpu[i] / 100)] += span;
        near += memory && memory[i] >= 0.9 * limit ? span : 0;
    }
    if (memory && limit > 0)
        set(&u->limits.near_memory_seconds, near);
}

void gput__run_sum_up(struct gput__run *run)
{
    sum_up_time(run);
    sum_up_use(run);
    for (int m = 0; m < GPUT__N_METRICS; m++)
        for (int i = 0; i < GPUT__MOST_FIGURES && run->series.value[m]; i++)
            set_figure(run, (enum gput__metric)m, &gput__metrics[m].figure[i]);
}

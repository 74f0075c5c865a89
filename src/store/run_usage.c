/* run_usage.c - the figures of a run from how it moved. */
#include "store/run_usage.h"

#include <math.h>

#include "store/run_series.h"

#define WHY "from the records of a file"
#define AT(member) offsetof(struct gput_usage, member)

/* Where two metrics tell the same figure the first that is known is taken: in a stream the job is the
 * process with its children, and the GPUs that count are those that it used. */
static const struct {
    enum gput__metric metric;
    size_t at;
} maxima[] = {
    { GPUT__MAIN_RAM, AT(max_ram.main.total_rss) },
    { GPUT__DESCENDANTS_RAM, AT(max_ram.descendants.total_rss) },
    { GPUT__COMBINED_RAM, AT(max_ram.combined.total_rss) },
    { GPUT__JOB_PSS, AT(max_ram.combined.total_rss) },
    { GPUT__SYSTEM_RAM, AT(max_ram.system) },
    { GPUT__MAIN_GPU_RAM, AT(max_gpu_ram.main) },
    { GPUT__DESCENDANTS_GPU_RAM, AT(max_gpu_ram.descendants) },
    { GPUT__COMBINED_GPU_RAM, AT(max_gpu_ram.combined) },
    { GPUT__JOB_GPU_RAM, AT(max_gpu_ram.combined) },
    { GPUT__SYSTEM_GPU_RAM, AT(max_gpu_ram.system) },
    { GPUT__MAIN_N_THREADS, AT(cpu_utilization.main_n_threads) },
    { GPUT__DESCENDANTS_N_THREADS, AT(cpu_utilization.descendants_n_threads) },
    { GPUT__COMBINED_N_THREADS, AT(cpu_utilization.combined_n_threads) },
    { GPUT__N_PROCESSES, AT(totals.max_n_processes) },
}, sums[] = {
    { GPUT__JOB_DISK_READ, AT(totals.disk_read_bytes) },
    { GPUT__JOB_DISK_WRITE, AT(totals.disk_write_bytes) },
    { GPUT__JOB_USER_CPU, AT(totals.cpu_user_seconds) },
    { GPUT__JOB_KERNEL_CPU, AT(totals.cpu_system_seconds) },
};
static const struct {
    enum gput__metric metric;
    size_t at, of; /* the percentages, and how many of the hardware there were */
} shares[] = {
    { GPUT__SYSTEM_CPU, AT(cpu_utilization.system), AT(cpu_utilization.system_core_count) },
    { GPUT__MAIN_CPU, AT(cpu_utilization.main), AT(cpu_utilization.n_expected_cores) },
    { GPUT__DESCENDANTS_CPU, AT(cpu_utilization.descendants),
      AT(cpu_utilization.n_expected_cores) },
    { GPUT__COMBINED_CPU, AT(cpu_utilization.combined), AT(cpu_utilization.n_expected_cores) },
    { GPUT__JOB_CPU, AT(cpu_utilization.combined), AT(cpu_utilization.n_expected_cores) },
    { GPUT__JOB_GPU_PERCENT, AT(gpu_utilization.gpu_percentages),
      AT(gpu_utilization.n_expected_gpus) },
    { GPUT__GPU_PERCENT, AT(gpu_utilization.gpu_percentages), AT(gpu_utilization.n_expected_gpus) },
};
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

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

void gput__run_sum_up(struct gput__run *run)
{
    struct gput__run_series *s = &run->series;
    struct gput_usage *u = &run->usage;
    double time;

    sum_up_time(run);
    for (size_t i = 0; i < COUNT(maxima); i++)
        if (s->value[maxima[i].metric])
            set(at(u, maxima[i].at), maximum(s->value[maxima[i].metric], s->n));
    for (size_t i = 0; i < COUNT(shares); i++)
        if (s->value[shares[i].metric])
            set_percentages(run, shares[i].metric, at(u, shares[i].at), at(u, shares[i].of));
    for (size_t i = 0; i < COUNT(sums); i++)
        if (s->value[sums[i].metric])
            set(at(u, sums[i].at),
                integral(run, sums[i].metric, &time) / gput__metric_rate_unit(sums[i].metric));
}

/* points.c - what is exported of a run: a list of figures with names, units and labels. */
#include "export/points.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/figure.h"
#include "model/named_figure.h"

#define PEAK "Peak over the run. "
#define MEAN "Mean over the run. "
#define PEAK_OF_CORES "Cores in use, at most between two records. "
#define MEAN_OF_CORES "Cores in use, mean over the run. "

static const char *const units[] = { "bytes", "seconds", "ratio", "joules",
                                     "watts", "celsius", "hertz", "cores" };

const char *gput__point_unit(const char *family)
{
    size_t n = strlen(family);

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
        size_t k = strlen(units[i]);

        if (n > k + 1 && family[n - k - 1] == '_' && strcmp(family + n - k, units[i]) == 0)
            return units[i];
    }
    return "";
}

void gput__point_name(char *ret, size_t size, const char *family, const char *what)
{
    const char *unit = gput__point_unit(family);
    int stem = (int)(strlen(family) - strlen(unit) - (*unit != '\0'));

    snprintf(ret, size, "%.*s_%s%s%s", stem, family, what, *unit ? "_" : "", unit);
}

void gput__points_add(struct gput__points *p, const struct gput__point *point)
{
    if (p->err || !isfinite(point->value))
        return;
    if (p->n == p->cap) {
        size_t cap = p->cap ? 2 * p->cap : 128;
        struct gput__point *list = realloc(p->list, cap * sizeof(*list));

        if (!list) {
            p->err = -ENOMEM;
            return;
        }
        p->list = list;
        p->cap = cap;
    }
    p->list[p->n] = *point;
    if (strcmp(gput__point_unit(point->family), "bytes") == 0) /* results have them in gigabytes */
        p->list[p->n].value = nearbyint(point->value);
    p->n++;
}

void gput__points_free(struct gput__points *p)
{
    free(p->list);
    *p = (struct gput__points){ 0 };
}

void gput__points_trim(struct gput__points *p)
{
    struct gput__point *list = p->n ? realloc(p->list, p->n * sizeof(*list)) : NULL;

    if (!list)
        return;
    p->list = list;
    p->cap = p->n;
}

/* --- of metrics ------------------------------------------------------------------------------ */

static const char *scope_of(const struct gput__metric_info *info)
{
    static const char *const names[] = {
        [GPUT__SCOPE_MAIN] = "main",         [GPUT__SCOPE_DESCENDANTS] = "descendants",
        [GPUT__SCOPE_COMBINED] = "combined", [GPUT__SCOPE_JOB] = "job",
        [GPUT__SCOPE_MACHINE] = NULL,        [GPUT__SCOPE_GPUS] = NULL,
    };

    return names[info->scope];
}

static double base_unit(const struct gput__metric_info *info)
{
    return info->unit == GPUT__PERCENT ? 0.01 : 1;
}

/* The metric itself: a level, or what was counted. */
static struct gput__point of_metric(const struct gput__metric_info *info, double value)
{
    struct gput__point point = {
        .kind = info->kind == GPUT__GAUGE ? GPUT__POINT_GAUGE : GPUT__POINT_COUNTER,
        .prefix = "",
        .help = info->help,
        .scope = scope_of(info),
        .gpu = -1,
        .convention = info->convention,
        .value = value * base_unit(info),
    };

    snprintf(point.family, sizeof(point.family), "%s", info->family);
    return point;
}

/* A figure worked out of it, such as its peak. */
static void add_derived(struct gput__points *p, const struct gput__metric_info *info,
                        const char *family, const char *what, const char *prefix, double value)
{
    struct gput__point point = of_metric(info, value);

    point.kind = GPUT__POINT_GAUGE;
    point.prefix = prefix;
    point.convention = (struct gput__metric_convention){ NULL, NULL };
    gput__point_name(point.family, sizeof(point.family), family, what);
    gput__points_add(p, &point);
}

/* Of CPU time they are cores; of a level, its own unit. */
static void add_percentages(struct gput__points *p, const struct gput__metric_info *info,
                            const struct gput_percentages *of)
{
    bool is_level = info->kind == GPUT__GAUGE;
    double factor = is_level ? 1 : 0.01;
    char family[80];

    snprintf(family, sizeof(family), "%s", info->family);
    if (!is_level && strlen(family) > strlen("seconds"))
        strcpy(family + strlen(family) - strlen("seconds"), "cores");
    if (gput__figure_is_known(of->max_sum_percent))
        add_derived(p, info, family, "peak", is_level ? PEAK : PEAK_OF_CORES,
                    of->max_sum_percent.value * factor);
    if (gput__figure_is_known(of->mean_sum_percent))
        add_derived(p, info, family, "mean", is_level ? MEAN : MEAN_OF_CORES,
                    of->mean_sum_percent.value * factor);
}

static void add_figure(struct gput__points *p, const struct gput__metric_info *info,
                       const struct gput__metric_figure *f, const struct gput_usage *u)
{
    const struct gput_figure *figure = (const void *)((const char *)u + f->at);
    struct gput__point point;

    if (f->kind == GPUT__FIGURE_PERCENTAGES) {
        add_percentages(p, info, (const struct gput_percentages *)figure);
    } else if (!gput__figure_is_known(*figure)) {
        return;
    } else if (f->kind == GPUT__FIGURE_MAX) {
        add_derived(p, info, info->family, "peak", PEAK, figure->value);
    } else if (f->kind == GPUT__FIGURE_TOTAL || f->kind == GPUT__FIGURE_LAST) {
        point = of_metric(info, figure->value);
        gput__points_add(p, &point);
    }
}

void gput__points_of_total(struct gput__points *p, enum gput__metric m, double value)
{
    struct gput__point point = of_metric(&gput__metrics[m], value);

    point.kind = GPUT__POINT_COUNTER;
    gput__points_add(p, &point);
}

void gput__points_of_peak(struct gput__points *p, enum gput__metric m, double value)
{
    add_derived(p, &gput__metrics[m], gput__metrics[m].family, "peak", PEAK, value);
}

/* The figures know more of it. */
static bool is_listed(const struct gput__points *p, const struct gput__point *point)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->list[i].gpu == point->gpu && strcmp(p->list[i].family, point->family) == 0 &&
            (p->list[i].scope == point->scope ||
             (p->list[i].scope && point->scope && strcmp(p->list[i].scope, point->scope) == 0)))
            return true;
    return false;
}

void gput__points_of_sample(struct gput__points *p, const struct gput__sample *first,
                            const struct gput__sample *now, bool is_of_machine)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        const struct gput__metric_info *info = &gput__metrics[m];
        struct gput__point point;

        if (!gput__sample_has(now, (enum gput__metric)m) ||
            (is_of_machine && gput__metrics[m].scope < GPUT__SCOPE_MACHINE))
            continue;
        point = of_metric(info, info->kind == GPUT__GAUGE
                                    ? now->value[m]
                                    : gput__sample_gain(first, now, (enum gput__metric)m));
        if (!is_listed(p, &point))
            gput__points_add(p, &point);
    }
}

/* --- of the run ------------------------------------------------------------------------------ */

static void add_number(struct gput__points *p, const char *family, const char *help, double value)
{
    struct gput__point point = { .prefix = "", .help = help, .gpu = -1, .value = value };

    snprintf(point.family, sizeof(point.family), "%s", family);
    gput__points_add(p, &point);
}

static void add_known(struct gput__points *p, const char *family, const char *help,
                      struct gput_figure f)
{
    if (gput__figure_is_known(f))
        add_number(p, family, help, f.value);
}

/* Main and descendants are rows of their own; both together is their sum, as in every other output. */
static void add_cpu_time(struct gput__points *p, const struct gput_usage *u)
{
    struct gput_figure sum = gput__named_figure_of(u, GPUT__NAMED_CPU_TIME);

    if (gput__figure_is_known(sum))
        gput__points_of_total(p, GPUT__COMBINED_CPU, sum.value);
}

static void add_ending(struct gput__points *p, const struct gput_usage *u)
{
    bool is_over = u->job.ending == GPUT_EXITED || u->job.ending == GPUT_SIGNALED;

    if (u->job.ending == GPUT_EXITED)
        add_number(p, "run_exit_code", "Exit code of the command", u->job.code);
    if (u->job.ending == GPUT_SIGNALED)
        add_number(p, "run_exit_signal", "Signal that killed the command", u->job.code);
    if (!is_over)
        return;
    add_number(p, "run_success", "Whether the command ended with exit code 0",
               u->job.ending == GPUT_EXITED && u->job.code == 0);
    add_number(p, "run_killed_for_memory",
               "Whether a process of the job was killed for memory; 0.5 is probably",
               u->job.oom == GPUT_OOM_YES        ? 1
               : u->job.oom == GPUT_OOM_PROBABLY ? 0.5
                                                 : 0);
}

static void add_gpu(struct gput__points *p, int gpu, const char *family, const char *prefix,
                    const char *help, const char *convention, double value)
{
    struct gput__point point = { .prefix = prefix,
                                 .help = help,
                                 .gpu = gpu,
                                 .convention = { convention, "hw.type=gpu" },
                                 .value = value };

    snprintf(point.family, sizeof(point.family), "%s", family);
    gput__points_add(p, &point);
}

static const char of_memory[] = "Memory in use on the GPU, by all processes";
static const char of_use[] = "Utilization of the GPU";

void gput__points_of_gpu(struct gput__points *p, int gpu, double use, double memory)
{
    add_gpu(p, gpu, "gpu_memory_bytes", "", of_memory, "hw.gpu.memory.usage", memory);
    add_gpu(p, gpu, "gpu_utilization_ratio", "", of_use, "hw.gpu.utilization", use / 100);
}

static void add_gpu_figures(struct gput__points *p, const struct gput_gpu *g)
{
    const struct {
        const char *family, *prefix, *help, *convention;
        struct gput_figure figure;
        double unit;
    } all[] = {
        { "gpu_memory_peak_bytes", PEAK, of_memory, NULL, g->max_memory, 1 },
        { "gpu_memory_size_bytes", "", "Memory of the GPU", "hw.gpu.memory.limit", g->memory_total,
          1 },
        { "gpu_utilization_peak_ratio", PEAK, of_use, NULL, g->max_utilization, 0.01 },
        { "gpu_utilization_mean_ratio", MEAN, of_use, NULL, g->mean_utilization, 0.01 },
        { "gpu_power_peak_watts", PEAK, "Power of the GPU", NULL, g->max_power, 1 },
        { "gpu_power_mean_watts", MEAN, "Power of the GPU", NULL, g->mean_power, 1 },
        { "gpu_temperature_peak_celsius", PEAK, "Temperature of the GPU", NULL, g->max_temperature,
          1 },
        { "gpu_clock_peak_hertz", PEAK, "Clock of the GPU", NULL, g->max_clock, 1e6 },
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (gput__figure_is_known(all[i].figure))
            add_gpu(p, g->index, all[i].family, all[i].prefix, all[i].help, all[i].convention,
                    all[i].figure.value * all[i].unit);
    if (gput__figure_is_known(g->energy)) {
        add_gpu(p, g->index, "gpu_energy_joules", "", "Energy of the GPU during the run",
                "hw.energy", g->energy.value);
        if (!p->err)
            p->list[p->n - 1].kind = GPUT__POINT_COUNTER;
    }
}

void gput__points_of_machine(struct gput__points *p, const struct gput_usage *u)
{
    add_known(p, "tracker_cpu_used_seconds", "CPU time of the tracking itself",
              u->tracker.cpu_seconds);
    add_known(p, "tracker_memory_peak_bytes", PEAK "Resident memory of the tracker",
              u->tracker.max_rss);
    for (int i = 0; i < u->gpu.n_gpus; i++)
        add_gpu_figures(p, &u->gpu.gpus[i]);
}

void gput__points_of_usage(struct gput__points *p, const struct gput_usage *u)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        for (int i = 0; i < GPUT__MOST_FIGURES; i++)
            if (gput__metrics[m].figure[i].group)
                add_figure(p, &gput__metrics[m], &gput__metrics[m].figure[i], u);
    add_cpu_time(p, u);
    add_known(p, "run_duration_seconds", "Wall time of the run", u->compute_time.time);
    add_known(p, "memory_limit_bytes", "Memory that the job could have had",
              u->limits.memory_effective);
    add_known(p, "cpu_limit_cores", "Cores that the job could have used",
              u->limits.cores_effective);
    add_ending(p, u);
    gput__points_of_machine(p, u);
}

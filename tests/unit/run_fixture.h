/* run_fixture.h - finished runs, made by hand. */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H

#include <math.h>
#include <stdlib.h>

#include "model/run.h"

static inline struct gput_figure exact(double value)
{
    return (struct gput_figure){ value, GPUT_EXACT, NULL };
}

/* A run of a minute that used one of eight cores and 2 of 16 GB, without a GPU, and finished. */
static inline struct gput__run a_run(void)
{
    struct gput__run run = { .start = NAN, .end = NAN, .interval = NAN };
    struct gput_usage *u = &run.usage;

    u->size = sizeof(*u);
    u->ram_unit = u->gpu_ram_unit = "gigabytes";
    u->time_unit = "seconds";
    u->job.ending = GPUT_EXITED;
    u->compute_time.time = exact(60);
    u->max_ram.combined.total_rss = exact(2e9);
    u->max_ram.system_capacity = u->limits.memory_effective = exact(16e9);
    u->cpu_utilization.system_core_count = u->limits.cores_effective = exact(8);
    u->cpu_utilization.combined.mean_sum_percent = exact(200);
    u->cpu_utilization.combined.max_sum_percent = exact(700);
    return run;
}

/* n moments, a second apart. */
static inline void add_series(struct gput__run *run, size_t n)
{
    run->series.n = n;
    run->series.time = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        run->series.time[i] = 1.7e9 + (double)i;
}

/* The metric, `value` at all moments; the caller may change some. */
static inline double *add_metric(struct gput__run *run, enum gput__metric m, double value)
{
    double *values = malloc(run->series.n * sizeof(double));

    for (size_t i = 0; i < run->series.n; i++)
        values[i] = value;
    return run->series.value[m] = values;
}

#endif

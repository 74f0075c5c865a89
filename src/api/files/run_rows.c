/* run_rows.c - the rows that were kept of a run, as the series of a report. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/run.h"

/* A copy of one column; of what was gained, the rate. */
static double *copy_column(double *const *columns, uint32_t at, size_t n, double per_second)
{
    double *copy = malloc((n ? n : 1) * sizeof(*copy));

    if (!copy)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        double seconds = columns[GPUT__SERIES_SECONDS][i];

        copy[i] = columns[at][i];
        if (per_second > 0)
            copy[i] = seconds > 0 ? per_second * copy[i] / seconds : NAN;
    }
    return copy;
}

/* 0: it is kept as it is told. */
static double per_second(enum gput__metric m)
{
    if (gput__metrics[m].kind == GPUT__GAUGE || gput__metric_is_rate(m))
        return 0;
    return gput__metric_rate_unit(m);
}

static int copy_metrics(const struct gput__series *s, double *const *columns,
                        struct gput__run_series *ret)
{
    for (uint32_t i = 0; i < s->n_metrics; i++) {
        enum gput__metric m = (enum gput__metric)s->metric[i];

        if (!gput__any_known(columns[GPUT__SERIES_FIRST + i], ret->n))
            continue;
        ret->value[m] = copy_column(columns, GPUT__SERIES_FIRST + i, ret->n, per_second(m));
        if (!ret->value[m])
            return -ENOMEM;
    }
    return 0;
}

static int copy_gpus(const struct gput__series *s, double *const *columns,
                     const struct gput_usage *u, struct gput__run_series *ret)
{
    size_t n = s->n_gpus < (uint32_t)u->gpu.n_gpus ? s->n_gpus : (size_t)u->gpu.n_gpus;

    while (n > 0 && !columns[GPUT__SERIES_FIRST + s->n_metrics + 2 * n - 1])
        n--; /* it has shown up since they were copied */
    ret->gpus = n ? calloc(n, sizeof(*ret->gpus)) : NULL;
    if (n && !ret->gpus)
        return -ENOMEM;
    ret->n_gpus = n;
    for (size_t i = 0; i < n; i++) {
        uint32_t at = GPUT__SERIES_FIRST + s->n_metrics + 2 * (uint32_t)i;
        const struct gput_gpu *gpu = &u->gpu.gpus[i];

        ret->gpus[i] = (struct gput__run_gpu){
            .name = gpu->name ? strdup(gpu->name) : NULL,
            .uuid = gpu->uuid ? strdup(gpu->uuid) : NULL,
            .use = copy_column(columns, at, ret->n, 0),
            .memory = copy_column(columns, at + 1, ret->n, 0),
        };
        if (!ret->gpus[i].use || !ret->gpus[i].memory)
            return -ENOMEM;
    }
    return 0;
}

int gput__run_take_rows(struct gput__run *run, const struct gput__series *s, double *const *columns,
                        size_t n)
{
    int r;

    run->n_records = s->n_total;
    run->series.n = n;
    run->series.time = copy_column(columns, GPUT__SERIES_TIME, n, 0);
    if (run->series.time)
        gput__run_times_rise(run->series.time, n);
    r = run->series.time ? copy_metrics(s, columns, &run->series) : -ENOMEM;
    return r == 0 ? copy_gpus(s, columns, &run->usage, &run->series) : r;
}

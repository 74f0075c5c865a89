/* run.c - what a tracker has measured, as it is looked at afterwards. */
#include "api/files/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/host/server.h"
#include "api/inside/helper.h"
#include "base/clock.h"

#define CLOUD_PATIENCE 1.0 /* seconds */

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

static int copy_series(struct gput_tracker *t, struct gput__run *run)
{
    const struct gput__series *s;
    double **columns;
    size_t n;
    int r = gput__rows_columns(t, &s, &columns, &n);

    if (r == -ENODATA)
        return 0;
    if (r < 0)
        return r;
    run->n_records = s->n_total;
    run->series.n = n;
    run->series.time = copy_column(columns, GPUT__SERIES_TIME, n, 0);
    if (run->series.time)
        gput__run_times_rise(run->series.time, n);
    r = run->series.time ? copy_metrics(s, columns, &run->series) : -ENOMEM;
    if (r == 0)
        r = copy_gpus(s, columns, &run->usage, &run->series);
    free(columns);
    return r;
}

static char *word(const char *text)
{
    return text && *text ? strdup(text) : NULL;
}

static void tell_machine(const struct gput_tracker *t, struct gput__run *run)
{
    struct gput__server_names names;
    struct gput__root proc;

    if (gput__root_open(t->opts.proc_root, "/proc", &proc) < 0)
        return;
    gput__server_names_read(&proc, &names);
    gput__root_close(&proc);
    run->host = word(names.hostname);
    run->os = word(names.release.name);
    run->cpu_model = word(names.cpu_model);
}

/* In a cloud, and only there, an answer is waited for: the job has ended by now. */
static void tell_cloud(struct gput_tracker *t, struct gput__run *run)
{
    const struct gput__shared *b = t->client ? t->client->shared : NULL;
    const struct gput_cloud *cloud;

    if (b && b->discovery_len) {
        run->cloud_vendor = word(b->cloud.vendor);
        run->instance_type = word(b->cloud.instance_type);
        run->region = word(b->cloud.region);
    }
    if (!t->job.discovery)
        return;
    (void)gput_discovery_wait(t->job.discovery, CLOUD_PATIENCE);
    cloud = gput_discovery_cloud(t->job.discovery);
    if (!cloud)
        return;
    run->cloud_vendor = word(cloud->vendor);
    run->instance_type = word(cloud->instance_type);
    run->region = word(cloud->region);
}

/* Seconds since 1970. */
static double started_at(const struct gput_tracker *t, const struct gput__run *run)
{
    const struct gput__series *s = t->client ? t->client->series : NULL;

    if (!t->client)
        return (double)t->summary.first.real_ns / 1e9;
    if (run->series.n && s)
        return run->series.time[0] - gput__series_column(s, GPUT__SERIES_SECONDS)[0];
    return (double)gput__clock_ns(CLOCK_REALTIME) / 1e9 - run->usage.compute_time.time.value;
}

/* Who calls gput_tracker_stop() is at the end of what was to be measured, and who has not is not; the
 * process lives on in both cases. */
static void tell_ending(const struct gput_tracker *t, struct gput_usage *u)
{
    if (!t->client)
        return;
    if (u->job.ending == GPUT_DETACHED)
        u->job.ending = GPUT_GONE;
    else if (u->job.ending == GPUT_RUNNING)
        u->job.ending = GPUT_DETACHED;
}

static int fill_run(struct gput_tracker *t, struct gput__run *run)
{
    int r = gput_tracker_usage(t, &run->usage);

    if (r < 0)
        return r;
    tell_ending(t, &run->usage);
    run->n_records = (uint64_t)run->usage.tracker.n_records.value;
    r = copy_series(t, run);
    if (r < 0)
        return r;
    run->start = started_at(t, run);
    run->end = run->start + run->usage.compute_time.time.value;
    tell_machine(t, run);
    tell_cloud(t, run);
    return 0;
}

int gput__run_of(struct gput_tracker *t, struct gput__run *ret, struct gput_error *ret_err)
{
    struct gput__run run = { .usage.size = sizeof(run.usage), .interval = t->opts.sleep_time };
    int r = fill_run(t, &run);

    if (r == 0) {
        *ret = run;
        return 0;
    }
    gput__run_free(&run);
    return gput__refuse(ret_err, r, "tracker", "%s",
                        r == -ENODATA ? "it has measured nothing yet" : strerror(-r));
}

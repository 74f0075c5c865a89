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
    r = gput__run_take_rows(run, s, columns, n);
    free(columns);
    return r;
}

static char *word(const char *text)
{
    return text && *text ? strdup(text) : NULL;
}

void gput__run_tell_machine(struct gput__run *run, const char *proc_root)
{
    struct gput__server_names names;
    struct gput__root proc;

    if (gput__root_open(proc_root, "/proc", &proc) < 0)
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
    gput__run_tell_machine(run, t->opts.proc_root);
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

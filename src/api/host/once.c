/* once.c - what a process or the machine has used until now, without a run: counters as they stand. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/tracker.h"
#include "base/clock.h"
#include "model/stream.h"
#include "report/json/json.h"

#define DRIVER_PATIENCE_NS (10 * GPUT__NS_PER_S)
#define DISK_PATIENCE_NS GPUT__NS_PER_S

static void write_number(struct gput__json *j, const struct gput__stream_column *c, double value)
{
    value = gput__stream_value(c, value);
    if (c->decimals == GPUT__STREAM_WHOLE)
        gput__json_count(j, c->name, value);
    else
        gput__json_double(j, c->name, value);
}

/* Disk by disk, in write_disks(). */
static bool is_told_apart(enum gput__metric m)
{
    return m == GPUT__DISK_READ || m == GPUT__DISK_WRITE || m == GPUT__DISK_SPACE_TOTAL ||
           m == GPUT__DISK_SPACE_USED || m == GPUT__DISK_SPACE_FREE;
}

/* The columns of a stream, but counters as they stand; a rate is nothing of one moment. */
static void write_columns(struct gput__json *j, enum gput_stream s, pid_t pid,
                          const struct gput__sample *now)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, GPUT_COLUMNS_MIB, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct gput__stream_column *c = &all.column[i];

        if (c->form == GPUT__STREAM_TIME)
            write_number(j, c, (double)now->real_ns / 1e9);
        else if (c->form == GPUT__STREAM_PID)
            write_number(j, c, pid);
        else if (c->form != GPUT__STREAM_RATE && !is_told_apart(c->metric))
            write_number(j, c, gput__sample_has(now, c->metric) ? now->value[c->metric] : NAN);
    }
}

static void write_disks(struct gput__json *j, const struct gput__machine_details *d)
{
    gput__json_open(j, "disk_stats");
    for (size_t i = 0; i < d->n_disks; i++) {
        gput__json_open(j, d->disks[i].name);
        gput__json_count(j, "read_bytes", (double)d->disks[i].read);
        gput__json_count(j, "write_bytes", (double)d->disks[i].written);
        gput__json_close(j);
    }
    gput__json_close(j);
    gput__json_open(j, "disk_spaces");
    for (size_t i = 0; i < d->n_volumes; i++) {
        gput__json_open(j, d->volumes[i].name);
        gput__json_count(j, "total", (double)d->volumes[i].space.total);
        gput__json_count(j, "used", (double)d->volumes[i].space.used);
        gput__json_count(j, "free", (double)d->volumes[i].space.free);
        gput__json_close(j);
    }
    gput__json_close(j);
}

static void read_gpus(struct gput_tracker *t, struct gput__sample *ret)
{
    if (gput__gpu_begin(t, NULL) < 0)
        return;
    (void)gput__gpus_wait(t->gpu.thread, DRIVER_PATIENCE_NS);
    gput__gpu_poll(t, ret);
}

static int of_system(struct gput_tracker *t, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__sample now = { .real_ns = gput__clock_ns(CLOCK_REALTIME) };
    struct gput__machine_details d;
    int r;

    gput__sampler_begin_machine(&t->sampler, gput__now());
    r = gput__sampler_describe_machine(&t->sampler, DISK_PATIENCE_NS, &now, &d);
    if (r < 0)
        return r;
    read_gpus(t, &now);
    gput__json_open(&j, NULL);
    write_columns(&j, GPUT_STREAM_SYSTEM, 0, &now);
    write_disks(&j, &d);
    gput__json_close(&j);
    gput__machine_details_free(&d);
    return 0;
}

static int of_process(struct gput_tracker *t, pid_t pid, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__sample now = { 0 };
    int r = gput__sampler_once(&t->sampler, pid, gput__now(), &now);

    if (r < 0)
        return r;
    now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    read_gpus(t, &now);
    gput__json_open(&j, NULL);
    write_columns(&j, GPUT_STREAM_PROCESS, pid, &now);
    gput__json_close(&j);
    return 0;
}

int gput_stats_format(const struct gput_options *opts, pid_t pid, char **ret_text,
                      struct gput_error *ret_err)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t = NULL;
    struct gput__buf out = { 0 };
    int r;

    if (opts)
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    o.flags |= pid ? GPUT_STREAM_OF_PROCESS : GPUT_STREAM_OF_SYSTEM;
    r = gput_tracker_open(&o, &t, ret_err);
    if (r == 0)
        r = gput__engine_open(t, ret_err);
    if (r < 0)
        goto out;
    r = pid ? of_process(t, pid, &out) : of_system(t, &out);
    if (r == 0)
        r = gput__buf_detach(&out, ret_text);
    if (r == -ESRCH)
        gput__refuse(ret_err, r, "process_id", "there is no process %d", pid);
    else if (r < 0)
        gput__refuse(ret_err, r, "", "%s", strerror(-r));
out:
    gput_tracker_close(t);
    gput__buf_free(&out);
    return r;
}

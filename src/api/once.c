/* once.c - what a process or the machine has used until now, without a run: counters as they stand. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/tracker.h"
#include "base/clock.h"
#include "model/stream.h"
#include "report/json.h"

#define DRIVER_PATIENCE_NS (10 * GPUT__NS_PER_S)
#define DISK_PATIENCE_NS GPUT__NS_PER_S

static void put_number(struct gput__json *j, const char *key, const struct gput__stream_column *c,
                       double value)
{
    value = gput__stream_value(c, GPUT_COLUMNS_MIB, value);
    if (c->decimals[GPUT_COLUMNS_MIB] == GPUT__STREAM_WHOLE)
        gput__json_count(j, key, value);
    else
        gput__json_double(j, key, value);
}

/* Disk by disk, in put_disks(). */
static bool is_told_apart(enum gput__metric m)
{
    return m == GPUT__DISK_READ || m == GPUT__DISK_WRITE || m == GPUT__DISK_SPACE_TOTAL ||
           m == GPUT__DISK_SPACE_USED || m == GPUT__DISK_SPACE_FREE;
}

/* The columns of a stream, but counters as they stand; a rate is nothing of one moment. */
static void put_columns(struct gput__json *j, enum gput_stream s, pid_t pid,
                        const struct gput__sample *now)
{
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    for (size_t i = 0; i < n; i++) {
        double value = c[i].form == GPUT__STREAM_TIME       ? (double)now->real_ns / 1e9
                       : c[i].form == GPUT__STREAM_PID      ? pid
                       : gput__sample_has(now, c[i].metric) ? now->value[c[i].metric]
                                                            : NAN;

        if (c[i].form != GPUT__STREAM_RATE && !is_told_apart(c[i].metric))
            put_number(j, c[i].name[GPUT_COLUMNS_MIB], &c[i], value);
    }
}

static void put_disks(struct gput__json *j, const struct gput__machine_details *d)
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

/* What the interfaces that count show, since each is there. */
static void set_network(const struct gput__machine *m, struct gput__sample *ret)
{
    double in = 0, out = 0;

    for (size_t i = 0; i < m->nets.n; i++) {
        in += m->nets.list[i].counts ? (double)m->nets.list[i].now[GPUT__BYTES_IN] : 0;
        out += m->nets.list[i].counts ? (double)m->nets.list[i].now[GPUT__BYTES_OUT] : 0;
    }
    gput__sample_set(ret, GPUT__NET_RECEIVED, in);
    gput__sample_set(ret, GPUT__NET_SENT, out);
}

static void read_gpus(struct gput_tracker *t, struct gput__sample *ret)
{
    if (gput__gpu_begin(t, NULL) < 0)
        return;
    (void)gput__gpus_wait(t->gpus, DRIVER_PATIENCE_NS);
    gput__gpu_look_into(t, ret);
}

static int of_system(struct gput_tracker *t, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__sample now = { .real_ns = gput__clock_ns(CLOCK_REALTIME) };
    struct gput__machine_details d;
    int r;

    gput__tree_open(&t->sampler.tree, &t->sampler.proc, 0, gput__now());
    gput__machine_read(&t->sampler.machine, &now);
    r = gput__machine_describe(&t->sampler.machine, DISK_PATIENCE_NS, &d);
    if (r < 0)
        return r;
    set_network(&t->sampler.machine, &now);
    read_gpus(t, &now);
    gput__json_open(&j, NULL);
    put_columns(&j, GPUT_STREAM_SYSTEM, 0, &now);
    put_disks(&j, &d);
    gput__json_close(&j);
    gput__machine_details_free(&d);
    return 0;
}

/* As if tracking had begun with the machine: nobody is older, and all counts from 0. */
static int of_process(struct gput_tracker *t, pid_t pid, struct gput__buf *out)
{
    struct gput__sampler *s = &t->sampler;
    struct gput__json j = { .out = out };
    struct gput__sample now = { 0 };
    int r = gput__sampler_begin(s, pid, 0, false, 0);

    if (r < 0)
        return r;
    s->memory.not_before_ns = INT64_MAX; /* the pass is ours to make */
    gput__sampler_look(s, gput__now(), &now);
    gput__memory_scan_now(&s->memory, &s->tree);
    gput__job_measure(&s->job, &s->memory, &s->tree, &now);
    now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    read_gpus(t, &now);
    gput__json_open(&j, NULL);
    put_columns(&j, GPUT_STREAM_PROCESS, pid, &now);
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
        r = gput__buf_take(&out, ret_text);
    if (r == -ESRCH)
        gput__refuse(ret_err, r, "process_id", "there is no process %d", pid);
    else if (r < 0)
        gput__refuse(ret_err, r, "", "%s", strerror(-r));
out:
    gput_tracker_close(t);
    gput__buf_free(&out);
    return r;
}

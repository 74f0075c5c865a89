/* gpu_read.c - what is asked of a GPU driver. */
#include "sample/gpu/gpu_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/system.h"

/* Power, heat and clocks move slowly beside records each 10 ms, and asking is a third of their price. */
#define SENSORS_NS (40 * GPUT__NS_PER_MS)

void gput__gpus_unlock_for_call(struct gput__gpus *g)
{
    pthread_mutex_unlock(&g->lock);
}

void gput__gpus_lock_after_call(struct gput__gpus *g)
{
    pthread_mutex_lock(&g->lock);
    g->calls.n_answered++;
}

/* Readings that no longer find room are a reason to ask for the history. */
static void add_percent(struct gput__gpus *g, unsigned i, double percent)
{
    int64_t now_us = gput__clock_ns(CLOCK_REALTIME) / 1000;

    if (!gput__gpu_device_add_percent(&g->found.devices[i], now_us, percent))
        g->calls.wants_history = true;
}

static bool add_reading(struct gput__gpus *g, unsigned i, const struct gput__gpu_reading *r)
{
    if (r->known & GPUT__GPU_UTILIZATION)
        add_percent(g, i, r->utilization);
    return gput__gpu_device_add(&g->found.devices[i], r, gput__now());
}

static void read_processes(struct gput__gpus *g, unsigned i)
{
    struct gput__gpu_processes fresh = { 0 };
    size_t n_job = g->asked.n_job;
    pid_t *job = n_job ? malloc(n_job * sizeof(*job)) : NULL;
    int r;

    if (job)
        memcpy(job, g->asked.job, n_job * sizeof(*job));
    gput__gpus_unlock_for_call(g);
    r = g->found.ops->processes(g->found.instance, i, job, job ? n_job : 0, &fresh);
    gput__gpus_lock_after_call(g);
    free(job);
    gput__gpu_device_set_processes(&g->found.devices[i], fresh, r);
}

/* A driver that keeps a history need not be asked how busy the device is, unless every record is to
 * show it; and amdgpu asks its firmware: not between records. */
static bool wants_utilization(const struct gput__gpus *g, unsigned i, bool is_record)
{
    if (g->found.devices[i].info.is_drm)
        return is_record;
    return !g->found.devices[i].utilization.has_history || (g->asked.plan.has_rows && is_record);
}

static bool wants_sensors(const struct gput__gpus *g, unsigned i, bool is_record)
{
    return is_record && g->asked.plan.want_all &&
           gput__now() - g->found.devices[i].sensors.read_ns >= SENSORS_NS;
}

static unsigned what_to_read(const struct gput__gpus *g, unsigned i, bool is_record)
{
    unsigned what = GPUT__GPU_MEMORY;

    if (wants_utilization(g, i, is_record))
        what |= GPUT__GPU_UTILIZATION;
    if (wants_sensors(g, i, is_record))
        what |= GPUT__GPU_POWER | GPUT__GPU_TEMPERATURE | GPUT__GPU_CLOCKS | GPUT__GPU_THROTTLE;
    return what;
}

/* Drivers name a process a little later than they count its memory: while nothing on the device is
 * known to be the job's, the list is asked for again. */
static bool is_unexplained(const struct gput__gpus *g, unsigned i)
{
    const struct gput__gpu_device *d = &g->found.devices[i];

    return !d->processes.are_known || !d->memory.is_known ||
           (!g->asked.on_gpu && d->memory.used > d->memory.first);
}

/* The kernel's drivers keep no list of processes for a device: their clients are in the job's own
 * files, and no change of the device shows when to read; and what of the device is only known by
 * them is known after that. */
static bool read_device(struct gput__gpus *g, unsigned i, bool is_record)
{
    struct gput__gpu_reading r = { 0 };
    bool by_clients = g->found.devices[i].info.is_drm && is_record, moved;
    int error;

    if (g->found.devices[i].is_lost)
        return false;
    if (by_clients)
        read_processes(g, i);
    gput__gpus_unlock_for_call(g);
    error = g->found.ops->read(g->found.instance, i, what_to_read(g, i, is_record), &r);
    gput__gpus_lock_after_call(g);
    if (error == -ENODEV) {
        gput__gpu_device_lose(&g->found.devices[i]);
        return true;
    }
    moved = error == 0 && add_reading(g, i, &r);
    if (!by_clients && (moved || (is_record && is_unexplained(g, i)))) {
        read_processes(g, i);
        moved = true;
    }
    return moved || by_clients;
}

bool gput__gpus_read(struct gput__gpus *g, bool is_record)
{
    bool moved = false;

    for (unsigned i = 0; i < g->found.n && !g->asked.to_end; i++)
        moved |= read_device(g, i, is_record);
    return moved;
}

struct history {
    struct gput__gpu_step steps[256];
    size_t n;
};

static void add_step(void *ctx, int64_t time_us, double percent)
{
    struct history *h = ctx;

    if (h->n == sizeof(h->steps) / sizeof(*h->steps)) { /* the newest are the ones that matter */
        memmove(h->steps, h->steps + 1, (h->n - 1) * sizeof(*h->steps));
        h->n--;
    }
    h->steps[h->n++] = (struct gput__gpu_step){ time_us, percent };
}

void gput__gpus_read_history(struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->found.n && !g->asked.to_end; i++) {
        int64_t since = g->busy.lanes[i].newest_us ? g->busy.lanes[i].newest_us : g->busy.start_us;
        struct history h = { .n = 0 };

        if (g->found.ops->history && !g->found.devices[i].is_lost) {
            gput__gpus_unlock_for_call(g);
            (void)g->found.ops->history(g->found.instance, i, since, add_step, &h);
            gput__gpus_lock_after_call(g);
        }
        gput__gpu_device_add_history(&g->found.devices[i], h.steps, h.n, &g->busy, i);
    }
    gput__gpu_busy_sweep(&g->busy);
    g->calls.wants_history = false;
}

static void add_use(void *ctx, pid_t pid, int64_t time_us, double percent)
{
    (void)time_us;
    gput__gpu_uses_add(ctx, pid, percent);
}

/* The most expensive call of all: with the history, and only when it will be shown. */
void gput__gpus_read_uses(struct gput__gpus *g)
{
    int64_t since = g->calls.uses_since_us ? g->calls.uses_since_us : g->asked.plan.start_us;

    for (unsigned i = 0; i < g->found.n && g->found.ops->process_utilization &&
                         g->asked.plan.want_uses && !g->asked.to_end;
         i++) {
        struct gput__gpu_device *d = &g->found.devices[i];
        struct gput__gpu_uses uses = d->uses;

        if (d->is_lost)
            continue;
        gput__gpus_unlock_for_call(g);
        (void)g->found.ops->process_utilization(g->found.instance, i, since, add_use, &uses);
        gput__gpus_lock_after_call(g);
        gput__gpu_device_set_uses(d, &uses);
    }
    g->calls.uses_since_us = gput__clock_ns(CLOCK_REALTIME) / 1000;
}

static void read_work(struct gput__gpus *g, unsigned i)
{
    struct gput__gpu_device *d = &g->found.devices[i];
    struct gput__gpu_work work = { 0 };
    const char *why = NULL;
    int r;

    gput__gpus_unlock_for_call(g);
    r = g->found.ops->work(g->found.instance, i, &work, &why);
    gput__gpus_lock_after_call(g);
    if (r == -ENODEV)
        gput__gpu_device_lose(d);
    if (why)
        gput__gpu_device_miss_work(d, why);
    /* What was counted before the job started is none of its own. */
    if (r == 0 && !g->asked.wants_base &&
        gput__gpu_device_add_work(d, &work, gput__clock_ns(CLOCK_REALTIME) / 1000))
        gput__event_raise(g->changed);
}

void gput__gpus_read_work(struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->found.n && g->found.ops->work && !g->asked.to_end; i++)
        if (!g->found.devices[i].is_lost)
            read_work(g, i);
}

/* Without a level at the start nothing follows from one now. */
static bool read_counts(struct gput__gpus *g, unsigned i, unsigned which, bool is_first)
{
    struct gput__gpu_device *d = &g->found.devices[i];
    struct gput__gpu_counts counts;
    int r;

    if (d->is_lost || (!is_first && !d->works.counted.known))
        return false;
    gput__gpus_unlock_for_call(g);
    r = g->found.ops->counts(g->found.instance, i, which, &counts);
    gput__gpus_lock_after_call(g);
    return r == 0 && gput__gpu_device_count(d, &counts, is_first);
}

void gput__gpus_read_counts(struct gput__gpus *g, unsigned which, bool first)
{
    for (unsigned i = 0; i < g->found.n && g->found.ops->counts && !g->asked.to_end; i++) {
        if (!read_counts(g, i, which, first))
            continue;
        (void)read_counts(g, i, GPUT__COUNTS_OF_ERRORS, false);
        gput__event_raise(g->changed);
    }
}

void gput__gpus_read_energy(struct gput__gpus *g, bool first)
{
    for (unsigned i = 0;
         i < g->found.n && g->found.ops->energy && g->asked.plan.want_all && !g->asked.to_end;
         i++) {
        struct gput__gpu_device *d = &g->found.devices[i];
        double joules = 0;
        int r;

        if (d->is_lost)
            continue;
        gput__gpus_unlock_for_call(g);
        r = g->found.ops->energy(g->found.instance, i, &joules);
        gput__gpus_lock_after_call(g);
        if (r == 0)
            gput__gpu_device_set_energy(d, joules, first);
    }
}

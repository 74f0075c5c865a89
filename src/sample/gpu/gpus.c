/* gpus.c - watches the GPUs from a thread of its own, so that nothing ever waits for a driver. */
#include "sample/gpu/gpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "base/thread.h"
#include "sample/gpu/gpu_brands.h"
#include "sample/gpu/gpu_read.h"
#include "source/gpu/gpu_all.h"

/* How often memory is read: while the job is on a GPU, while it is and nothing has moved for a while, and
 * while it is on none. */
#define WATCH_NS (40 * GPUT__NS_PER_MS)
#define CALM_AFTER_NS (2 * GPUT__NS_PER_S)
#define CALM_NS (100 * GPUT__NS_PER_MS)
#define GLANCE_NS (250 * GPUT__NS_PER_MS)
/* Reading memory takes at most one part in this many of a core, and so does what devices did. */
#define WATCH_SHARE 500
/* A driver that takes longer to let go is left to itself. */
#define LAST_CALL_NS (15 * GPUT__NS_PER_MS)
/* A driver that answers slowly, call after call, delays nothing for longer than this. */
#define LONGEST_WAIT_NS (300 * GPUT__NS_PER_MS)
/* A driver's history is some 14 s long. */
#define FIRST_HISTORY_NS GPUT__NS_PER_S
#define HISTORY_NS (11 * GPUT__NS_PER_S)
/* What devices did is counted over so long at most, and with records where they come faster. */
#define WORK_NS GPUT__NS_PER_S
#define ALL_COUNTS                                                                                 \
    (GPUT__COUNTS_OF_EVENTS | GPUT__COUNTS_OF_TIME | (unsigned)GPUT__COUNTS_OF_ERRORS)

/* --- finding them --------------------------------------------------------------------------- */

/* After a call that took too long the answer may not be wanted any more. */
static bool is_abandoned(const struct gput__gpus *g)
{
    return __atomic_load_n(&g->is_abandoned, __ATOMIC_ACQUIRE);
}

/* An instance is a part of its GPU; one on the processor's chip is there beside the true one. */
bool gput__gpus_counts(const struct gput__gpus *g, unsigned i)
{
    const struct gput__gpu_info *info = &g->found.devices[i].info;
    bool is_aside = false;

    for (unsigned k = 0; k < g->found.n && info->is_drm && info->is_unified; k++) {
        const struct gput__gpu_info *other = &g->found.devices[k].info;

        is_aside |= !(other->is_drm && other->is_unified);
    }
    return !info->is_mig && !is_aside;
}

static void open_gpus(struct gput__gpus *g)
{
    const struct gput__gpu_ops *ops = &gput__gpu_all;
    struct gput__gpu_device *devices = NULL;
    char why[256] = "";
    void *gpus = NULL;
    bool is_bare = true;
    unsigned n = 0;

    gput__gpus_unlock_for_call(g);
    if (gput__gpu_all_new(&gpus) == 0)
        gput__gpu_brands_open(&g->asked.plan, &g->is_abandoned, gpus, &is_bare, why, sizeof(why));
    n = gpus && !is_abandoned(g) ? ops->count(gpus) : 0;
    devices = n ? calloc(n, sizeof(*devices)) : NULL;
    for (unsigned i = 0; devices && i < n; i++) {
        struct gput__gpu_info info = { 0 };
        bool is_there = ops->describe(gpus, i, &info) == 0;

        gput__gpu_device_open(&devices[i], &info, is_there);
    }
    gput__gpus_lock_after_call(g);
    g->found.is_bare &= is_bare;
    g->found.instance = gpus;
    g->found.ops = gpus ? ops : NULL;
    g->found.devices = devices;
    g->found.n = devices ? n : 0;
    if (why[0]) /* more than that something is not there */
        snprintf(g->found.why, sizeof(g->found.why), "%s", why);
    if (gput__gpu_busy_open(&g->busy, g->found.n, g->asked.plan.start_us) < 0)
        g->found.n = 0;
    for (unsigned i = 0; i < g->found.n; i++)
        gput__gpu_busy_count(&g->busy, i, gput__gpus_counts(g, i));
}

/* --- the thread ----------------------------------------------------------------------------- */

static void wait_until(struct gput__gpus *g, int64_t due_ns)
{
    int64_t left = due_ns - gput__now();
    struct timespec at;

    if (left <= 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &at);
    left += at.tv_nsec;
    at.tv_sec += left / GPUT__NS_PER_S;
    at.tv_nsec = left % GPUT__NS_PER_S;
    (void)pthread_cond_timedwait(&g->wake, &g->lock, &at);
}

/* A little before the record that will use it. */
static int64_t record_after(const struct gput__gpus *g, int64_t now)
{
    int64_t lead = g->asked.plan.period_ns / 50 < GPUT__NS_PER_MS ? g->asked.plan.period_ns / 50
                                                                  : GPUT__NS_PER_MS;
    int64_t k = (now + lead - g->asked.plan.start_ns) / g->asked.plan.period_ns + 1;

    return g->asked.plan.start_ns + k * g->asked.plan.period_ns - lead;
}

static int64_t next_watch(const struct gput__gpus *g, int64_t now)
{
    bool is_calm = now - g->timing.moved_ns > CALM_AFTER_NS;
    int64_t pause = !g->asked.on_gpu ? GLANCE_NS : is_calm ? CALM_NS : WATCH_NS;

    if (g->asked.plan.no_watch)
        return INT64_MAX;
    if (pause < g->timing.cost_ns * WATCH_SHARE)
        pause = g->timing.cost_ns * WATCH_SHARE;
    return now + pause;
}

/* Says so where something is new. */
static void publish(struct gput__gpus *g, bool moved, bool is_record)
{
    for (unsigned i = 0; is_record && i < g->found.n; i++)
        gput__gpu_device_record(&g->found.devices[i]);
    if (moved || (is_record && g->asked.plan.has_rows))
        g->found.seq++; /* how busy it is moves without its memory */
    if (moved)
        gput__event_raise(g->changed);
}

/* Expensive: as seldom as its share of a core asks for. */
static void watch_work(struct gput__gpus *g, bool is_record)
{
    int64_t begun = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID), now = gput__now(), pause, cost;

    if (now < g->timing.next_work_ns || (!is_record && g->asked.plan.period_ns <= WORK_NS))
        return;
    gput__gpus_read_work(g);
    gput__gpus_read_counts(g, GPUT__COUNTS_OF_EVENTS, false);
    cost = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun;
    g->timing.work_cost_ns += (cost - g->timing.work_cost_ns) / 4;
    pause = g->timing.work_cost_ns * WATCH_SHARE;
    if (g->asked.plan.period_ns > WORK_NS && pause < WORK_NS)
        pause = WORK_NS;
    g->timing.next_work_ns = now + pause;
}

static void watch(struct gput__gpus *g)
{
    int64_t begun, now = gput__now();
    bool is_record = now >= g->timing.next_record_ns, moved;

    begun = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    moved = gput__gpus_read(g, is_record);
    /* What a reading costs in the ordinary case: when something moves, more is read. */
    if (!moved && !is_record)
        g->timing.cost_ns +=
            (gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun - g->timing.cost_ns) / 4;
    if (moved)
        g->timing.moved_ns = now;
    watch_work(g, is_record);
    publish(g, moved, is_record);
    if (is_record)
        g->timing.next_record_ns = record_after(g, gput__now());
    if (now >= g->timing.next_history_ns || g->calls.wants_history) {
        gput__gpus_read_history(g);
        gput__gpus_read_uses(g);
        gput__gpus_read_counts(g, GPUT__COUNTS_OF_TIME, false);
        g->timing.next_history_ns = now + HISTORY_NS;
    }
}

static bool read_processes(struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->found.n; i++)
        gput__gpu_device_doubt_processes(&g->found.devices[i]);
    return gput__gpus_read(g, true);
}

static void refresh(struct gput__gpus *g)
{
    g->asked.wants_reading = false;
    publish(g, read_processes(g), false);
    g->found.is_read = true;
    pthread_cond_broadcast(&g->told);
}

static void finish(struct gput__gpus *g)
{
    bool moved = read_processes(g);

    gput__gpus_read_work(g);
    publish(g, moved, true);
    gput__gpus_read_history(g);
    gput__gpus_read_uses(g);
    gput__gpus_read_counts(g, ALL_COUNTS, false);
    gput__gpus_read_energy(g, false);
    gput__gpu_busy_finish(&g->busy, g->asked.end_us);
    g->found.is_finished = true;
    pthread_cond_broadcast(&g->told);
}

/* Of a run that is over already nothing more is to be seen than its memory. */
static void read_base(struct gput__gpus *g)
{
    if (!g->asked.to_finish) {
        gput__gpus_read_counts(g, ALL_COUNTS, true);
        gput__gpus_read_work(g);
    }
    g->asked.wants_base = false;
    gput__gpus_read_energy(g, true);
}

static void serve(struct gput__gpus *g)
{
    g->timing.next_record_ns = record_after(g, gput__now());
    g->timing.next_history_ns = gput__now() + FIRST_HISTORY_NS;
    while (!g->asked.to_end) {
        int64_t now = gput__now(), due = next_watch(g, now);

        if (g->asked.wants_base) {
            read_base(g);
            continue; /* more may have been asked for meanwhile */
        }
        if (g->asked.wants_reading) {
            refresh(g);
            continue;
        }
        if (g->asked.to_finish && !g->found.is_finished) {
            finish(g);
            continue;
        }
        due = due < g->timing.next_record_ns ? due : g->timing.next_record_ns;
        if (g->asked.plan.period_ns > WORK_NS && g->timing.next_work_ns < due)
            due = g->timing.next_work_ns;
        wait_until(g, g->found.is_finished ? now + GPUT__NS_PER_S : due);
        if (!g->asked.to_end && !g->asked.to_finish && !g->found.is_finished && gput__now() >= due)
            watch(g);
    }
}

static void free_gpus(struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->found.n; i++)
        gput__gpu_device_close(&g->found.devices[i]);
    free(g->found.devices);
    free(g->asked.job);
    gput__gpu_busy_close(&g->busy);
    if (g->changed >= 0)
        close(g->changed);
    gput__root_close(&g->asked.proc);
    gput__root_close(&g->asked.sys);
    free(g->asked.brand);
    free(g->asked.nvml_path);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->wake);
    pthread_cond_destroy(&g->told);
    free(g);
}

static void *run(void *arg)
{
    struct gput__gpus *g = arg;
    bool abandoned;

    pthread_mutex_lock(&g->lock);
    if (!g->asked.to_end)
        open_gpus(g);
    if (!g->asked.to_end && g->found.n)
        publish(g, gput__gpus_read(g, true), true);
    g->found.state = g->found.n ? GPUT__GPUS_READY : GPUT__GPUS_NONE;
    g->found.seq++;
    gput__event_raise(g->changed);
    pthread_cond_broadcast(&g->told);
    if (g->found.n)
        serve(g);
    if (g->found.ops) {
        gput__gpus_unlock_for_call(g);
        g->found.ops->close(g->found.instance);
        gput__gpus_lock_after_call(g);
    }
    g->has_ended = true;
    abandoned = g->is_abandoned;
    pthread_cond_broadcast(&g->told);
    pthread_mutex_unlock(&g->lock);
    if (abandoned)
        free_gpus(g);
    return NULL;
}

/* --- for everybody else --------------------------------------------------------------------- */

static void init_locks(struct gput__gpus *g)
{
    pthread_mutex_init(&g->lock, NULL);
    gput__cond_init(&g->wake);
    gput__cond_init(&g->told);
}

static int copy_root(const struct gput__root *from, struct gput__root *ret)
{
    *ret = *from;
    if (from->fd >= 0)
        ret->fd = fcntl(from->fd, F_DUPFD_CLOEXEC, 0);
    return from->fd >= 0 && ret->fd < 0 ? -errno : 0;
}

static int copy_text(const char *from, char **ret)
{
    *ret = from ? strdup(from) : NULL;
    return from && !*ret ? -ENOMEM : 0;
}

static int copy_plan(struct gput__gpus *g, const struct gput__gpu_plan *plan)
{
    int r = copy_root(plan->config.proc, &g->asked.proc);

    if (r == 0)
        r = copy_root(plan->config.sys, &g->asked.sys);
    if (r == 0)
        r = copy_text(plan->brand, &g->asked.brand);
    if (r == 0)
        r = copy_text(plan->config.nvml_path, &g->asked.nvml_path);
    g->asked.plan = *plan;
    g->asked.plan.brand = g->asked.brand;
    g->asked.plan.config.nvml_path = g->asked.nvml_path;
    g->asked.plan.config.proc = &g->asked.proc;
    g->asked.plan.config.sys = &g->asked.sys;
    return r;
}

int gput__gpus_start(const struct gput__gpu_plan *plan, struct gput__gpus **ret)
{
    struct gput__gpus *g = calloc(1, sizeof(*g));
    int r;

    if (!g)
        return -ENOMEM;
    g->asked.proc = g->asked.sys = GPUT__ROOT_NONE;
    g->timing.cost_ns = 50 * 1000;
    g->asked.wants_base = true;
    init_locks(g);
    g->changed = -1;
    r = copy_plan(g, plan);
    if (r < 0) {
        free_gpus(g);
        return r;
    }
    if (gput__gpu_brands_absent(&g->asked.plan, &g->found.is_bare, g->found.why,
                                sizeof(g->found.why))) {
        g->found.state = GPUT__GPUS_NONE;
        *ret = g;
        return 0;
    }
    g->changed = gput__event_open();
    r = gput__thread_start(&g->thread, 256 * 1024, run, g);
    if (r < 0) {
        free_gpus(g);
        return r;
    }
    g->has_thread = true;
    *ret = g;
    return 0;
}

static struct timespec after(int64_t timeout_ns)
{
    int64_t at = gput__clock_ns(CLOCK_MONOTONIC) + timeout_ns;

    return (struct timespec){ at / GPUT__NS_PER_S, at % GPUT__NS_PER_S };
}

bool gput__gpus_wait(struct gput__gpus *g, int64_t timeout_ns)
{
    struct timespec until = after(timeout_ns);
    bool known;

    pthread_mutex_lock(&g->lock);
    while (g->found.state == GPUT__GPUS_STARTING)
        if (pthread_cond_timedwait(&g->told, &g->lock, &until) == ETIMEDOUT)
            break;
    known = g->found.state != GPUT__GPUS_STARTING;
    pthread_mutex_unlock(&g->lock);
    return known;
}

static bool names(const char *uuids, const char *uuid)
{
    size_t n = strlen(uuid);

    for (const char *p = uuids; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (!strncmp(p, uuid, n) && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

static bool is_there(const struct gput__gpus *g, const char *uuid, size_t n)
{
    for (unsigned i = 0; i < g->found.n; i++)
        if (strlen(g->found.devices[i].info.uuid) == n &&
            !strncmp(g->found.devices[i].info.uuid, uuid, n))
            return true;
    return false;
}

int gput__gpus_choose(struct gput__gpus *g, const char *uuids, char *ret_bad, size_t cap)
{
    int r = 0;

    pthread_mutex_lock(&g->lock);
    for (const char *p = uuids; p && r == 0; p = strchr(p, ',')) {
        size_t n;

        p += *p == ',';
        n = strcspn(p, ",");
        if (is_there(g, p, n))
            continue;
        snprintf(ret_bad, cap, "%.*s", (int)n, p);
        r = -ENOENT;
    }
    for (unsigned i = 0; r == 0 && i < g->found.n; i++)
        gput__gpu_busy_count(&g->busy, i,
                             uuids ? names(uuids, g->found.devices[i].info.uuid)
                                   : gput__gpus_counts(g, i));
    pthread_mutex_unlock(&g->lock);
    return r;
}

void gput__gpus_restart(struct gput__gpus *g, int64_t start_ns, int64_t start_us)
{
    pthread_mutex_lock(&g->lock);
    g->asked.plan.start_ns = start_ns;
    g->asked.plan.start_us = start_us;
    gput__gpu_busy_restart(&g->busy, start_us);
    g->timing.next_record_ns = 0; /* the schedule has moved */
    g->asked.wants_base = true;
    for (unsigned i = 0; i < g->found.n; i++)
        gput__gpu_device_restart(&g->found.devices[i]);
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
}

void gput__gpus_tell_job(struct gput__gpus *g, const pid_t *pids, size_t n)
{
    pid_t *copy = n ? malloc(n * sizeof(*copy)) : NULL;

    if (n && !copy)
        return;
    if (copy)
        memcpy(copy, pids, n * sizeof(*copy));
    pthread_mutex_lock(&g->lock);
    free(g->asked.job);
    g->asked.job = copy;
    g->asked.n_job = n;
    pthread_mutex_unlock(&g->lock);
}

void gput__gpus_tell_use(struct gput__gpus *g, bool on_gpu)
{
    pthread_mutex_lock(&g->lock);
    if (on_gpu && !g->asked.on_gpu)
        pthread_cond_signal(&g->wake);
    g->asked.on_gpu = on_gpu;
    pthread_mutex_unlock(&g->lock);
}

/* With the lock: until `done`, as long as the driver answers one call after the other in time. */
static void wait_for(struct gput__gpus *g, const bool *done, int64_t timeout_ns)
{
    int64_t longest = timeout_ns > LONGEST_WAIT_NS ? timeout_ns : LONGEST_WAIT_NS;
    int64_t end = gput__clock_ns(CLOCK_MONOTONIC) + longest, left = longest;
    unsigned answered = g->calls.n_answered;
    struct timespec until = after(timeout_ns);

    while (!*done && g->found.state != GPUT__GPUS_NONE) {
        if (pthread_cond_timedwait(&g->told, &g->lock, &until) != ETIMEDOUT)
            continue;
        left = end - gput__clock_ns(CLOCK_MONOTONIC);
        if (g->calls.n_answered == answered || left <= 0)
            return;
        answered = g->calls.n_answered;
        until = after(timeout_ns < left ? timeout_ns : left);
    }
}

bool gput__gpus_refresh(struct gput__gpus *g, int64_t timeout_ns)
{
    bool is_read;

    pthread_mutex_lock(&g->lock);
    g->found.is_read = false;
    g->asked.wants_reading = g->found.state == GPUT__GPUS_READY;
    pthread_cond_signal(&g->wake);
    if (g->asked.wants_reading)
        wait_for(g, &g->found.is_read, timeout_ns);
    is_read = g->found.is_read || g->found.state == GPUT__GPUS_NONE;
    pthread_mutex_unlock(&g->lock);
    return is_read;
}

bool gput__gpus_finish(struct gput__gpus *g, int64_t end_us, int64_t timeout_ns)
{
    bool finished;

    pthread_mutex_lock(&g->lock);
    g->asked.end_us = end_us;
    g->asked.to_finish = true;
    pthread_cond_signal(&g->wake);
    wait_for(g, &g->found.is_finished, timeout_ns);
    finished = g->found.is_finished || g->found.state == GPUT__GPUS_NONE;
    pthread_mutex_unlock(&g->lock);
    return finished;
}

void gput__gpus_close(struct gput__gpus *g)
{
    struct timespec until = after(LAST_CALL_NS);
    bool hangs;

    if (!g)
        return;
    if (!g->has_thread) {
        free_gpus(g);
        return;
    }
    pthread_mutex_lock(&g->lock);
    g->asked.to_end = true;
    pthread_cond_signal(&g->wake);
    while (!g->has_ended)
        if (pthread_cond_timedwait(&g->told, &g->lock, &until) == ETIMEDOUT)
            break;
    hangs = !g->has_ended;
    __atomic_store_n(&g->is_abandoned, hangs, __ATOMIC_RELEASE);
    if (hangs)
        pthread_detach(g->thread);
    pthread_mutex_unlock(&g->lock);
    if (hangs)
        return;
    pthread_join(g->thread, NULL);
    free_gpus(g);
}

/* gpu_read.c - what is asked of a GPU driver, and what is kept of the answers. */
#include "sample/gpu_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"

/* Power, heat and clocks move slowly beside records each 10 ms, and asking is a third of their price. */
#define SENSORS_NS (40 * GPUT__NS_PER_MS)

void gput__gpus_let_go(struct gput__gpus *g)
{
    pthread_mutex_unlock(&g->lock);
}

void gput__gpus_take_back(struct gput__gpus *g)
{
    pthread_mutex_lock(&g->lock);
    g->n_calls++;
}

static void take_power(struct gput__gpu_device *d, const struct gput__gpu_reading *r, int64_t now)
{
    double seconds = d->read_ns ? gput__seconds(now - d->read_ns) : 0;

    if (!(r->known & GPUT__GPU_POWER))
        return;
    d->power_ws += r->power_watts * seconds;
    d->power_s += seconds;
    d->max_power = r->power_watts > d->max_power ? r->power_watts : d->max_power;
    d->has_power = true;
}

static void take_health(struct gput__gpu_device *d, const struct gput__gpu_reading *r)
{
    if (r->known & GPUT__GPU_TEMPERATURE) {
        d->has_temperature = true;
        if (r->temperature_c > d->max_temperature)
            d->max_temperature = r->temperature_c;
    }
    if (r->known & GPUT__GPU_CLOCKS) {
        d->has_clocks = true;
        d->max_clock = r->clock_mhz > d->max_clock ? r->clock_mhz : d->max_clock;
        if (r->memory_clock_mhz > d->max_memory_clock)
            d->max_memory_clock = r->memory_clock_mhz;
    }
    if ((r->known & GPUT__GPU_THROTTLE) && r->is_throttled) {
        d->was_throttled = true;
        snprintf(d->throttle, sizeof(d->throttle), "%s", r->throttle);
    }
}

/* True: the device has more or less memory in use than before. */
static bool take_memory(struct gput__gpu_device *d, const struct gput__gpu_reading *r)
{
    bool moved = !d->has_memory || r->memory_used != d->now.memory_used;

    if (!(r->known & GPUT__GPU_MEMORY))
        return false;
    if (!d->has_memory)
        d->first_memory = d->max_memory = r->memory_used;
    if (r->memory_used > d->max_memory)
        d->max_memory = r->memory_used;
    d->has_memory = true;
    d->now.memory_used = r->memory_used;
    return moved;
}

/* Readings are only the second best: a driver that keeps a history has seen the time between. */
static void take_utilization(struct gput__gpus *g, unsigned i, double percent)
{
    struct gput__gpu_device *d = &g->devices[i];

    d->now.utilization = percent;
    d->had_utilization = true;
    if (d->has_history)
        return;
    if (d->n_waiting == sizeof(d->waiting) / sizeof(*d->waiting))
        g->next_history_ns = 0; /* time to ask */
    else
        d->waiting[d->n_waiting++] =
            (struct gput__gpu_step){ gput__clock_ns(CLOCK_REALTIME) / 1000, percent };
}

static bool take_reading(struct gput__gpus *g, unsigned i, const struct gput__gpu_reading *r,
                         int64_t now)
{
    struct gput__gpu_device *d = &g->devices[i];
    bool moved = take_memory(d, r);

    if (r->known & GPUT__GPU_UTILIZATION)
        take_utilization(g, i, r->utilization);
    if (r->known & ~(unsigned)(GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION)) {
        take_power(d, r, now);
        take_health(d, r);
        d->read_ns = now;
    }
    d->now.known |= r->known;
    return moved;
}

static void read_processes(struct gput__gpus *g, unsigned i)
{
    struct gput__gpu_processes fresh = { 0 }, old;
    struct gput__gpu_device *d = &g->devices[i];
    uint64_t used = d->now.memory_used;
    size_t n_job = g->n_job;
    pid_t *job = n_job ? malloc(n_job * sizeof(*job)) : NULL;
    int r;

    if (job)
        memcpy(job, g->job, n_job * sizeof(*job));
    gput__gpus_let_go(g);
    r = g->ops->processes(g->gpus, i, job, job ? n_job : 0, &fresh);
    gput__gpus_take_back(g);
    free(job);
    old = d->processes;
    d->processes = fresh;
    d->processes_error = r;
    d->processes_memory = used;
    d->processes_known = true;
    free(old.list);
}

/* A driver that keeps a history need not be asked how busy the device is, unless every record is to
 * show it; and amdgpu asks its firmware: not between records. */
static bool wants_utilization(const struct gput__gpus *g, unsigned i, bool is_record)
{
    if (g->ops->is_drm)
        return is_record;
    return !g->devices[i].has_history || (g->plan.has_rows && is_record);
}

static bool wants_sensors(const struct gput__gpus *g, unsigned i, bool is_record)
{
    return is_record && g->plan.want_all && gput__now() - g->devices[i].read_ns >= SENSORS_NS;
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
    const struct gput__gpu_device *d = &g->devices[i];

    return !d->processes_known || !d->has_memory ||
           (!g->on_gpu && d->now.memory_used > d->first_memory);
}

/* The kernel's drivers keep no list of processes for a device: their clients stand in the job's own
 * files, where no change of the device tells when to look; and what of the device is only known by
 * them is known after that. */
static bool read_device(struct gput__gpus *g, unsigned i, bool is_record)
{
    struct gput__gpu_reading r = { 0 };
    bool by_clients = g->ops->is_drm && is_record, moved;
    int error;

    if (g->devices[i].is_lost)
        return false;
    if (by_clients)
        read_processes(g, i);
    gput__gpus_let_go(g);
    error = g->ops->read(g->gpus, i, what_to_read(g, i, is_record), &r);
    gput__gpus_take_back(g);
    if (error == -ENODEV) {
        g->devices[i].is_lost = true;
        return true;
    }
    moved = error == 0 && take_reading(g, i, &r, gput__now());
    if (!by_clients && (moved || (is_record && is_unexplained(g, i)))) {
        read_processes(g, i);
        moved = true;
    }
    return moved || by_clients;
}

bool gput__gpus_read(struct gput__gpus *g, bool is_record)
{
    bool moved = false;

    for (unsigned i = 0; i < g->n && !g->asked_to_end; i++)
        moved |= read_device(g, i, is_record);
    if (moved || (is_record && g->plan.has_rows))
        g->seq++; /* how busy it is moves without its memory */
    if (moved)
        eventfd_write(g->changed, 1);
    return moved;
}

struct history {
    struct gput__gpu_step steps[256];
    size_t n;
};

static void take_step(void *ctx, int64_t time_us, double percent)
{
    struct history *h = ctx;

    if (h->n == sizeof(h->steps) / sizeof(*h->steps)) { /* the newest are the ones that matter */
        memmove(h->steps, h->steps + 1, (h->n - 1) * sizeof(*h->steps));
        h->n--;
    }
    h->steps[h->n++] = (struct gput__gpu_step){ time_us, percent };
}

static void take_steps(struct gput__gpus *g, unsigned i, const struct gput__gpu_step *steps,
                       size_t n)
{
    struct gput__gpu_device *d = &g->devices[i];

    d->has_history = n > 0;
    d->had_history |= n > 0;
    if (n == 0) {
        steps = d->waiting;
        n = d->n_waiting;
    }
    for (size_t k = 0; k < n; k++)
        (void)gput__gpu_busy_add(&g->busy, i, steps[k].until_us, steps[k].percent);
    d->n_waiting = 0;
}

void gput__gpus_read_history(struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->n && !g->asked_to_end; i++) {
        int64_t since = g->busy.lanes[i].newest_us ? g->busy.lanes[i].newest_us : g->busy.start_us;
        struct history h = { .n = 0 };

        if (g->ops->history && !g->devices[i].is_lost) {
            gput__gpus_let_go(g);
            (void)g->ops->history(g->gpus, i, since, take_step, &h);
            gput__gpus_take_back(g);
        }
        take_steps(g, i, h.steps, h.n);
    }
    gput__gpu_busy_sweep(&g->busy);
}

struct uses {
    struct gput__gpu_use list[GPUT__MOST_GPU_USES];
    unsigned n;
};

static void take_use(void *ctx, pid_t pid, int64_t time_us, double percent)
{
    struct uses *u = ctx;
    unsigned i = 0;

    (void)time_us;
    while (i < u->n && u->list[i].pid != pid)
        i++;
    if (i == GPUT__MOST_GPU_USES)
        return;
    if (i == u->n)
        u->list[u->n++] = (struct gput__gpu_use){ .pid = pid };
    u->list[i].sum += percent;
    u->list[i].n++;
    u->list[i].max = percent > u->list[i].max ? percent : u->list[i].max;
}

/* The dearest call of all: with the history, and only when it will be shown. */
void gput__gpus_read_uses(struct gput__gpus *g)
{
    int64_t since = g->uses_since_us ? g->uses_since_us : g->plan.start_us;

    for (unsigned i = 0;
         i < g->n && g->ops->process_utilization && g->plan.want_uses && !g->asked_to_end; i++) {
        struct gput__gpu_device *d = &g->devices[i];
        struct uses u = { .n = d->n_uses };

        if (d->is_lost)
            continue;
        memcpy(u.list, d->uses, sizeof(u.list));
        gput__gpus_let_go(g);
        (void)g->ops->process_utilization(g->gpus, i, since, take_use, &u);
        gput__gpus_take_back(g);
        memcpy(d->uses, u.list, sizeof(u.list));
        d->n_uses = u.n;
    }
    g->uses_since_us = gput__clock_ns(CLOCK_REALTIME) / 1000;
}

void gput__gpus_read_energy(struct gput__gpus *g, bool first)
{
    for (unsigned i = 0; i < g->n && g->ops->energy && g->plan.want_all && !g->asked_to_end; i++) {
        struct gput__gpu_device *d = &g->devices[i];
        double joules = 0;
        int r;

        if (d->is_lost)
            continue;
        gput__gpus_let_go(g);
        r = g->ops->energy(g->gpus, i, &joules);
        gput__gpus_take_back(g);
        if (r < 0)
            continue;
        if (first)
            d->first_energy = joules;
        d->has_energy |= first;
        d->last_energy = joules;
    }
}

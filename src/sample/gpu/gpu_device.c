/* gpu_device.c - one GPU: what is kept of its driver's answers. */
#include "sample/gpu/gpu_device.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

void gput__gpu_device_open(struct gput__gpu_device *d, const struct gput__gpu_info *info,
                           bool is_there)
{
    *d = (struct gput__gpu_device){ .info = *info, .is_lost = !is_there };
}

void gput__gpu_device_close(struct gput__gpu_device *d)
{
    free(d->processes.all.list);
    d->processes.all = (struct gput__gpu_processes){ 0 };
}

void gput__gpu_device_lose(struct gput__gpu_device *d)
{
    d->is_lost = true;
}

void gput__gpu_device_restart(struct gput__gpu_device *d)
{
    d->memory.is_known = false;
    gput__gpu_works_restart(&d->works);
}

/* --- readings ------------------------------------------------------------------------------- */

static void add_power(struct gput__gpu_sensors *s, const struct gput__gpu_reading *r, int64_t now)
{
    double seconds = s->read_ns ? gput__seconds(now - s->read_ns) : 0;

    if (!(r->known & GPUT__GPU_POWER))
        return;
    s->power_ws += r->power_watts * seconds;
    s->power_s += seconds;
    s->max_power = r->power_watts > s->max_power ? r->power_watts : s->max_power;
    s->has_power = true;
}

static void add_health(struct gput__gpu_sensors *s, const struct gput__gpu_reading *r)
{
    if (r->known & GPUT__GPU_TEMPERATURE) {
        s->has_temperature = true;
        if (r->temperature_c > s->max_temperature)
            s->max_temperature = r->temperature_c;
    }
    if (r->known & GPUT__GPU_CLOCKS) {
        s->has_clocks = true;
        s->max_clock = r->clock_mhz > s->max_clock ? r->clock_mhz : s->max_clock;
        if (r->memory_clock_mhz > s->max_memory_clock)
            s->max_memory_clock = r->memory_clock_mhz;
    }
    if ((r->known & GPUT__GPU_THROTTLE) && r->is_throttled) {
        s->was_throttled = true;
        snprintf(s->throttle, sizeof(s->throttle), "%s", r->throttle);
    }
}

static bool add_memory(struct gput__gpu_memory *m, const struct gput__gpu_reading *r)
{
    bool moved = !m->is_known || r->memory_used != m->used;

    if (!(r->known & GPUT__GPU_MEMORY))
        return false;
    if (!m->is_known)
        m->first = m->max = r->memory_used;
    if (r->memory_used > m->max)
        m->max = r->memory_used;
    m->is_known = true;
    m->used = r->memory_used;
    return moved;
}

bool gput__gpu_device_add(struct gput__gpu_device *d, const struct gput__gpu_reading *r,
                          int64_t now)
{
    if (r->known & ~(unsigned)(GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION)) {
        add_power(&d->sensors, r, now);
        add_health(&d->sensors, r);
        d->sensors.read_ns = now;
    }
    return add_memory(&d->memory, r);
}

/* --- how busy it is ------------------------------------------------------------------------- */

/* Readings are only the second best: a driver that keeps a history has seen the time between. */
bool gput__gpu_device_add_percent(struct gput__gpu_device *d, int64_t time_us, double percent)
{
    struct gput__gpu_utilization *u = &d->utilization;

    u->percent = percent;
    u->was_read = true;
    if (u->has_history)
        return true;
    if (u->n_waiting == sizeof(u->waiting) / sizeof(*u->waiting))
        return false;
    u->waiting[u->n_waiting++] = (struct gput__gpu_step){ time_us, percent };
    return true;
}

void gput__gpu_device_add_history(struct gput__gpu_device *d, const struct gput__gpu_step *steps,
                                  size_t n, struct gput__gpu_busy *busy, unsigned lane)
{
    struct gput__gpu_utilization *u = &d->utilization;

    u->has_history = n > 0;
    u->had_history |= n > 0;
    if (n == 0) {
        steps = u->waiting;
        n = u->n_waiting;
    }
    for (size_t k = 0; k < n; k++)
        (void)gput__gpu_busy_add(busy, lane, steps[k].until_us, steps[k].percent);
    u->n_waiting = 0;
}

bool gput__gpu_device_add_work(struct gput__gpu_device *d, const struct gput__gpu_work *reading,
                               int64_t time_us)
{
    bool is_stuck = gput__gpu_works_add(&d->works, reading);

    if (d->info.is_mig && gput__gpu_work_has(reading, GPUT__WORK_ENGINE))
        (void)gput__gpu_device_add_percent(d, time_us, reading->value[GPUT__WORK_ENGINE]);
    return is_stuck;
}

void gput__gpu_device_miss_work(struct gput__gpu_device *d, const char *why)
{
    gput__gpu_works_miss(&d->works, why);
}

bool gput__gpu_device_count(struct gput__gpu_device *d, const struct gput__gpu_counts *counts,
                            bool is_first)
{
    double before = gput__gpu_works_counted(&d->works, GPUT__COUNT_XIDS);

    gput__gpu_works_count(&d->works, counts, is_first);
    return !is_first && gput__gpu_works_counted(&d->works, GPUT__COUNT_XIDS) > before;
}

void gput__gpu_device_record(struct gput__gpu_device *d)
{
    gput__gpu_works_record(&d->works);
}

/* --- processes and energy ------------------------------------------------------------------- */

void gput__gpu_device_set_processes(struct gput__gpu_device *d, struct gput__gpu_processes all,
                                    int error)
{
    free(d->processes.all.list);
    d->processes = (struct gput__gpu_named){ .all = all, .error = error, .are_known = true };
}

void gput__gpu_device_doubt_processes(struct gput__gpu_device *d)
{
    d->processes.are_known = false;
}

void gput__gpu_device_set_uses(struct gput__gpu_device *d, const struct gput__gpu_uses *uses)
{
    d->uses = *uses;
}

void gput__gpu_uses_add(struct gput__gpu_uses *u, pid_t pid, double percent)
{
    unsigned i = 0;

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

void gput__gpu_device_set_energy(struct gput__gpu_device *d, double joules, bool is_first)
{
    if (is_first)
        d->energy.first = joules;
    d->energy.is_known |= is_first;
    d->energy.last = joules;
}

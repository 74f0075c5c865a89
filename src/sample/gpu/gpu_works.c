/* gpu_works.c - what one GPU did over the run, from what its driver counted between readings. */
#include "sample/gpu/gpu_works.h"

#include <math.h>

#include "sample/gpu/gpu_kinds.h"

static void add(struct gput__gpu_work_sums *to, const struct gput__gpu_work *reading)
{
    for (int k = 0; k < GPUT__N_GPU_WORK; k++) {
        if (!gput__gpu_work_has(reading, k))
            continue;
        to->sum[k] += reading->value[k] * reading->seconds;
        to->seconds[k] += reading->seconds;
    }
}

/* What looked like small kernels was being stuck all along. */
static bool watch_stuck(struct gput__gpu_time *t, const struct gput__gpu_work *reading)
{
    double before = t->stuck, moved;

    t->stuck = gput__gpu_looks_stuck(reading) ? t->stuck + reading->seconds : 0;
    t->stuck_watts = reading->power_watts;
    if (t->stuck < GPUT__GPU_STUCK_S)
        return false;
    moved = before < GPUT__GPU_STUCK_S ? t->stuck : reading->seconds;
    moved = fmin(moved, t->seconds[GPUT__KIND_SMALL]);
    t->seconds[GPUT__KIND_SMALL] -= moved;
    t->seconds[GPUT__KIND_STUCK] += moved;
    return before < GPUT__GPU_STUCK_S;
}

static void add_clock(struct gput__gpu_time *t, const struct gput__gpu_work *reading)
{
    double clock = reading->max_clock_mhz > 0 ? reading->clock_mhz / reading->max_clock_mhz : 0;

    if (!(clock > 0) || !gput__gpu_work_has(reading, GPUT__WORK_TENSOR))
        return;
    clock = fmin(clock, 1);
    t->clock += clock * reading->seconds;
    t->dense += clock * reading->value[GPUT__WORK_TENSOR] * reading->seconds;
    t->clocked += reading->seconds;
}

static bool add_time(struct gput__gpu_time *t, const struct gput__gpu_work *reading)
{
    double seconds[GPUT__N_GPU_KINDS];

    if (!gput__gpu_kinds(reading, seconds))
        return false;
    for (int k = 0; k < GPUT__N_GPU_KINDS; k++)
        t->seconds[k] += seconds[k];
    t->known += reading->seconds;
    t->power_limit_watts = reading->power_limit_watts;
    add_clock(t, reading);
    return watch_stuck(t, reading);
}

bool gput__gpu_works_is_stuck(const struct gput__gpu_works *w)
{
    return w->time.stuck >= GPUT__GPU_STUCK_S;
}

bool gput__gpu_works_add(struct gput__gpu_works *w, const struct gput__gpu_work *from)
{
    struct gput__gpu_work with = *from, *reading = &with;
    double seconds[GPUT__N_GPU_KINDS];

    if (gput__gpu_kinds(from, seconds) && from->seconds > 0)
        gput__gpu_work_set(reading, GPUT__WORK_AT_WORK,
                           100 * (1 - fmin(seconds[GPUT__KIND_IDLE] / from->seconds, 1)));
    add(&w->run, reading);
    add(&w->record, reading);
    for (int k = 0; k < GPUT__N_GPU_WORK; k++)
        if (gput__gpu_work_has(reading, k))
            w->max[k] = fmax(w->max[k], reading->value[k]);
    return add_time(&w->time, reading);
}

/* Without a new reading the last one holds on. */
void gput__gpu_works_record(struct gput__gpu_works *w)
{
    for (int k = 0; k < GPUT__N_GPU_WORK; k++)
        if (w->record.seconds[k] > 0)
            gput__gpu_work_set(&w->shown, k, w->record.sum[k] / w->record.seconds[k]);
    w->record = (struct gput__gpu_work_sums){ 0 };
}

void gput__gpu_works_miss(struct gput__gpu_works *w, const char *why)
{
    w->why = why;
}

void gput__gpu_works_restart(struct gput__gpu_works *w)
{
    *w = (struct gput__gpu_works){ .why = w->why };
}

void gput__gpu_works_count(struct gput__gpu_works *w, const struct gput__gpu_counts *counts,
                           bool is_first)
{
    struct gput__gpu_counted *c = &w->counted;

    for (int k = 0; k < GPUT__N_GPU_COUNTS; k++) {
        if (!(counts->known >> k & 1))
            continue;
        if (is_first)
            c->first[k] = counts->value[k];
        c->last[k] = counts->value[k];
    }
    if (is_first)
        c->known = counts->known;
    if (counts->known >> GPUT__COUNT_XIDS & 1)
        c->last_xid = counts->last_xid;
}

/* Counters begin anew when the driver is loaded. */
double gput__gpu_works_counted(const struct gput__gpu_works *w, int id)
{
    const struct gput__gpu_counted *c = &w->counted;

    return c->known >> id & 1 && c->last[id] >= c->first[id] ? c->last[id] - c->first[id] : NAN;
}

double gput__gpu_works_mean(const struct gput__gpu_works *w, int id)
{
    return w->run.seconds[id] > 0 ? w->run.sum[id] / w->run.seconds[id] : NAN;
}

double gput__gpu_works_max(const struct gput__gpu_works *w, int id)
{
    return w->run.seconds[id] > 0 ? w->max[id] : NAN;
}

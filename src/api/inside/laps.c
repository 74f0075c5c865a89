/* laps.c - the helper's end of laps: what was used between two moments that the program chooses. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/clock.h"
#include "base/least.h"

/* A driver that starts, and one that is asked for what each process holds now, have so long. */
#define GPU_START_NS (10 * GPUT__NS_PER_S)
#define GPU_WAIT_NS (50 * GPUT__NS_PER_MS)
/* A high-water mark that main is so near to shows a peak, whether it was reached before or not. */
#define NEAR_MARK (256 * 1024)
/* More descendants than this are not told apart from new ones. */
#define MOST_DESCENDANTS 4096

struct gput__laps {
    struct gput__summary seen; /* since the lap began: only gauges */
    struct gput__sample first;
    struct gput__lap_facts facts; /* at its beginning */
    pid_t there[MOST_DESCENDANTS];
    int n_there;
};

void gput__laps_see(struct gput_tracker *t, const struct gput__sample *sample)
{
    if (t->service && t->service->laps)
        gput__summary_poll(&t->service->laps->seen, sample);
}

/* --- what the lap used ----------------------------------------------------------------------- */

static double gain(const struct gput__laps *l, const struct gput__sample *now, enum gput__metric m)
{
    if (!gput__sample_has(&l->first, m) || !gput__sample_has(now, m))
        return NAN;
    return gput__sample_gain(&l->first, now, m);
}

/* By how much the largest value exceeds the first one. */
static double rise(const struct gput__laps *l, enum gput__metric m)
{
    double before = gput__sample_has(&l->first, m) ? l->first.value[m] : 0;

    if (!gput__summary_has(&l->seen, m))
        return NAN;
    return l->seen.max[m] > before ? l->seen.max[m] - before : 0;
}

/* Marks of main's and counts between polls show peaks that no poll has seen. */
static double ram_rise(const struct gput_tracker *t, const struct gput__laps *l)
{
    struct gput__lap_facts now = gput__sampler_lap(&t->sampler);
    double before =
        gput__sample_has(&l->first, GPUT__COMBINED_RAM) ? l->first.value[GPUT__COMBINED_RAM] : 0;
    double seen = rise(l, GPUT__COMBINED_RAM);
    double of_main = (double)gput__minus(now.main_mark, l->facts.main_rss);
    double between = (double)now.probed - before;

    if (isnan(seen))
        return NAN;
    seen = of_main > seen ? of_main : seen;
    return between > seen ? between : seen;
}

/* Main was alone, and its mark shows this lap: it has risen, or began at what main held. */
static bool ram_is_exact(const struct gput_tracker *t, const struct gput__laps *l)
{
    struct gput__lap_facts now = gput__sampler_lap(&t->sampler);
    uint64_t above = gput__minus(l->facts.main_before, l->facts.main_rss);
    bool was_alone =
        l->seen.max[GPUT__N_PROCESSES] <= 1 && now.waited_faults == l->facts.waited_faults;

    return was_alone && (now.main_mark || above <= NEAR_MARK);
}

static bool was_there(const struct gput__laps *l, pid_t pid)
{
    for (int i = 0; i < l->n_there; i++)
        if (l->there[i] == pid)
            return true;
    return false;
}

static void list_new(const struct gput_tracker *t, const struct gput__laps *l,
                     struct gput__lap *ret)
{
    pid_t pids[MOST_DESCENDANTS];
    int n = gput__sampler_descendants(&t->sampler, pids, MOST_DESCENDANTS);

    for (int i = 0; i < n && i < MOST_DESCENDANTS; i++) {
        if (was_there(l, pids[i]))
            continue;
        if (ret->n_left < GPUT__LAP_PIDS)
            ret->left[ret->n_left] = pids[i];
        ret->n_left++;
    }
}

static void tell(const struct gput_tracker *t, const struct gput__laps *l, struct gput__lap *ret)
{
    struct gput__cpu_doubts doubts = gput__sampler_cpu_doubts(&t->sampler);

    ret->seconds = gput__seconds(t->now.boot_ns - l->first.boot_ns);
    ret->main_cpu = gain(l, &t->now, GPUT__MAIN_CPU);
    ret->descendants_cpu = gain(l, &t->now, GPUT__DESCENDANTS_CPU);
    ret->cpu_is_exact = !doubts.may_guess && !doubts.has_losses;
    ret->ram = ram_rise(t, l);
    ret->ram_is_exact = ram_is_exact(t, l);
    ret->gpu_ram = rise(l, GPUT__COMBINED_GPU_RAM);
    ret->n_processes = rise(l, GPUT__N_PROCESSES);
    ret->n_threads = rise(l, GPUT__COMBINED_N_THREADS);
    list_new(t, l, ret);
}

/* --- the moment between two ------------------------------------------------------------------ */

static void begin(struct gput_tracker *t, struct gput__laps *l)
{
    int n;

    gput__sampler_begin_lap(&t->sampler);
    l->first = t->now;
    l->facts = gput__sampler_lap(&t->sampler);
    gput__summary_begin(&l->seen, t->summary.period_ns, t->summary.most_percent, &t->now);
    gput__summary_poll(&l->seen, &t->now);
    n = gput__sampler_descendants(&t->sampler, l->there, MOST_DESCENDANTS);
    l->n_there = n < MOST_DESCENDANTS ? n : MOST_DESCENDANTS;
}

void gput__laps_turn(struct gput_tracker *t, bool wait_for_gpus, struct gput__lap *ret)
{
    struct gput__service *s = t->service;

    *ret = (struct gput__lap){ .ram = NAN };
    if (wait_for_gpus && t->gpu.thread && gput__gpus_wait(t->gpu.thread, GPU_START_NS))
        (void)gput__gpus_refresh(t->gpu.thread, GPU_WAIT_NS);
    gput__measure_moment(t, gput__now());
    if (!s->laps)
        s->laps = calloc(1, sizeof(*s->laps));
    else
        tell(t, s->laps, ret);
    if (s->laps)
        begin(t, s->laps);
}

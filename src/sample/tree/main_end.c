/* main_end.c - the end of main: its usage from wait4, and the CPU time and peak that follow. */
#include "sample/tree/main_end.h"

#include <sys/time.h>

#include "sample/facts.h"
#include "sample/tree/cpu.h"
#include "sample/tree/helpers.h"
#include "sample/tree/io.h"
#include "sample/tree/task_poll.h"

void gput__main_last_poll(struct gput__sampler *s, int64_t now)
{
    struct gput__task *task = gput__tree_main(&s->tree);

    if (task)
        gput__task_poll(&s->tree, task, now);
    if (!s->blind)
        gput__helpers_poll(&s->tree);
    if (s->wants_job)
        gput__io_glance(&s->tree);
}

static uint64_t cpu_ns_of(const struct rusage *u)
{
    struct timeval sum;

    timeradd(&u->ru_utime, &u->ru_stime, &sum);
    return ((uint64_t)sum.tv_sec * 1000000 + (uint64_t)sum.tv_usec) * 1000;
}

/* The clock of a zombie is main's alone, the usage that wait4 gives is main's with all that it
 * waited for: the difference is the descendants', exact to a microsecond. */
static void set_cpu(struct gput__tree *tree, uint64_t own_ns, struct gput__main_end *end)
{
    uint64_t all = cpu_ns_of(&end->usage);
    uint64_t waited = all > own_ns ? all - own_ns : 0;
    uint64_t helpers; /* none of the job's */

    gput__helpers_apply_waited(tree, waited);
    helpers = tree->helpers.used.waited_ns;
    waited -= helpers < waited ? helpers : waited;
    end->own_ns = own_ns;
    end->waited_ns = waited;
    gput__cpu_set_main(tree, own_ns, waited);
}

/* Could main have reached this level with the page faults since its high-water mark was last read? */
static bool main_could_reach(const struct gput__sampler *s, const struct gput__task *task,
                             uint64_t level)
{
    struct gput__peaks peaks = gput__sampler_peaks(s);
    uint64_t taken = task->ram.faults + 1 - task->ram.status_faults;

    return task->ram.status_faults == 0 ||
           peaks.main + taken * s->tree.page + peaks.uncertainty >= level;
}

/* The peak from wait4 is the largest of main's and of those of the descendants that it waited for,
 * and at least the tracker's own size.  The high-water marks that were seen show whose it is. */
static void set_peak(struct gput__sampler *s, uint64_t floor_rss, struct gput__main_end *end)
{
    struct gput__memory *m = &s->memory;
    const struct gput__task *task = gput__tree_main(&s->tree);
    uint64_t peak = (uint64_t)end->usage.ru_maxrss * 1024;
    bool alone = task && task->ram.waited_faults == 0;

    end->was_alone = alone && !s->tree.births.had_descendants;
    /* No page fault since its high-water mark was read: it is final.  An exited process shows none. */
    end->peak_is_exact =
        task && m->peak[GPUT__MAIN] > 0 && task->ram.status_faults == task->ram.faults + 1;
    if (end->peak_is_exact && alone)
        return;
    if (peak <= floor_rss) { /* nothing is known but that it was small */
        if (m->peak[GPUT__MAIN] == 0)
            gput__memory_raise_peak(m, GPUT__MAIN, peak);
        return;
    }
    if (alone || peak <= m->peak[GPUT__MAIN] || !task) {
        end->peak_is_exact |= task != NULL;
        gput__memory_raise_peak(m, GPUT__MAIN, peak);
    } else if (peak > m->peak[GPUT__DESCENDANTS]) {
        bool is_main = main_could_reach(s, task, peak);

        gput__memory_raise_peak(m, is_main ? GPUT__MAIN : GPUT__DESCENDANTS, peak);
    }
}

void gput__main_ended(struct gput__sampler *s, uint64_t own_ns, uint64_t floor_rss,
                      struct gput__main_end *end)
{
    if (!end->has_usage)
        return;
    end->cpu_is_exact = true;
    set_cpu(&s->tree, own_ns, end);
    set_peak(s, floor_rss, end);
}

/* Alive, its time is known to the nanosecond, and its high-water mark is of the tracking if it rose. */
void gput__main_left(const struct gput__sampler *s, struct gput__main_end *end)
{
    const struct gput__task *task = gput__tree_main(&s->tree);

    if (!task)
        return;
    end->cpu_is_exact = task->cpu.has_clock;
    end->peak_is_exact =
        task->ram.hwm > task->ram.base_hwm && task->ram.status_faults == task->ram.faults + 1;
}

void gput__main_end_cpu(const struct gput__sampler *s, const struct gput__main_end *end,
                        struct gput__sample *ret)
{
    double others = (double)(end->waited_ns + s->tree.dead.reaped_ns) / 1e9;
    double own = (double)end->own_ns / 1e9;

    if (!s->blind) {
        gput__sampler_cpu(s, ret);
        return;
    }
    gput__sample_set(ret, GPUT__MAIN_CPU, own);
    gput__sample_set(ret, GPUT__DESCENDANTS_CPU, others);
    gput__sample_set(ret, GPUT__COMBINED_CPU, own + others);
}

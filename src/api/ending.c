/* ending.c - what the kernel still tells when a process has ended, and what follows from it. */
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "api/cgroup.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "sample/helpers.h"
#include "sample/io.h"
#include "sample/look.h"
#include "sample/unwaited.h"

static uint64_t cpu_ns_of(const struct rusage *u)
{
    struct timeval sum;

    timeradd(&u->ru_utime, &u->ru_stime, &sum);
    return ((uint64_t)sum.tv_sec * 1000000 + (uint64_t)sum.tv_usec) * 1000;
}

/* The clock of a zombie is main's alone, the usage that wait4 gives is main's with all that it
 * waited for: the difference is the descendants', exact to a microsecond. */
static void settle_cpu(struct gput_tracker *t, uint64_t own_ns)
{
    struct gput__task *task = gput__tree_main(&t->sampler.tree);
    uint64_t all = cpu_ns_of(&t->usage);
    uint64_t waited = all > own_ns ? all - own_ns : 0;
    uint64_t helpers; /* none of the job's */

    gput__helpers_settle(&t->sampler.tree, waited);
    helpers = t->sampler.tree.helpers_used.waited_ns;
    waited -= helpers < waited ? helpers : waited;
    t->main_ns = own_ns;
    t->waited_ns = waited;
    if (!task)
        return;
    task->cpu_ns = (struct gput__count){ .now = own_ns };
    task->waited_ns = (struct gput__count){ .now = waited };
    task->vanished_ns = task->vanished_ns > waited ? task->vanished_ns : 0;
}

/* Where /proc showed nothing there is what main's end told. */
static void set_cpu(const struct gput_tracker *t, struct gput__sample *ret)
{
    double others = (double)(t->waited_ns + t->sampler.tree.reaped_ns) / 1e9;
    double own = (double)t->main_ns / 1e9;

    if (!t->sampler.blind) {
        gput__sampler_cpu(&t->sampler, ret);
        return;
    }
    gput__sample_set(ret, GPUT__MAIN_CPU, own);
    gput__sample_set(ret, GPUT__DESCENDANTS_CPU, others);
    gput__sample_set(ret, GPUT__COMBINED_CPU, own + others);
}

/* The kernel counts pages per core and lets a mark be off by what the cores have not handed in. */
static uint64_t uncertainty(const struct gput_tracker *t)
{
    uint64_t cores = t->sampler.n_cores, batch = cores * 2 > 32 ? cores * 2 : 32;

    return 2 * cores * batch * t->sampler.tree.page;
}

/* Could main have reached this level with the pages taken since its mark was last read? */
static bool main_could_reach(const struct gput_tracker *t, const struct gput__task *task,
                             uint64_t level)
{
    uint64_t taken = task->faults + 1 - task->status_faults;

    return task->status_faults == 0 ||
           t->sampler.memory.mark[GPUT__MAIN] + taken * t->sampler.tree.page + uncertainty(t) >=
               level;
}

/* wait4's mark is the largest of main's and of those of the descendants that it waited for, and
 * begins at the tracker's own size.  Which of them it is of follows from the marks that were seen. */
static void settle_peak(struct gput_tracker *t)
{
    struct gput__memory *m = &t->sampler.memory;
    const struct gput__task *task = gput__tree_main(&t->sampler.tree);
    uint64_t mark = (uint64_t)t->usage.ru_maxrss * 1024;
    bool alone = task && task->waited_faults == 0;

    t->main_only = alone && !t->sampler.tree.had_descendants;
    /* No page taken since its mark was read: the mark stands. */
    t->main_peak_exact = task && task->status_faults == task->faults + 1;
    if (t->main_peak_exact && alone)
        return;
    if (mark <= t->floor_rss) { /* nothing is known but that it was small */
        if (m->mark[GPUT__MAIN] == 0)
            m->mark[GPUT__MAIN] = mark;
        return;
    }
    if (alone || mark <= m->mark[GPUT__MAIN] || !task) {
        t->main_peak_exact |= task != NULL;
        m->mark[GPUT__MAIN] = mark > m->mark[GPUT__MAIN] ? mark : m->mark[GPUT__MAIN];
    } else if (mark > m->mark[GPUT__DESCENDANTS]) {
        bool is_main = main_could_reach(t, task, mark);

        m->mark[is_main ? GPUT__MAIN : GPUT__DESCENDANTS] = mark;
    }
}

/* The parts are of memory maps, the whole of looks, which may have failed or come before. */
static void raise_to_parts(struct gput__summary *s, int group)
{
    static const enum gput__metric parts[] = { GPUT__MAIN_PRIVATE_RAM, GPUT__MAIN_SHARED_RAM };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        enum gput__metric m = parts[i] + (enum gput__metric)group;

        if (gput__summary_has(s, m))
            gput__summary_raise(s, GPUT__MAIN_RAM + (enum gput__metric)group, s->max[m]);
    }
}

/* Figures that everybody gets are not missed in silence. */
static void warn_of_losses(const struct gput_tracker *t)
{
    if (!t->sampler.ram_capacity || !gput__summary_has(&t->summary, GPUT__SYSTEM_RAM))
        gput__warn(t, "no figures of the machine's memory: /proc/meminfo cannot be read");
    if (!gput__sample_has(&t->summary.last, GPUT__SYSTEM_CPU))
        gput__warn(t, "no CPU figures of the machine: /proc/stat cannot be read");
}

void gput__raise_marks(const struct gput_tracker *t, struct gput__summary *s)
{
    const uint64_t *mark = t->sampler.memory.mark;
    uint64_t orphan = t->sampler.tree.reaped_rss;
    double whole;

    if (t->sampler.blind && t->end_ns == 0)
        return;
    for (int g = GPUT__MAIN; g <= GPUT__COMBINED; g++)
        raise_to_parts(s, g);
    gput__summary_raise(s, GPUT__MAIN_RAM, (double)mark[GPUT__MAIN]);
    if (!t->sampler.blind) /* else nobody looked whether there were any */
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)mark[GPUT__DESCENDANTS]);
    /* An orphan's mark begins at that of whoever forked it: only above main's it is a
     * descendant's own. */
    if ((double)orphan > s->max[GPUT__MAIN_RAM] + (double)uncertainty(t) && orphan > t->floor_rss)
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)orphan);
    whole = s->max[GPUT__MAIN_RAM] > s->max[GPUT__DESCENDANTS_RAM] ? s->max[GPUT__MAIN_RAM]
                                                                   : s->max[GPUT__DESCENDANTS_RAM];
    gput__summary_raise(s, GPUT__COMBINED_RAM, whole);
    /* What polls between looks found and a look has confirmed. */
    gput__summary_raise(s, GPUT__COMBINED_RAM, (double)t->sampler.memory.peak);
}

static void take_status(struct gput_tracker *t, int status)
{
    t->ending = WIFSIGNALED(status) ? GPUT_SIGNALED : GPUT_EXITED;
    t->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Those who were waited for have died since the last look, some of them waited for by each other. */
static void drop_the_dead(struct gput_tracker *t)
{
    if (!t->attached && !t->had_children && !(t->opts.flags & GPUT_NO_SUBREAPER) &&
        !gput__has_children())
        gput__tree_drop_descendants(&t->sampler.tree);
}

void gput__finish(struct gput_tracker *t, int64_t now)
{
    t->end_ns = now;
    drop_the_dead(t);
    gput__unwaited_end(&t->sampler.tree);
    if (t->sampler.wants_machine)
        gput__machine_settle(&t->sampler.machine);
    gput__sampler_system(&t->sampler, &t->now);
    gput__machine_warn(t);
    set_cpu(t, &t->now);
    gput__group_end(t, &t->now);
    t->now.boot_ns = now;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    gput__gpu_end(t);
    /* A job shorter than one interval still leaves one row. */
    if (t->summary.n_records == 0)
        gput__write_row(t);
    gput__last_row(t);
    gput__summary_end(&t->summary, &t->now);
    gput__raise_marks(t, &t->summary);
    t->oom = gput__judge_kill(t);
    warn_of_losses(t);
}

bool gput__has_children(void)
{
    siginfo_t si;

    return waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* What waitid() has told, in the words of wait4(). */
static void take_told_status(struct gput_tracker *t, const siginfo_t *told)
{
    if (told->si_pid != t->pid) {
        t->ending = GPUT_GONE;
        return;
    }
    t->ending = told->si_code == CLD_EXITED ? GPUT_EXITED : GPUT_SIGNALED;
    t->code = told->si_status;
}

static bool wait_for_main(struct gput_tracker *t, int *ret_status)
{
    pid_t pid;

    do
        pid = wait4(t->pid, ret_status, 0, &t->usage);
    while (pid < 0 && errno == EINTR);
    return pid == t->pid;
}

void gput__take_main(struct gput_tracker *t, const siginfo_t *told, int64_t now)
{
    struct gput__task *task = gput__tree_main(&t->sampler.tree);
    clockid_t clock;
    uint64_t own_ns = 0;
    int status = 0;

    if (task)
        gput__look_at(&t->sampler.tree, task, now);
    if (!t->sampler.blind)
        gput__helpers_look(&t->sampler.tree);
    if (t->sampler.wants_job)
        gput__io_glance(&t->sampler.tree);
    if (clock_getcpuclockid(t->pid, &clock) == 0)
        own_ns = (uint64_t)gput__clock_ns(clock);
    t->has_usage = wait_for_main(t, &status);
    if (t->has_usage)
        take_status(t, status);
    else
        take_told_status(t, told);
    if ((t->opts.flags & GPUT_NO_SUBREAPER) || gput__has_children()) {
        gput__tree_recheck(&t->sampler.tree); /* whoever lives on is to be named */
        gput__tree_scan_freely(&t->sampler.tree);
        gput__sampler_look(&t->sampler, now, &t->now);
    } else {
        gput__tree_drop_descendants(&t->sampler.tree);
    }
    if (t->has_usage) {
        settle_cpu(t, own_ns);
        settle_peak(t);
    }
}

void gput__take_departure(struct gput_tracker *t, int64_t now, enum gput_ending ending)
{
    const struct gput__task *task;

    t->ending = ending;
    gput__sampler_look(&t->sampler, now, &t->now);
    task = gput__tree_main(&t->sampler.tree);
    if (ending != GPUT_DETACHED || !task)
        return;
    gput__sampler_last_scan(&t->sampler, now, &t->now);
    /* Alive, it has told its time to the nanosecond, and its mark is of the tracking if it rose. */
    t->main_cpu_exact = task->has_clock;
    t->main_peak_exact = task->hwm > task->base_hwm && task->status_faults == task->faults + 1;
}

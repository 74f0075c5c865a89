/* cpu.c - CPU time of the job, exact when children die.
 *
 * A process's counters hold its own time and that of the children it has waited for: a child that
 * dies moves from one term into another, and the sum over the living goes on without a step. */
#include "sample/tree/cpu.h"

#include <errno.h>
#include <sys/time.h>

#include "base/clock.h"
#include "base/least.h"
#include "sample/tree/unwaited.h"

/* --- one process ----------------------------------------------------------------------------- */

void gput__cpu_open(struct gput__tree *tree, struct gput__task *t)
{
    t->cpu = (struct gput__task_cpu){ 0 };
    t->cpu.has_clock = tree->proc->live && clock_getcpuclockid(t->pid, &t->cpu.clock) == 0;
}

static void set_base(struct gput__count *c)
{
    c->base = c->now;
}

void gput__cpu_begin(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task_cpu *cpu = &t->cpu;

    if (t->is_older) {
        cpu->own_ns.now = cpu->has_clock ? (uint64_t)gput__clock_ns(cpu->clock) : cpu->own_ns.now;
        set_base(&cpu->own_ns);
        set_base(&cpu->waited_ns);
        set_base(&cpu->user_ticks);
        set_base(&cpu->system_ticks);
        set_base(&cpu->minor);
        set_base(&cpu->major);
    } else if (cpu->has_clock) { /* it may be gone before it is polled */
        (void)gput__cpu_read_clock(tree, t);
        cpu->read_ns = gput__now();
    }
}

static void subtract(struct gput__count *c, uint64_t *owed)
{
    uint64_t used = gput__count_used(c);
    uint64_t part = used < *owed ? used : *owed;

    c->base += part;
    *owed -= part;
}

/* A count of ticks and a sum of nanoseconds differ by rounding: a small rest is dropped, as long as no
 * other child was seen to exit. */
static void forget_rounding(struct gput__task_cpu *cpu, uint64_t tick_ns)
{
    uint64_t rounding = GPUT__ROUNDING_TICKS * tick_ns;

    if (cpu->had_helpers && cpu->vanished_ns == 0 && gput__count_used(&cpu->waited_ns) <= rounding)
        cpu->waited_ns.base = cpu->waited_ns.now;
}

/* Takes what it owes off its counts, as far as they go. */
static void subtract_owed(const struct gput__tree *tree, struct gput__task_cpu *cpu)
{
    subtract(&cpu->waited_ns, &cpu->owed.waited_ns);
    forget_rounding(cpu, (uint64_t)tree->tick_ns);
    subtract(&cpu->user_ticks, &cpu->owed.user_ticks);
    subtract(&cpu->system_ticks, &cpu->owed.system_ticks);
    subtract(&cpu->minor, &cpu->owed.minor);
    subtract(&cpu->major, &cpu->owed.major);
}

void gput__cpu_apply_stat(const struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st)
{
    uint64_t tick = (uint64_t)tree->tick_ns;
    struct gput__task_cpu *cpu = &t->cpu;

    if (!cpu->has_clock)
        cpu->own_ns.now = (st->utime + st->stime) * tick;
    cpu->waited_ns.now = (st->cutime + st->cstime) * tick;
    cpu->user_ticks.now = st->utime + st->cutime;
    cpu->system_ticks.now = st->stime + st->cstime;
    cpu->minor.now = st->minflt + st->cminflt;
    cpu->major.now = st->majflt + st->cmajflt;
    subtract_owed(tree, cpu);
}

int gput__cpu_read_clock(const struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task_cpu *cpu = &t->cpu;
    int64_t now = tree->poll.at_ns;
    struct timespec ts;
    uint64_t ns, before = cpu->own_ns.now;

    if (clock_gettime(cpu->clock, &ts) < 0) {
        cpu->missed_ns = cpu->missed_ns ? cpu->missed_ns : now;
        return -ESRCH;
    }
    ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
    if (now > cpu->read_ns) {
        int64_t since = cpu->read_ns ? cpu->read_ns : t->born_ns;
        double span = (double)(now - since), used = (double)(ns - gput__least(ns, before));

        cpu->rate = span > 0 && !(t->is_older && !cpu->read_ns) ? used / span : 0;
        cpu->rate = cpu->rate < t->life.threads ? cpu->rate : t->life.threads;
        cpu->read_ns = now;
    }
    cpu->own_ns.now = ns > before ? ns : before;
    return ns > before;
}

void gput__cpu_lose_clock(struct gput__task *t)
{
    t->cpu.has_clock = false;
}

void gput__cpu_go_back(struct gput__task *t, uint64_t own_ns)
{
    t->cpu.own_ns.now = own_ns;
}

void gput__cpu_complete(struct gput__task *t, uint64_t own_ns)
{
    t->cpu.own_ns.now = gput__most(t->cpu.own_ns.now, own_ns);
}

/* --- the whole job --------------------------------------------------------------------------- */

static bool is_known_to_ignore(const struct gput__task *t)
{
    return t->waiting.ignores_children && t->waiting.was_asked;
}

/* What its exited children had, beyond what it has inherited of them: a parent that ignores SIGCHLD
 * inherits nothing.  Of any other, less than the kernel's ticks can show is rounding. */
static uint64_t not_inherited(const struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t waited = gput__count_used(&t->cpu.waited_ns);
    uint64_t rounding = is_known_to_ignore(t) ? 0 : GPUT__ROUNDING_TICKS * (uint64_t)tree->tick_ns;

    return t->cpu.vanished_ns > waited + rounding ? t->cpu.vanished_ns - waited : 0;
}

/* What a parent that waits for it inherits.  The kernel counts the children that it waited for in
 * ticks; their own clocks are finer. */
static uint64_t own_and_waited(const struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t waited = gput__count_used(&t->cpu.waited_ns);

    if (t->cpu.vanished_ns > waited && not_inherited(tree, t) == 0)
        waited = t->cpu.vanished_ns;
    return gput__count_used(&t->cpu.own_ns) + waited + t->cpu.inherited_ns;
}

static uint64_t total_of(const struct gput__tree *tree, const struct gput__task *t)
{
    return own_and_waited(tree, t) + not_inherited(tree, t);
}

void gput__tree_cpu(const struct gput__tree *tree, uint64_t *ret_main_ns,
                    uint64_t *ret_descendants_ns)
{
    const struct gput__task *main_task = gput__tree_main(tree);
    uint64_t main_ns = main_task ? gput__count_used(&main_task->cpu.own_ns) : 0;
    uint64_t all = tree->dead.reaped_ns + tree->dead.lost_ns;

    for (uint32_t i = 0; i < tree->n; i++)
        all += total_of(tree, &tree->tasks[i]);
    *ret_main_ns = main_ns;
    *ret_descendants_ns = all - main_ns;
}

/* --- ends ------------------------------------------------------------------------------------ */

static void move_base(struct gput__count *c, uint64_t earlier, bool is_dead)
{
    if (is_dead) /* it was not read again: what it inherited is not in its count */
        c->now += earlier;
    if (c->now - c->base >= earlier) /* else nothing was inherited */
        c->base += earlier;
}

/* A parent inherits all that its child ever used: what the child had before the tracking began is
 * not the job's in the parent's count either. */
static void leave_out_earlier(struct gput__task *parent, const struct gput__task *t)
{
    bool is_dead = parent->life.gone;

    move_base(&parent->cpu.waited_ns, t->cpu.own_ns.base + t->cpu.waited_ns.base, is_dead);
    move_base(&parent->cpu.user_ticks, t->cpu.user_ticks.base, is_dead);
    move_base(&parent->cpu.system_ticks, t->cpu.system_ticks.base, is_dead);
    move_base(&parent->cpu.minor, t->cpu.minor.base, is_dead);
    move_base(&parent->cpu.major, t->cpu.major.base, is_dead);
}

/* What the parent had inherited when it was last read, and not of a child known to be dead then, may
 * be of this child: it does not count twice. */
static void inherit(struct gput__task_cpu *parent, uint64_t used)
{
    uint64_t waited = gput__count_used(&parent->waited_ns);
    uint64_t already = gput__least(used, gput__minus(waited, parent->vanished_ns));

    parent->vanished_ns += already;
    parent->inherited_ns += used - already;
}

/* A parent that was read after its child exited shows whether it inherited.  One that exited with it
 * does not: then it did, unless it is known not to wait for children. */
static void hand_on(struct gput__tree *tree, struct gput__task *parent, uint64_t used,
                    uint64_t unseen)
{
    if (parent->life.gone && !parent->is_main && !is_known_to_ignore(parent)) {
        if (!parent->cpu.is_accounted)
            inherit(&parent->cpu, used);
        return;
    }
    parent->cpu.vanished_ns += used;
    if (not_inherited(tree, parent) > 0)
        gput__unwaited_lost_child(parent);
    if (parent->waiting.lost_a_child)
        parent->cpu.vanished_ns += unseen;
}

void gput__cpu_account_for_exit(struct gput__tree *tree, struct gput__task *parent,
                                const struct gput__task *t, uint64_t unseen)
{
    if (parent && t->is_older)
        leave_out_earlier(parent, t);
    if (parent)
        hand_on(tree, parent, own_and_waited(tree, t), unseen);
    tree->dead.lost_ns += parent ? not_inherited(tree, t) : total_of(tree, t) + unseen;
}

void gput__cpu_drop_counts(struct gput__tree *tree, struct gput__task *t)
{
    tree->dead.lost_ns += not_inherited(tree, t);
    t->cpu.own_ns = t->cpu.waited_ns = (struct gput__count){ 0 };
    t->cpu.vanished_ns = t->cpu.inherited_ns = 0;
    t->cpu.read_ns = 0;
    t->cpu.is_accounted = true;
}

static void add_usage(struct rusage *sum, const struct rusage *u)
{
    timeradd(&sum->ru_utime, &u->ru_utime, &sum->ru_utime);
    timeradd(&sum->ru_stime, &u->ru_stime, &sum->ru_stime);
    sum->ru_minflt += u->ru_minflt;
    sum->ru_majflt += u->ru_majflt;
    sum->ru_nvcsw += u->ru_nvcsw;
    sum->ru_nivcsw += u->ru_nivcsw;
    sum->ru_inblock += u->ru_inblock;
    sum->ru_oublock += u->ru_oublock;
}

static uint64_t usage_ns(const struct rusage *u)
{
    struct timeval t;

    timeradd(&u->ru_utime, &u->ru_stime, &t);
    return ((uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec) * 1000;
}

void gput__cpu_add_reaped(struct gput__tree *tree, const struct rusage *usage)
{
    tree->dead.reaped_ns += usage_ns(usage);
    add_usage(&tree->dead.usage, usage);
    tree->dead.largest_rss = gput__most(tree->dead.largest_rss, (uint64_t)usage->ru_maxrss * 1024);
}

void gput__cpu_add_lost(struct gput__tree *tree, uint64_t ns)
{
    tree->dead.lost_ns += ns;
}

void gput__cpu_add_guess(struct gput__tree *tree, uint64_t ns)
{
    tree->dead.guessed_ns += ns;
}

void gput__cpu_drop_guess(struct gput__tree *tree, uint64_t ns)
{
    uint64_t part = gput__least(ns, gput__least(tree->dead.guessed_ns, tree->dead.lost_ns));

    tree->dead.guessed_ns -= part;
    tree->dead.lost_ns -= part;
}

void gput__cpu_set_main(struct gput__tree *tree, uint64_t own_ns, uint64_t waited_ns)
{
    struct gput__task *t = gput__tree_main(tree);

    if (!t)
        return;
    t->cpu.own_ns = (struct gput__count){ .now = own_ns };
    t->cpu.waited_ns = (struct gput__count){ .now = waited_ns };
    t->cpu.vanished_ns = t->cpu.vanished_ns > waited_ns ? t->cpu.vanished_ns : 0;
}

/* --- helpers of other trackers ---------------------------------------------------------------- */

void gput__cpu_counts_add(struct gput__cpu_counts *sum, const struct gput__cpu_counts *more)
{
    sum->waited_ns += more->waited_ns;
    sum->user_ticks += more->user_ticks;
    sum->system_ticks += more->system_ticks;
    sum->minor += more->minor;
    sum->major += more->major;
}

void gput__cpu_owe(const struct gput__tree *tree, struct gput__task *parent,
                   const struct gput__cpu_counts *used)
{
    parent->cpu.had_helpers = true;
    gput__cpu_counts_add(&parent->cpu.owed, used);
    subtract_owed(tree, &parent->cpu);
}

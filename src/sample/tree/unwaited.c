/* unwaited.c - CPU time of processes without a waiting parent. */
#include "sample/tree/unwaited.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/least.h"
#include "sample/memory/rss.h"
#include "sample/tree/children.h"
#include "sample/tree/cpu.h"
#include "sample/tree/discover.h"
#include "sample/tree/task_poll.h"
#include "source/machine/sys_cpu.h"
#include "source/proc/task_clock.h"

/* Their clocks are read often until they have rested for so long. */
#define REST_NS (200 * GPUT__NS_PER_MS)
/* A counter is inherited at the beginning of a fork, and the process counts as started at its end: so long
 * after the counter was opened, or less. */
#define FORK_NS (12 * GPUT__NS_PER_MS)
/* One that was under way when a counter was opened is found within so long. */
#define FOUND_NS (50 * GPUT__NS_PER_MS)
/* Where it cannot be told whether a process has inherited one, all are opened again, so many times. */
#define MOST_BEGINS 24
/* A life that short is mostly over between two polls. */
#define BRIEF_NS (20 * GPUT__NS_PER_MS)

/* A parent is asked no more often whether it waits for its children. */
#define ASK_EVERY_NS (250 * GPUT__NS_PER_MS)

/* --- waiting --------------------------------------------------------------------------------- */

/* Whether it has inherited a counter.  Of an unknown parent it is known that it has one. */
static void inherit_counter(const struct gput__tree *tree, struct gput__task *t,
                            const struct gput__task_waiting *parent)
{
    int64_t opened = parent ? parent->opened_ns : tree->unwaited.opened_ns;
    int64_t tick =
        tree->births.forked_ns ? 0 : tree->tick_ns; /* without an event it is cut to one */
    int64_t likely = t->born_ns + tick / 2, latest = t->born_ns + tick;

    if (parent && parent->may_be_counted)
        t->waiting.may_be_counted = true;
    else if (parent && !parent->is_counted)
        return;
    else if (!opened || likely > opened + FORK_NS)
        t->waiting.is_counted = true;
    else
        t->waiting.may_be_counted = latest > opened;
}

void gput__unwaited_open_task(const struct gput__tree *tree, struct gput__task *t,
                              const struct gput__task_waiting *parent)
{
    t->waiting = (struct gput__task_waiting){
        .ignores_children = parent && parent->ignores_children,
        .fd = -1,
    };
    if (tree->unwaited.n_begins)
        inherit_counter(tree, t, parent);
}

void gput__unwaited_close_task(struct gput__tree *tree, struct gput__task *t)
{
    if (t->waiting.fd < 0)
        return;
    close(t->waiting.fd);
    gput__fds_return(&tree->fds, 1);
    t->waiting.fd = -1;
}

void gput__unwaited_ask(struct gput__tree *tree, struct gput__task *parent)
{
    int64_t now = tree->poll.at_ns;

    if (!parent || (parent->waiting.asked_ns && now - parent->waiting.asked_ns < ASK_EVERY_NS))
        return;
    parent->waiting.asked_ns = now;
    gput__rss_must_read(parent);
    gput__task_must_read(tree, parent);
}

void gput__unwaited_apply_status(struct gput__task *t, bool ignores_children)
{
    t->waiting.ignores_children = ignores_children || t->waiting.lost_a_child;
    t->waiting.was_asked = true;
}

void gput__unwaited_lost_child(struct gput__task *t)
{
    t->waiting.lost_a_child = t->waiting.ignores_children = true;
}

/* Neither its parent nor the tracker will wait for it. */
static bool is_unwaited(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__task *parent = gput__tree_find(tree, t->life.ppid);

    return !t->is_main && (parent ? parent->waiting.ignores_children : !tree->who.tracker);
}

bool gput__unwaited_is_inherited(const struct gput__tree *tree, const struct gput__task *t)
{
    for (uint32_t i = 0; i < tree->n && !t->is_main; i++) {
        t = gput__tree_find(tree, t->life.ppid);
        if (!t)
            return true;
        if (t->waiting.ignores_children)
            return false;
    }
    return true;
}

/* --- counters ------------------------------------------------------------------------------- */

static void add_counter(struct gput__tree *tree, pid_t pid, pid_t tid)
{
    struct gput__unwaited *u = &tree->unwaited;
    int *more = realloc(u->counters, (u->n_counters + 1) * sizeof(*more));
    int fd = more && tree->fds.left > 0 ? gput__task_clock_open(tid, true) : -ENFILE;

    (void)pid;
    u->counters = more ? more : u->counters;
    u->is_incomplete |= fd < 0 && fd != -ESRCH;
    if (fd < 0)
        return;
    gput__fds_use(&tree->fds, 1);
    u->counters[u->n_counters++] = fd;
}

/* A process that moved is polled next time. */
static void read_clock(struct gput__tree *tree, uint32_t place)
{
    struct gput__task *t = &tree->tasks[place];

    if (t->cpu.has_clock && gput__cpu_read_clock(tree, t) > 0)
        gput__task_must_read(tree, t);
}

static uint64_t total(const struct gput__tree *tree)
{
    uint64_t main_ns, others_ns;

    gput__tree_cpu(tree, &main_ns, &others_ns);
    return main_ns + others_ns;
}

static struct gput__sys_cpu machine_cpu(const struct gput__tree *tree)
{
    struct gput__sys_cpu cpu = { 0 };
    char text[512]; /* the line of all cores is the first */

    if (gput__root_read(tree->proc, "stat", text, sizeof(text)) > 0)
        (void)gput__sys_cpu_parse(text, &cpu);
    return cpu;
}

/* The counters run on while the hypervisor runs something else on the core; CPU time does not. */
static uint64_t without_stolen(const struct gput__tree *tree, uint64_t ns)
{
    struct gput__sys_cpu now = machine_cpu(tree);

    return (uint64_t)((double)ns * (1 - gput__sys_cpu_stolen(&tree->unwaited.machine, &now)));
}

/* What the job has used by the counters, with what it had used before them. */
static uint64_t read_counters(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;
    uint64_t sum = 0, ns = 0;

    for (uint32_t i = 0; i < u->n_counters && !u->is_incomplete; i++) {
        u->is_incomplete |= gput__task_clock_read(u->counters[i], &ns) < 0;
        sum += ns;
    }
    return u->before_ns + (u->n_counters ? without_stolen(tree, sum) : 0);
}

/* Children that it has already are on its list; those that it forks from now on are counted with it. */
static void open_counters(struct gput__tree *tree, uint32_t place)
{
    struct gput__task_waiting *w;

    if (tree->births.lists_children)
        gput__tree_list_children(tree, place);
    read_clock(tree, place);
    gput__task_each_thread(tree, tree->tasks[place].pid, add_counter);
    w = &tree->tasks[place].waiting;
    w->is_counted = true;
    w->may_be_counted = false;
    w->opened_ns = tree->unwaited.opened_ns = gput__now();
}

static void begin(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;
    uint64_t counted = read_counters(tree); /* with processes that were not seen so far */

    gput__unwaited_close(tree);
    u->machine = machine_cpu(tree);
    u->n_begins++;
    for (uint32_t i = 0; i < tree->n && !u->is_incomplete; i++) {
        tree->tasks[i].waiting.is_counted = false;
        if (gput__task_is_alive(&tree->tasks[i]))
            open_counters(tree, i);
    }
    u->before_ns = gput__most(counted, total(tree));
}

/* A process that was just being forked is on no list yet and has no counter of its parent's either, nor
 * have the processes that it forks.  One that has ended forks none. */
static void count_missed(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;

    for (uint32_t i = 0; i < tree->n && !u->is_incomplete; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!gput__task_is_alive(t) || t->life.is_helper)
            continue;
        if (t->waiting.may_be_counted && u->n_begins < MOST_BEGINS) {
            begin(tree);
            return;
        }
        if (!t->waiting.is_counted && !t->waiting.may_be_counted) {
            open_counters(tree, i);
            u->before_ns += gput__count_used(&tree->tasks[i].cpu.own_ns);
        } else if (tree->births.events < 0 && tree->births.lists_children) {
            gput__tree_list_children(tree, i);
        }
    }
}

void gput__unwaited_begin(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;

    if (!u->is_wanted || u->is_incomplete)
        return;
    if (tree->births.events >= 0) /* they tell more precisely than lists when it was */
        gput__tree_hear(tree);
    if (!u->n_begins)
        begin(tree);
    else if (tree->poll.at_ns - u->opened_ns < FOUND_NS)
        count_missed(tree);
}

void gput__unwaited_count(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__unwaited *u = &tree->unwaited;

    if (t->waiting.fd >= 0 || u->no_counters || !t->cpu.has_clock || t->life.threads > 1 ||
        t->life.gone || tree->fds.left <= 0 ||
        (gput__unwaited_is_inherited(tree, t) && !is_unwaited(tree, t)))
        return;
    u->is_wanted = true;
    t->waiting.fd = gput__task_clock_open(t->pid, false);
    if (t->waiting.fd < 0) {
        u->no_counters = t->waiting.fd != -ESRCH;
        t->waiting.fd = -1;
        return;
    }
    gput__fds_use(&tree->fds, 1);
    (void)gput__cpu_read_clock(tree, t);
    t->waiting.counted_from_ns = t->cpu.own_ns.now;
}

/* Its counter may be ahead of its clock by a tick of the scheduler; what is more was stolen. */
static void leave_out_stolen(const struct gput__tree *tree, struct gput__task *t)
{
    struct timespec tick = { 0 };
    uint64_t ns;

    if (t->waiting.fd < 0 || !tree->proc->live || gput__task_clock_read(t->waiting.fd, &ns) < 0)
        return;
    (void)clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    ns = gput__minus(ns + t->waiting.counted_from_ns, t->cpu.own_ns.now);
    t->waiting.counted_from_ns -= gput__minus(ns, (uint64_t)tick.tv_nsec);
}

void gput__unwaited_see(struct gput__tree *tree, struct gput__task *t)
{
    tree->unwaited.is_wanted |= t->waiting.ignores_children; /* before its first child */
    if (t->waiting.ignores_children || is_unwaited(tree, t))
        tree->unwaited.moved_ns = tree->poll.at_ns;
    leave_out_stolen(tree, t);
    gput__unwaited_count(tree, t);
}

/* What was counted is added where it was not seen, and takes the place of guesses that were too high.
 * Helpers of other trackers would be in the counters, too. */
void gput__unwaited_end(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;
    uint64_t counted = read_counters(tree), told = total(tree);

    if (u->n_counters && !u->is_incomplete && !tree->helpers.n && !tree->helpers.used.waited_ns) {
        gput__cpu_add_lost(tree, gput__minus(counted, told));
        gput__cpu_drop_guess(tree, gput__minus(told, counted));
    }
    gput__unwaited_close(tree);
}

void gput__unwaited_close(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;

    for (uint32_t i = 0; i < u->n_counters; i++)
        close(u->counters[i]);
    gput__fds_return(&tree->fds, (int)u->n_counters);
    free(u->counters);
    u->counters = NULL;
    u->n_counters = 0;
}

/* --- without -------------------------------------------------------------------------------- */

/* All that it used, where that was counted. */
static bool count_to_the_end(struct gput__task *t)
{
    uint64_t ns;

    if (t->waiting.fd < 0 || t->cpu.is_accounted || gput__task_clock_read(t->waiting.fd, &ns) < 0)
        return false;
    gput__cpu_complete(t, ns + t->waiting.counted_from_ns);
    return true;
}

/* The time of very short processes is an estimate for others that were not seen at all. */
static void learn_of_brief(struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t *brief = &tree->unwaited.brief_ns;

    if (tree->poll.at_ns - t->born_ns < BRIEF_NS && t->cpu.own_ns.now)
        *brief = *brief ? *brief - *brief / 8 + t->cpu.own_ns.now / 8 : t->cpu.own_ns.now;
}

/* It takes along what it used since it was last read, and died somewhere between that and now: half of
 * it, if it went on as before.  The clock of one that runs is moved at each tick of the scheduler only:
 * that half was not seen either. */
static uint64_t guess_ns(const struct gput__tree *tree, const struct gput__task *t)
{
    int64_t unseen = (t->cpu.missed_ns ? t->cpu.missed_ns : tree->poll.at_ns) - t->cpu.read_ns;
    struct timespec coarse = { 0 };

    if (!t->cpu.own_ns.now)
        return tree->unwaited.brief_ns;
    if (!t->cpu.read_ns || unseen <= 0 || t->life.state == 'Z' || !tree->proc->live)
        return 0;
    (void)clock_getres(CLOCK_MONOTONIC_COARSE, &coarse);
    return (uint64_t)(t->cpu.rate * (double)(unseen + coarse.tv_nsec) / 2);
}

uint64_t gput__unwaited_rest(struct gput__tree *tree, struct gput__task *t,
                             const struct gput__task *parent)
{
    uint64_t unseen;

    if (count_to_the_end(t)) {
        learn_of_brief(tree, t);
        return 0;
    }
    if (t->cpu.is_accounted || (parent && !parent->waiting.ignores_children))
        return 0;
    unseen = guess_ns(tree, t);
    gput__cpu_add_guess(tree, unseen);
    return unseen;
}

void gput__unwaited_missed(struct gput__tree *tree, pid_t parent_pid)
{
    const struct gput__task *parent = gput__tree_find(tree, parent_pid);

    if (!parent || !parent->waiting.ignores_children || !parent->waiting.was_asked)
        return;
    gput__cpu_add_lost(tree, tree->unwaited.brief_ns);
    gput__cpu_add_guess(tree, tree->unwaited.brief_ns);
}

/* --- between polls -------------------------------------------------------------------------- */

void gput__unwaited_probe(struct gput__tree *tree)
{
    gput__tree_set_moment(tree);
    if (tree->births.events >= 0)
        gput__tree_hear(tree);
    gput__unwaited_begin(tree);
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (t->life.gone || !gput__task_is_alive(t))
            continue;
        if (t->waiting.fd < 0 && is_unwaited(tree, t))
            read_clock(tree, i);
        if (t->waiting.ignores_children && tree->births.events < 0 && tree->births.lists_children)
            gput__tree_list_children(tree, i);
    }
}

bool gput__unwaited_are_busy(const struct gput__tree *tree)
{
    int64_t moved = tree->unwaited.moved_ns;

    return moved && tree->poll.at_ns - moved < REST_NS;
}

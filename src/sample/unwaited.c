/* unwaited.c - CPU time of processes whose end nobody waits for. */
#include "sample/unwaited.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/look.h"
#include "source/task_clock.h"

/* They are asked for their time often until they have rested for so long. */
#define REST_NS (200 * GPUT__NS_PER_MS)
/* A fork that was under way when counters were opened is over after so long; else they are opened
 * again, so many times. */
#define FORK_NS (50 * GPUT__NS_PER_MS)
#define MOST_BEGINS 16
/* It counts as born near its end. */
#define BORN_LATER_NS (3 * GPUT__NS_PER_MS)
/* A life that short is mostly over between two looks. */
#define BRIEF_NS (20 * GPUT__NS_PER_MS)

/* Its parent will not wait for it, and neither shall we. */
static bool is_unwaited(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__task *parent = gput__tree_find(tree, t->ppid);

    return !t->is_main && (parent ? parent->ignores_children : !tree->tracker);
}

bool gput__unwaited_is_inherited(const struct gput__tree *tree, const struct gput__task *t)
{
    for (uint32_t i = 0; i < tree->n && !t->is_main; i++) {
        t = gput__tree_find(tree, t->ppid);
        if (!t)
            return true;
        if (t->ignores_children)
            return false;
    }
    return true;
}

/* --- counters ------------------------------------------------------------------------------- */

static void add_counter(struct gput__tree *tree, pid_t pid, pid_t tid)
{
    struct gput__unwaited *u = &tree->unwaited;
    int *more = realloc(u->counters, (u->n_counters + 1) * sizeof(*more));
    int fd = more && tree->fds_left > 0 ? gput__task_clock_open(tid, true) : -ENFILE;

    (void)pid;
    u->counters = more ? more : u->counters;
    u->is_incomplete |= fd < 0 && fd != -ESRCH;
    if (fd < 0)
        return;
    tree->fds_left--;
    u->counters[u->n_counters++] = fd;
}

/* Whoever has moved is looked at next time. */
static void read_clock(struct gput__tree *tree, uint32_t place)
{
    struct gput__task *t = &tree->tasks[place];

    t->must_read |= t->has_clock && gput__task_read_clock(tree, t) > 0;
    tree->pulses[place].can_stand_still &= !t->must_read;
}

/* Children that it has already are on its list; those that it forks from now on are counted with it. */
static void begin(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;
    uint64_t main_ns, others_ns;

    gput__unwaited_close(tree);
    u->begun_ns = tree->looked_ns;
    u->n_begins++;
    for (uint32_t i = 0; i < tree->n && !u->is_incomplete; i++) {
        tree->tasks[i].is_counted = gput__task_is_alive(&tree->tasks[i]);
        if (!tree->tasks[i].is_counted)
            continue;
        if (tree->lists_children)
            gput__tree_list_children(tree, i);
        read_clock(tree, i);
        gput__task_each_thread(tree, tree->tasks[i].pid, add_counter);
    }
    gput__tree_cpu(tree, &main_ns, &others_ns);
    u->before_ns = main_ns + others_ns;
}

/* A process that was just being forked is on no list yet and has no counter of its parent's either. */
static bool may_miss_one(struct gput__tree *tree)
{
    const struct gput__unwaited *u = &tree->unwaited;

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!t->is_counted && !t->is_helper && t->born_ns <= u->begun_ns + BORN_LATER_NS)
            return true;
        if (t->is_counted && tree->lists_children && gput__task_is_alive(t))
            gput__tree_list_children(tree, i);
    }
    return false;
}

void gput__unwaited_begin(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;

    if (!u->is_wanted || u->is_incomplete)
        return;
    if (!u->n_begins)
        begin(tree);
    else if (u->n_begins < MOST_BEGINS && tree->looked_ns - u->begun_ns < FORK_NS &&
             may_miss_one(tree))
        begin(tree);
}

void gput__unwaited_count(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__unwaited *u = &tree->unwaited;

    if (t->fd_clock >= 0 || u->no_counters || !t->has_clock || t->threads > 1 || t->gone ||
        tree->fds_left <= 0 || (gput__unwaited_is_inherited(tree, t) && !is_unwaited(tree, t)))
        return;
    u->is_wanted = true;
    t->fd_clock = gput__task_clock_open(t->pid, false);
    if (t->fd_clock < 0) {
        u->no_counters = t->fd_clock != -ESRCH;
        t->fd_clock = -1;
        return;
    }
    tree->fds_left--;
    (void)gput__task_read_clock(tree, t);
    t->counted_from_ns = t->cpu_ns.now;
}

void gput__unwaited_see(struct gput__tree *tree, struct gput__task *t)
{
    tree->unwaited.is_wanted |= t->ignores_children; /* before its first child */
    if (t->ignores_children || is_unwaited(tree, t))
        tree->unwaited.moved_ns = tree->looked_ns;
    gput__unwaited_count(tree, t);
}

/* Helpers of other trackers would be in the counters, too. */
void gput__unwaited_end(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;
    uint64_t all = u->before_ns, main_ns, others_ns;

    for (uint32_t i = 0; i < u->n_counters && !u->is_incomplete; i++) {
        uint64_t ns = 0;

        u->is_incomplete |= gput__task_clock_read(u->counters[i], &ns) < 0;
        all += ns;
    }
    gput__tree_cpu(tree, &main_ns, &others_ns);
    if (u->n_counters && !u->is_incomplete && !tree->n_helpers && !tree->helpers_used.waited_ns &&
        all > main_ns + others_ns)
        tree->lost_ns += all - main_ns - others_ns;
    gput__unwaited_close(tree);
}

void gput__unwaited_close(struct gput__tree *tree)
{
    struct gput__unwaited *u = &tree->unwaited;

    for (uint32_t i = 0; i < u->n_counters; i++)
        close(u->counters[i]);
    tree->fds_left += (int)u->n_counters;
    free(u->counters);
    u->counters = NULL;
    u->n_counters = 0;
}

/* --- without -------------------------------------------------------------------------------- */

/* All that it used, where that was counted. */
static bool count_to_the_end(struct gput__task *t)
{
    uint64_t ns;

    if (t->fd_clock < 0 || t->is_settled || gput__task_clock_read(t->fd_clock, &ns) < 0)
        return false;
    ns += t->counted_from_ns;
    t->cpu_ns.now = ns > t->cpu_ns.now ? ns : t->cpu_ns.now;
    return true;
}

/* What those used who lived for a moment only stands for others of whom nothing was seen. */
static void learn_of_brief(struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t *brief = &tree->unwaited.brief_ns;

    if (tree->looked_ns - t->born_ns < BRIEF_NS && t->cpu_ns.now)
        *brief = *brief ? *brief - *brief / 8 + t->cpu_ns.now / 8 : t->cpu_ns.now;
}

/* It takes along what it used since it was last read, and died somewhere between that and now: half of
 * it, if it went on as before.  The clock of one that runs is moved at each tick of the scheduler only:
 * that half was not seen either. */
static uint64_t guess_ns(const struct gput__tree *tree, const struct gput__task *t)
{
    int64_t unseen = (t->missed_ns ? t->missed_ns : tree->looked_ns) - t->cpu_read_ns;
    struct timespec coarse = { 0 };

    if (!t->cpu_ns.now)
        return tree->unwaited.brief_ns;
    if (!t->cpu_read_ns || unseen <= 0 || t->state == 'Z' || !tree->proc->live)
        return 0;
    (void)clock_getres(CLOCK_MONOTONIC_COARSE, &coarse);
    return (uint64_t)(t->cpu_rate * (double)(unseen + coarse.tv_nsec) / 2);
}

uint64_t gput__unwaited_rest(struct gput__tree *tree, struct gput__task *t,
                             const struct gput__task *parent)
{
    uint64_t unseen;

    if (count_to_the_end(t)) {
        learn_of_brief(tree, t);
        return 0;
    }
    if (t->is_settled || (parent && !parent->ignores_children))
        return 0;
    unseen = guess_ns(tree, t);
    tree->guessed_ns += unseen;
    return unseen;
}

void gput__unwaited_missed(struct gput__tree *tree, pid_t parent_pid)
{
    const struct gput__task *parent = gput__tree_find(tree, parent_pid);

    if (!parent || !parent->ignores_children || !parent->was_asked)
        return;
    tree->lost_ns += tree->unwaited.brief_ns;
    tree->guessed_ns += tree->unwaited.brief_ns;
}

/* --- between looks -------------------------------------------------------------------------- */

void gput__unwaited_poll(struct gput__tree *tree)
{
    tree->looked_ns = gput__now();
    gput__unwaited_begin(tree);
    if (tree->events >= 0)
        gput__tree_hear(tree);
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (t->gone || !gput__task_is_alive(t))
            continue;
        if (t->fd_clock < 0 && is_unwaited(tree, t))
            read_clock(tree, i);
        if (t->ignores_children && tree->events < 0 && tree->lists_children)
            gput__tree_list_children(tree, i);
    }
}

bool gput__unwaited_are_busy(const struct gput__tree *tree)
{
    int64_t moved = tree->unwaited.moved_ns;

    return moved && tree->looked_ns - moved < REST_NS;
}

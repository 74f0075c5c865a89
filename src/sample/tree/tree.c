/* tree.c - the table of the job's processes, and a poll of all of them. */
#include "sample/tree/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/commands/commands.h"
#include "sample/tree/asleep.h"
#include "sample/tree/children.h"
#include "sample/tree/cpu.h"
#include "sample/tree/delays.h"
#include "sample/tree/discover.h"
#include "sample/tree/helpers.h"
#include "sample/tree/io.h"
#include "sample/tree/task_poll.h"
#include "sample/tree/unwaited.h"

void gput__tree_open(struct gput__tree *tree, const struct gput__root *proc, pid_t tracker,
                     int64_t now)
{
    *tree = (struct gput__tree){
        .proc = proc,
        .tick_ns = GPUT__NS_PER_S / sysconf(_SC_CLK_TCK),
        .page = (uint64_t)sysconf(_SC_PAGESIZE),
        .who = { .tracker = tracker, .self = proc->live ? getpid() : 0, .since_ns = now },
    };
    gput__births_open(tree);
}

static void release(struct gput__tree *tree, struct gput__task *t)
{
    gput__task_close(tree, t);
    gput__delays_forget(t);
    gput__unwaited_close_task(tree, t);
}

void gput__tree_close(struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        release(tree, &tree->tasks[i]);
    gput__unwaited_close(tree);
    gput__asleep_wake(tree);
    gput__helpers_close(tree);
    gput__commands_close(tree);
    gput__births_close(tree);
    free(tree->tasks);
    free(tree->clocks);
    gput__pidmap_free(&tree->index);
    *tree = (struct gput__tree){ .births = { .fd_loadavg = -1, .events = -1 } };
}

struct gput__task *gput__tree_find(const struct gput__tree *tree, pid_t pid)
{
    const uint32_t *i = gput__pidmap_get(&tree->index, pid);

    return i ? &tree->tasks[*i] : NULL;
}

struct gput__task *gput__tree_main(const struct gput__tree *tree)
{
    return gput__tree_find(tree, tree->who.main_pid);
}

void gput__tree_stir(struct gput__tree *tree)
{
    tree->poll.moved = true;
}

void gput__tree_change(struct gput__tree *tree)
{
    tree->version++;
    gput__tree_stir(tree);
}

/* --- coming ---------------------------------------------------------------------------------- */

static struct gput__task *new_slot(struct gput__tree *tree, pid_t pid)
{
    if (tree->n == tree->cap) {
        uint32_t cap = tree->cap ? tree->cap * 2 : 16;
        struct gput__task *tasks = realloc(tree->tasks, cap * sizeof(*tasks));
        struct gput__cached_clock *clocks;

        if (!tasks)
            return NULL;
        tree->tasks = tasks;
        clocks = realloc(tree->clocks, cap * sizeof(*clocks));
        if (!clocks)
            return NULL;
        tree->clocks = clocks;
        tree->cap = cap;
    }
    if (gput__pidmap_set(&tree->index, pid, tree->n) < 0)
        return NULL;
    gput__task_forget_clock(tree, tree->n);
    return &tree->tasks[tree->n++];
}

/* The kernel tells it in ticks; an event tells it to the microsecond. */
static int64_t born_ns(const struct gput__tree *tree, const struct gput__proc_stat *st)
{
    int64_t tick_ns = (int64_t)st->starttime * tree->tick_ns, event_ns = tree->births.forked_ns;

    return event_ns > tick_ns && event_ns < tick_ns + 2 * tree->tick_ns ? event_ns : tick_ns;
}

int gput__tree_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st,
                   const struct gput__task *parent)
{
    uint64_t parent_stack = parent ? parent->life.startstack : 0;
    struct gput__task_waiting of_parent = { 0 };
    struct gput__task *t;

    if (pid != tree->who.main_pid && gput__is_helper(tree, pid, st) == GPUT__HELPER) {
        gput__helpers_add(tree, pid, st);
        return 0;
    }
    if (parent)
        of_parent = parent->waiting;
    t = new_slot(tree, pid); /* `parent` may point to freed memory from here */
    if (!t)
        return -ENOMEM;
    *t = (struct gput__task){
        .pid = pid,
        .start = st->starttime,
        .born_ns = born_ns(tree, st),
        .is_main = pid == tree->who.main_pid,
        .parent_startstack = parent_stack,
    };
    t->is_older = t->is_main ? tree->who.main_is_older : gput__tree_is_older(tree, st->starttime);
    gput__task_open(t);
    gput__unwaited_open_task(tree, t, parent ? &of_parent : NULL);
    gput__cpu_open(tree, t);
    gput__task_apply_stat(tree, t, st);
    gput__cpu_begin(tree, t);
    gput__unwaited_count(tree, t);
    gput__unwaited_ask(tree, gput__tree_find(tree, st->ppid));
    if (!t->is_main)
        gput__births_had_descendant(tree);
    gput__tree_change(tree);
    return 0;
}

int gput__tree_set_main(struct gput__tree *tree, pid_t pid, bool older)
{
    struct gput__proc_stat st;
    int r = gput__tree_read_stat(tree, pid, &st);

    if (r < 0)
        return r;
    tree->who.main_pid = pid;
    tree->who.main_is_older = older;
    r = gput__tree_add(tree, pid, &st, NULL);
    if (r < 0)
        return r;
    gput__task_set_past_exec(&tree->tasks[0]);
    gput__births_had_none(tree);
    return 0;
}

/* --- going ----------------------------------------------------------------------------------- */

/* It died and was waited for: by a parent in the job, whose count of its children now has it, or by a
 * stranger. */
static void account_for_exit(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task *parent = gput__tree_find(tree, t->life.ppid);
    uint64_t unseen;

    if (t->is_main)
        return; /* its end is the end of the run, and its figures stay */
    gput__births_had_death(tree);
    unseen = gput__unwaited_rest(tree, t, parent);
    gput__cpu_account_for_exit(tree, parent, t, unseen);
    gput__io_hand_on(tree, parent, t);
    gput__account_close(tree, t);
}

static void remove_task(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_stat st;
    bool has_pid = gput__tree_read_stat(tree, t->pid, &st) == 0;

    if (!t->life.is_helper) {
        if (has_pid) /* another process's by now, which was skipped as known */
            gput__births_rescan(tree);
        account_for_exit(tree, t);
    } else if (has_pid) {
        gput__helpers_add(tree, t->pid, &st);
    }
    gput__command_account_for_exit(tree, t);
    release(tree, t);
    gput__pidmap_drop(&tree->index, t->pid);
    gput__tree_change(tree);
}

static bool is_to_be_removed(const struct gput__task *t)
{
    return t->life.gone && !t->is_main;
}

/* Children stand behind their parents, so that going backwards hands on what a whole dead branch
 * had before its own parent is accounted for. */
static void remove_gone(struct gput__tree *tree)
{
    uint32_t kept = 0;

    gput__commands_share_out(tree);
    for (uint32_t i = tree->n; i-- > 0;)
        if (is_to_be_removed(&tree->tasks[i]))
            remove_task(tree, &tree->tasks[i]);
    for (uint32_t i = 0; i < tree->n; i++) {
        if (is_to_be_removed(&tree->tasks[i]))
            continue;
        if (kept != i) {
            tree->tasks[kept] = tree->tasks[i];
            gput__task_move_clock(tree, i, kept);
            *gput__pidmap_get(&tree->index, tree->tasks[kept].pid) = kept;
        }
        kept++;
    }
    tree->n = kept;
}

void gput__tree_reaped(struct gput__tree *tree, pid_t pid, const struct rusage *usage)
{
    struct gput__task *t = gput__tree_find(tree, pid);

    if (!t && gput__pidmap_get(&tree->births.foreign, pid))
        return; /* a child from before this program became the tracker */
    gput__cpu_add_reaped(tree, usage);
    gput__births_had_descendant(tree);
    gput__births_had_death(tree);
    gput__tree_change(tree);
    if (!t)
        return;
    gput__command_keep_counts(tree, t, usage);
    gput__cpu_drop_counts(tree, t);
    gput__task_set_gone(t);
}

void gput__tree_drop_descendants(struct gput__tree *tree)
{
    if (tree->proc->live)
        gput__tree_set_moment(tree);
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (t->is_main)
            continue;
        if (gput__unwaited_is_inherited(tree, t)) {
            gput__command_keep_counts(tree, t, NULL);
            gput__cpu_drop_counts(tree, t);
        }
        gput__task_set_gone(t);
    }
    remove_gone(tree);
}

/* --- one poll ------------------------------------------------------------------------------- */

/* A process that forked has used CPU time: only lists of processes that moved are read. */
static bool may_have_children(const struct gput__tree *tree, const struct gput__task *t)
{
    return tree->births.events < 0 && tree->births.lists_children &&
           t->births_listed != tree->births.n && gput__task_is_alive(t);
}

/* True: a process is gone.  Children found meanwhile are appended and polled too. */
static bool poll_all(struct gput__tree *tree, int64_t now)
{
    bool any_gone = false;

    for (uint32_t i = 0; i < tree->n; i++) {
        bool is_still = gput__task_has_stood_still(&tree->clocks[i]);

        if (!is_still && !tree->tasks[i].life.gone) {
            gput__task_poll(tree, &tree->tasks[i], now);
            gput__task_cache_clock(tree, &tree->tasks[i]);
            tree->poll.n_reads++;
            gput__unwaited_see(tree, &tree->tasks[i]);
        }
        any_gone |= tree->tasks[i].life.gone;
        if ((!is_still && may_have_children(tree, &tree->tasks[i])) || tree->births.list_all)
            gput__tree_list_children(tree, i);
    }
    gput__births_all_listed(tree);
    return any_gone;
}

/* A child that exited since its parent was read has moved into the parent's count: read that again, or
 * the time would be missing from this interval. */
static void poll_parents_of_exited(struct gput__tree *tree, int64_t now)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        struct gput__task *parent = t->life.gone ? gput__tree_find(tree, t->life.ppid) : NULL;

        if (!parent || parent->life.gone)
            continue;
        gput__task_must_read(tree,
                             parent); /* it may run just now, and then its clock lags behind */
        gput__task_poll(tree, parent, now);
    }
}

void gput__tree_set_moment(struct gput__tree *tree)
{
    tree->poll.at_ns = gput__now();
}

void gput__tree_poll(struct gput__tree *tree, int64_t now)
{
    tree->poll.n++;
    tree->poll.moved = false;
    gput__tree_discover(tree, now);
    gput__helpers_poll(tree);
    /* The tracker may not have run at once when it was woken. */
    tree->poll.at_ns = tree->proc->live ? gput__now() : now;
    gput__unwaited_begin(tree);
    if (poll_all(tree, now)) {
        poll_parents_of_exited(tree, now);
        remove_gone(tree);
    }
}

void gput__tree_poll_for_record(struct gput__tree *tree, int64_t now)
{
    tree->poll.is_record = true;
    gput__tree_poll(tree, now);
    tree->poll.is_record = false;
}

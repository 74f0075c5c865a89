/* tree.c - the table of the job's processes: coming, going, and CPU time that outlives them. */
#include "sample/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/least.h"
#include "sample/asleep.h"
#include "sample/helpers.h"
#include "sample/io.h"
#include "sample/look.h"
#include "sample/unwaited.h"
#include "source/proc_events.h"

/* A parent is asked no more often whether it waits for its children. */
#define ASK_EVERY_NS (250 * GPUT__NS_PER_MS)

void gput__tree_open(struct gput__tree *tree, const struct gput__root *proc, pid_t tracker,
                     int64_t now)
{
    *tree = (struct gput__tree){
        .proc = proc,
        .tracker = tracker,
        .self = proc->live ? getpid() : 0,
        .since_ns = now,
        .tick_ns = GPUT__NS_PER_S / sysconf(_SC_CLK_TCK),
        .page = (uint64_t)sysconf(_SC_PAGESIZE),
        .events = -1,
        .fd_loadavg = -1,
    };
    tree->lists_children = gput__tree_can_list_children(tree);
    gput__tree_recheck(tree);
}

static void release_fd(struct gput__tree *tree, int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        tree->fds_left++;
    }
    *fd = -1;
}

static void release(struct gput__tree *tree, struct gput__task *t)
{
    release_fd(tree, &t->fd_stat);
    release_fd(tree, &t->fd_statm);
    release_fd(tree, &t->fd_children);
    release_fd(tree, &t->fd_clock);
}

void gput__tree_close(struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        release(tree, &tree->tasks[i]);
    if (tree->fd_loadavg >= 0)
        close(tree->fd_loadavg);
    gput__proc_events_close(tree->events);
    gput__unwaited_close(tree);
    gput__asleep_wake(tree);
    free(tree->tasks);
    free(tree->pulses);
    free(tree->helpers);
    gput__pidmap_free(&tree->index);
    gput__pidmap_free(&tree->foreign);
    gput__pidmap_free(&tree->ghosts);
    *tree = (struct gput__tree){ .fd_loadavg = -1, .events = -1 };
}

struct gput__task *gput__tree_find(const struct gput__tree *tree, pid_t pid)
{
    const uint32_t *i = gput__pidmap_get(&tree->index, pid);

    return i ? &tree->tasks[*i] : NULL;
}

struct gput__task *gput__tree_main(const struct gput__tree *tree)
{
    return gput__tree_find(tree, tree->main_pid);
}

bool gput__task_is_alive(const struct gput__task *t)
{
    /* A leader that has exited while other threads run on shows as a zombie too. */
    return !t->gone && (t->threads > 1 || (t->state != 'Z' && t->state != 'X'));
}

bool gput__task_has_memory(const struct gput__task *t)
{
    return t->own_image && !t->is_starting && !t->twin && gput__task_is_alive(t);
}

static struct gput__task *new_slot(struct gput__tree *tree, pid_t pid)
{
    if (tree->n == tree->cap) {
        uint32_t cap = tree->cap ? tree->cap * 2 : 16;
        struct gput__task *tasks = realloc(tree->tasks, cap * sizeof(*tasks));
        struct gput__pulse *pulses;

        if (!tasks)
            return NULL;
        tree->tasks = tasks;
        pulses = realloc(tree->pulses, cap * sizeof(*pulses));
        if (!pulses)
            return NULL;
        tree->pulses = pulses;
        tree->cap = cap;
    }
    if (gput__pidmap_put(&tree->index, pid, tree->n) < 0)
        return NULL;
    tree->pulses[tree->n] = (struct gput__pulse){ 0 };
    return &tree->tasks[tree->n++];
}

static void set_base(struct gput__count *c)
{
    c->base = c->now;
}

/* Its status tells, at the next look. */
static void ask_whether_it_waits(struct gput__tree *tree, struct gput__task *parent)
{
    if (!parent || (parent->asked_ns && tree->looked_ns - parent->asked_ns < ASK_EVERY_NS))
        return;
    parent->asked_ns = tree->looked_ns;
    parent->status_faults = parent->memory_faults = 0;
    parent->must_read = true;
    tree->pulses[parent - tree->tasks].can_stand_still = false;
}

int gput__tree_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st,
                   const struct gput__task *parent)
{
    uint64_t parent_stack = parent ? parent->startstack : 0;
    bool ignores = parent && parent->ignores_children; /* which is inherited */
    struct gput__task *t;

    if (pid != tree->main_pid && gput__is_helper(tree, pid, st) == GPUT__HELPER) {
        gput__helpers_add(tree, pid, st);
        return 0;
    }
    t = new_slot(tree, pid); /* `parent` may point to freed memory from here */
    if (!t)
        return -ENOMEM;
    *t = (struct gput__task){
        .pid = pid,
        .start = st->starttime,
        .born_ns = (int64_t)st->starttime * tree->tick_ns,
        .is_main = pid == tree->main_pid,
        .fd_stat = -1,
        .fd_statm = -1,
        .fd_children = -1,
        .fd_clock = -1,
        .must_read = true,
        .parent_startstack = parent_stack,
        .ignores_children = ignores,
    };
    t->is_older = t->is_main ? tree->main_is_older : gput__tree_is_older(tree, st->starttime);
    t->has_clock = tree->proc->live && clock_getcpuclockid(pid, &t->clock) == 0;
    gput__task_take_stat(tree, t, st);
    if (t->is_older) {
        t->cpu_ns.now = t->has_clock ? (uint64_t)gput__clock_ns(t->clock) : t->cpu_ns.now;
        set_base(&t->cpu_ns);
        set_base(&t->waited_ns);
        set_base(&t->user_ticks);
        set_base(&t->system_ticks);
        set_base(&t->minor);
        set_base(&t->major);
    } else if (t->has_clock) { /* it may be gone before it is looked at */
        (void)gput__task_read_clock(tree, t);
        t->cpu_read_ns = gput__now();
    }
    gput__unwaited_count(tree, t);
    ask_whether_it_waits(tree, gput__tree_find(tree, st->ppid));
    tree->had_descendants |= !t->is_main;
    tree->version++;
    tree->moved = true;
    return 0;
}

int gput__tree_set_main(struct gput__tree *tree, pid_t pid, bool older)
{
    struct gput__proc_stat st;
    int r = gput__tree_read_stat(tree, pid, &st);

    if (r < 0)
        return r;
    tree->main_pid = pid;
    tree->main_is_older = older;
    r = gput__tree_add(tree, pid, &st, NULL);
    if (r < 0)
        return r;
    tree->tasks[0].own_image = true;
    tree->had_descendants = tree->others_died = false;
    return 0;
}

static bool is_known_to_ignore(const struct gput__task *t)
{
    return t->ignores_children && t->was_asked;
}

/* What its dead children had, beyond what it has inherited of them: a parent that ignores SIGCHLD
 * inherits nothing.  Of any other, less than the kernel's ticks can show is rounding. */
static uint64_t not_inherited(const struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t waited = gput__count_used(&t->waited_ns);
    uint64_t rounding = is_known_to_ignore(t) ? 0 : GPUT__ROUNDING_TICKS * (uint64_t)tree->tick_ns;

    return t->vanished_ns > waited + rounding ? t->vanished_ns - waited : 0;
}

/* What whoever waits for it inherits.  The kernel tells of the children that it waited for in ticks;
 * their own clocks said more. */
static uint64_t own_and_waited(const struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t waited = gput__count_used(&t->waited_ns);

    if (t->vanished_ns > waited && not_inherited(tree, t) == 0)
        waited = t->vanished_ns;
    return gput__count_used(&t->cpu_ns) + waited + t->inherited_ns;
}

static uint64_t total_of(const struct gput__tree *tree, const struct gput__task *t)
{
    return own_and_waited(tree, t) + not_inherited(tree, t);
}

void gput__tree_cpu(const struct gput__tree *tree, uint64_t *ret_main_ns,
                    uint64_t *ret_descendants_ns)
{
    const struct gput__task *main_task = gput__tree_main(tree);
    uint64_t main_ns = main_task ? gput__count_used(&main_task->cpu_ns) : 0;
    uint64_t all = tree->reaped_ns + tree->lost_ns;

    for (uint32_t i = 0; i < tree->n; i++)
        all += total_of(tree, &tree->tasks[i]);
    *ret_main_ns = main_ns;
    *ret_descendants_ns = all - main_ns;
}

static void move_base(struct gput__count *c, uint64_t earlier, bool is_dead)
{
    if (is_dead) /* it was not read again: what it inherited is not in its count */
        c->now += earlier;
    if (c->now - c->base >= earlier) /* else nobody inherited anything */
        c->base += earlier;
}

/* A parent inherits all that its child ever used: what the child had before the tracking began is
 * not the job's in the parent's count either. */
static void leave_out_earlier(struct gput__task *parent, const struct gput__task *t)
{
    move_base(&parent->waited_ns, t->cpu_ns.base + t->waited_ns.base, parent->gone);
    move_base(&parent->user_ticks, t->user_ticks.base, parent->gone);
    move_base(&parent->system_ticks, t->system_ticks.base, parent->gone);
    move_base(&parent->minor, t->minor.base, parent->gone);
    move_base(&parent->major, t->major.base, parent->gone);
}

/* What the parent had inherited when it was last read, and of nobody who was known to be dead then, may
 * be of this child: it does not count twice. */
static void inherit(struct gput__task *parent, uint64_t used)
{
    uint64_t waited = gput__count_used(&parent->waited_ns);
    uint64_t already = gput__least(used, gput__minus(waited, parent->vanished_ns));

    parent->vanished_ns += already;
    parent->inherited_ns += used - already;
}

/* Of a parent that was read after its child died it can be told whether it inherited; of one that
 * died with it not, and then it did, unless it is known to wait for nobody. */
static void hand_on(struct gput__tree *tree, struct gput__task *parent, uint64_t used,
                    uint64_t unseen)
{
    if (parent->gone && !parent->is_main && !is_known_to_ignore(parent)) {
        if (!parent->is_settled)
            inherit(parent, used);
        return;
    }
    parent->vanished_ns += used;
    parent->lost_a_child |= not_inherited(tree, parent) > 0;
    parent->ignores_children |= parent->lost_a_child;
    if (parent->lost_a_child)
        parent->vanished_ns += unseen;
}

/* Somebody died and was waited for: by a parent in the job, whose count of its children now has
 * it, or by a stranger. */
static void bury(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task *parent = gput__tree_find(tree, t->ppid);
    uint64_t unseen;

    if (t->is_main)
        return; /* its end is the end of the run, and its figures stay */
    tree->others_died = true;
    unseen = gput__unwaited_rest(tree, t, parent);
    if (parent && t->is_older)
        leave_out_earlier(parent, t);
    if (parent)
        hand_on(tree, parent, own_and_waited(tree, t), unseen);
    tree->lost_ns += parent ? not_inherited(tree, t) : total_of(tree, t) + unseen;
    gput__io_hand_on(tree, parent, t);
    gput__account_close(tree, t);
}

/* Children stand behind their parents, so that going backwards hands on what a whole dead branch
 * had before its own parent is buried. */
static void remove_gone(struct gput__tree *tree)
{
    struct gput__proc_stat st;
    uint32_t kept = 0;

    for (uint32_t i = tree->n; i-- > 0;)
        if (tree->tasks[i].gone && !tree->tasks[i].is_main) {
            bool has_pid = gput__tree_read_stat(tree, tree->tasks[i].pid, &st) == 0;

            if (tree->tasks[i].is_helper) {
                if (has_pid)
                    gput__helpers_add(tree, tree->tasks[i].pid, &st);
            } else {
                tree->rescan |= has_pid; /* another's by now, who was passed over as known */
                bury(tree, &tree->tasks[i]);
            }
            release(tree, &tree->tasks[i]);
            gput__pidmap_drop(&tree->index, tree->tasks[i].pid);
            tree->version++;
            tree->moved = true;
        }
    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->tasks[i].gone && !tree->tasks[i].is_main)
            continue;
        if (kept != i) {
            tree->tasks[kept] = tree->tasks[i];
            tree->pulses[kept] = tree->pulses[i];
            *gput__pidmap_get(&tree->index, tree->tasks[kept].pid) = kept;
        }
        kept++;
    }
    tree->n = kept;
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

/* Its exact usage is in a sum of the kernel's: nothing of it may be handed on to a parent. */
static void settle(struct gput__tree *tree, struct gput__task *t)
{
    tree->lost_ns += not_inherited(tree, t);
    t->cpu_ns = t->waited_ns = (struct gput__count){ 0 };
    t->vanished_ns = t->inherited_ns = 0;
    t->cpu_read_ns = 0;
    t->gone = t->is_settled = true;
}

void gput__tree_reaped(struct gput__tree *tree, pid_t pid, const struct rusage *usage)
{
    struct gput__task *t = gput__tree_find(tree, pid);
    uint64_t mark = (uint64_t)usage->ru_maxrss * 1024;

    if (!t && gput__pidmap_get(&tree->foreign, pid))
        return; /* a child from before we were the tracker */
    tree->reaped_ns += usage_ns(usage);
    add_usage(&tree->reaped, usage);
    if (mark > tree->reaped_rss)
        tree->reaped_rss = mark;
    tree->had_descendants = true;
    tree->others_died = true;
    tree->moved = true;
    tree->version++;
    if (!t)
        return;
    settle(tree, t);
}

void gput__tree_drop_descendants(struct gput__tree *tree)
{
    if (tree->proc->live)
        tree->looked_ns = gput__now();
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (!t->is_main && gput__unwaited_is_inherited(tree, t))
            settle(tree, t);
        t->gone |= !t->is_main;
    }
    remove_gone(tree);
}

/* --- one look ------------------------------------------------------------------------------- */

static bool has_stood_still(const struct gput__pulse *p)
{
    struct timespec ts;

    return p->can_stand_still && clock_gettime(p->clock, &ts) == 0 &&
           p->ns == (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void feel_pulse(struct gput__tree *tree, uint32_t i)
{
    const struct gput__task *t = &tree->tasks[i];

    tree->pulses[i] = (struct gput__pulse){
        .clock = t->clock,
        .can_stand_still = t->has_clock && t->own_image && !t->must_read && !t->gone,
        .ns = t->cpu_ns.now,
    };
}

/* Whoever forked has used CPU time: only the children of who has moved are asked for. */
static bool may_have_children(const struct gput__tree *tree, const struct gput__task *t)
{
    return tree->events < 0 && tree->lists_children && t->births_listed != tree->births &&
           gput__task_is_alive(t);
}

/* True: somebody is gone.  Children that are found on the way stand behind and are looked at too. */
static bool look_at_all(struct gput__tree *tree, int64_t now)
{
    bool any_gone = false;

    for (uint32_t i = 0; i < tree->n; i++) {
        bool is_still = has_stood_still(&tree->pulses[i]);

        if (!is_still && !tree->tasks[i].gone) {
            gput__look_at(tree, &tree->tasks[i], now);
            feel_pulse(tree, i);
            tree->n_reads++;
            gput__unwaited_see(tree, &tree->tasks[i]);
        }
        any_gone |= tree->tasks[i].gone;
        if ((!is_still && may_have_children(tree, &tree->tasks[i])) || tree->list_all)
            gput__tree_list_children(tree, i);
    }
    tree->list_all = false;
    return any_gone;
}

/* A child that died since its parent was read has moved into the parent's count: read that again, or
 * the time would be missing from this interval. */
static void look_at_the_bereaved(struct gput__tree *tree, int64_t now)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        struct gput__task *parent = t->gone ? gput__tree_find(tree, t->ppid) : NULL;

        if (!parent || parent->gone)
            continue;
        parent->must_read = true; /* it may run just now, and then its clock lags behind */
        gput__look_at(tree, parent, now);
    }
}

void gput__tree_must_read(struct gput__tree *tree, pid_t pid)
{
    struct gput__task *t = gput__tree_find(tree, pid);

    if (!t)
        return;
    t->must_read = true;
    tree->pulses[t - tree->tasks].can_stand_still = false;
}

void gput__tree_look(struct gput__tree *tree, int64_t now)
{
    tree->n_looks++;
    tree->moved = false;
    tree->scan_cost_ns = 0;
    gput__tree_discover(tree, now);
    gput__helpers_look(tree);
    /* We may have been kept from running since we were woken. */
    tree->looked_ns = tree->proc->live ? gput__now() : now;
    gput__unwaited_begin(tree);
    if (look_at_all(tree, now)) {
        look_at_the_bereaved(tree, now);
        remove_gone(tree);
    }
}

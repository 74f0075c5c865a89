/* discover.c - which processes belong to the job: by the kernel's events, by its lists of children,
 * else by searching /proc. */
#include "sample/tree/discover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/text/scan.h"
#include "sample/tree/children.h"
#include "sample/tree/helpers.h"
#include "sample/tree/unwaited.h"
#include "source/proc/proc_events.h"

/* Events are a hint: a search of our own now and then makes good what they may have lost; of so few
 * processes that costs next to nothing. */
#define TRUST_EVENTS_NS (10 * GPUT__NS_PER_S)
#define FEW 100
#define MOST_UNSEEN 1024
/* Lists of children are read one by one: of more processes /proc is read as a whole. */
#define MOST_LISTS 1000
/* The parent of an attached process's orphans is not known: only a search of /proc finds one whose
 * parent came and went unseen. */
#define SCAN_EVERY_NS GPUT__NS_PER_S
/* Where others fork all the time each poll would call for a search: scans have an allowance of their own,
 * and polls of known processes go on meanwhile. */
#define MOST_SCAN_CREDIT_NS (2 * GPUT__NS_PER_MS)
#define FIRST_SCAN_NS (200 * 1000)
/* An orphan changes parents within a moment; where parents are hidden for good, searching again and
 * again is of no use. */
#define MOST_ORPHAN_SCANS 3

/* --- what others change ----------------------------------------------------------------------- */

void gput__births_open(struct gput__tree *tree)
{
    tree->births = (struct gput__births){ .events = -1, .fd_loadavg = -1 };
    tree->births.lists_children = gput__tree_can_list_children(tree);
    gput__tree_recheck(tree);
}

void gput__births_close(struct gput__tree *tree)
{
    struct gput__births *b = &tree->births;

    if (b->fd_loadavg >= 0)
        close(b->fd_loadavg);
    gput__proc_events_close(b->events);
    gput__pidmap_free(&b->foreign);
    gput__pidmap_free(&b->unseen);
}

void gput__births_listen(struct gput__tree *tree, int events)
{
    if (tree->births.events >= 0 && events != tree->births.events)
        gput__proc_events_close(tree->births.events);
    tree->births.events = events;
}

void gput__births_forget_foreign(struct gput__tree *tree)
{
    tree->births.n_foreign = 0;
}

void gput__births_rescan(struct gput__tree *tree)
{
    tree->births.rescan = true;
}

void gput__births_all_listed(struct gput__tree *tree)
{
    tree->births.list_all = false;
}

void gput__births_set_foreign(struct gput__tree *tree, pid_t pid, bool is_foreign)
{
    if (is_foreign)
        (void)gput__pidmap_set(&tree->births.foreign, pid, 0);
    else
        gput__pidmap_drop(&tree->births.foreign, pid);
}

void gput__births_had_descendant(struct gput__tree *tree)
{
    tree->births.had_descendants = true;
}

void gput__births_had_death(struct gput__tree *tree)
{
    tree->births.others_died = true;
}

void gput__births_had_none(struct gput__tree *tree)
{
    tree->births.had_descendants = tree->births.others_died = false;
}

/* --- membership ------------------------------------------------------------------------------- */

int gput__tree_read_stat(const struct gput__tree *tree, pid_t pid, struct gput__proc_stat *ret)
{
    char name[32], text[1024];
    ssize_t n;

    snprintf(name, sizeof(name), "%d/stat", pid);
    n = gput__root_read(tree->proc, name, text, sizeof(text));
    if (n == -ENOENT)
        return -ESRCH;
    return n < 0 ? (int)n : gput__proc_stat_parse(text, ret);
}

/* Whether it started before the tracking.  A start time is cut to a tick: only one well before is. */
bool gput__tree_is_older(const struct gput__tree *tree, uint64_t starttime)
{
    return (int64_t)starttime * tree->tick_ns + 2 * tree->tick_ns < tree->who.since_ns;
}

/* A new child of `parent` is the job's.  A helper has no children: a child of one was started by
 * a process of the job that hides behind our program. */
static bool has_children_of_the_job(const struct gput__tree *tree, pid_t parent)
{
    return gput__tree_find(tree, parent) || gput__helpers_have(tree, parent);
}

/* The tracker's own children and those of the job's processes are the job's; but a process that
 * called exec to become the tracker may have had children before. */
static bool belongs(const struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st)
{
    if (pid == tree->who.tracker || pid == tree->who.self)
        return false;
    if (tree->who.tracker && st->ppid == tree->who.tracker)
        return !gput__tree_is_older(tree, st->starttime);
    return has_children_of_the_job(tree, st->ppid);
}

static void add_found(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st)
{
    (void)gput__tree_add(tree, pid, st, gput__tree_find(tree, st->ppid));
}

void gput__tree_meet(struct gput__tree *tree, pid_t pid)
{
    struct gput__proc_stat st;

    if (pid == tree->who.self || gput__tree_find(tree, pid) || gput__helpers_have(tree, pid))
        return;
    if (gput__tree_read_stat(tree, pid, &st) == 0 && belongs(tree, pid, &st))
        add_found(tree, pid, &st);
}

/* --- through /proc -------------------------------------------------------------------------- */

struct stranger {
    pid_t pid;
    struct gput__proc_stat st;
};

struct strangers {
    struct stranger *list;
    uint32_t n;
    size_t cap;
    uint32_t n_foreign; /* processes that live and are known not to be the job's */
};

static struct stranger *add_stranger(struct strangers *s, pid_t pid)
{
    if (GPUT__GROW(s->list, s->cap, s->n + 1) < 0)
        return NULL;
    s->list[s->n] = (struct stranger){ .pid = pid };
    return &s->list[s->n++];
}

static pid_t pid_of_name(const char *name)
{
    const char *p = name;
    uint64_t pid;

    if (*name < '1' || *name > '9' || gput__scan_u64(&p, &pid) < 0 || pid > INT32_MAX)
        return 0;
    return (pid_t)pid;
}

/* Not one that has gone, or that is hidden. */
static bool may_succeed_later(int r)
{
    return r == -EIO || r == -ENOMEM || r == -EMFILE || r == -ENFILE || r == -EINTR;
}

/* All processes that are neither known to be the job's nor known not to be.  False: there may be more. */
static bool list_strangers(const struct gput__tree *tree, struct strangers *ret)
{
    DIR *dir = gput__folder_open(tree->proc->fd, ".");
    struct dirent *entry;
    bool is_all, all_read = true;

    if (!dir)
        return false;
    while (errno = 0, (entry = readdir(dir))) {
        pid_t pid = pid_of_name(entry->d_name);
        struct stranger *s;
        int r;

        if (!pid || gput__pidmap_get(&tree->index, pid))
            continue;
        if (gput__pidmap_get(&tree->births.foreign, pid)) {
            ret->n_foreign++;
            continue;
        }
        s = add_stranger(ret, pid);
        r = s ? gput__tree_read_stat(tree, pid, &s->st) : -ENOMEM;
        if (s && r < 0)
            ret->n--;
        all_read &= !may_succeed_later(r);
    }
    is_all = errno == 0 && all_read;
    closedir(dir);
    return is_all;
}

/* Pids wrap around, so a child may be listed before its parent: repeat until none joins. */
static void add_strangers(struct gput__tree *tree, struct strangers *s)
{
    bool joined = true;

    while (joined) {
        joined = false;
        for (uint32_t i = 0; i < s->n; i++) {
            if (!s->list[i].pid || !belongs(tree, s->list[i].pid, &s->list[i].st))
                continue;
            add_found(tree, s->list[i].pid, &s->list[i].st);
            s->list[i].pid = 0;
            joined = true;
        }
    }
}

/* A process with an unknown parent may be the orphan of one of the job's that came and went
 * unseen, about to be ours: it is polled again next time.  True: there is one. */
static bool remember_foreigners(struct gput__tree *tree, const struct strangers *s)
{
    bool any_orphan = false;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->list[i].pid)
            (void)gput__pidmap_set(&tree->births.foreign, s->list[i].pid, 0);
    for (uint32_t i = 0; i < s->n; i++) {
        pid_t pid = s->list[i].pid, parent = s->list[i].st.ppid;

        if (pid && parent > 1 && !gput__pidmap_get(&tree->births.foreign, parent)) {
            gput__pidmap_drop(&tree->births.foreign, pid);
            any_orphan = true;
        }
    }
    return any_orphan;
}

static void scan(struct gput__tree *tree, int64_t now)
{
    struct strangers s = { 0 };
    bool any_orphan, is_all = list_strangers(tree, &s);

    add_strangers(tree, &s);
    any_orphan = remember_foreigners(tree, &s);
    free(s.list);
    tree->births.n_orphan_scans = any_orphan ? tree->births.n_orphan_scans + 1 : 0;
    /* Dead foreigners stay in the map until it is mostly made of them. */
    if (tree->births.foreign.n > 4096 && tree->births.foreign.n / 2 > s.n_foreign + s.n)
        gput__pidmap_clear(&tree->births.foreign);
    tree->births.rescan =
        !is_all || (any_orphan && tree->births.n_orphan_scans <= MOST_ORPHAN_SCANS);
    tree->births.scanned_ns = now;
}

/* Pids are given out in turn: those between the last scan's youngest and today's may be new lives. */
static void forget_reused(struct gput__tree *tree, uint64_t from, uint64_t to)
{
    if (to < from ||
        to - from > tree->births.foreign.cap) { /* began anew, or more than it is worth */
        gput__pidmap_clear(&tree->births.foreign);
        return;
    }
    for (uint64_t pid = from + 1; pid <= to && tree->births.foreign.n; pid++)
        gput__pidmap_drop(&tree->births.foreign, (pid_t)pid);
}

/* The last field of /proc/loadavg is the youngest pid: if it is the same, no process is new. */
static bool somebody_was_born(struct gput__tree *tree)
{
    uint64_t last_pid;
    char text[128];
    const char *p = text;
    bool born;

    if (gput__root_reread(tree->proc, "loadavg", &tree->births.fd_loadavg, text, sizeof(text)) <=
            0 ||
        gput__scan_skip(&p, 4) < 0 || gput__scan_u64(&p, &last_pid) < 0)
        return true;
    born = last_pid != tree->births.last_pid;
    if (born)
        forget_reused(tree, tree->births.last_pid, last_pid);
    tree->births.last_pid = last_pid;
    return born;
}

/* --- by events ------------------------------------------------------------------------------ */

/* A daemon's parent lives for a moment only: often it has exited before its event is read, but
 * what it has forked is the job's all the same. */
static void remember_unseen(struct gput__tree *tree, pid_t pid)
{
    if (tree->births.unseen.n > MOST_UNSEEN)
        gput__pidmap_clear(&tree->births.unseen);
    (void)gput__pidmap_set(&tree->births.unseen, pid, 0);
    tree->births.others_died = true;
}

/* A process may make the tracker the parent of a child (CLONE_PARENT). */
static bool is_ours(const struct gput__tree *tree, pid_t parent)
{
    return tree->who.tracker && parent == tree->who.tracker;
}

/* An orphan has its forker's part of the memory and its counters all the same. */
static void add_forked(struct gput__tree *tree, const struct gput__proc_birth *e,
                       const struct gput__proc_stat *st)
{
    const struct gput__task *forker = gput__tree_find(tree, e->parent);

    tree->births.forked_ns = e->at_ns + gput__now() - gput__clock_ns(CLOCK_MONOTONIC);
    (void)gput__tree_add(tree, e->pid, st, forker ? forker : gput__tree_find(tree, st->ppid));
    tree->births.forked_ns = 0;
}

static void born(void *ctx, const struct gput__proc_birth *e)
{
    struct gput__tree *tree = ctx;
    struct gput__proc_stat st;

    tree->births.are_heard = true;
    gput__pidmap_drop(&tree->births.foreign, e->pid); /* a pid that is used again */
    gput__pidmap_drop(&tree->births.unseen, e->pid);
    if (e->pid == tree->who.tracker || e->pid == tree->who.self ||
        (!has_children_of_the_job(tree, e->parent) && !is_ours(tree, e->parent) &&
         !gput__pidmap_get(&tree->births.unseen, e->parent))) {
        tree->births.n_foreign++;
        return;
    }
    gput__tree_change(tree);
    tree->births.had_descendants = true;
    if (gput__tree_find(tree, e->pid))
        return;
    if (gput__tree_read_stat(tree, e->pid, &st) == 0) {
        add_forked(tree, e, &st);
    } else {
        remember_unseen(tree, e->pid);
        tree->births.n_missed++;
        gput__unwaited_missed(tree, e->parent);
    }
}

void gput__tree_hear(struct gput__tree *tree)
{
    if (gput__proc_events_drain(tree->births.events, born, tree) == 0)
        return;
    /* Events were lost: known pids may be other processes by now. */
    gput__tree_recheck(tree);
    tree->births.others_died = true;
    (void)somebody_was_born(tree);
    gput__pidmap_clear(&tree->births.unseen);
}

void gput__tree_recheck(struct gput__tree *tree)
{
    bool by_lists = tree->births.lists_children && tree->n <= MOST_LISTS;

    tree->births.n++;
    tree->births.list_all |= by_lists;
    /* Whose parent went unseen is on no list but the tracker's. */
    tree->births.rescan |= !by_lists || !tree->who.tracker;
}

void gput__tree_scan_sparingly(struct gput__tree *tree, int64_t now, int64_t share)
{
    gput__allowance_begin(&tree->births.scans, now, share, MOST_SCAN_CREDIT_NS, FIRST_SCAN_NS);
}

void gput__tree_scan_freely(struct gput__tree *tree)
{
    tree->births.scans.credit_ns = tree->births.scans.cost_ns;
}

static void scan_if_affordable(struct gput__tree *tree, int64_t now)
{
    int64_t begin;

    if (!tree->births.scans.share) {
        scan(tree, now);
        return;
    }
    gput__allowance_earn(&tree->births.scans, now);
    if (gput__allowance_wait(&tree->births.scans) > 0)
        return;
    begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    scan(tree, now);
    tree->births.scan_cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    gput__allowance_spend(&tree->births.scans, now, tree->births.scan_cost_ns);
}

/* Without events: the lists of children of a process are read when it is polled and has moved. */
static void note_births(struct gput__tree *tree, int64_t now)
{
    if (!somebody_was_born(tree))
        return;
    tree->births.n++;
    if (!tree->births.lists_children)
        tree->births.rescan = true;
    else if (tree->who.tracker)
        gput__tree_list_orphans(tree);
    else if (now - tree->births.scanned_ns > SCAN_EVERY_NS)
        tree->births.rescan = true;
}

/* How long events are believed without a search of our own.  Where that is a search of /proc, as it
 * is for attached processes, events that the kernel has just sent are enough to go on believing.  A
 * process that sleeps has a page fault before it forks, and that wakes us too. */
static int64_t trust(const struct gput__tree *tree)
{
    bool is_cheap = !tree->asleep.n && tree->births.lists_children && tree->n <= FEW &&
                    (tree->who.tracker || !tree->births.are_heard);

    return is_cheap ? TRUST_EVENTS_NS / 20 : TRUST_EVENTS_NS;
}

void gput__tree_discover(struct gput__tree *tree, int64_t now)
{
    tree->births.scan_cost_ns = 0;
    if (tree->births.events < 0) {
        note_births(tree, now);
    } else {
        gput__tree_hear(tree);
        if (now - tree->births.scanned_ns > trust(tree)) {
            tree->births.scanned_ns = now;
            if (somebody_was_born(tree)) {
                gput__tree_recheck(tree);
                tree->births.are_heard = false;
            }
        }
    }
    if (tree->births.list_all)
        gput__tree_list_orphans(tree);
    if (tree->births.rescan)
        scan_if_affordable(tree, now);
}

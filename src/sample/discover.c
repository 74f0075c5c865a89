/* discover.c - who belongs to the job: by the kernel's events, by its lists of children, else by
 * looking through /proc. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scan.h"
#include "sample/helpers.h"
#include "sample/tree.h"
#include "sample/unwaited.h"
#include "source/proc_events.h"

/* Events are a hint: a look of our own now and then makes good what they may have lost; of so few
 * processes that costs next to nothing. */
#define TRUST_EVENTS_NS (10 * GPUT__NS_PER_S)
#define FEW 100
#define MOST_GHOSTS 1024
/* Lists of children are read one by one: of more processes /proc is read as a whole. */
#define MOST_LISTS 1000
/* An attached process's orphans are nobody's we know: only a look through /proc finds one whose
 * parent came and went unseen. */
#define SCAN_EVERY_NS GPUT__NS_PER_S
/* Where others fork all the time each look would call for a scan: scans have a budget of their own,
 * and looks at who is known go on meanwhile. */
#define MOST_SCAN_CREDIT_NS (2 * GPUT__NS_PER_MS)
#define FIRST_SCAN_NS (200 * 1000)
/* An orphan changes parents within a moment; where parents are hidden for good, looking again and
 * again is of no use. */
#define MOST_ORPHAN_SCANS 3

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

/* Whether it was born before the tracking.  A start time is cut to a tick: only one well before is. */
bool gput__tree_is_older(const struct gput__tree *tree, uint64_t starttime)
{
    return (int64_t)starttime * tree->tick_ns + 2 * tree->tick_ns < tree->since_ns;
}

/* Who is born of `parent` is the job's.  A helper has no children: who is one's child was started by
 * a process of the job that hides behind our program. */
static bool has_children_of_the_job(const struct gput__tree *tree, pid_t parent)
{
    return gput__tree_find(tree, parent) || gput__helpers_have(tree, parent);
}

/* The tracker's own children and those of the job's processes are the job's; but whoever called exec
 * to become the tracker may have had children before. */
static bool belongs(const struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st)
{
    if (pid == tree->tracker || pid == tree->self)
        return false;
    if (tree->tracker && st->ppid == tree->tracker)
        return !gput__tree_is_older(tree, st->starttime);
    return has_children_of_the_job(tree, st->ppid);
}

static void take_in(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st)
{
    (void)gput__tree_add(tree, pid, st, gput__tree_find(tree, st->ppid));
}

void gput__tree_meet(struct gput__tree *tree, pid_t pid)
{
    struct gput__proc_stat st;

    if (pid == tree->self || gput__tree_find(tree, pid) || gput__helpers_have(tree, pid))
        return;
    if (gput__tree_read_stat(tree, pid, &st) == 0 && belongs(tree, pid, &st))
        take_in(tree, pid, &st);
}

/* --- through /proc -------------------------------------------------------------------------- */

struct stranger {
    pid_t pid;
    struct gput__proc_stat st;
};

struct strangers {
    struct stranger *list;
    uint32_t n, cap;
    uint32_t n_foreign; /* processes that live and are known not to be the job's */
};

static struct stranger *add_stranger(struct strangers *s, pid_t pid)
{
    if (s->n == s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 64;
        struct stranger *bigger = realloc(s->list, cap * sizeof(*bigger));

        if (!bigger)
            return NULL;
        s->list = bigger;
        s->cap = cap;
    }
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

/* Not so one that has gone, or that is hidden from us. */
static bool may_succeed_later(int r)
{
    return r == -EIO || r == -ENOMEM || r == -EMFILE || r == -ENFILE || r == -EINTR;
}

/* All processes that are neither known to be the job's nor known not to be.  False: there may be more. */
static bool list_strangers(const struct gput__tree *tree, struct strangers *ret)
{
    int fd = openat(tree->proc->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    bool is_all, all_read = true;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (errno = 0, (entry = readdir(dir))) {
        pid_t pid = pid_of_name(entry->d_name);
        struct stranger *s;
        int r;

        if (!pid || gput__pidmap_get(&tree->index, pid))
            continue;
        if (gput__pidmap_get(&tree->foreign, pid)) {
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

/* Pids wrap around, so a child may be listed before its parent: repeat until nobody joins. */
static void take_in_strangers(struct gput__tree *tree, struct strangers *s)
{
    bool joined = true;

    while (joined) {
        joined = false;
        for (uint32_t i = 0; i < s->n; i++) {
            if (!s->list[i].pid || !belongs(tree, s->list[i].pid, &s->list[i].st))
                continue;
            take_in(tree, s->list[i].pid, &s->list[i].st);
            s->list[i].pid = 0;
            joined = true;
        }
    }
}

/* A process whose parent nobody knows may be the orphan of one of the job's that came and went
 * unseen, about to be ours: it is looked at again next time.  True: there is one. */
static bool remember_foreigners(struct gput__tree *tree, const struct strangers *s)
{
    bool any_orphan = false;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->list[i].pid)
            (void)gput__pidmap_put(&tree->foreign, s->list[i].pid, 0);
    for (uint32_t i = 0; i < s->n; i++) {
        pid_t pid = s->list[i].pid, parent = s->list[i].st.ppid;

        if (pid && parent > 1 && !gput__pidmap_get(&tree->foreign, parent)) {
            gput__pidmap_drop(&tree->foreign, pid);
            any_orphan = true;
        }
    }
    return any_orphan;
}

static void scan(struct gput__tree *tree, int64_t now)
{
    struct strangers s = { 0 };
    bool any_orphan, is_all = list_strangers(tree, &s);

    take_in_strangers(tree, &s);
    any_orphan = remember_foreigners(tree, &s);
    free(s.list);
    tree->n_orphan_scans = any_orphan ? tree->n_orphan_scans + 1 : 0;
    /* Dead foreigners stay in the map until it is mostly made of them. */
    if (tree->foreign.n > 4096 && tree->foreign.n / 2 > s.n_foreign + s.n)
        gput__pidmap_clear(&tree->foreign);
    tree->rescan = !is_all || (any_orphan && tree->n_orphan_scans <= MOST_ORPHAN_SCANS);
    tree->scanned_ns = now;
}

/* Pids are given out in turn: those between the last scan's youngest and today's may be new lives. */
static void forget_reused(struct gput__tree *tree, uint64_t from, uint64_t to)
{
    if (to < from || to - from > tree->foreign.cap) { /* began anew, or more than it is worth */
        gput__pidmap_clear(&tree->foreign);
        return;
    }
    for (uint64_t pid = from + 1; pid <= to && tree->foreign.n; pid++)
        gput__pidmap_drop(&tree->foreign, (pid_t)pid);
}

/* The last field of /proc/loadavg is the youngest pid: if it stands, nobody was born anywhere. */
static bool somebody_was_born(struct gput__tree *tree)
{
    uint64_t last_pid;
    char text[128];
    const char *p = text;
    bool born;

    if (gput__root_reread(tree->proc, "loadavg", &tree->fd_loadavg, text, sizeof(text)) <= 0 ||
        gput__scan_skip(&p, 4) < 0 || gput__scan_u64(&p, &last_pid) < 0)
        return true;
    born = last_pid != tree->last_pid;
    if (born)
        forget_reused(tree, tree->last_pid, last_pid);
    tree->last_pid = last_pid;
    return born;
}

/* --- by events ------------------------------------------------------------------------------ */

/* A daemon's parent lives for a moment only: often it is dead before its birth is read of, but
 * what it has forked is the job's all the same. */
static void remember_ghost(struct gput__tree *tree, pid_t pid)
{
    if (tree->ghosts.n > MOST_GHOSTS)
        gput__pidmap_clear(&tree->ghosts);
    (void)gput__pidmap_put(&tree->ghosts, pid, 0);
    tree->others_died = true;
}

/* Somebody may ask for the tracker as the parent of a child (CLONE_PARENT). */
static bool is_ours(const struct gput__tree *tree, pid_t parent)
{
    return tree->tracker && parent == tree->tracker;
}

static void born(void *ctx, const struct gput__proc_birth *e)
{
    struct gput__tree *tree = ctx;
    struct gput__proc_stat st;

    gput__pidmap_drop(&tree->foreign, e->pid); /* a pid in a second life */
    gput__pidmap_drop(&tree->ghosts, e->pid);
    if (e->pid == tree->tracker || e->pid == tree->self ||
        (!has_children_of_the_job(tree, e->parent) && !is_ours(tree, e->parent) &&
         !gput__pidmap_get(&tree->ghosts, e->parent))) {
        tree->foreign_births++;
        return;
    }
    tree->moved = true;
    tree->version++;
    tree->had_descendants = true;
    if (gput__tree_find(tree, e->pid))
        return;
    if (gput__tree_read_stat(tree, e->pid, &st) == 0) {
        take_in(tree, e->pid, &st);
    } else {
        remember_ghost(tree, e->pid);
        tree->n_missed++;
        gput__unwaited_missed(tree, e->parent);
    }
}

void gput__tree_hear(struct gput__tree *tree)
{
    if (gput__proc_events_drain(tree->events, born, tree) == 0)
        return;
    /* Births were lost: pids that are known may be others' by now. */
    gput__tree_recheck(tree);
    tree->others_died = true;
    (void)somebody_was_born(tree);
    gput__pidmap_clear(&tree->ghosts);
}

void gput__tree_recheck(struct gput__tree *tree)
{
    bool by_lists = tree->lists_children && tree->n <= MOST_LISTS;

    tree->births++;
    tree->list_all |= by_lists;
    /* Whose parent went unseen is on no list but the tracker's. */
    tree->rescan |= !by_lists || !tree->tracker;
}

void gput__tree_scan_sparingly(struct gput__tree *tree, int64_t now, int64_t share)
{
    gput__budget_begin(&tree->scans, now, share, MOST_SCAN_CREDIT_NS, FIRST_SCAN_NS);
}

void gput__tree_scan_freely(struct gput__tree *tree)
{
    tree->scans.credit_ns = tree->scans.cost_ns;
}

static void scan_if_affordable(struct gput__tree *tree, int64_t now)
{
    int64_t begin;

    if (!tree->scans.share) {
        scan(tree, now);
        return;
    }
    gput__budget_earn(&tree->scans, now);
    if (gput__budget_wait(&tree->scans) > 0)
        return;
    begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    scan(tree, now);
    tree->scan_cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    gput__budget_spend(&tree->scans, now, tree->scan_cost_ns);
}

/* Without events: lists of children are read of who has moved since, when he is looked at. */
static void note_births(struct gput__tree *tree, int64_t now)
{
    if (!somebody_was_born(tree))
        return;
    tree->births++;
    if (!tree->lists_children)
        tree->rescan = true;
    else if (tree->tracker)
        gput__tree_list_orphans(tree);
    else if (now - tree->scanned_ns > SCAN_EVERY_NS)
        tree->rescan = true;
}

/* How long events are believed without a look of our own. */
static int64_t trust(const struct gput__tree *tree)
{
    return tree->lists_children && tree->n <= FEW ? TRUST_EVENTS_NS / 20 : TRUST_EVENTS_NS;
}

void gput__tree_discover(struct gput__tree *tree, int64_t now)
{
    if (tree->events < 0) {
        note_births(tree, now);
    } else {
        gput__tree_hear(tree);
        if (now - tree->scanned_ns > trust(tree) && somebody_was_born(tree)) {
            gput__tree_recheck(tree);
            tree->scanned_ns = now;
        }
    }
    if (tree->list_all)
        gput__tree_list_orphans(tree);
    if (tree->rescan)
        scan_if_affordable(tree, now);
}

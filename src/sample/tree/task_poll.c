/* task_poll.c - what is read of one process at a poll. */
#include "sample/tree/task_poll.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "base/text/scan.h"
#include "sample/commands/commands.h"
#include "sample/memory/rss.h"
#include "sample/tree/cpu.h"
#include "sample/tree/discover.h"
#include "sample/tree/helpers.h"

/* A forked child shows its parent's whole memory until it calls exec.  Most that will call it do
 * so at once; one that has not after this time is a worker, and counts. */
#define GROWN_UP_NS (50 * GPUT__NS_PER_MS)
/* What fork and exec of a large process may take. */
#define LEAST_WORK_NS (10 * (uint64_t)GPUT__NS_PER_MS)

#define PF_EXITING 4 /* the kernel's; in no header of its */

void gput__task_apply_stat(struct gput__tree *tree, struct gput__task *t,
                           const struct gput__proc_stat *st)
{
    struct gput__life *life = &t->life;

    life->state = st->state;
    life->is_exiting = st->flags & PF_EXITING;
    life->ppid = st->ppid;
    life->threads = st->num_threads;
    if (life->startstack && st->startstack && st->startstack != life->startstack) {
        gput__rss_exec(t);
        gput__account_exec(tree, t);
    }
    if (st->startstack) /* none in the midst of exec */
        life->startstack = st->startstack;
    gput__cpu_apply_stat(tree, t, st);
    gput__rss_apply_stat(tree, t, st);
    gput__command_apply_stat(tree, t, st);
}

ssize_t gput__task_read(struct gput__tree *tree, struct gput__task *t, int *fd, const char *file,
                        char *buf, size_t cap)
{
    char name[64];

    if (*fd < 0) {
        if (tree->fds.left <= 0)
            return -ENFILE;
        gput__task_path(t->pid, 0, file, name, sizeof(name));
        *fd = gput__root_open_file(tree->proc, name);
        if (*fd < 0)
            return *fd == -ENOENT ? -ESRCH : *fd;
        gput__fds_use(&tree->fds, 1);
    }
    return gput__fd_read(*fd, buf, cap);
}

static int read_stat(struct gput__tree *tree, struct gput__task *t, struct gput__proc_stat *ret)
{
    char text[1024];
    ssize_t n = gput__task_read(tree, t, &t->files.stat, "stat", text, sizeof(text));

    if (n == -ENFILE)
        return gput__tree_read_stat(tree, t->pid, ret);
    return n < 0 ? (int)n : gput__proc_stat_parse(text, ret);
}

/* A child made by vfork or posix_spawn runs in its parent's memory and has none of its own. */
bool gput__task_shares_memory(const struct gput__tree *tree, const struct gput__task *t)
{
    return tree->proc->live && gput__same_memory(t->pid, t->life.ppid);
}

/* On a busy machine a child may wait for a core for long before it gets to call exec. */
static bool is_held_up(const struct gput__task *t)
{
    return (t->life.state == 'R' || t->life.state == 'D') && t->cpu.own_ns.now < LEAST_WORK_NS;
}

static void judge_image(const struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    if (t->is_older || gput__task_has_called_exec(t)) {
        t->life.is_past_exec = true;
    } else if (now - t->born_ns > GROWN_UP_NS && !is_held_up(t)) {
        t->life.is_past_exec = !gput__task_shares_memory(tree, t);
    }
    t->life.must_read |= t->life.is_past_exec;
}

DIR *gput__task_threads(const struct gput__tree *tree, pid_t pid)
{
    char name[32];

    snprintf(name, sizeof(name), "%d/task", pid);
    return gput__folder_open(tree->proc->fd, name);
}

void gput__task_each_thread(struct gput__tree *tree, pid_t pid,
                            void (*each)(struct gput__tree *tree, pid_t pid, pid_t tid))
{
    DIR *dir = gput__task_threads(tree, pid);
    struct dirent *entry;

    if (!dir)
        return;
    while ((entry = readdir(dir))) {
        const char *p = entry->d_name;
        uint64_t tid;

        if (*p != '.' && gput__scan_u64(&p, &tid) == 0)
            each(tree, pid, (pid_t)tid);
    }
    closedir(dir);
}

pid_t gput__task_other_thread(const struct gput__tree *tree, pid_t pid)
{
    DIR *dir = gput__task_threads(tree, pid);
    struct dirent *entry;
    pid_t tid = 0;

    if (!dir)
        return 0;
    while (!tid && (entry = readdir(dir))) {
        tid = (pid_t)strtol(entry->d_name, NULL, 10);
        tid = tid == pid ? 0 : tid;
    }
    closedir(dir);
    return tid;
}

void gput__task_path(pid_t pid, pid_t via, const char *file, char *ret_name, size_t cap)
{
    if (via)
        snprintf(ret_name, cap, "%d/task/%d/%s", pid, via, file);
    else
        snprintf(ret_name, cap, "%d/%s", pid, file);
}

/* Leaves the table then, and is followed beside it. */
static bool is_helper(const struct gput__tree *tree, struct gput__task *t,
                      const struct gput__proc_stat *st)
{
    enum gput__is_helper is = gput__is_helper(tree, t->pid, st);

    t->life.is_helper = t->life.gone = is == GPUT__HELPER;
    t->life.is_starting |= is == GPUT__HELPER_PERHAPS;
    t->life.must_read |= is == GPUT__HELPER_PERHAPS;
    return t->life.is_helper;
}

/* A process made by CLONE_VM runs in its parent's memory; its siblings may, too. */
static void find_twin(const struct gput__tree *tree, struct gput__task *t)
{
    if (t->life.twin && gput__tree_find(tree, t->life.twin))
        return;
    t->life.twin = 0;
    if (t->account.is_open || t->is_main || !tree->proc->live || gput__task_has_called_exec(t) ||
        gput__tree_find(tree, t->life.ppid))
        return;
    for (uint32_t i = 0; i < tree->n && !t->life.twin; i++) {
        const struct gput__task *other = &tree->tasks[i];

        if (other != t && other->account.is_open && other->life.startstack == t->life.startstack &&
            gput__same_memory(t->pid, other->pid))
            t->life.twin = other->pid;
    }
}

/* --- one poll --------------------------------------------------------------------------------- */

void gput__task_open(struct gput__task *t)
{
    t->life = (struct gput__life){ .must_read = true };
    t->files = (struct gput__task_files){ -1, -1, -1 };
}

static void close_file(struct gput__tree *tree, int *fd)
{
    if (*fd < 0)
        return;
    close(*fd);
    gput__fds_return(&tree->fds, 1);
    *fd = -1;
}

void gput__task_close(struct gput__tree *tree, struct gput__task *t)
{
    close_file(tree, &t->files.stat);
    close_file(tree, &t->files.statm);
    close_file(tree, &t->files.children);
}

void gput__task_set_past_exec(struct gput__task *t)
{
    t->life.is_past_exec = true;
}

void gput__task_set_gone(struct gput__task *t)
{
    t->life.gone = true;
}

void gput__task_must_read(struct gput__tree *tree, struct gput__task *t)
{
    t->life.must_read = true;
    tree->clocks[t - tree->tasks].can_stand_still = false;
}

void gput__task_cache_clock(struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__life *life = &t->life;

    tree->clocks[t - tree->tasks] = (struct gput__cached_clock){
        .clock = t->cpu.clock,
        .can_stand_still =
            t->cpu.has_clock && life->is_past_exec && !life->must_read && !life->gone,
        .ns = t->cpu.own_ns.now,
    };
}

void gput__task_forget_clock(struct gput__tree *tree, uint32_t place)
{
    tree->clocks[place] = (struct gput__cached_clock){ 0 };
}

void gput__task_move_clock(struct gput__tree *tree, uint32_t from, uint32_t to)
{
    tree->clocks[to] = tree->clocks[from];
}

void gput__task_poll(struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    struct gput__proc_stat st;
    bool was_starting = t->life.is_starting;
    uint64_t cpu_before = t->cpu.own_ns.now;
    int r;

    /* Asked before its name is read: what it is called then is its own if it is past that. */
    t->life.is_starting = !t->life.is_past_exec && gput__task_shares_memory(tree, t);
    t->life.must_read |= was_starting; /* it may run just now, and then its clock lags behind */
    if (!t->life.is_past_exec)
        judge_image(tree, t, now);
    if (t->cpu.has_clock) {
        r = gput__cpu_read_clock(tree, t);
        if (r < 0) /* gone, as its stat then says */
            gput__cpu_lose_clock(t);
        if (r == 0 && !t->life.must_read)
            return;
        t->life.must_read = false;
    }
    r = read_stat(tree, t, &st);
    if (r == 0 && st.starttime != t->start)
        gput__cpu_go_back(t, cpu_before);    /* that was another's */
    if (r < 0 || st.starttime != t->start) { /* gone, or its pid is another's now */
        t->life.gone = r == -ESRCH || r >= 0;
        if (r >= 0) /* which may be the job's as well */
            gput__births_rescan(tree);
        return;
    }
    if (!t->is_main && is_helper(tree, t, &st))
        return;
    gput__task_apply_stat(tree, t, &st);
    if (!t->life.is_past_exec)
        judge_image(tree, t, now);
    find_twin(tree, t);
    if (!gput__task_is_alive(t) || t->life.is_starting || t->life.twin)
        return;
    if (t->life.state == 'Z') {
        t->life.via = gput__task_other_thread(tree, t->pid);
        gput__rss_must_read(t);
    }
    gput__rss_poll(tree, t);
    gput__command_see_memory(tree, t);
}

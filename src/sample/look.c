/* look.c - what is read of one process at a look. */
#include "sample/look.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/helpers.h"
#include "source/proc_status.h"

/* A forked child shows its parent's whole memory until it calls exec.  Most that will call it do
 * so at once; one that has not after this time is a worker, and counts. */
#define GROWN_UP_NS (50 * GPUT__NS_PER_MS)
/* What fork and exec of a large process may take. */
#define LEAST_WORK_NS (10 * (uint64_t)GPUT__NS_PER_MS)

#define PF_EXITING 4 /* the kernel's; in no header of its */

void gput__task_take_stat(const struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st)
{
    uint64_t tick = (uint64_t)tree->tick_ns;

    t->state = st->state;
    t->is_exiting = st->flags & PF_EXITING;
    t->ppid = st->ppid;
    t->threads = st->num_threads;
    if (t->startstack && st->startstack && st->startstack != t->startstack)
        t->base_hwm = 0; /* exec: the mark began anew */
    if (st->startstack)  /* none in the midst of exec */
        t->startstack = st->startstack;
    if (!t->has_clock)
        t->cpu_ns.now = (st->utime + st->stime) * tick;
    t->waited_ns.now = (st->cutime + st->cstime) * tick;
    t->user_ticks.now = st->utime + st->cutime;
    t->system_ticks.now = st->stime + st->cstime;
    t->minor.now = st->minflt + st->cminflt;
    t->major.now = st->majflt + st->cmajflt;
    gput__task_settle_owed(tree, t);
    t->faults = st->minflt + st->majflt;
    t->waited_faults = st->cminflt + st->cmajflt;
    if (gput__task_is_alive(t))
        t->rss = st->rss_pages * tree->page;
    else
        t->rss = t->anon = 0;
}

static int read_stat(struct gput__tree *tree, struct gput__task *t, struct gput__proc_stat *ret)
{
    char name[32], text[1024];
    ssize_t n;

    if (t->fd_stat < 0 && tree->fds_left > 0) {
        snprintf(name, sizeof(name), "%d/stat", t->pid);
        t->fd_stat = gput__root_open_file(tree->proc, name);
        if (t->fd_stat < 0)
            return t->fd_stat == -ENOENT ? -ESRCH : t->fd_stat;
        tree->fds_left--;
    }
    if (t->fd_stat < 0)
        return gput__tree_read_stat(tree, t->pid, ret);
    n = gput__fd_read(t->fd_stat, text, sizeof(text));
    return n < 0 ? (int)n : gput__proc_stat_parse(text, ret);
}

/* A child made by vfork or posix_spawn runs in its parent's memory and has none of its own. */
bool gput__task_shares_memory(const struct gput__tree *tree, const struct gput__task *t)
{
    return tree->proc->live && syscall(SYS_kcmp, t->pid, t->ppid, KCMP_VM, 0, 0) == 0;
}

/* After exec the stack lies elsewhere. */
bool gput__task_has_called_exec(const struct gput__task *t)
{
    return t->startstack && t->parent_startstack && t->startstack != t->parent_startstack;
}

/* On a busy machine a child may wait for a core for long before it gets to call exec. */
static bool is_held_up(const struct gput__task *t)
{
    return t->state == 'R' && t->cpu_ns.now < LEAST_WORK_NS;
}

static void judge_image(const struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    if (t->is_older || gput__task_has_called_exec(t)) {
        t->own_image = true;
    } else if (now - t->born_ns > GROWN_UP_NS && !is_held_up(t)) {
        t->own_image = !gput__task_shares_memory(tree, t);
        t->is_worker = t->own_image;
    }
    t->must_read |= t->own_image;
}

static void take_status(struct gput__task *t, const struct gput__proc_status *st)
{
    bool first = !t->was_measured;

    t->status_faults = t->faults + 1;
    if (!st->has_memory)
        return;
    t->was_measured = true;
    t->rss = st->rss;
    t->anon = st->anon;
    if (first) {
        t->first_anon = st->anon;
        t->base_hwm = t->is_older ? st->hwm : 0;
    }
    /* An older process's mark that has not risen may be of a time before the tracking. */
    t->hwm = st->hwm > t->base_hwm ? st->hwm : st->rss;
}

DIR *gput__task_threads(const struct gput__tree *tree, pid_t pid)
{
    char name[32];
    DIR *dir;
    int fd;

    snprintf(name, sizeof(name), "%d/task", pid);
    fd = openat(tree->proc->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0)
        close(fd);
    return dir;
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

/* Pages are only gained by faults: without one the mark stands where it stood, and only what was
 * given back changes the rest. */
static void look_at_memory(struct gput__tree *tree, struct gput__task *t)
{
    char name[64], text[4096];
    struct gput__proc_status st;

    if (t->status_faults == t->faults + 1 && t->rss == t->status_rss)
        return;
    tree->moved |= t->status_faults != t->faults + 1;
    t->status_rss = t->rss;
    gput__task_path(t->pid, t->via, "status", name, sizeof(name));
    if (gput__root_read(tree->proc, name, text, sizeof(text)) > 0 &&
        gput__proc_status_parse(text, &st) == 0)
        take_status(t, &st);
    else
        t->status_faults = t->faults + 1;
}

/* Leaves the table then, and is followed beside it. */
static bool is_helper(const struct gput__tree *tree, struct gput__task *t,
                      const struct gput__proc_stat *st)
{
    enum gput__is_helper is = gput__is_helper(tree, t->pid, st);

    t->is_helper = t->gone = is == GPUT__HELPER;
    t->is_starting |= is == GPUT__HELPER_PERHAPS;
    t->must_read |= is == GPUT__HELPER_PERHAPS;
    return t->is_helper;
}

void gput__look_at(struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    struct gput__proc_stat st;
    struct timespec ts;
    bool was_starting = t->is_starting;
    int r;

    /* Asked before its name is read: what it is called then is its own if it is past that. */
    t->is_starting = !t->own_image && gput__task_shares_memory(tree, t);
    t->must_read |= was_starting; /* it may run just now, and then its clock lags behind */
    if (!t->own_image)
        judge_image(tree, t, now);
    if (t->has_clock && clock_gettime(t->clock, &ts) < 0)
        t->has_clock = false; /* gone, as its stat then says */
    if (t->has_clock) {
        uint64_t ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
        if (ns == t->cpu_ns.now && !t->must_read)
            return;
        t->must_read = false;
        r = read_stat(tree, t, &st);
        if (r == 0 && st.starttime == t->start && ns > t->cpu_ns.now)
            t->cpu_ns.now = ns;
    } else {
        r = read_stat(tree, t, &st);
    }
    if (r < 0 || st.starttime != t->start) { /* gone, or its pid is another's now */
        t->gone = r == -ESRCH || r >= 0;
        tree->rescan |= r >= 0; /* who may be the job's as well */
        return;
    }
    if (!t->is_main && is_helper(tree, t, &st))
        return;
    gput__task_take_stat(tree, t, &st);
    if (!t->own_image)
        judge_image(tree, t, now);
    else if (t->is_worker && gput__task_has_called_exec(t))
        t->is_worker = false;
    if (!gput__task_has_memory(t))
        return;
    if (t->state == 'Z') {
        t->via = gput__task_other_thread(tree, t->pid);
        t->status_faults = 0;
    }
    look_at_memory(tree, t);
}

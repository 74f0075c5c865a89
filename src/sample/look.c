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
#include "base/least.h"
#include "base/scan.h"
#include "sample/helpers.h"
#include "source/proc_statm.h"
#include "source/proc_status.h"

/* A forked child shows its parent's whole memory until it calls exec.  Most that will call it do
 * so at once; one that has not after this time is a worker, and counts. */
#define GROWN_UP_NS (50 * GPUT__NS_PER_MS)
/* What fork and exec of a large process may take. */
#define LEAST_WORK_NS (10 * (uint64_t)GPUT__NS_PER_MS)

#define PF_EXITING 4 /* the kernel's; in no header of its */

/* One fault on a page of a file maps its neighbours too, up to so many. */
#define FAULT_AROUND 16
/* The mark of a descendant is read anew when it may have been higher than its RSS by so much, or by
 * that part of it; at records in any case.  A forked one copies pages, which raises no mark. */
#define MARK_STEP (256 * 1024)
#define MARK_PART 64
#define FORKED_MARK_PART 8

void gput__task_take_stat(struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st)
{
    uint64_t tick = (uint64_t)tree->tick_ns;

    t->state = st->state;
    t->is_exiting = st->flags & PF_EXITING;
    t->ppid = st->ppid;
    t->threads = st->num_threads;
    if (t->startstack && st->startstack && st->startstack != t->startstack) {
        t->base_hwm = t->hwm = 0; /* exec: the mark began anew */
        t->memory_faults = t->status_faults = 0;
        gput__account_exec(tree, t);
    }
    if (st->startstack) /* none in the midst of exec */
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
    t->rss = gput__task_is_alive(t) ? st->rss_pages * tree->page : 0;
    if (!t->rss &&
        !(t->state == 'Z' &&
          t->threads > 1)) { /* a process that is about to end has let go of its memory before */
        gput__account_close(tree, t);
        t->anon = 0;
    }
}

ssize_t gput__task_read(struct gput__tree *tree, struct gput__task *t, int *fd, const char *file,
                        char *buf, size_t cap)
{
    char name[64];

    if (*fd < 0) {
        if (tree->fds_left <= 0)
            return -ENFILE;
        gput__task_path(t->pid, 0, file, name, sizeof(name));
        *fd = gput__root_open_file(tree->proc, name);
        if (*fd < 0)
            return *fd == -ENOENT ? -ESRCH : *fd;
        tree->fds_left--;
    }
    return gput__fd_read(*fd, buf, cap);
}

static int read_stat(struct gput__tree *tree, struct gput__task *t, struct gput__proc_stat *ret)
{
    char text[1024];
    ssize_t n = gput__task_read(tree, t, &t->fd_stat, "stat", text, sizeof(text));

    if (n == -ENFILE)
        return gput__tree_read_stat(tree, t->pid, ret);
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
    return (t->state == 'R' || t->state == 'D') && t->cpu_ns.now < LEAST_WORK_NS;
}

static void judge_image(const struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    if (t->is_older || gput__task_has_called_exec(t)) {
        t->own_image = true;
    } else if (now - t->born_ns > GROWN_UP_NS && !is_held_up(t)) {
        t->own_image = !gput__task_shares_memory(tree, t);
    }
    t->must_read |= t->own_image;
}

static void take_memory(const struct gput__tree *tree, struct gput__task *t, uint64_t rss,
                        uint64_t anon)
{
    t->prior_anon = t->was_measured ? t->anon : anon;
    t->read_at = tree->n_looks;
    t->was_measured = true;
    t->rss = rss;
    t->anon = anon;
}

static void take_status(struct gput__tree *tree, struct gput__task *t,
                        const struct gput__proc_status *st)
{
    bool first = !t->was_measured;

    t->status_faults = t->faults + 1;
    t->status_rss = st->rss;
    t->ignores_children = st->ignores_children || t->lost_a_child;
    t->was_asked = true;
    if (!st->has_memory)
        return;
    take_memory(tree, t, st->rss, st->anon);
    if (first)
        t->base_hwm = t->is_older ? st->hwm : 0;
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

/* Only status has the kernel's mark, but statm costs an eighth of it.  Faults that the growth of the
 * RSS explains have raised the mark to what it is now. */
static bool wants_status(const struct gput__tree *tree, const struct gput__task *t)
{
    uint64_t faults = t->faults + 1 - t->status_faults;
    uint64_t gained = t->rss > t->status_rss ? t->rss - t->status_rss : 0;
    uint64_t step = t->rss / (t->account.is_forked ? FORKED_MARK_PART : MARK_PART);

    if (!tree->proc->live || t->is_main || !t->status_faults || t->via)
        return true;
    if (tree->is_record || tree->has_huge_pages)
        return faults > 0;
    return faults * tree->page >= gained + (step > MARK_STEP ? step : MARK_STEP);
}

static bool read_statm(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_statm st;
    char text[128];

    if (gput__task_read(tree, t, &t->fd_statm, "statm", text, sizeof(text)) <= 0 ||
        gput__proc_statm_parse(text, &st) < 0 || st.resident == 0)
        return false;
    take_memory(tree, t, st.resident * tree->page, (st.resident - st.shared) * tree->page);
    t->hwm = t->rss > t->hwm ? t->rss : t->hwm;
    return true;
}

static bool read_status(struct gput__tree *tree, struct gput__task *t)
{
    char name[64], text[4096];
    struct gput__proc_status st;

    gput__task_path(t->pid, t->via, "status", name, sizeof(name));
    t->status_faults = t->faults + 1;
    if (gput__root_read(tree->proc, name, text, sizeof(text)) <= 0 ||
        gput__proc_status_parse(text, &st) < 0)
        return false;
    take_status(tree, t, &st);
    return st.has_memory;
}

/* Pages are only gained by faults: without one the mark stands where it stood, and only what was
 * given back changes the rest. */
static void look_at_memory(struct gput__tree *tree, struct gput__task *t)
{
    uint64_t rss = t->rss, gained = rss > t->memory_rss ? rss - t->memory_rss : 0;
    uint64_t faults = t->faults + 1 - t->memory_faults;

    tree->has_huge_pages |= t->memory_faults && gained > (faults + 1) * FAULT_AROUND * tree->page;
    if (t->memory_faults == t->faults + 1 && rss == t->memory_rss &&
        !(tree->is_record && t->status_faults != t->faults + 1))
        return;
    tree->moved |= t->memory_faults != t->faults + 1;
    if ((!wants_status(tree, t) && read_statm(tree, t)) || read_status(tree, t))
        gput__account_open(tree, t);
    t->memory_faults = t->faults + 1;
    t->memory_rss = rss;
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

int gput__task_read_clock(const struct gput__tree *tree, struct gput__task *t)
{
    struct timespec ts;
    uint64_t ns, before = t->cpu_ns.now;

    if (clock_gettime(t->clock, &ts) < 0) {
        t->missed_ns = t->missed_ns ? t->missed_ns : tree->looked_ns;
        return -ESRCH;
    }
    ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
    if (tree->looked_ns > t->cpu_read_ns) {
        int64_t since = t->cpu_read_ns ? t->cpu_read_ns : t->born_ns;
        double span = (double)(tree->looked_ns - since),
               used = (double)(ns - gput__least(ns, before));

        t->cpu_rate = span > 0 && !(t->is_older && !t->cpu_read_ns) ? used / span : 0;
        t->cpu_rate = t->cpu_rate < t->threads ? t->cpu_rate : t->threads;
        t->cpu_read_ns = tree->looked_ns;
    }
    t->cpu_ns.now = ns > before ? ns : before;
    return ns > before;
}

/* Whoever was made by CLONE_VM runs in its parent's memory; when that is gone, its siblings do too. */
static void find_twin(const struct gput__tree *tree, struct gput__task *t)
{
    if (t->twin && gput__tree_find(tree, t->twin))
        return;
    t->twin = 0;
    if (t->account.is_open || t->is_main || !tree->proc->live || gput__task_has_called_exec(t) ||
        gput__tree_find(tree, t->ppid))
        return;
    for (uint32_t i = 0; i < tree->n && !t->twin; i++) {
        const struct gput__task *other = &tree->tasks[i];

        if (other != t && other->account.is_open && other->startstack == t->startstack &&
            syscall(SYS_kcmp, t->pid, other->pid, KCMP_VM, 0, 0) == 0)
            t->twin = other->pid;
    }
}

void gput__look_at(struct gput__tree *tree, struct gput__task *t, int64_t now)
{
    struct gput__proc_stat st;
    bool was_starting = t->is_starting;
    uint64_t cpu_before = t->cpu_ns.now;
    int r;

    /* Asked before its name is read: what it is called then is its own if it is past that. */
    t->is_starting = !t->own_image && gput__task_shares_memory(tree, t);
    t->must_read |= was_starting; /* it may run just now, and then its clock lags behind */
    if (!t->own_image)
        judge_image(tree, t, now);
    if (t->has_clock) {
        r = gput__task_read_clock(tree, t);
        t->has_clock = r >= 0; /* gone, as its stat then says */
        if (r == 0 && !t->must_read)
            return;
        t->must_read = false;
    }
    r = read_stat(tree, t, &st);
    if (r == 0 && st.starttime != t->start)
        t->cpu_ns.now = cpu_before;          /* another's */
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
    find_twin(tree, t);
    if (!gput__task_is_alive(t) || t->is_starting || t->twin)
        return;
    if (t->state == 'Z') {
        t->via = gput__task_other_thread(tree, t->pid);
        t->memory_faults = t->status_faults = 0;
    }
    look_at_memory(tree, t);
}

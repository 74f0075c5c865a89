/* viewer.c - watches a tracker from another process, read only. */
#include "api/live/viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/live/traffic.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "base/system.h"
#include "model/budget.h"

/* The tracker is told so often that somebody watches. */
#define TOUCH_NS (2 * GPUT__NS_PER_S)

struct gput_viewer {
    struct gput__running_info info;
    int tracker;    /* pidfd, -1: the kernel has none */
    bool is_beside; /* the tracker knows of us, and needs no reminder */
    const struct gput__shared *shared;
    const struct gput__live_page *page;
    size_t size;
    int64_t touched_ns;
    struct gput__shared_slot *room; /* what the last figures point into */
    struct gput__live_slot *slot;
    struct gput_usage usage;
    struct gput__budget budget; /* of the tracker, judged here */
    struct gput__traffic traffic;
    struct gput_budget_line lines[GPUT__BUDGET_LINES];
};

/* --- who runs -------------------------------------------------------------------------------- */

static int list(struct gput__running_info **ret, struct gput_error *ret_err)
{
    int n = gput__running_files_list(ret);

    if (n == -EPERM)
        return gput__refuse(
            ret_err, n, "",
            "the folder in which running trackers are noted is not this user's own: "
            "another user made it; remove it, or name another one in "
            "GPUT_RUNNING_DIR before the tracker starts");
    if (n < 0)
        return gput__refuse(ret_err, n, "", "running trackers cannot be listed: %s", strerror(-n));
    return n;
}

int gput_running_list(struct gput_running **ret_list, struct gput_error *ret_err)
{
    struct gput__running_info *infos = NULL;
    struct gput_running *all;
    int n = list(&infos, ret_err), kept = 0;

    if (n < 0)
        return n;
    all = calloc((size_t)n + 1, sizeof(*all));
    for (int i = 0; all && i < n; i++)
        if (gput__running_is_visible(&infos[i])) {
            struct gput_running *r = &all[kept++];

            r->tracker = infos[i].tracker;
            r->pid = infos[i].pid;
            r->uid = infos[i].uid;
            r->since = infos[i].since;
            snprintf(r->command, sizeof(r->command), "%s", infos[i].command);
        }
    free(infos);
    if (!all)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    *ret_list = all;
    return kept;
}

/* --- one of them ----------------------------------------------------------------------------- */

static int find(pid_t tracker, struct gput__running_info *ret, struct gput_error *ret_err)
{
    struct gput__running_info *all = NULL;
    int n = list(&all, ret_err), r = -ESRCH;

    for (int i = 0; i < n; i++)
        if (all[i].tracker == tracker && gput__running_is_visible(&all[i])) {
            *ret = all[i];
            r = 0;
        }
    free(all);
    if (n < 0)
        return n;
    return r == 0 ? 0 : gput__refuse(ret_err, r, "", "no tracker %d runs here", tracker);
}

int gput_viewer_open(pid_t tracker, struct gput_viewer **ret_v, struct gput_error *ret_err)
{
    struct gput_viewer *v = calloc(1, sizeof(*v));
    int r;

    if (!v)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    v->tracker = -1;
    r = find(tracker, &v->info, ret_err);
    if (r < 0) {
        gput_viewer_close(v);
        return r;
    }
    v->tracker = gput__process_handle(tracker);
    (void)gput__running_file_touch(&v->info);
    v->touched_ns = gput__now();
    *ret_v = v;
    return 0;
}

struct gput_viewer *gput__viewer_beside(const struct gput__watched *w, pid_t tracker)
{
    struct gput_viewer *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->info.tracker = tracker;
    v->tracker = gput__process_handle(tracker);
    v->shared = w->shared;
    v->page = w->page;
    v->size = w->size;
    v->is_beside = true;
    (void)mprotect(w->shared, w->size, PROT_READ); /* here: the tracker writes */
    return v;
}

const struct gput__live_slot *gput__viewer_slot(const struct gput_viewer *v)
{
    return v->slot;
}

struct gput_viewer *gput_viewer_close(struct gput_viewer *v)
{
    if (!v)
        return NULL;
    if (v->tracker >= 0)
        close(v->tracker);
    if (v->shared)
        (void)munmap((void *)(uintptr_t)v->shared, v->size);
    gput__traffic_close(&v->traffic);
    free(v->room);
    free(v->slot);
    free(v);
    return NULL;
}

static bool is_alive(const struct gput_viewer *v)
{
    return v->tracker >= 0 ? !gput__is_readable(v->tracker) : gput__running_is_visible(&v->info);
}

static int map(struct gput_viewer *v)
{
    size_t wanted = gput__shared_size(sizeof(*v->page));
    char name[60];
    int fd, r;

    snprintf(name, sizeof(name), "/proc/%d/fd/%d", v->info.tracker, v->info.memory);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? -ESRCH : -errno;
    r = gput__shared_view(fd, &v->shared, &v->size);
    close(fd);
    if (r < 0)
        return r;
    v->page = (const void *)((const char *)v->shared + gput__shared_series_at());
    if (v->size == wanted &&
        strncmp(v->page->version, gput_version(), sizeof(v->page->version)) == 0)
        return 0;
    (void)munmap((void *)(uintptr_t)v->shared, v->size);
    v->shared = NULL;
    return -EPROTO;
}

static int attach(struct gput_viewer *v)
{
    int64_t now = gput__now();
    int r;

    if (v->is_beside)
        return 0;
    if (!v->shared || now - v->touched_ns >= TOUCH_NS) {
        r = gput__running_file_touch(&v->info); /* gone: it has ended, or somebody cleaned up */
        v->touched_ns = now;
        if (r < 0 && !v->shared)
            return r;
    }
    if (v->shared)
        return 0;
    return v->info.memory < 0 ? -EAGAIN : map(v);
}

/* The text is another process's: it is read as one that a user gave. */
static void judge(struct gput_viewer *v)
{
    char why[200];

    v->usage.budget.n_lines = 0;
    if (!v->slot->budget[0] ||
        gput__budget_parse(v->slot->budget, &v->budget, why, sizeof(why)) < 0)
        return;
    for (int i = 0; i < v->budget.n; i++)
        v->lines[i] = gput__budget_judge(&v->budget.limit[i], &v->usage);
    v->usage.budget.lines = v->lines;
    v->usage.budget.n_lines = v->budget.n;
}

int gput_viewer_read(struct gput_viewer *v, struct gput_view *ret_view)
{
    bool was_alive = is_alive(v);
    struct gput_now now;
    int r = attach(v);

    if (ret_view->size != sizeof(*ret_view))
        return -EINVAL;
    if (r < 0)
        return r == -EAGAIN && !was_alive ? -ESRCH : r;
    if (!v->slot)
        v->slot = calloc(1, sizeof(*v->slot));
    if (!v->slot)
        return -ENOMEM;
    r = gput__live_page_read(v->page, v->slot);
    if (r == 0)
        r = gput__shared_read(v->shared, &v->room, &v->usage, &now);
    if (r < 0)
        return r == -ENODATA ? -EAGAIN : r;
    judge(v);
    *ret_view = (struct gput_view){
        .size = sizeof(*ret_view),
        .state = atomic_load_explicit(&v->shared->final, memory_order_acquire) ? GPUT_VIEW_ENDED
                 : was_alive                                                   ? GPUT_VIEW_RUNNING
                                                                               : GPUT_VIEW_LOST,
        .live = v->slot->live,
        .usage = &v->usage,
        .polled = v->slot->polled,
        .processes = v->slot->processes,
        .n_processes = v->slot->n_processes,
        .n_left_out = v->slot->n_left_out,
    };
    gput__traffic_read(&v->traffic, ret_view);
    return 0;
}

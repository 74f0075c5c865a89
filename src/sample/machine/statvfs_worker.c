/* statvfs_worker.c - asks file systems for their space, on a thread that may never return. */
#include "sample/machine/statvfs_worker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"

/* --- a round -------------------------------------------------------------------------------- */

/* POLLERR: something was mounted or unmounted since the last question. */
static bool mounts_are_as_before(const struct gput__statvfs_worker *w)
{
    struct pollfd p = { .fd = w->round.fd_mountinfo, .events = POLLPRI };

    return w->round.has_mounts && w->round.proc->live && w->round.fd_mountinfo >= 0 &&
           poll(&p, 1, 0) == 0;
}

static int read_mounts(struct gput__statvfs_worker *w)
{
    struct gput__sys_space *spaces;
    bool *answered;
    int r;

    if (w->talk.is_lent || mounts_are_as_before(w))
        return 0;
    free(w->round.mounts.list);
    w->round.mounts = (struct gput__sys_mounts){ 0 };
    w->round.has_mounts = w->round.is_prompt = false;
    r = gput__root_reread_whole(w->round.proc, "self/mountinfo", &w->round.fd_mountinfo, 0,
                                &w->round.text);
    if (r == 0)
        r = gput__sys_mounts_choose(w->round.text.data, &w->round.mounts);
    if (r < 0)
        return r;
    spaces = realloc(w->round.spaces, (w->round.mounts.n + 1) * sizeof(*spaces));
    w->round.spaces = spaces ? spaces : w->round.spaces;
    answered = realloc(w->round.answered, (w->round.mounts.n + 1) * sizeof(*answered));
    w->round.answered = answered ? answered : w->round.answered;
    w->round.has_mounts = spaces && answered;
    w->round.is_prompt = w->round.has_mounts && gput__sys_mounts_are_prompt(&w->round.mounts);
    return w->round.has_mounts ? 0 : -ENOMEM;
}

static bool is_hung(const struct gput__statvfs_worker *w, uint64_t device)
{
    for (size_t i = 0; i < w->round.n_hung; i++)
        if (w->round.hung[i] == device)
            return true;
    return false;
}

/* The mount is published before it is asked: the call may never return. */
static void say_whom(struct gput__statvfs_worker *w, const struct gput__sys_mount *m)
{
    pthread_mutex_lock(&w->lock);
    w->talk.since_ns = gput__now();
    w->talk.device = m->device;
    snprintf(w->talk.point, sizeof(w->talk.point), "%s", m->point);
    pthread_mutex_unlock(&w->lock);
}

static bool is_left(struct gput__statvfs_worker *w)
{
    bool left;

    pthread_mutex_lock(&w->lock);
    w->talk.since_ns = 0;
    left = w->talk.is_left;
    pthread_mutex_unlock(&w->lock);
    return left;
}

/* Of a pool its own name, not that of a data set. */
static size_t length_of_name(const struct gput__sys_volume *v)
{
    return v->is_pool ? strcspn(v->name, "/") : strlen(v->name);
}

struct gput__volumes gput__volumes_copy(const struct gput__sys_volume *volumes, size_t n)
{
    size_t size = (n + 1) * sizeof(*volumes);
    struct gput__volumes copy = { .n = n };
    char *names;

    for (size_t i = 0; i < n; i++)
        size += length_of_name(&volumes[i]) + 1;
    copy.volumes = malloc(size);
    if (!copy.volumes)
        return (struct gput__volumes){ 0 };
    names = (char *)(copy.volumes + n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t len = length_of_name(&volumes[i]);

        copy.volumes[i] = volumes[i];
        copy.volumes[i].name = memcpy(names, volumes[i].name, len);
        names[len] = '\0';
        names += len + 1;
    }
    return copy;
}

static struct gput__volumes add_up(const struct gput__statvfs_worker *w)
{
    struct gput__sys_volume *volumes = calloc(w->round.mounts.n + 1, sizeof(*volumes));
    struct gput__volumes answer = { 0 };

    if (volumes)
        answer = gput__volumes_copy(volumes, gput__sys_volumes(&w->round.mounts, w->round.spaces,
                                                               w->round.answered, volumes));
    free(volumes);
    return answer;
}

/* With its lock, while no round runs: the next one cannot hang, so that no thread need be woken. */
static bool is_prompt(struct gput__statvfs_worker *w)
{
    if (!w->round.is_prompt)
        return false;
    /* The kernel reports a new mount once: the thread would not see it again. */
    w->round.has_mounts = mounts_are_as_before(w);
    return w->round.has_mounts;
}

/* False: it took so long that nothing waits for it any more. */
static bool run_round(struct gput__statvfs_worker *w)
{
    struct gput__volumes answer = { 0 };

    if (read_mounts(w) == 0) {
        for (size_t i = 0; i < w->round.mounts.n; i++) {
            const struct gput__sys_mount *m = &w->round.mounts.list[i];

            w->round.answered[i] = false;
            if (is_hung(w, m->device))
                continue;
            if (!w->talk.is_lent)
                say_whom(w, m);
            w->round.answered[i] = gput__sys_space_read(w->ask, m->point, &w->round.spaces[i]) == 0;
            if (!w->talk.is_lent && is_left(w))
                return false;
        }
        answer = add_up(w);
    }
    pthread_mutex_lock(&w->lock);
    free(w->talk.answer.volumes);
    w->talk.answer = answer;
    w->talk.n_told++;
    pthread_cond_broadcast(&w->told);
    pthread_mutex_unlock(&w->lock);
    return true;
}

/* --- the thread ----------------------------------------------------------------------------- */

static void free_worker(struct gput__statvfs_worker *w)
{
    if (!w)
        return;
    if (w->round.fd_mountinfo >= 0)
        close(w->round.fd_mountinfo);
    gput__root_close(&w->round.own_proc);
    gput__buf_free(&w->round.text);
    free(w->round.mounts.list);
    free(w->round.spaces);
    free(w->round.answered);
    free(w->talk.answer.volumes);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->asked);
    pthread_cond_destroy(&w->told);
    free(w);
}

static void *run(void *arg)
{
    struct gput__statvfs_worker *w = arg;
    bool left = false;

    pthread_mutex_lock(&w->lock);
    while (!left) {
        while ((w->talk.n_told == w->talk.n_asked || w->talk.is_lent) && !w->talk.is_ending)
            pthread_cond_wait(&w->asked, &w->lock);
        if (w->talk.is_ending)
            break;
        pthread_mutex_unlock(&w->lock);
        left = !run_round(w);
        pthread_mutex_lock(&w->lock);
    }
    left = w->talk.is_left;
    pthread_mutex_unlock(&w->lock);
    if (left)
        free_worker(w);
    return NULL;
}

struct gput__statvfs_worker *gput__statvfs_worker_new(gput__statvfs *ask,
                                                      const struct gput__root *proc,
                                                      bool has_thread, const uint64_t *hung,
                                                      size_t n_hung)
{
    struct gput__statvfs_worker *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    w->ask = ask;
    w->has_thread = has_thread;
    w->round.fd_mountinfo = -1;
    w->round.own_proc = GPUT__ROOT_NONE;
    w->round.proc = proc;
    if (has_thread) {
        w->round.own_proc =
            (struct gput__root){ .fd = gput__root_open_file(proc, "."), .live = proc->live };
        w->round.proc = &w->round.own_proc;
    }
    memcpy(w->round.hung, hung, n_hung * sizeof(*hung));
    w->round.n_hung = n_hung;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->asked, NULL);
    gput__cond_init(&w->told);
    if (has_thread &&
        (w->round.own_proc.fd < 0 || gput__thread_start(&w->thread, 128 * 1024, run, w) < 0)) {
        free_worker(w);
        return NULL;
    }
    return w;
}

void gput__statvfs_worker_ask(struct gput__statvfs_worker *w)
{
    w->talk.is_lent = w->has_thread && w->talk.n_told == w->talk.n_asked && is_prompt(w);
    w->talk.n_asked++;
    if (w->has_thread && !w->talk.is_lent) {
        pthread_cond_signal(&w->asked);
        return;
    }
    pthread_mutex_unlock(&w->lock);
    (void)run_round(w);
    pthread_mutex_lock(&w->lock);
    w->talk.is_lent = false;
}

void gput__statvfs_worker_leave(struct gput__statvfs_worker *w)
{
    w->talk.is_ending = w->talk.is_left = true;
    pthread_detach(w->thread);
    pthread_mutex_unlock(&w->lock);
}

void gput__statvfs_worker_end(struct gput__statvfs_worker *w)
{
    if (!w)
        return;
    if (w->has_thread) {
        pthread_mutex_lock(&w->lock);
        if (w->talk.n_told != w->talk.n_asked) {
            gput__statvfs_worker_leave(w);
            return;
        }
        w->talk.is_ending = true;
        pthread_cond_signal(&w->asked);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    free_worker(w);
}

/* asker.c - asks file systems for their space, round by round, on a thread that may not come back. */
#include "sample/machine/asker.h"

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

/* The kernel tells by POLLERR that something was mounted or unmounted since the last question. */
static bool mounts_are_as_before(const struct gput__asker *a)
{
    struct pollfd p = { .fd = a->round.fd_mountinfo, .events = POLLPRI };

    return a->round.has_mounts && a->round.proc->live && a->round.fd_mountinfo >= 0 &&
           poll(&p, 1, 0) == 0;
}

static int read_mounts(struct gput__asker *a)
{
    struct gput__sys_space *spaces;
    bool *answered;
    int r;

    if (a->talk.is_lent || mounts_are_as_before(a))
        return 0;
    free(a->round.mounts.list);
    a->round.mounts = (struct gput__sys_mounts){ 0 };
    a->round.has_mounts = a->round.is_prompt = false;
    r = gput__root_reread_whole(a->round.proc, "self/mountinfo", &a->round.fd_mountinfo, 0,
                                &a->round.text);
    if (r == 0)
        r = gput__sys_mounts_choose(a->round.text.data, &a->round.mounts);
    if (r < 0)
        return r;
    spaces = realloc(a->round.spaces, (a->round.mounts.n + 1) * sizeof(*spaces));
    a->round.spaces = spaces ? spaces : a->round.spaces;
    answered = realloc(a->round.answered, (a->round.mounts.n + 1) * sizeof(*answered));
    a->round.answered = answered ? answered : a->round.answered;
    a->round.has_mounts = spaces && answered;
    a->round.is_prompt = a->round.has_mounts && gput__sys_mounts_are_prompt(&a->round.mounts);
    return a->round.has_mounts ? 0 : -ENOMEM;
}

static bool is_hung(const struct gput__asker *a, uint64_t device)
{
    for (size_t i = 0; i < a->round.n_hung; i++)
        if (a->round.hung[i] == device)
            return true;
    return false;
}

/* Whom we ask is known outside before we do: we may not come back. */
static void say_whom(struct gput__asker *a, const struct gput__sys_mount *m)
{
    pthread_mutex_lock(&a->lock);
    a->talk.since_ns = gput__now();
    a->talk.device = m->device;
    snprintf(a->talk.point, sizeof(a->talk.point), "%s", m->point);
    pthread_mutex_unlock(&a->lock);
}

static bool is_left(struct gput__asker *a)
{
    bool left;

    pthread_mutex_lock(&a->lock);
    a->talk.since_ns = 0;
    left = a->talk.is_left;
    pthread_mutex_unlock(&a->lock);
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

static struct gput__volumes add_up(const struct gput__asker *a)
{
    struct gput__sys_volume *volumes = calloc(a->round.mounts.n + 1, sizeof(*volumes));
    struct gput__volumes answer = { 0 };

    if (volumes)
        answer = gput__volumes_copy(volumes, gput__sys_volumes(&a->round.mounts, a->round.spaces,
                                                               a->round.answered, volumes));
    free(volumes);
    return answer;
}

/* With its lock, while no round runs: the next one cannot hang, so that no thread need be woken. */
static bool is_prompt(struct gput__asker *a)
{
    if (!a->round.is_prompt)
        return false;
    /* That something was mounted is told once: the thread would not hear it again. */
    a->round.has_mounts = mounts_are_as_before(a);
    return a->round.has_mounts;
}

/* false: it took so long that nobody waits for it any more. */
static bool run_round(struct gput__asker *a)
{
    struct gput__volumes answer = { 0 };

    if (read_mounts(a) == 0) {
        for (size_t i = 0; i < a->round.mounts.n; i++) {
            const struct gput__sys_mount *m = &a->round.mounts.list[i];

            a->round.answered[i] = false;
            if (is_hung(a, m->device))
                continue;
            if (!a->talk.is_lent)
                say_whom(a, m);
            a->round.answered[i] = gput__sys_space_read(a->ask, m->point, &a->round.spaces[i]) == 0;
            if (!a->talk.is_lent && is_left(a))
                return false;
        }
        answer = add_up(a);
    }
    pthread_mutex_lock(&a->lock);
    free(a->talk.answer.volumes);
    a->talk.answer = answer;
    a->talk.n_told++;
    pthread_cond_broadcast(&a->told);
    pthread_mutex_unlock(&a->lock);
    return true;
}

/* --- the thread ----------------------------------------------------------------------------- */

static void free_asker(struct gput__asker *a)
{
    if (!a)
        return;
    if (a->round.fd_mountinfo >= 0)
        close(a->round.fd_mountinfo);
    gput__root_close(&a->round.own_proc);
    gput__buf_free(&a->round.text);
    free(a->round.mounts.list);
    free(a->round.spaces);
    free(a->round.answered);
    free(a->talk.answer.volumes);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->asked);
    pthread_cond_destroy(&a->told);
    free(a);
}

static void *run(void *arg)
{
    struct gput__asker *a = arg;
    bool left = false;

    pthread_mutex_lock(&a->lock);
    while (!left) {
        while ((a->talk.n_told == a->talk.n_asked || a->talk.is_lent) && !a->talk.is_ending)
            pthread_cond_wait(&a->asked, &a->lock);
        if (a->talk.is_ending)
            break;
        pthread_mutex_unlock(&a->lock);
        left = !run_round(a);
        pthread_mutex_lock(&a->lock);
    }
    left = a->talk.is_left;
    pthread_mutex_unlock(&a->lock);
    if (left)
        free_asker(a);
    return NULL;
}

struct gput__asker *gput__asker_new(gput__statvfs *ask, const struct gput__root *proc,
                                    bool has_thread, const uint64_t *hung, size_t n_hung)
{
    struct gput__asker *a = calloc(1, sizeof(*a));

    if (!a)
        return NULL;
    a->ask = ask;
    a->has_thread = has_thread;
    a->round.fd_mountinfo = -1;
    a->round.own_proc = GPUT__ROOT_NONE;
    a->round.proc = proc;
    if (has_thread) {
        a->round.own_proc =
            (struct gput__root){ .fd = gput__root_open_file(proc, "."), .live = proc->live };
        a->round.proc = &a->round.own_proc;
    }
    memcpy(a->round.hung, hung, n_hung * sizeof(*hung));
    a->round.n_hung = n_hung;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->asked, NULL);
    gput__cond_init(&a->told);
    if (has_thread &&
        (a->round.own_proc.fd < 0 || gput__thread_start(&a->thread, 128 * 1024, run, a) < 0)) {
        free_asker(a);
        return NULL;
    }
    return a;
}

void gput__asker_ask(struct gput__asker *a)
{
    a->talk.is_lent = a->has_thread && a->talk.n_told == a->talk.n_asked && is_prompt(a);
    a->talk.n_asked++;
    if (a->has_thread && !a->talk.is_lent) {
        pthread_cond_signal(&a->asked);
        return;
    }
    pthread_mutex_unlock(&a->lock);
    (void)run_round(a);
    pthread_mutex_lock(&a->lock);
    a->talk.is_lent = false;
}

void gput__asker_leave(struct gput__asker *a)
{
    a->talk.is_ending = a->talk.is_left = true;
    pthread_detach(a->thread);
    pthread_mutex_unlock(&a->lock);
}

void gput__asker_end(struct gput__asker *a)
{
    if (!a)
        return;
    if (a->has_thread) {
        pthread_mutex_lock(&a->lock);
        if (a->talk.n_told != a->talk.n_asked) {
            gput__asker_leave(a);
            return;
        }
        a->talk.is_ending = true;
        pthread_cond_signal(&a->asked);
        pthread_mutex_unlock(&a->lock);
        pthread_join(a->thread, NULL);
    }
    free_asker(a);
}

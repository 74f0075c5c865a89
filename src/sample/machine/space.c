/* space.c - the space of the machine's file systems, asked for on a thread of its own. */
#include "sample/machine/space.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"

/* Disks do not fill up faster than this matters; records may come more often. */
#define PERIOD_NS (9 * GPUT__NS_PER_S / 10)
/* Local file systems answer within microseconds, a disk that has to spin up within seconds. */
#define PATIENCE_NS (5 * GPUT__NS_PER_S)

void gput__space_open(struct gput__space *s, const struct gput__root *proc, gput__statvfs *ask)
{
    *s = (struct gput__space){ .ask = ask ? ask : statvfs,
                               .has_thread = proc->live,
                               .patience_ns = PATIENCE_NS,
                               .proc = proc };
}

void gput__space_close(struct gput__space *s)
{
    gput__statvfs_worker_end(s->worker);
    s->worker = NULL;
}

/* With the worker's lock. */
static void apply_answer(struct gput__space *s)
{
    struct gput__sys_space sum = { 0 };
    const struct gput__volumes *answer = &s->worker->talk.answer;

    if (s->worker->talk.n_told == 0)
        return;
    for (size_t i = 0; i < answer->n; i++) {
        sum.total += answer->volumes[i].space.total;
        sum.used += answer->volumes[i].space.used;
        sum.free += answer->volumes[i].space.free;
    }
    s->is_known = answer->n > 0;
    s->sum = sum;
}

static bool hangs(const struct gput__space *s, int64_t now)
{
    const struct gput__statvfs_worker *a = s->worker;

    return a->has_thread && a->talk.since_ns && now - a->talk.since_ns >= s->patience_ns;
}

/* With its lock: another worker goes on without the mount that this one waits for. */
static void give_up(struct gput__space *s)
{
    struct gput__statvfs_worker *a = s->worker;

    s->hung[s->n_hung++] = a->talk.device;
    snprintf(s->why, sizeof(s->why), "%s does not answer: its space is left out", a->talk.point);
    gput__statvfs_worker_leave(a);
    s->worker = NULL;
}

static bool make_worker(struct gput__space *s)
{
    if (!s->worker && s->n_hung < GPUT__MOST_HUNG)
        s->worker = gput__statvfs_worker_new(s->ask, s->proc, s->has_thread, s->hung, s->n_hung);
    s->is_known &= s->worker != NULL;
    return s->worker;
}

/* With the lock, which may be given up meanwhile. */
static void ask_now(struct gput__space *s, int64_t now)
{
    s->asked_ns = now;
    gput__statvfs_worker_ask(s->worker);
}

void gput__space_read(struct gput__space *s)
{
    int64_t now = gput__now();

    if (!make_worker(s))
        return;
    pthread_mutex_lock(&s->worker->lock);
    if (hangs(s, now)) {
        give_up(s);
        if (!make_worker(s))
            return;
        pthread_mutex_lock(&s->worker->lock);
        ask_now(s, now);
    } else if (s->worker->talk.n_told == s->worker->talk.n_asked &&
               (s->worker->talk.n_asked == 0 || !s->has_thread || now - s->asked_ns >= PERIOD_NS)) {
        ask_now(s, now);
    }
    apply_answer(s);
    pthread_mutex_unlock(&s->worker->lock);
}

static struct timespec after(int64_t ns)
{
    ns += gput__clock_ns(CLOCK_MONOTONIC);
    return (struct timespec){ ns / GPUT__NS_PER_S, ns % GPUT__NS_PER_S };
}

bool gput__space_wait(struct gput__space *s, int64_t timeout_ns)
{
    struct timespec until = after(timeout_ns);
    bool in_time;
    unsigned round;

    if (!make_worker(s))
        return false;
    pthread_mutex_lock(&s->worker->lock);
    /* One that is under way began too early. */
    round = s->worker->talk.n_asked + 1;
    ask_now(s, gput__now());
    while (s->worker->talk.n_told < round)
        if (pthread_cond_timedwait(&s->worker->told, &s->worker->lock, &until) == ETIMEDOUT)
            break;
    in_time = s->worker->talk.n_told >= round;
    s->is_late = !in_time;
    if (s->n_hung == 0) {
        bool is_asking = !in_time && s->worker->talk.since_ns;

        snprintf(s->why, sizeof(s->why), "%s%s", is_asking ? s->worker->talk.point : "",
                 is_asking ? " does not answer" : "");
    }
    apply_answer(s);
    pthread_mutex_unlock(&s->worker->lock);
    return in_time;
}

struct gput__sys_volume *gput__space_volumes(struct gput__space *s, size_t *ret_n)
{
    struct gput__volumes copy = { 0 };

    if (!s->worker)
        return NULL;
    pthread_mutex_lock(&s->worker->lock);
    if (s->worker->talk.n_told > 0)
        copy = gput__volumes_copy(s->worker->talk.answer.volumes, s->worker->talk.answer.n);
    pthread_mutex_unlock(&s->worker->lock);
    *ret_n = copy.n;
    return copy.volumes;
}

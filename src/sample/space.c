/* space.c - the space of the machine's file systems, asked for on a thread of its own. */
#include "sample/space.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* Disks do not fill up faster than this matters; records may come more often. */
#define PERIOD_NS (9 * GPUT__NS_PER_S / 10)
/* Local file systems answer within microseconds, a disk that has to spin up within seconds. */
#define PATIENCE_NS (5 * GPUT__NS_PER_S)

/* Volumes with their names, in one block of memory. */
struct answer {
    struct gput__sys_volume *volumes;
    size_t n;
};

struct gput__asker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked, told;
    bool has_thread;
    gput__statvfs *ask;

    /* the thread's alone while a round runs */
    const struct gput__root *proc;
    struct gput__root own_proc; /* it may outlive the sampler's */
    int fd_mountinfo;
    struct gput__buf text;
    struct gput__sys_mounts mounts;
    bool has_mounts;
    struct gput__sys_space *spaces; /* one for each mount */
    bool *answered;
    uint64_t hung[GPUT__MOST_HUNG];
    size_t n_hung;

    /* under the lock */
    unsigned n_asked, n_told; /* rounds */
    bool is_ending, is_left;  /* it is to end; nobody waits for it any more */
    int64_t since_ns;         /* when the question under way was put; 0: none is */
    uint64_t device;          /* whom it was put to, and the name */
    char point[160];
    struct answer answer;
};

/* --- a round -------------------------------------------------------------------------------- */

/* The kernel tells by POLLERR that something was mounted or unmounted since the last question. */
static bool mounts_are_as_before(const struct gput__asker *a)
{
    struct pollfd p = { .fd = a->fd_mountinfo, .events = POLLPRI };

    return a->has_mounts && a->proc->live && a->fd_mountinfo >= 0 && poll(&p, 1, 0) == 0;
}

static int read_mounts(struct gput__asker *a)
{
    struct gput__sys_space *spaces;
    bool *answered;
    int r;

    if (mounts_are_as_before(a))
        return 0;
    free(a->mounts.list);
    a->mounts = (struct gput__sys_mounts){ 0 };
    a->has_mounts = false;
    r = gput__root_reread_whole(a->proc, "self/mountinfo", &a->fd_mountinfo, &a->text);
    if (r == 0)
        r = gput__sys_mounts_choose(a->text.data, &a->mounts);
    if (r < 0)
        return r;
    spaces = realloc(a->spaces, (a->mounts.n + 1) * sizeof(*spaces));
    a->spaces = spaces ? spaces : a->spaces;
    answered = realloc(a->answered, (a->mounts.n + 1) * sizeof(*answered));
    a->answered = answered ? answered : a->answered;
    a->has_mounts = spaces && answered;
    return a->has_mounts ? 0 : -ENOMEM;
}

static bool is_hung(const struct gput__asker *a, uint64_t device)
{
    for (size_t i = 0; i < a->n_hung; i++)
        if (a->hung[i] == device)
            return true;
    return false;
}

/* Whom we ask is known outside before we do: we may not come back. */
static void say_whom(struct gput__asker *a, const struct gput__sys_mount *m)
{
    pthread_mutex_lock(&a->lock);
    a->since_ns = gput__now();
    a->device = m->device;
    snprintf(a->point, sizeof(a->point), "%s", m->point);
    pthread_mutex_unlock(&a->lock);
}

static bool is_left(struct gput__asker *a)
{
    bool left;

    pthread_mutex_lock(&a->lock);
    a->since_ns = 0;
    left = a->is_left;
    pthread_mutex_unlock(&a->lock);
    return left;
}

/* Of a pool its own name, not that of a data set. */
static size_t length_of_name(const struct gput__sys_volume *v)
{
    return v->is_pool ? strcspn(v->name, "/") : strlen(v->name);
}

/* All in one block: they outlive the text of the mounts. */
static struct answer copy_volumes(const struct gput__sys_volume *volumes, size_t n)
{
    size_t size = (n + 1) * sizeof(*volumes);
    struct answer copy = { .n = n };
    char *names;

    for (size_t i = 0; i < n; i++)
        size += length_of_name(&volumes[i]) + 1;
    copy.volumes = malloc(size);
    if (!copy.volumes)
        return (struct answer){ 0 };
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

static struct answer add_up(const struct gput__asker *a)
{
    struct gput__sys_volume *volumes = calloc(a->mounts.n + 1, sizeof(*volumes));
    struct answer answer = { 0 };

    if (volumes)
        answer =
            copy_volumes(volumes, gput__sys_volumes(&a->mounts, a->spaces, a->answered, volumes));
    free(volumes);
    return answer;
}

/* false: it took so long that nobody waits for it any more. */
static bool run_round(struct gput__asker *a)
{
    struct answer answer = { 0 };

    if (read_mounts(a) == 0) {
        for (size_t i = 0; i < a->mounts.n; i++) {
            const struct gput__sys_mount *m = &a->mounts.list[i];

            a->answered[i] = false;
            if (is_hung(a, m->device))
                continue;
            say_whom(a, m);
            a->answered[i] = gput__sys_space_read(a->ask, m->point, &a->spaces[i]) == 0;
            if (is_left(a))
                return false;
        }
        answer = add_up(a);
    }
    pthread_mutex_lock(&a->lock);
    free(a->answer.volumes);
    a->answer = answer;
    a->n_told++;
    pthread_cond_broadcast(&a->told);
    pthread_mutex_unlock(&a->lock);
    return true;
}

/* --- the thread ----------------------------------------------------------------------------- */

static void free_asker(struct gput__asker *a)
{
    if (!a)
        return;
    if (a->fd_mountinfo >= 0)
        close(a->fd_mountinfo);
    gput__root_close(&a->own_proc);
    gput__buf_free(&a->text);
    free(a->mounts.list);
    free(a->spaces);
    free(a->answered);
    free(a->answer.volumes);
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
        while (a->n_told == a->n_asked && !a->is_ending)
            pthread_cond_wait(&a->asked, &a->lock);
        if (a->is_ending)
            break;
        pthread_mutex_unlock(&a->lock);
        left = !run_round(a);
        pthread_mutex_lock(&a->lock);
    }
    left = a->is_left;
    pthread_mutex_unlock(&a->lock);
    if (left)
        free_asker(a);
    return NULL;
}

/* Signals are the main thread's business. */
static int start_thread(struct gput__asker *a)
{
    pthread_attr_t attr;
    sigset_t all, old;
    int r;

    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 128 * 1024);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    r = pthread_create(&a->thread, &attr, run, a);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return -r;
}

static struct gput__asker *new_asker(const struct gput__space *s)
{
    struct gput__asker *a = calloc(1, sizeof(*a));
    pthread_condattr_t attr;

    if (!a)
        return NULL;
    *a = (struct gput__asker){ .ask = s->ask, .has_thread = s->has_thread, .fd_mountinfo = -1 };
    a->own_proc = GPUT__ROOT_NONE;
    a->proc = s->proc;
    if (a->has_thread) {
        a->own_proc =
            (struct gput__root){ .fd = gput__root_open_file(s->proc, "."), .live = s->proc->live };
        a->proc = &a->own_proc;
    }
    memcpy(a->hung, s->hung, sizeof(a->hung));
    a->n_hung = s->n_hung;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->asked, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&a->told, &attr);
    pthread_condattr_destroy(&attr);
    if (a->has_thread && start_thread(a) < 0) {
        free_asker(a);
        return NULL;
    }
    return a;
}

/* With the lock.  Gives it up, and the asker too. */
static void leave(struct gput__asker *a)
{
    a->is_ending = a->is_left = true;
    pthread_detach(a->thread);
    pthread_mutex_unlock(&a->lock);
}

static void end_asker(struct gput__asker *a)
{
    if (!a)
        return;
    if (a->has_thread) {
        pthread_mutex_lock(&a->lock);
        if (a->n_told != a->n_asked) {
            leave(a);
            return;
        }
        a->is_ending = true;
        pthread_cond_signal(&a->asked);
        pthread_mutex_unlock(&a->lock);
        pthread_join(a->thread, NULL);
    }
    free_asker(a);
}

/* --- for the sampler ------------------------------------------------------------------------ */

void gput__space_open(struct gput__space *s, const struct gput__root *proc, gput__statvfs *ask)
{
    *s = (struct gput__space){ .ask = ask ? ask : statvfs,
                               .has_thread = proc->live,
                               .patience_ns = PATIENCE_NS,
                               .proc = proc };
}

void gput__space_close(struct gput__space *s)
{
    end_asker(s->asker);
    s->asker = NULL;
}

/* With the asker's lock. */
static void take(struct gput__space *s)
{
    struct gput__sys_space sum = { 0 };
    const struct answer *answer = &s->asker->answer;

    if (s->asker->n_told == 0)
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
    const struct gput__asker *a = s->asker;

    return a->has_thread && a->since_ns && now - a->since_ns >= s->patience_ns;
}

/* With its lock: another one goes on without whom this one waits for. */
static void give_up(struct gput__space *s)
{
    struct gput__asker *a = s->asker;

    s->hung[s->n_hung++] = a->device;
    snprintf(s->why, sizeof(s->why), "%s does not answer: its space is left out", a->point);
    leave(a);
    s->asker = NULL;
}

static bool make_asker(struct gput__space *s)
{
    if (!s->asker && s->n_hung < GPUT__MOST_HUNG)
        s->asker = new_asker(s);
    s->is_known &= s->asker != NULL;
    return s->asker;
}

/* With the lock, which is given up meanwhile where there is no thread. */
static void ask_now(struct gput__space *s, int64_t now)
{
    struct gput__asker *a = s->asker;

    s->asked_ns = now;
    a->n_asked++;
    if (a->has_thread) {
        pthread_cond_signal(&a->asked);
        return;
    }
    pthread_mutex_unlock(&a->lock);
    (void)run_round(a);
    pthread_mutex_lock(&a->lock);
}

void gput__space_read(struct gput__space *s)
{
    int64_t now = gput__now();

    if (!make_asker(s))
        return;
    pthread_mutex_lock(&s->asker->lock);
    if (hangs(s, now)) {
        give_up(s);
        if (!make_asker(s))
            return;
        pthread_mutex_lock(&s->asker->lock);
        ask_now(s, now);
    } else if (s->asker->n_told == s->asker->n_asked &&
               (s->asker->n_asked == 0 || !s->has_thread || now - s->asked_ns >= PERIOD_NS)) {
        ask_now(s, now);
    }
    take(s);
    pthread_mutex_unlock(&s->asker->lock);
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

    if (!make_asker(s))
        return false;
    pthread_mutex_lock(&s->asker->lock);
    /* One that is under way began too early. */
    round = s->asker->n_asked + 1;
    ask_now(s, gput__now());
    while (s->asker->n_told < round)
        if (pthread_cond_timedwait(&s->asker->told, &s->asker->lock, &until) == ETIMEDOUT)
            break;
    in_time = s->asker->n_told >= round;
    s->is_late = !in_time;
    if (s->n_hung == 0) {
        bool is_asking = !in_time && s->asker->since_ns;

        snprintf(s->why, sizeof(s->why), "%s%s", is_asking ? s->asker->point : "",
                 is_asking ? " does not answer" : "");
    }
    take(s);
    pthread_mutex_unlock(&s->asker->lock);
    return in_time;
}

struct gput__sys_volume *gput__space_volumes(struct gput__space *s, size_t *ret_n)
{
    struct answer copy = { 0 };

    if (!s->asker)
        return NULL;
    pthread_mutex_lock(&s->asker->lock);
    if (s->asker->n_told > 0)
        copy = copy_volumes(s->asker->answer.volumes, s->asker->answer.n);
    pthread_mutex_unlock(&s->asker->lock);
    *ret_n = copy.n;
    return copy.volumes;
}

/* loop.c - the one loop that waits: for deadlines, for signals, for the end of the job. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/clock.h"

#define LONGEST_POLL_MS (1000 * 1000)
#define LONGEST_POLL_NS (LONGEST_POLL_MS * GPUT__NS_PER_MS)

bool gput__is_readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return fd >= 0 && poll(&p, 1, 0) > 0;
}

/* --- the end --------------------------------------------------------------------------------- */

/* Waits for all children of ours that have ended.  Orphans of the job are ours too. */
static void reap(struct gput_tracker *t, int64_t now)
{
    for (;;) {
        siginfo_t si = { 0 };
        struct rusage usage;
        int status;

        if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || si.si_pid == 0)
            return;
        if (si.si_pid == t->job.pid && t->end.how == GPUT_RUNNING)
            gput__record_main_end(t, &si, now);
        else if (wait4(si.si_pid, &status, WNOHANG, &usage) == si.si_pid)
            gput__sampler_reaped(&t->sampler, si.si_pid, &usage);
        else if (errno != EINTR)
            return;
    }
}

static bool somebody_is_left(const struct gput_tracker *t)
{
    if ((t->opts.flags & GPUT_NO_SUBREAPER) || t->job.had_children)
        return gput__sampler_descendants(&t->sampler, NULL, 0) > 0;
    return gput__has_children();
}

static bool is_over(struct gput_tracker *t, int64_t now, bool pidfd_tells)
{
    if (t->job.attached && t->end.how == GPUT_RUNNING) {
        if (t->job.pid && (pidfd_tells || !gput__sampler_main_is_alive(&t->sampler)))
            gput__record_departure(t, now, GPUT_GONE);
        else if (t->stop.is_asked)
            gput__record_departure(t, now, GPUT_DETACHED);
    }
    if (t->end.how == GPUT_RUNNING)
        return false;
    /* A time limit and a budget are for the whole job. */
    return t->job.attached || t->stop.is_asked ||
           !(t->stop.timed_out || t->stop.is_over_budget ||
             (t->opts.flags & GPUT_WAIT_DESCENDANTS)) ||
           !somebody_is_left(t);
}

/* --- what is waited for ---------------------------------------------------------------------- */

enum source {
    MAIN_ENDED,
    SIGNALS,
    ALARM, /* the next deadline is here */
    SCAN_DONE,
    BIRTH, /* of a process, somewhere on the machine */
    GPUS_CHANGED,
    CLIENT_SPOKE, /* the program that we are the helper of; or it has closed the socket */
    CLIENT_ENDED,
    N_SOURCES
};

#define TOLD(source) (1u << (source))

/* A descriptor of -1 never tells. */
static void list_descriptors(const struct gput_tracker *t, struct pollfd ret[N_SOURCES])
{
    const int fds[N_SOURCES] = {
        [MAIN_ENDED] = t->end.how == GPUT_RUNNING ? t->job.pidfd : -1,
        [SIGNALS] = t->signals.fd,
        [ALARM] = t->timer_fd,
        [SCAN_DONE] = gput__sampler_scan_fd(&t->sampler),
        [BIRTH] = gput__listening_fd(&t->watch.listening, &t->sampler, &t->watch.schedule),
        [GPUS_CHANGED] = t->gpu.thread ? t->gpu.thread->changed : -1,
        [CLIENT_SPOKE] = t->service ? t->service->socket : -1,
        [CLIENT_ENDED] = t->service ? t->service->client_fd : -1,
    };

    for (int i = 0; i < N_SOURCES; i++)
        ret[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
}

/* --- what is done then ----------------------------------------------------------------------- */

static void read_signals(struct gput_tracker *t, int64_t now, unsigned told)
{
    (void)told;
    gput__stop_read_signals(t, now);
}

/* All that have ended; main also where nobody can be asked for all. */
static void handle_exits(struct gput_tracker *t, int64_t now, unsigned told)
{
    siginfo_t unknown = { 0 };

    (void)told;
    if (t->job.attached)
        return;
    reap(t, now);
    if (t->end.how == GPUT_RUNNING && gput__is_readable(t->job.pidfd))
        gput__record_main_end(t, &unknown, now);
}

static void hear_client(struct gput_tracker *t, int64_t now, unsigned told)
{
    (void)now;
    if (t->service && gput__service_told(t, told & (TOLD(CLIENT_SPOKE) | TOLD(CLIENT_ENDED))))
        gput__stop_ask(t);
}

static void tick(struct gput_tracker *t, int64_t now, unsigned told)
{
    gput__measure_tick(t, now, told & TOLD(SCAN_DONE));
}

static void learn_from_birth(struct gput_tracker *t, int64_t now, unsigned told)
{
    (void)now, (void)told;
    gput__measure_births(t);
}

static void measure_gpus(struct gput_tracker *t, int64_t now, unsigned told)
{
    (void)told;
    gput__measure_gpus(t, now);
}

struct duty {
    unsigned sources; /* it is done when one of these has told; 0: always */
    void (*handle)(struct gput_tracker *t, int64_t now, unsigned told);
};

/* In this order: after the first ones the run may be over. */
static const struct duty first[] = {
    { TOLD(SIGNALS), read_signals },
    { TOLD(MAIN_ENDED) | TOLD(SIGNALS), handle_exits },
    { 0, hear_client }, /* whose end no descriptor may tell */
};
static const struct duty then[] = {
    { TOLD(ALARM) | TOLD(SCAN_DONE) | TOLD(BIRTH), tick },
    { TOLD(BIRTH), learn_from_birth },
    { TOLD(GPUS_CHANGED), measure_gpus },
};

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

static void handle(struct gput_tracker *t, const struct duty *duties, size_t n, int64_t now,
                   unsigned told)
{
    for (size_t i = 0; i < n; i++)
        if (!duties[i].sources || (duties[i].sources & told))
            duties[i].handle(t, now, told);
}

/* --- waiting --------------------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t next_alarm(const struct gput_tracker *t)
{
    int64_t at = earlier(gput__measure_due(t), gput__stop_due(t));

    at = earlier(at, gput__budget_due(t));
    if (gput__records_wait(&t->records)) /* a reader kept them out: within a second again */
        at = earlier(at, gput__now() + GPUT__NS_PER_S);
    return t->service ? earlier(at, gput__service_due(t)) : at;
}

/* How long poll() may wait: for ever, as the timer wakes it; where that cannot be set, until then in
 * milliseconds. */
static int set_alarm(const struct gput_tracker *t, int64_t at)
{
    struct itimerspec when = { .it_value = { at / GPUT__NS_PER_S, at % GPUT__NS_PER_S } };
    int64_t left;

    if (timerfd_settime(t->timer_fd, TFD_TIMER_ABSTIME, &when, NULL) == 0)
        return -1;
    left = at - gput__now();
    if (left < 0)
        return 0;
    return left < LONGEST_POLL_NS ? (int)(left / GPUT__NS_PER_MS) + 1 : LONGEST_POLL_MS;
}

/* Waits until something is there to be read.  Where the kernel cannot tell what, a moment later
 * everything is tried: nothing here waits for what is not there. */
static bool await(struct pollfd *fds, nfds_t n, int timeout)
{
    struct timespec moment = { .tv_nsec = 10 * GPUT__NS_PER_MS };

    if (poll(fds, n, timeout) >= 0 || errno == EINTR)
        return true;
    (void)nanosleep(&moment, NULL);
    for (nfds_t i = 0; i < n; i++)
        fds[i].revents = fds[i].fd >= 0 ? POLLIN : 0;
    return false;
}

/* Waits; which sources have told, and whether main has ended as far as the kernel tells. */
static unsigned wait_for_any(const struct gput_tracker *t, int64_t *ret_now, bool *ret_main_ended)
{
    struct pollfd fds[N_SOURCES];
    int64_t alarm = next_alarm(t);
    int timeout = set_alarm(t, alarm);
    unsigned told = 0;
    bool is_known;

    list_descriptors(t, fds);
    is_known = await(fds, N_SOURCES, timeout);
    *ret_now = gput__now();
    for (int i = 0; i < N_SOURCES; i++)
        told |= fds[i].revents ? TOLD(i) : 0;
    if (timeout >= 0 || !is_known) /* the timer is not set, or cannot be trusted */
        told = (told & ~TOLD(ALARM)) | (*ret_now >= alarm ? TOLD(ALARM) : 0);
    *ret_main_ended = is_known ? told & TOLD(MAIN_ENDED) : gput__is_readable(t->job.pidfd);
    return told;
}

int gput__loop(struct gput_tracker *t)
{
    bool main_ended;
    int64_t now;

    for (;;) {
        unsigned told = wait_for_any(t, &now, &main_ended);

        handle(t, first, LENGTH(first), now, told);
        if (is_over(t, now, main_ended))
            break;
        handle(t, then, LENGTH(then), now, told);
        if (t->stop.is_asked && is_over(t, now, gput__is_readable(t->job.pidfd)))
            break; /* gput_tracker_quit() */
    }
    gput__finish(t, now);
    return 0;
}

void gput__loop_init(struct gput_tracker *t)
{
    t->timer_fd = -1;
}

int gput__loop_open(struct gput_tracker *t)
{
    t->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    return t->timer_fd < 0 ? -errno : 0;
}

void gput__loop_close(struct gput_tracker *t)
{
    if (t->timer_fd >= 0)
        close(t->timer_fd);
    t->timer_fd = -1;
}

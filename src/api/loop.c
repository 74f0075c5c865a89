/* loop.c - the one loop that waits: for deadlines, for signals, for the end of the job. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/cgroup.h"
#include "api/helper.h"
#include "base/clock.h"
#include "model/stream.h"
#include "sample/asleep.h"
#include "sample/unwaited.h"

/* After TERM a job has so long before KILL. */
#define GRACE_NS (5 * GPUT__NS_PER_S)
/* One TERM may reach us twice (timeout(1) signals its child and then the group). */
#define SAME_TERM_NS GPUT__NS_PER_S
/* So many births a second of processes that are not the job's cost more than they tell. */
#define MOST_FOREIGN_BIRTHS 100
#define MOST_WITHOUT_ORPHANS 1000 /* where orphans are found by events only */
#define MOST_DEAF_RECORDS 32
/* Those whose time nobody inherits are asked for it so often, and likewise the kernel for its count of
 * mapped pages, or so much more seldom that it takes one part in so many of the time. */
#define UNWAITED_EVERY_NS (4 * GPUT__NS_PER_MS)
#define UNWAITED_SHARE 300
#define MEMORY_EVERY_NS (8 * GPUT__NS_PER_MS)
#define MEMORY_SHARE 1200
#define LONGEST_MEMORY_NS (25 * GPUT__NS_PER_MS)
#define DEAF_NS (10 * GPUT__NS_PER_S)
#define LONGEST_POLL_MS (1000 * 1000)
#define LONGEST_POLL_NS (LONGEST_POLL_MS * GPUT__NS_PER_MS)

/* --- signals -------------------------------------------------------------------------------- */

static void signal_main(const struct gput_tracker *t, int sig)
{
    if (t->ending == GPUT_RUNNING && !t->attached)
        (void)kill(t->pid, sig); /* not yet waited for: the pid is still its own */
}

static void signal_job(const struct gput_tracker *t, int sig)
{
    const struct gput__tree *tree = &t->sampler.tree;

    signal_main(t, sig);
    for (uint32_t i = 0; i < tree->n; i++)
        if (!tree->tasks[i].is_main && gput__task_is_alive(&tree->tasks[i]))
            (void)kill(tree->tasks[i].pid, sig);
}

/* One that carries a value is passed on with it. */
static void pass_on(const struct gput_tracker *t, const struct signalfd_siginfo *si)
{
    union sigval value = { .sival_ptr = (void *)(uintptr_t)si->ssi_ptr }; /* an int is part of it */

    if (si->ssi_code != SI_QUEUE || sigqueue(t->pid, (int)si->ssi_signo, value) < 0)
        signal_main(t, (int)si->ssi_signo);
}

/* A pipe that nobody reads, a file that may not grow: our own write failed, and has said so. */
static bool is_of_our_write(const struct signalfd_siginfo *si)
{
    return (si->ssi_signo == SIGPIPE || si->ssi_signo == SIGXFSZ) && (pid_t)si->ssi_pid == getpid();
}

/* A page fault of a job that slept: anybody else's SIGIO does not come from the kernel. */
static bool is_fault_alarm(const struct signalfd_siginfo *si)
{
    return si->ssi_signo == SIGIO && si->ssi_code > 0;
}

/* The kernel's own (Ctrl-C, a hang-up, a CPU limit, which is the job's too) have reached the job as
 * they have reached us, and what the job sent us it need not get back. */
static bool is_for_the_job(const struct gput_tracker *t, const struct signalfd_siginfo *si)
{
    if (si->ssi_signo == SIGINT || si->ssi_signo == SIGQUIT)
        return false;
    return si->ssi_code <= 0 && !gput__tree_find(&t->sampler.tree, (pid_t)si->ssi_pid);
}

/* The second copy of a TERM that has just ended main. */
static bool is_echo(const struct gput_tracker *t, int sig, int64_t now)
{
    return sig == SIGTERM && t->first_term_ns && now - t->first_term_ns <= SAME_TERM_NS;
}

static void take_term(struct gput_tracker *t, int64_t now)
{
    if (t->first_term_ns && !is_echo(t, SIGTERM, now)) {
        t->was_killed = true;
        signal_main(t, SIGKILL);
        return;
    }
    if (!t->first_term_ns)
        t->first_term_ns = now;
    signal_main(t, SIGTERM);
}

/* One of the job has taken a page. */
static void wake(struct gput_tracker *t, int64_t now)
{
    gput__asleep_wake(&t->sampler.tree);
    gput__schedule_rest(&t->schedule, now, false);
    gput__schedule_stir(&t->schedule, now);
}

static void take_signal(struct gput_tracker *t, const struct signalfd_siginfo *si, int64_t now)
{
    int sig = (int)si->ssi_signo;

    if (is_fault_alarm(si)) {
        wake(t, now);
        return;
    }
    /* A helper ends with whom it works for: a TERM to the whole job is not the end of it. */
    if (sig == SIGCHLD || t->service || is_of_our_write(si))
        return;
    /* Nobody is left to pass it on to: the wait itself is meant. */
    if (t->attached || t->ending != GPUT_RUNNING) {
        t->stop_asked |= sig != SIGUSR1 && sig != SIGUSR2 && !is_echo(t, sig, now);
        return;
    }
    if (!is_for_the_job(t, si))
        return;
    if (sig == SIGTERM)
        take_term(t, now);
    else
        pass_on(t, si);
}

static void take_signals(struct gput_tracker *t, int64_t now)
{
    struct signalfd_siginfo si;

    while (read(t->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si))
        take_signal(t, &si, now);
}

/* --- the end -------------------------------------------------------------------------------- */

/* Waits for all children of ours that have ended.  Orphans of the job are ours too. */
static void reap(struct gput_tracker *t, int64_t now)
{
    for (;;) {
        siginfo_t si = { 0 };
        struct rusage usage;
        int status;

        if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || si.si_pid == 0)
            return;
        if (si.si_pid == t->pid && t->ending == GPUT_RUNNING)
            gput__take_main(t, &si, now);
        else if (wait4(si.si_pid, &status, WNOHANG, &usage) == si.si_pid)
            gput__tree_reaped(&t->sampler.tree, si.si_pid, &usage);
        else if (errno != EINTR)
            return;
    }
}

/* All that have ended; main also where nobody can be asked for all. */
static void take_ends(struct gput_tracker *t, int64_t now)
{
    siginfo_t unknown = { 0 };

    reap(t, now);
    if (t->ending == GPUT_RUNNING && gput__is_readable(t->pidfd))
        gput__take_main(t, &unknown, now);
}

bool gput__is_readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return fd >= 0 && poll(&p, 1, 0) > 0;
}

static bool descendants_live(const struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        if (!tree->tasks[i].is_main && gput__task_is_alive(&tree->tasks[i]))
            return true;
    return false;
}

static bool somebody_is_left(const struct gput_tracker *t)
{
    if ((t->opts.flags & GPUT_NO_SUBREAPER) || t->had_children)
        return descendants_live(&t->sampler.tree);
    return gput__has_children();
}

static bool is_over(struct gput_tracker *t, int64_t now, bool pidfd_tells)
{
    if (t->attached && t->ending == GPUT_RUNNING) {
        const struct gput__task *main_task = gput__tree_main(&t->sampler.tree);
        bool has_ended = t->pid && (pidfd_tells || !main_task || !gput__task_is_alive(main_task));

        if (has_ended)
            gput__take_departure(t, now, GPUT_GONE);
        else if (t->stop_asked)
            gput__take_departure(t, now, GPUT_DETACHED);
    }
    if (t->ending == GPUT_RUNNING)
        return false;
    /* A time limit is for the whole job. */
    return t->attached || t->stop_asked ||
           !(t->timed_out || (t->opts.flags & GPUT_WAIT_DESCENDANTS)) || !somebody_is_left(t);
}

static void keep_time_limit(struct gput_tracker *t, int64_t now)
{
    if (t->kill_at_ns && now >= t->kill_at_ns) {
        t->kill_at_ns = now + GRACE_NS;
        signal_job(t, SIGKILL);
    } else if (t->deadline_ns && now >= t->deadline_ns) {
        t->deadline_ns = 0;
        t->timed_out = true;
        t->kill_at_ns = now + GRACE_NS;
        signal_job(t, SIGTERM);
    }
}

/* --- ticks ---------------------------------------------------------------------------------- */

/* What need not delay the start of the job. */
static void settle_in(struct gput_tracker *t, int64_t now)
{
    t->settled = true;
    gput__limits_begin(t, now);
    t->affinity = gput__affinity(&t->sampler.proc, t->attached ? t->pid : 0);
    gput__sampler_listen(&t->sampler);
    t->second_ns = now;
    t->spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID); /* no look's price */
}

/* On a machine where others fork all the time their events are not worth their price: then the
 * youngest pid tells whether to look. */
static void weigh_events(struct gput_tracker *t, int64_t now)
{
    struct gput__tree *tree = &t->sampler.tree;

    if (tree->events < 0) {
        if (t->deaf_until_ns && now >= t->deaf_until_ns) {
            t->deaf_until_ns = 0;
            gput__sampler_listen(&t->sampler);
        }
        return;
    }
    if (tree->foreign_births > (tree->tracker ? MOST_FOREIGN_BIRTHS : MOST_WITHOUT_ORPHANS)) {
        gput__sampler_unlisten(&t->sampler);
        t->deaf_until_ns = now + DEAF_NS;
    }
    if (now - t->second_ns >= GPUT__NS_PER_S) {
        tree->foreign_births = 0;
        t->second_ns = now;
    }
}

/* A full disk stops the tracking file with one warning and nothing else. */
static void check_records(struct gput_tracker *t, int r)
{
    if (r >= 0)
        return;
    gput__warn(t, "%s: no more records are written: %s", t->opts.tracking_file, strerror(-r));
    (void)gput__records_close(&t->records);
}

void gput__write_row(struct gput_tracker *t)
{
    if (gput__records_is_open(&t->records) && !t->records.has_head) {
        gput__gpu_tell_static(t, &t->records.data);
        check_records(t, gput__records_begin(&t->records));
    }
    if (gput__records_is_open(&t->records))
        check_records(t, gput__records_write(&t->records, &t->summary.last, &t->now));
}

#define MOST_GPUS 64

static void put_row(struct gput_tracker *t, const struct gput__sample *now)
{
    double values[MOST_GPUS][2];
    struct gput__series_gpus gpus = { (const double(*)[2])values, 0 };

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    if (t->opts.flags & GPUT_KEEP_SERIES)
        gpus.n = gput__gpu_values(t, values, MOST_GPUS);
    gput__streams_record(&t->streams, &t->summary.last, now, &gpus);
}

void gput__last_row(struct gput_tracker *t)
{
    int64_t rest = t->now.boot_ns - t->summary.last.boot_ns;
    struct gput__sample row;

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    /* What it had used by then was read a moment later. */
    if (t->attached && t->sampler.tree.looked_ns > t->now.boot_ns)
        t->now.boot_ns = t->sampler.tree.looked_ns;
    if (t->sampler.wants_job && !t->sampler.blind)
        gput__job_measure(&t->sampler.job, &t->sampler.memory, &t->sampler.tree, &t->now);
    if (t->summary.n_records > 0 && rest * 2 < t->summary.period_ns) {
        gput__streams_rest(&t->streams, &t->summary.last, &t->now);
        return;
    }
    row = t->now; /* the sums of the run are as they are */
    gput__sample_hold_back(&t->summary.last, &row, t->sampler.n_cores);
    put_row(t, &row);
    if (t->opts.on.record && (t->opts.flags & GPUT__STREAM_FLAGS))
        t->opts.on.record(t->opts.on.ctx, t);
}

static void record(struct gput_tracker *t, int64_t now)
{
    gput__sampler_record(&t->sampler, now, gput__clock_ns(CLOCK_REALTIME), &t->now);
    gput__group_record(t, &t->now);
    gput__machine_warn(t);
    gput__gpu_look(t);
    gput__sample_hold_back(&t->summary.last, &t->now, t->sampler.n_cores);
    t->cpu_percent = gput__sample_rate(&t->summary.last, &t->now, GPUT__COMBINED_CPU);
    gput__write_row(t);
    put_row(t, &t->now);
    gput__summary_record(&t->summary, &t->now);
    gput__schedule_recorded(&t->schedule, now);
    t->deaf_records -= t->deaf_records > 0;
    if (t->opts.on.record)
        t->opts.on.record(t->opts.on.ctx, t);
    if (t->service)
        gput__service_show(t, now);
    if (t->sampler.tree.moved)
        gput__schedule_stir(&t->schedule, now);
}

/* While the whole job sleeps, its next page fault wakes us. */
static void rest(struct gput_tracker *t, int64_t now)
{
    bool may_sleep = t->schedule.is_quiet && !t->schedule.no_watch && t->hears_faults;

    gput__schedule_rest(&t->schedule, now, gput__asleep_see(&t->sampler.tree, may_sleep));
}

static void look(struct gput_tracker *t, int64_t now)
{
    int64_t spent;

    gput__sampler_look(&t->sampler, now, &t->now);
    gput__group_poll(t);
    gput__gpu_look(t);
    gput__summary_look(&t->summary, &t->now);
    spent = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - t->spent_ns - t->sampler.tree.scan_cost_ns;
    gput__schedule_hurry(&t->schedule, gput__memory_wants_looks(&t->sampler.memory));
    gput__schedule_looked(&t->schedule, now, spent, t->sampler.tree.moved);
    rest(t, now);
    if (t->service)
        gput__service_show(t, now);
}

/* A GPU moved: of the processes only who there is matters, as a newcomer may be on it. */
static void glance_at_gpus(struct gput_tracker *t, int64_t now)
{
    struct gput__sample gpus = { .boot_ns = now };

    if (!t->sampler.blind)
        gput__tree_discover(&t->sampler.tree, now);
    gput__gpu_look_into(t, &gpus);
    gput__summary_look(&t->summary, &gpus);
}

/* What costs little is asked for between looks: those whose CPU time dies with them, how much memory
 * there is. */
static int64_t unwaited_due(const struct gput_tracker *t)
{
    if (!gput__unwaited_are_busy(&t->sampler.tree))
        return INT64_MAX;
    return t->sampler.tree.looked_ns +
           (t->unwaited_pause_ns > UNWAITED_EVERY_NS ? t->unwaited_pause_ns : UNWAITED_EVERY_NS);
}

static int64_t memory_due(const struct gput_tracker *t)
{
    if (!t->sampler.tree.moved || !gput__memory_wants_polls(&t->sampler.memory))
        return INT64_MAX;
    return t->sampler.memory.polled_ns +
           (t->memory_pause_ns > MEMORY_EVERY_NS ? t->memory_pause_ns : MEMORY_EVERY_NS);
}

static int64_t poll_due(const struct gput_tracker *t)
{
    int64_t unwaited = unwaited_due(t), memory = memory_due(t);

    if (t->schedule.no_watch)
        return INT64_MAX;
    return unwaited < memory ? unwaited : memory;
}

/* How long to wait after something that took so much, so that it takes one part in `share`. */
static void adapt(int64_t *pause_ns, int64_t spent, int64_t share)
{
    *pause_ns += (spent * share - *pause_ns) / 4;
}

static void poll_briefly(struct gput_tracker *t, int64_t now)
{
    int64_t begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID), end;

    if (memory_due(t) <= now) {
        gput__memory_poll(&t->sampler.memory, now);
        end = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
        adapt(&t->memory_pause_ns, end - begin, MEMORY_SHARE);
        if (t->memory_pause_ns > LONGEST_MEMORY_NS)
            t->memory_pause_ns = LONGEST_MEMORY_NS;
        if (unwaited_due(t) > now)
            return;
        begin = end;
    }
    gput__unwaited_poll(&t->sampler.tree); /* it was their time, or one was born */
    end = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    adapt(&t->unwaited_pause_ns, end - begin, UNWAITED_SHARE);
}

static void tick(struct gput_tracker *t, int64_t now, bool is_scanned)
{
    if (!t->settled)
        settle_in(t, now);
    gput__limits_watch(t, now);
    weigh_events(t, now);
    if (gput__schedule_record_due(&t->schedule, now))
        record(t, now);
    else if (now < t->schedule.next_look_ns && !is_scanned && poll_due(t) < INT64_MAX)
        poll_briefly(t, now);
    else
        look(t, now);
    check_records(t, gput__records_retry(&t->records));
    keep_time_limit(t, now);
    t->spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* --- the loop ------------------------------------------------------------------------------- */

static int64_t next_alarm(const struct gput_tracker *t)
{
    int64_t at = gput__schedule_next(&t->schedule);

    if (poll_due(t) < at)
        at = poll_due(t);
    if (gput__records_wait(&t->records) && at > gput__now() + GPUT__NS_PER_S)
        at = gput__now() + GPUT__NS_PER_S; /* a reader kept them out: within a second again */
    if (t->deadline_ns && t->deadline_ns < at)
        at = t->deadline_ns;
    if (t->kill_at_ns && t->kill_at_ns < at)
        at = t->kill_at_ns;
    if (t->service && gput__service_due(t) < at)
        at = gput__service_due(t);
    return at;
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

/* While looks are frequent events wait for the next one; in quiet times a birth wakes us, unless only
 * rows are shown. */
static int events_to_wait_for(const struct gput_tracker *t)
{
    if (gput__unwaited_are_busy(&t->sampler.tree))
        return t->sampler.tree.events;
    if (!t->schedule.is_quiet || t->deaf_records || t->schedule.no_watch || t->sampler.is_frugal)
        return -1;
    return t->sampler.tree.events;
}

/* Woken by a stranger's birth we are deaf until the next record, and longer each time. */
static void learn_from_event(struct gput_tracker *t)
{
    if (t->sampler.tree.moved) {
        t->next_deaf = 1;
        return;
    }
    t->deaf_records = t->next_deaf;
    t->next_deaf = t->next_deaf < MOST_DEAF_RECORDS ? t->next_deaf * 2 : MOST_DEAF_RECORDS;
}

int gput__loop(struct gput_tracker *t)
{
    int64_t now, alarm;
    bool is_told, is_due;
    int timeout;

    t->spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (;;) {
        struct pollfd fds[] = {
            { .fd = t->ending == GPUT_RUNNING ? t->pidfd : -1, .events = POLLIN },
            { .fd = t->signal_fd, .events = POLLIN },
            { .fd = t->timer_fd, .events = POLLIN },
            { .fd =
                  t->sampler.memory.under_way ? gput__memscanner_fd(t->sampler.memory.scanner) : -1,
              .events = POLLIN },
            { .fd = events_to_wait_for(t), .events = POLLIN },
            { .fd = t->gpus ? t->gpus->changed : -1, .events = POLLIN },
            { .fd = t->service ? t->service->socket : -1, .events = POLLIN },
            { .fd = t->service ? t->service->asker_fd : -1, .events = POLLIN },
        };

        alarm = next_alarm(t);
        timeout = set_alarm(t, alarm);
        is_told = await(fds, sizeof(fds) / sizeof(*fds), timeout);
        now = gput__now();
        is_due = timeout < 0 && is_told ? fds[2].revents : now >= alarm;
        if (fds[1].revents)
            take_signals(t, now);
        if (!t->attached && (fds[0].revents || fds[1].revents))
            take_ends(t, now);
        if (t->service && gput__service_told(t, fds[6].revents || fds[7].revents))
            t->stop_asked = true;
        if (is_over(t, now, is_told ? fds[0].revents : gput__is_readable(t->pidfd)))
            break;
        if (is_due || fds[3].revents || fds[4].revents)
            tick(t, now, fds[3].revents);
        if (fds[4].revents)
            learn_from_event(t);
        if (fds[5].revents)
            glance_at_gpus(t, now);
        if (t->stop_asked && is_over(t, now, gput__is_readable(t->pidfd)))
            break; /* gput_tracker_quit() */
    }
    gput__finish(t, now);
    return 0;
}

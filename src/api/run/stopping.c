/* stopping.c - what ends a run before the job does: signals, which may be the job's, and time limits. */
#include <signal.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/clock.h"

/* After TERM a job has so long before KILL. */
#define GRACE_NS (5 * GPUT__NS_PER_S)
/* One that takes more than it may goes on to do so meanwhile. */
#define SHORT_GRACE_NS (100 * GPUT__NS_PER_MS)
/* One TERM may reach us twice (timeout(1) signals its child and then the group). */
#define SAME_TERM_NS GPUT__NS_PER_S

static void signal_main(const struct gput_tracker *t, int sig)
{
    if (t->end.how == GPUT_RUNNING && !t->job.attached)
        (void)kill(t->job.pid, sig); /* not yet waited for: the pid is still its own */
}

/* --- signals -------------------------------------------------------------------------------- */

/* One that carries a value is passed on with it. */
static void forward(const struct gput_tracker *t, const struct signalfd_siginfo *si)
{
    union sigval value = { .sival_ptr = (void *)(uintptr_t)si->ssi_ptr }; /* an int is part of it */

    if (si->ssi_code != SI_QUEUE || sigqueue(t->job.pid, (int)si->ssi_signo, value) < 0)
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
    return si->ssi_code <= 0 && !gput__sampler_has(&t->sampler, (pid_t)si->ssi_pid);
}

/* The second copy of a TERM that has just ended main. */
static bool is_echo(const struct gput_tracker *t, int sig, int64_t now)
{
    return sig == SIGTERM && t->stop.first_term_ns && now - t->stop.first_term_ns <= SAME_TERM_NS;
}

static void forward_term(struct gput_tracker *t, int64_t now)
{
    if (t->stop.first_term_ns && !is_echo(t, SIGTERM, now)) {
        t->stop.was_killed = true;
        signal_main(t, SIGKILL);
        return;
    }
    if (!t->stop.first_term_ns)
        t->stop.first_term_ns = now;
    signal_main(t, SIGTERM);
}

static void handle(struct gput_tracker *t, const struct signalfd_siginfo *si, int64_t now)
{
    int sig = (int)si->ssi_signo;

    if (is_fault_alarm(si)) {
        gput__measure_wake(t, now);
        return;
    }
    /* A helper ends with whom it works for: a TERM to the whole job is not the end of it. */
    if (sig == SIGCHLD || t->service || is_of_our_write(si))
        return;
    /* Nobody is left to pass it on to: the wait itself is meant. */
    if (t->job.attached || t->end.how != GPUT_RUNNING) {
        t->stop.is_asked |= sig != SIGUSR1 && sig != SIGUSR2 && !is_echo(t, sig, now);
        return;
    }
    if (!is_for_the_job(t, si))
        return;
    if (sig == SIGTERM)
        forward_term(t, now);
    else
        forward(t, si);
}

void gput__stop_read_signals(struct gput_tracker *t, int64_t now)
{
    struct signalfd_siginfo si;

    while (read(t->signals.fd, &si, sizeof(si)) == (ssize_t)sizeof(si))
        handle(t, &si, now);
}

/* --- time limits, and words ------------------------------------------------------------------ */

void gput__stop_begin(struct gput_tracker *t)
{
    if (t->opts.timeout > 0)
        t->stop.deadline_ns = t->job.start_ns + (int64_t)(t->opts.timeout * 1e9);
}

void gput__stop_ask(struct gput_tracker *t)
{
    t->stop.is_asked = true;
}

int64_t gput__stop_due(const struct gput_tracker *t)
{
    int64_t deadline = t->stop.deadline_ns ? t->stop.deadline_ns : INT64_MAX;
    int64_t kill_at = t->stop.kill_at_ns ? t->stop.kill_at_ns : INT64_MAX;

    return deadline < kill_at ? deadline : kill_at;
}

static void signal_job(const struct gput_tracker *t, int sig)
{
    signal_main(t, sig);
    gput__sampler_signal_descendants(&t->sampler, sig);
}

/* TERM now; KILL after each grace until nobody is left. */
static void end_job(struct gput_tracker *t, int64_t now, int64_t grace_ns)
{
    t->stop.deadline_ns = 0;
    t->stop.grace_ns = grace_ns;
    t->stop.kill_at_ns = now + grace_ns;
    signal_job(t, SIGTERM);
}

void gput__stop_keep_time(struct gput_tracker *t, int64_t now)
{
    if (t->stop.kill_at_ns && now >= t->stop.kill_at_ns) {
        t->stop.kill_at_ns = now + t->stop.grace_ns;
        signal_job(t, SIGKILL);
    } else if (t->stop.deadline_ns && now >= t->stop.deadline_ns) {
        t->stop.timed_out = true;
        end_job(t, now, GRACE_NS);
    }
}

void gput__stop_over_budget(struct gput_tracker *t, int64_t now)
{
    if (t->stop.kill_at_ns)
        return;
    t->stop.is_over_budget = true;
    end_job(t, now, SHORT_GRACE_NS);
}

/* ending.c - what the kernel still tells when a process has ended, and what follows from it. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "api/live/watched.h"
#include "api/tracker.h"
#include "base/clock.h"

/* Figures that everybody gets are not missed in silence. */
static void warn_of_losses(const struct gput_tracker *t)
{
    if (!t->sampler.ram_capacity || !gput__summary_has(&t->summary, GPUT__SYSTEM_RAM))
        gput__warn(t, "no figures of the machine's memory: /proc/meminfo cannot be read");
    if (!gput__sample_has(&t->summary.last, GPUT__SYSTEM_CPU))
        gput__warn(t, "no CPU figures of the machine: /proc/stat cannot be read");
}

static void record_status(struct gput_tracker *t, int status)
{
    t->end.how = WIFSIGNALED(status) ? GPUT_SIGNALED : GPUT_EXITED;
    t->end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Those who were waited for have died since the last poll, some of them waited for by each other. */
static void drop_exited(struct gput_tracker *t)
{
    if (!t->job.attached && !t->job.had_children && !(t->opts.flags & GPUT_NO_SUBREAPER) &&
        !gput__has_children())
        gput__sampler_drop_descendants(&t->sampler);
}

void gput__finish(struct gput_tracker *t, int64_t now)
{
    t->end.at_ns = now;
    drop_exited(t);
    gput__measure_end(t, now);
    t->end.oom = gput__judge_kill(t);
    warn_of_losses(t);
    gput__watched_end(t);
}

bool gput__has_children(void)
{
    siginfo_t si;

    return waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* What waitid() has told, in the words of wait4(). */
static void record_told_status(struct gput_tracker *t, const siginfo_t *told)
{
    if (told->si_pid != t->job.pid) {
        t->end.how = GPUT_GONE;
        return;
    }
    t->end.how = told->si_code == CLD_EXITED ? GPUT_EXITED : GPUT_SIGNALED;
    t->end.code = told->si_status;
}

static bool wait_for_main(struct gput_tracker *t, int *ret_status)
{
    pid_t pid;

    do
        pid = wait4(t->job.pid, ret_status, 0, &t->end.main.usage);
    while (pid < 0 && errno == EINTR);
    return pid == t->job.pid;
}

void gput__record_main_end(struct gput_tracker *t, const siginfo_t *told, int64_t now)
{
    clockid_t clock;
    uint64_t own_ns = 0;
    int status = 0;

    gput__main_last_poll(&t->sampler, now);
    if (clock_getcpuclockid(t->job.pid, &clock) == 0)
        own_ns = (uint64_t)gput__clock_ns(clock);
    t->end.main.has_usage = wait_for_main(t, &status);
    if (t->end.main.has_usage)
        record_status(t, status);
    else
        record_told_status(t, told);
    if ((t->opts.flags & GPUT_NO_SUBREAPER) || gput__has_children()) {
        gput__sampler_search(&t->sampler); /* those that live on are to be named */
        gput__measure_processes(t, now);
    } else {
        gput__sampler_drop_descendants(&t->sampler);
    }
    gput__main_ended(&t->sampler, own_ns, t->job.floor_rss, &t->end.main);
}

void gput__main_was_not_alone(struct gput_tracker *t)
{
    t->end.main.was_alone = false;
}

void gput__record_departure(struct gput_tracker *t, int64_t now, enum gput_ending ending)
{
    t->end.how = ending;
    gput__measure_processes(t, now);
    if (ending != GPUT_DETACHED || !gput__sampler_has(&t->sampler, t->job.pid))
        return;
    gput__measure_last_scan(t, now);
    gput__main_left(&t->sampler, &t->end.main);
}

/* waiting.c - verdicts on what a job waited for: its CPU quota, memory, disks. */
#include <math.h>
#include <string.h>

#include "model/figure.h"
#include "report/limits/verdict.h"

/* Where the pressure is that of the machine, so much of its bytes must be the job's. */
#define OWN_BYTES 0.5

/* --- the CPU quota ---------------------------------------------------------------------------- */

/* The kernel counts the time of each core that the job waited for; of several cores together that can
 * be more than has passed, and then the periods tell. */
bool gput__judge_throttled(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double seconds = gput__figure_value(f->u->waiting.throttled_seconds);
    double held_back = gput__figure_value(f->u->waiting.throttled_periods);
    double periods = gput__figure_value(f->u->waiting.quota_periods);

    if (!(f->seconds >= GPUT__TOO_SHORT) || !(seconds > 0))
        return false;
    ret->confidence = "high";
    ret->share_of_time = fmin(seconds / f->seconds, 1);
    if (periods > 0)
        ret->share_of_time = fmin(ret->share_of_time, held_back / periods);
    gput__evidence_add(ret, "cores_quota", gput__figure_value(f->u->limits.cores_cgroup));
    gput__evidence_add(ret, "throttled_seconds", seconds);
    gput__evidence_add(ret, "throttled_periods", held_back);
    gput__evidence_add(ret, "quota_periods", periods);
    return true;
}

/* --- others on the machine -------------------------------------------------------------------- */

/* A share of the run; of what its threads wanted; of a core; of the machine. */
#define LONG_WAIT 0.25
#define MUCH_OF_NEED 0.25
#define LEAST_OTHERS 0.5
#define BUSY_MACHINE 0.9

static double cores_of(struct gput_figure percent)
{
    return gput__figure_value(percent) / 100;
}

/* Threads of one job wait for each other too, so others must have had what it wanted. */
bool gput__was_crowded(const struct gput_usage *u, double *ret_waited, double *ret_others)
{
    double seconds = gput__figure_value(u->compute_time.time);
    double waited = gput__figure_value(u->waiting.run_queue_seconds);
    double own = cores_of(u->cpu_utilization.combined.mean_sum_percent);
    double all = cores_of(u->cpu_utilization.system.mean_sum_percent);
    double cores = gput__figure_value(u->cpu_utilization.system_core_count);

    if (!(seconds >= GPUT__TOO_SHORT) || !(waited >= LONG_WAIT * seconds) ||
        !(waited >= MUCH_OF_NEED * (waited + own * seconds)) || !(all - own >= LEAST_OTHERS) ||
        !(all >= BUSY_MACHINE * cores))
        return false;
    *ret_waited = waited;
    *ret_others = all - own;
    return true;
}

/* --- pressure --------------------------------------------------------------------------------- */

static bool is_of_job(const struct gput_usage *u)
{
    return u->waiting.pressure_of && strcmp(u->waiting.pressure_of, "cgroup") == 0;
}

static bool judge_pressure(const struct gput__limit_facts *f, struct gput_figure some,
                           struct gput_figure full, struct gput_bottleneck *ret)
{
    double waited = gput__figure_value(some);

    if (!(f->seconds >= GPUT__TOO_SHORT) || !(waited > 0))
        return false;
    ret->confidence = is_of_job(f->u) ? "high" : "medium";
    ret->share_of_time = fmin(waited / f->seconds, 1);
    gput__evidence_add(ret, "of_machine", !is_of_job(f->u));
    gput__evidence_add(ret, "some_seconds", waited);
    gput__evidence_add(ret, "full_seconds", gput__figure_value(full));
    return true;
}

bool gput__judge_memory_pressure(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_pressure(f, f->u->waiting.memory_some_seconds, f->u->waiting.memory_full_seconds,
                          ret);
}

/* Both ways; NAN: not known. */
static double bytes(struct gput_figure read, struct gput_figure written)
{
    return gput__figure_value(read) + gput__figure_value(written);
}

/* What tells that it was the job that waited, where the pressure is of all: seconds of waiting for disks,
 * as the kernel counts them or as polls see them; NAN: nothing does. */
static double own_waiting(const struct gput__limit_facts *f)
{
    return gput__known_or(f->u->waiting.io_wait_seconds, f->u->waiting.blocked_seconds);
}

bool gput__judge_io(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    const struct gput_usage *u = f->u;
    double disk_bytes = bytes(u->totals.disk_read_bytes, u->totals.disk_write_bytes);
    double all = bytes(u->machine.disk_read_bytes, u->machine.disk_write_bytes);
    double waited = own_waiting(f);

    if (!judge_pressure(f, u->waiting.io_some_seconds, u->waiting.io_full_seconds, ret))
        return false;
    gput__evidence_add(ret, "own_seconds", waited);
    gput__evidence_add(ret, "disk_bytes", disk_bytes);
    gput__evidence_add(ret, "disk_bytes_of_machine", all);
    if (is_of_job(u))
        return true;
    if (waited / f->seconds < ret->share_of_time)
        ret->share_of_time = waited / f->seconds;
    return waited > 0 || (isnan(waited) && disk_bytes > 0 && disk_bytes >= OWN_BYTES * all);
}

const char *gput__say_memory_pressure(const struct gput_bottleneck *b, char *ret, size_t size)
{
    return gput__verdict_fill(gput__evidence(b, "of_machine") > 0
                                  ? "The machine was short of memory: something waited for it "
                                    "{share} of the time"
                                  : "It waited for memory {share} of the time",
                              b, ret, size);
}

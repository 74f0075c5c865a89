/* failures.c - which ranks of a job did not end well, the first one first. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet/fleet_job.h"
#include "base/grow.h"

const char *const gput__fleet_failing_names[GPUT__FLEET_FAILINGS] = {
    [GPUT__FAILED_EXIT] = "exit-code",
    [GPUT__FAILED_SIGNAL] = "signal",
    [GPUT__FAILED_MEMORY] = "killed-for-memory",
    [GPUT__FAILED_TIMEOUT] = "timed-out",
    [GPUT__FAILED_KILLED] = "killed",
    [GPUT__FAILED_RUNNING] = "unfinished",
    [GPUT__FAILED_GPU] = "gpu",
};

static int add(struct gput__fleet_job *job, size_t rank, enum gput__fleet_failing what, int number)
{
    const struct gput__job_rank *r = &job->ranks[rank];

    if (GPUT__GROW(job->failures, job->cap_failures, job->n_failures + 1) < 0)
        return -ENOMEM;
    job->failures[job->n_failures++] = (struct gput__fleet_failure){
        .rank = rank, .what = what, .number = number, .at = r->end - job->totals.start
    };
    return 0;
}

/* One for each rank: the reason that explains the others. */
static int add_ending(struct gput__fleet_job *job, size_t i)
{
    const struct gput__fleet_end *end = &job->ranks[i].rank->ending;

    if (end->killed_for_memory)
        return add(job, i, GPUT__FAILED_MEMORY, end->signal);
    if (end->timed_out)
        return add(job, i, GPUT__FAILED_TIMEOUT, end->signal);
    if (end->how == GPUT__FLEET_KILLED)
        return add(job, i, GPUT__FAILED_KILLED, -1);
    if (end->how == GPUT__FLEET_SIGNALED)
        return add(job, i, GPUT__FAILED_SIGNAL, end->signal);
    if (end->how == GPUT__FLEET_RUNNING || end->how == GPUT__FLEET_UNKNOWN)
        return add(job, i, GPUT__FAILED_RUNNING, -1);
    if (end->how == GPUT__FLEET_EXITED && end->exit_code > 0)
        return add(job, i, GPUT__FAILED_EXIT, end->exit_code);
    return end->is_stuck ? add(job, i, GPUT__FAILED_GPU, -1) : 0;
}

static double moment(const struct gput__fleet_failure *f)
{
    return f->what == GPUT__FAILED_RUNNING || !(f->at >= 0) ? INFINITY : f->at;
}

static int by_moment(const void *a, const void *b)
{
    const struct gput__fleet_failure *one = a, *other = b;
    double at = moment(one), other_at = moment(other);

    if (at != other_at)
        return at < other_at ? -1 : 1;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

int gput__fleet_job_failures(struct gput__fleet_job *job)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < job->n_ranks; i++)
        r = add_ending(job, i);
    if (job->n_failures > 1)
        qsort(job->failures, job->n_failures, sizeof(*job->failures), by_moment);
    return r;
}

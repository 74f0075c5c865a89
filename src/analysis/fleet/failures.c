/* failures.c - which ranks of a job did not end well, the first one first. */
#include <errno.h>
#include <limits.h>
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
    [GPUT__FAILED_XID] = "xid",
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

/* One ending for each rank: the reason that explains the others. */
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

static bool is_same_gpu(const struct gput__fleet_held *held, const struct gput__fleet_gpu *gpu)
{
    if (held->uuid && gpu->uuid)
        return strcmp(held->uuid, gpu->uuid) == 0;
    return held->index >= 0 && held->index == gpu->index;
}

/* Errors that the driver reported of the GPUs that it held. */
static double xid_events(const struct gput__job_rank *r)
{
    double sum = 0;

    for (uint32_t i = 0; i < r->rank->n_gpus; i++)
        for (uint32_t g = 0; g < r->file->n_gpus; g++)
            if (r->file->gpus[g].xid_events > 0 &&
                is_same_gpu(&r->rank->gpus[i], &r->file->gpus[g]))
                sum += r->file->gpus[g].xid_events;
    return fmin(sum, INT_MAX);
}

/* Beside how it ended: an exit code does not tell that the GPU was the reason. */
static int add_xids(struct gput__fleet_job *job, size_t i)
{
    double n = xid_events(&job->ranks[i]);

    return n > 0 ? add(job, i, GPUT__FAILED_XID, (int)n) : 0;
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
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    return (one->what > other->what) - (one->what < other->what);
}

int gput__fleet_job_failures(struct gput__fleet_job *job)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < job->n_ranks; i++) {
        size_t before = job->n_failures;

        r = add_ending(job, i);
        r = r < 0 ? r : add_xids(job, i);
        job->n_failed_ranks += job->n_failures > before;
    }
    if (job->n_failures > 1)
        qsort(job->failures, job->n_failures, sizeof(*job->failures), by_moment);
    return r;
}

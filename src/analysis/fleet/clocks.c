/* clocks.c - nodes whose wall clock goes before or behind the others'.
 *
 * The launcher starts the ranks of a step within about a second.  A node whose ranks began seconds before
 * or behind all others' has a clock that is off, if its kernel says that the clock is not synchronized or
 * if its ranks also ended as much before or behind.  Where few kernels say so, their word counts for more. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/fleet/fleet_job.h"
#include "analysis/fleet/outliers.h"

/* Starts differ by this much without any cause, and series are no more exact. */
#define LEAST_SECONDS 1.0
/* Few; the starts of nearly all others tell what is usual. */
#define FEW_SHARE 0.05
#define TIMES_THE_USUAL 5
/* How near the ends must be to confirm a start. */
#define NEAR_SHARE 0.3

struct offsets {
    double *start, *end, *deviation, *sorted; /* a value for each node */
};

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* Less the median of those that are known; false: none is. */
static bool subtract_median(double *values, size_t n, double *sorted)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            sorted[known++] = values[i];
    if (known == 0)
        return false;
    qsort(sorted, known, sizeof(*sorted), by_value);
    for (size_t i = 0; i < n; i++)
        values[i] -= sorted[known / 2];
    return true;
}

static void find_times(const struct gput__fleet_job *job, struct offsets *o)
{
    for (size_t i = 0; i < job->n_nodes; i++)
        o->start[i] = o->end[i] = NAN;
    for (size_t i = 0; i < job->n_ranks; i++) {
        const struct gput__job_rank *r = &job->ranks[i];

        o->start[r->node] = fmin(o->start[r->node], r->start);
        o->end[r->node] = fmax(o->end[r->node], r->end);
    }
}

static bool is_unsynchronized(const struct gput__job_node *node, double offset)
{
    const struct gput__fleet_clock *c = &node->files[0]->clock;

    return c->synchronized == 0 || c->max_error >= fabs(offset);
}

/* What the start of a node must be off by, if its kernel does not vouch for the clock and most others do. */
static double limit_of_suspects(const struct gput__fleet_job *job, const struct offsets *o)
{
    size_t n = 0, few = (size_t)((double)job->n_nodes * FEW_SHARE), known = 0;

    for (size_t i = 0; i < job->n_nodes; i++) {
        n += is_unsynchronized(&job->nodes[i], LEAST_SECONDS);
        if (isfinite(o->deviation[i]))
            o->sorted[known++] = o->deviation[i];
    }
    if (n > few || few >= known)
        return INFINITY;
    qsort(o->sorted, known, sizeof(*o->sorted), by_value);
    return fmax(LEAST_SECONDS, TIMES_THE_USUAL * o->sorted[known - 1 - few]);
}

static void put_right(struct gput__fleet_job *job)
{
    for (size_t i = 0; i < job->n_ranks; i++) {
        job->ranks[i].start -= job->nodes[job->ranks[i].node].clock_ahead;
        job->ranks[i].end -= job->nodes[job->ranks[i].node].clock_ahead;
    }
}

static void find_ahead(struct gput__fleet_job *job, struct offsets *o)
{
    double limit, of_suspects;

    find_times(job, o);
    if (!subtract_median(o->start, job->n_nodes, o->sorted))
        return;
    (void)subtract_median(o->end, job->n_nodes, o->sorted);
    for (size_t i = 0; i < job->n_nodes; i++)
        o->deviation[i] = fabs(o->start[i]);
    limit = gput__outliers_above(o->deviation, job->n_nodes, LEAST_SECONDS);
    of_suspects = limit_of_suspects(job, o);
    for (size_t i = 0; i < job->n_nodes; i++) {
        double off = o->start[i];
        bool ends_too = fabs(o->end[i] - off) <= NEAR_SHARE * fabs(off);
        bool is_suspect = is_unsynchronized(&job->nodes[i], off);

        if ((fabs(off) > limit && (ends_too || is_suspect)) ||
            (fabs(off) > of_suspects && is_suspect))
            job->nodes[i].clock_ahead = off;
    }
    put_right(job);
}

int gput__fleet_job_clocks(struct gput__fleet_job *job)
{
    double *room = calloc(4 * job->n_nodes, sizeof(*room));
    struct offsets o;

    if (!room)
        return -ENOMEM;
    o = (struct offsets){ room, room + job->n_nodes, room + 2 * job->n_nodes,
                          room + 3 * job->n_nodes };
    find_ahead(job, &o);
    free(room);
    return 0;
}

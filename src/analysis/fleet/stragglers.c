/* stragglers.c - ranks that stand apart from the others, all the time or once. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/fleet/fleet_job.h"
#include "analysis/fleet/outliers.h"
#include "analysis/fleet/windows.h"
#include "base/grow.h"

/* What a figure must differ by from the median, as a share of it, to be worth a word; which way; and
 * whether it is known over time. */
static const struct {
    double least;
    int way; /* 1: more is worse, -1: less is, 0: both tell */
    int column;
} judged[GPUT__FLEET_FIGURES] = {
    [GPUT__FLEET_WALL] = { 0.10, 1, -1 },
    [GPUT__FLEET_CPU] = { 0.15, 0, GPUT__RANK_CPU },
    [GPUT__FLEET_RAM] = { 0.20, 1, GPUT__RANK_RAM },
    [GPUT__FLEET_GPU] = { 0.15, -1, GPUT__RANK_GPU },
};

const char *const gput__fleet_figure_names[GPUT__FLEET_FIGURES] = {
    [GPUT__FLEET_WALL] = "wall_seconds",
    [GPUT__FLEET_CPU] = "cpu_percent",
    [GPUT__FLEET_RAM] = "max_ram",
    [GPUT__FLEET_GPU] = "gpu_busy_percent",
};

double gput__fleet_figure_of(const struct gput__job_rank *r, enum gput__fleet_figure figure)
{
    const struct gput__fleet_rank *rank = r->rank;

    if (figure == GPUT__FLEET_WALL)
        return rank->wall_seconds;
    if (figure == GPUT__FLEET_CPU)
        return rank->wall_seconds > 0 ? 100 * rank->cpu_seconds / rank->wall_seconds : NAN;
    if (figure == GPUT__FLEET_RAM)
        return rank->max_ram;
    return r->gpu_held > 0 ? 100 * r->gpu_busy / r->gpu_held : NAN;
}

/* Of a rank that failed the figures are of another span. */
static bool ended_well(const struct gput__job_rank *r)
{
    const struct gput__fleet_end *end = &r->rank->ending;

    return (end->how == GPUT__FLEET_EXITED && end->exit_code <= 0 && !end->timed_out) ||
           end->how == GPUT__FLEET_GONE || end->how == GPUT__FLEET_DETACHED;
}

/* What is compared: a value for each rank, and how far it is off in the way that counts. */
struct comparing {
    struct gput__fleet_job *job;
    enum gput__fleet_figure figure;
    double *value, *deviation;
    double median;
};

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static double median_of(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof(*values), by_value);
    return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

/* By a share of the median. */
static double deviation_of(double value, double median, int way)
{
    double share = median > 0 ? (value - median) / median : NAN;

    return way == 0 ? fabs(share) : fmax(0, way * share) + 0 * share;
}

static void compare(struct comparing *c)
{
    size_t n = c->job->n_ranks, known = 0;

    for (size_t i = 0; i < n; i++) {
        const struct gput__job_rank *r = &c->job->ranks[i];

        c->value[i] = ended_well(r) ? gput__fleet_figure_of(r, c->figure) : NAN;
        if (isfinite(c->value[i]))
            c->deviation[known++] = c->value[i];
    }
    c->median = median_of(c->deviation, known);
    for (size_t i = 0; i < n; i++)
        c->deviation[i] = deviation_of(c->value[i], c->median, judged[c->figure].way);
}

static int add(struct gput__fleet_job *job, const struct gput__straggler *s)
{
    if (GPUT__GROW(job->stragglers, job->cap_stragglers, job->n_stragglers + 1) < 0)
        return -ENOMEM;
    job->stragglers[job->n_stragglers++] = *s;
    return 0;
}

/* Those whose figure of the whole run stands apart; what their series say decides on the kind. */
static int add_whole(struct comparing *c, const struct gput__windows *w)
{
    double least = judged[c->figure].least;
    double limit = gput__outliers_above(c->deviation, c->job->n_ranks, least);
    int r = 0;

    for (size_t i = 0; r == 0 && i < c->job->n_ranks; i++) {
        struct gput__straggler s = { .rank = i,
                                     .figure = c->figure,
                                     .value = c->value[i],
                                     .median = c->median,
                                     .is_chronic = true,
                                     .from = NAN,
                                     .to = NAN };

        if (!(c->deviation[i] > limit))
            continue;
        s.is_chronic = gput__windows_are_all_off(w, i, c->deviation[i] / 2);
        if (!s.is_chronic)
            gput__windows_span(w, i, c->deviation[i] / 2, &s.from, &s.to);
        r = add(c->job, &s);
    }
    return r;
}

static bool is_named(const struct gput__fleet_job *job, size_t rank, enum gput__fleet_figure figure)
{
    for (size_t i = 0; i < job->n_stragglers; i++)
        if (job->stragglers[i].rank == rank && job->stragglers[i].figure == figure)
            return true;
    return false;
}

/* How far each rank was off in its worst window; the median of that, which is what noise does to all,
 * is taken off. */
static void worst_windows(struct comparing *c, const struct gput__windows *w)
{
    size_t n = c->job->n_ranks, known = 0;
    double median;

    for (size_t i = 0; i < n; i++) {
        double worst = isfinite(c->value[i]) ? gput__windows_worst(w, i, NULL) : NAN;

        if (isfinite(worst))
            c->deviation[known++] = worst;
    }
    median = median_of(c->deviation, known);
    for (size_t i = 0; i < n; i++)
        c->deviation[i] =
            isfinite(c->value[i]) ? fmax(0, gput__windows_worst(w, i, NULL) - median) : NAN;
}

/* Those that stood apart in a part of the run only: so little of it that the whole does not show it. */
static int add_once(struct comparing *c, const struct gput__windows *w)
{
    double limit;
    int r = 0;

    worst_windows(c, w);
    /* A window is a small part: what is off there must be so by more to matter. */
    limit = gput__outliers_above(c->deviation, c->job->n_ranks, 2 * judged[c->figure].least);
    for (size_t i = 0; r == 0 && i < c->job->n_ranks; i++) {
        struct gput__straggler s = { .rank = i, .figure = c->figure };
        size_t at = 0;

        if (!(c->deviation[i] > limit) || is_named(c->job, i, c->figure))
            continue;
        gput__windows_worst(w, i, &at);
        s.value = gput__windows_value(w, i, at);
        s.median = w->median[at];
        gput__windows_span(w, i, c->deviation[i] / 2, &s.from, &s.to);
        s.is_chronic = gput__windows_are_all_off(w, i, c->deviation[i] / 2);
        r = add(c->job, &s);
    }
    return r;
}

static int judge(struct comparing *c)
{
    struct gput__windows w;
    int column = judged[c->figure].column, r;

    compare(c);
    if (!(c->median > 0))
        return 0;
    /* Whether a longer time was lost little by little or at once shows in the CPU. */
    r = gput__windows_make(c->job, column >= 0 ? column : GPUT__RANK_CPU,
                           column >= 0 ? judged[c->figure].way : 0, &w);
    if (r < 0)
        return r;
    if (column < 0)
        w.is_hint = true;
    r = add_whole(c, &w);
    if (w.way == 0)
        w.way = -1; /* to work more for a while holds nobody up */
    if (r == 0 && column >= 0 && w.n > 0)
        r = add_once(c, &w);
    gput__windows_free(&w);
    return r;
}

/* Where most ranks of a node stand apart, the node does. */
static int mark_nodes(struct gput__fleet_job *job)
{
    size_t *n = calloc(job->n_nodes * GPUT__FLEET_FIGURES, sizeof(*n));

    if (!n)
        return -ENOMEM;
    for (size_t i = 0; i < job->n_stragglers; i++) {
        const struct gput__straggler *s = &job->stragglers[i];

        n[job->ranks[s->rank].node * GPUT__FLEET_FIGURES + s->figure]++;
    }
    for (size_t i = 0; i < job->n_stragglers; i++) {
        struct gput__straggler *s = &job->stragglers[i];
        size_t node = job->ranks[s->rank].node, of = job->nodes[node].n_ranks;

        s->is_node_wide = of > 1 && 2 * n[node * GPUT__FLEET_FIGURES + s->figure] > of;
    }
    free(n);
    return 0;
}

int gput__fleet_job_stragglers(struct gput__fleet_job *job)
{
    double *room = calloc(2 * job->n_ranks, sizeof(*room));
    struct comparing c = { .job = job, .value = room, .deviation = room + job->n_ranks };
    int r = room ? 0 : -ENOMEM;

    for (int figure = 0; r == 0 && figure < GPUT__FLEET_FIGURES; figure++) {
        c.figure = (enum gput__fleet_figure)figure;
        r = judge(&c);
    }
    free(room);
    return r < 0 ? r : mark_nodes(job);
}

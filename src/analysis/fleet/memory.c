/* memory.c - the most memory that all nodes of a job had at one moment, from their series. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/fleet/fleet_job.h"

/* Moments of the job that are looked at; a bin has the highest value of its time. */
enum { BINS = 4096 };

struct bins {
    double start, width;
    double total[BINS];
    float file[BINS]; /* of the file under way */
};

static size_t bin_of(const struct bins *b, double t)
{
    double i = (t - b->start) / b->width;

    return !(i > 0) ? 0 : i >= BINS - 1 ? BINS - 1 : (size_t)i;
}

/* Between two points it was at most the higher one of them: a thinned series has the lowest and the
 * highest value of what the points stand for. */
static void fill(struct bins *b, const struct gput__fleet_series *s, const float *value,
                 double start)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t next = i + 1 < s->n ? i + 1 : i;
        float v = fmaxf(value[i], value[next]); /* the one that is known, if one is */
        size_t to = bin_of(b, start + (double)s->t[next]);

        for (size_t k = bin_of(b, start + (double)s->t[i]); v >= 0 && k <= to; k++)
            b->file[k] = fmaxf(b->file[k], v);
    }
}

static void add_series(struct bins *b, const struct gput__fleet_series *s, const float *value,
                       double start)
{
    for (size_t k = 0; k < BINS; k++)
        b->file[k] = 0;
    fill(b, s, value, start);
    for (size_t k = 0; k < BINS; k++)
        b->total[k] += (double)b->file[k];
}

/* A rank by itself: its peak for as long as it ran, where there is no series. */
static bool add_rank(struct bins *b, const struct gput__job_rank *r, double start)
{
    const struct gput__fleet_series *s = &r->rank->series;
    const float *value =
        s->value[GPUT__RANK_PSS] ? s->value[GPUT__RANK_PSS] : s->value[GPUT__RANK_RAM];

    if (value) {
        add_series(b, s, value, start);
    } else if (r->rank->max_ram >= 0) {
        size_t to = bin_of(b, r->end);

        for (size_t k = bin_of(b, r->start); k <= to; k++)
            b->total[k] += r->rank->max_ram;
    }
    return value || r->rank->max_ram >= 0;
}

static bool add_files(struct bins *b, const struct gput__fleet_job *job)
{
    bool any = false;

    for (size_t n = 0; n < job->n_nodes; n++) {
        const struct gput__job_node *node = &job->nodes[n];

        for (size_t i = 0; i < node->n_files; i++) {
            const struct gput__fleet_file *f = node->files[i];

            if (!f->series.value[GPUT__NODE_RAM_JOB])
                continue;
            add_series(b, &f->series, f->series.value[GPUT__NODE_RAM_JOB],
                       f->clock.wall - node->clock_ahead);
            any = true;
        }
    }
    for (size_t i = 0; i < job->n_ranks; i++) {
        const struct gput__job_rank *r = &job->ranks[i];

        if (!r->file->series.value[GPUT__NODE_RAM_JOB])
            any |= add_rank(b, r, r->file->clock.wall - (r->rank->start - r->start));
    }
    return any;
}

int gput__fleet_job_memory(struct gput__fleet_job *job)
{
    struct gput__fleet_totals *t = &job->totals;
    struct bins *b = calloc(1, sizeof(*b));
    size_t most = 0;

    if (!b)
        return -ENOMEM;
    b->start = t->start;
    b->width = t->wall_seconds > 0 ? t->wall_seconds / BINS : 1;
    t->max_ram_at_once = t->max_ram_when = NAN;
    if (add_files(b, job)) {
        for (size_t k = 1; k < BINS; k++)
            if (b->total[k] > b->total[most])
                most = k;
        t->max_ram_at_once =
            fmin(b->total[most], t->sum_of_node_peaks > 0 ? t->sum_of_node_peaks : INFINITY);
        t->max_ram_when = (double)most * b->width;
    }
    free(b);
    return 0;
}

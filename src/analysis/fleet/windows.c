/* windows.c - the ranks of a job side by side in parts of its time. */
#include "analysis/fleet/windows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* With fewer points a rank is not compared over time. */
enum { FEWEST_POINTS = 8 };

double gput__windows_value(const struct gput__windows *w, size_t rank, size_t window)
{
    return (double)w->value[rank * w->n + window];
}

static int by_value(const void *a, const void *b)
{
    float one = *(const float *)a, other = *(const float *)b;

    return (one > other) - (one < other);
}

/* Between two points, at a moment that lies between them. */
static float interpolate(const struct gput__fleet_series *s, const float *value, uint32_t i,
                         double at)
{
    double length = (double)s->t[i + 1] - (double)s->t[i];
    double share = length > 0 ? (at - (double)s->t[i]) / length : 0;

    return (float)((1 - share) * (double)value[i] + share * (double)value[i + 1]);
}

/* Where less is what counts, the highest value from the moment `from` on, else the lowest: a rank is off
 * if it was so for a whole window, and bursts between two polls tell nothing.  *i goes to the first
 * point behind. */
static float value_from(const struct gput__fleet_series *s, const float *value, double from,
                        double to, int way, uint32_t *i)
{
    float found = NAN;

    for (; *i < s->n && (double)s->t[*i] < to; ++*i)
        if ((double)s->t[*i] >= from)
            found = way > 0 ? fminf(found, value[*i]) : fmaxf(found, value[*i]);
    if (isfinite(found) || *i == 0 || *i >= s->n)
        return found;
    return interpolate(s, value, *i - 1, (from + to) / 2);
}

/* `start` is where the series' zero lies, in seconds from the job's start. */
static void fill_rank(const struct gput__fleet_series *s, int column, double start, double width,
                      int way, float *ret)
{
    const float *value = s->n >= FEWEST_POINTS ? s->value[column] : NULL;
    uint32_t i = 0;

    for (int k = 0; k < GPUT__WINDOWS; k++) {
        double from = k * width - start, to = from + width;
        bool is_in =
            value && fmin(to, (double)s->t[s->n - 1]) - fmax(from, (double)s->t[0]) > width / 2;

        ret[k] = is_in ? value_from(s, value, from, to, way, &i) : NAN;
    }
}

/* NAN where less than half of the ranks are known. */
static double median_of_window(const struct gput__windows *w, size_t n_ranks, size_t k, float *room)
{
    size_t n = 0;

    for (size_t i = 0; i < n_ranks; i++)
        if (isfinite(w->value[i * w->n + k]))
            room[n++] = w->value[i * w->n + k];
    if (n == 0 || 2 * n < n_ranks)
        return NAN;
    qsort(room, n, sizeof(*room), by_value);
    return (double)room[n / 2];
}

static void find_level(struct gput__windows *w)
{
    float known[GPUT__WINDOWS];
    int n = 0;

    for (int k = 0; k < GPUT__WINDOWS; k++)
        if (isfinite(w->median[k]))
            known[n++] = (float)w->median[k];
    qsort(known, (size_t)n, sizeof(*known), by_value);
    w->level = n > 0 ? (double)known[n / 2] : NAN;
    if (!(w->level > 0))
        w->n = 0;
}

int gput__windows_make(const struct gput__fleet_job *job, int column, int way,
                       struct gput__windows *ret)
{
    struct gput__windows w = { .n = GPUT__WINDOWS, .way = way };
    float *room = calloc(job->n_ranks, sizeof(*room));

    w.value = calloc(job->n_ranks * GPUT__WINDOWS, sizeof(*w.value));
    if (!room || !w.value) {
        free(room);
        free(w.value);
        return -ENOMEM;
    }
    w.width = job->totals.wall_seconds / GPUT__WINDOWS;
    for (size_t i = 0; i < job->n_ranks; i++) {
        const struct gput__job_rank *r = &job->ranks[i];
        double zero = r->file->clock.wall - (r->rank->start - r->start) - job->totals.start;

        fill_rank(&r->rank->series, column, zero, w.width, way, w.value + i * w.n);
    }
    for (size_t k = 0; k < GPUT__WINDOWS; k++)
        w.median[k] = median_of_window(&w, job->n_ranks, k, room);
    find_level(&w);
    free(room);
    *ret = w;
    return 0;
}

void gput__windows_free(struct gput__windows *w)
{
    free(w->value);
    w->value = NULL;
}

static double deviation(const struct gput__windows *w, size_t rank, size_t k)
{
    double off = (gput__windows_value(w, rank, k) - w->median[k]) / w->level;

    return w->way == 0 ? fabs(off) : w->way * off;
}

double gput__windows_worst(const struct gput__windows *w, size_t rank, size_t *ret_at)
{
    double worst = NAN;

    for (size_t k = 0; k < w->n; k++) {
        double off = deviation(w, rank, k);

        if (!isfinite(off) || off <= worst)
            continue;
        worst = fmax(off, 0);
        if (ret_at)
            *ret_at = k;
    }
    return worst;
}

bool gput__windows_are_all_off(const struct gput__windows *w, size_t rank, double limit)
{
    size_t off = 0, known = 0;

    for (size_t k = 0; k < w->n; k++) {
        double by = deviation(w, rank, k);

        known += isfinite(by) != 0;
        off += by > limit;
    }
    if (w->is_hint) /* a longer time is lost at once where a few windows stand apart, and is not else */
        return off == 0 || 2 * off > known;
    return known == 0 || 2 * off > known;
}

void gput__windows_span(const struct gput__windows *w, size_t rank, double limit, double *ret_from,
                        double *ret_to)
{
    *ret_from = *ret_to = NAN;
    for (size_t k = 0; k < w->n; k++) {
        if (!(deviation(w, rank, k) > limit))
            continue;
        *ret_from = fmin(*ret_from, (double)k * w->width);
        *ret_to = (double)(k + 1) * w->width;
    }
}

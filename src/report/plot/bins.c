/* bins.c - a series of any length in as many columns as there are, with no peak lost. */
#include "report/plot/bins.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/run.h"

enum {
    /* A late record or two are no gap; series that were thinned keep uneven steps. */
    STEPS_OF_A_GAP = 10,
};

/* A weight even for what took no time. */
static const double no_time = 1e-9;

/* What a column has taken in. */
struct sum {
    double weighted, weight;
};

/* A value and where it holds. */
struct stretch {
    double value;
    double from, to; /* in columns */
    double seconds;  /* for the mean of all, which is the same at any width */
};

struct gput__bins_axis gput__bins_axis(const double *times, size_t n, double start, double end,
                                       int n_columns)
{
    struct gput__bins_axis a = { .n_columns = n_columns };
    double first = n > 0 ? times[0] : NAN, last = n > 0 ? times[n - 1] : NAN;

    /* Clocks that were set meanwhile: the records count. */
    a.start = start <= first || n == 0 ? start : first;
    end = end >= last || n == 0 ? end : last;
    a.span = end > a.start ? end - a.start : 0;
    a.span = isfinite(a.span) ? a.span : 0;
    a.longest_hold = n > 1 ? gput__usual_step(times, n) * STEPS_OF_A_GAP / 2 : a.span;
    return a;
}

/* --- stretches ------------------------------------------------------------------------------ */

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

static double at_most(double a, double b)
{
    return a < b ? a : b;
}

/* The ends of the run belong to the records next to them, if these are not far. */
static double reach_back(const struct gput__bins_axis *axis, const double *times, size_t i)
{
    double half = i > 0 ? (times[i] - times[i - 1]) / 2 : times[i] - axis->start;

    return times[i] - at_most(half, axis->longest_hold);
}

static double reach_on(const struct gput__bins_axis *axis, const double *times, size_t n, size_t i)
{
    double end = axis->start + axis->span;
    double half = i + 1 < n ? (times[i + 1] - times[i]) / 2 : end - times[i];

    return times[i] + at_most(half, axis->longest_hold);
}

static double column_at(const struct gput__bins_axis *axis, double time)
{
    double column = (time - axis->start) / axis->span * axis->n_columns;

    return at_most(at_least(column, 0), axis->n_columns);
}

static struct stretch stretch_of(const struct gput__bins_axis *axis, const double *times,
                                 const double *values, size_t n, bool is_rate, size_t i)
{
    double from = !is_rate ? reach_back(axis, times, i) : i > 0 ? times[i - 1] : axis->start;
    double to = is_rate ? times[i] : reach_on(axis, times, n, i);
    struct stretch s = { values[i], 0, axis->n_columns, to - from };

    if (axis->span <= 0)
        return s;
    /* Behind the last record a rate is drawn for as long as a level is, but counts no more. */
    if (i + 1 == n)
        to = reach_on(axis, times, n, i);
    s.from = column_at(axis, from);
    s.to = at_least(column_at(axis, to), s.from);
    return s;
}

/* --- columns -------------------------------------------------------------------------------- */

static void add_to_column(struct gput__bin *column, struct sum *sum, double value, double weight)
{
    if (isnan(column->max))
        column->min = column->max = value;
    column->min = at_most(column->min, value);
    column->max = at_least(column->max, value);
    sum->weighted += value * weight;
    sum->weight += weight;
}

/* A stretch belongs to the columns whose middle it covers or, where it covers none, to the one that
 * it lies in: no value is lost, and none makes a column large that it only touches. */
struct reach {
    int first, last;
};

static struct reach reach_of(const struct gput__bins_axis *axis, const struct stretch *s)
{
    struct reach r = { (int)ceil(s->from - 0.5), (int)ceil(s->to - 0.5) - 1 };

    if (r.first > r.last)
        r.first = r.last = (int)((s->from + s->to) / 2);
    r.last = r.last < axis->n_columns ? r.last : axis->n_columns - 1;
    r.first = r.first < r.last ? r.first : r.last;
    return r;
}

static void spread(struct gput__bins *b, struct sum *sums, const struct stretch *s, struct reach r)
{
    for (int c = r.first; c <= r.last; c++) {
        double overlap = at_most(s->to, c + 1) - at_least(s->from, c);

        add_to_column(&b->columns[c], &sums[c], s->value, at_least(overlap, no_time));
    }
}

static void add_value(struct gput__bins *b, const struct gput__bins_axis *axis,
                      const struct stretch *s, struct reach r, double time, struct sum *total)
{
    double weight = at_least(s->seconds, no_time);

    if (b->n_known++ == 0)
        b->min = b->max = s->value;
    if (b->n_known == 1 || s->value > b->max) {
        b->max = s->value;
        b->max_time = at_least(at_most(time - axis->start, axis->span), 0);
        b->max_column = (r.first + r.last) / 2;
    }
    b->min = at_most(b->min, s->value);
    total->weighted += s->value * weight;
    total->weight += weight;
}

int gput__bins_make(struct gput__bins *ret, const struct gput__bins_axis *axis, const double *times,
                    const double *values, size_t n, bool is_rate)
{
    struct gput__bins b = { 0 };
    size_t n_columns = (size_t)axis->n_columns;
    struct sum *sums = calloc(n_columns, sizeof(*sums)), total = { 0 };

    b.columns = calloc(n_columns, sizeof(*b.columns));
    if (!sums || !b.columns) {
        free(sums);
        free(b.columns);
        return -ENOMEM;
    }
    for (size_t c = 0; c < n_columns; c++)
        b.columns[c] = (struct gput__bin){ NAN, NAN, NAN };
    for (size_t i = 0; i < n; i++) {
        struct stretch s;
        struct reach r;

        if (!isfinite(values[i]))
            continue;
        s = stretch_of(axis, times, values, n, is_rate, i);
        r = reach_of(axis, &s);
        spread(&b, sums, &s, r);
        add_value(&b, axis, &s, r, times[i], &total);
    }
    for (size_t c = 0; c < n_columns; c++)
        if (sums[c].weight > 0)
            b.columns[c].mean = sums[c].weighted / sums[c].weight;
    b.mean = b.n_known ? total.weighted / total.weight : NAN;
    free(sums);
    *ret = b;
    return 0;
}

void gput__bins_free(struct gput__bins *b)
{
    free(b->columns);
    *b = (struct gput__bins){ 0 };
}

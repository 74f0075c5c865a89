/* run_series.c - the moments of a run, put together row by row. */
#include "store/runs/run_series.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* No machine has so much of anything, in bytes or percent; nor less than nothing. */
#define IMPOSSIBLE 1e18

static int grow(struct gput__run_series_builder *b)
{
    size_t cap = b->cap ? 2 * b->cap : 256;
    double *column = realloc(b->s.time, cap * sizeof(*column));

    if (!column)
        return -ENOMEM;
    b->s.time = column;
    for (int i = 0; i < b->n_used; i++) {
        column = realloc(b->s.value[b->used[i]], cap * sizeof(*column));
        if (!column)
            return -ENOMEM;
        b->s.value[b->used[i]] = column;
    }
    b->cap = cap;
    return 0;
}

int gput__run_series_use(struct gput__run_series_builder *b, enum gput__metric m)
{
    if (b->s.value[m])
        return 0;
    if (b->cap == 0 && grow(b) < 0)
        return -ENOMEM;
    b->s.value[m] = malloc(b->cap * sizeof(double));
    if (!b->s.value[m])
        return -ENOMEM;
    b->used[b->n_used++] = m;
    for (size_t i = 0; i < b->s.n; i++)
        b->s.value[m][i] = NAN;
    return 0;
}

static int add_row(struct gput__run_series_builder *b, double time)
{
    if (b->s.n == b->cap && grow(b) < 0)
        return -ENOMEM;
    b->s.time[b->s.n++] = time;
    return 0;
}

int gput__run_series_add(struct gput__run_series_builder *b, double time)
{
    int r = add_row(b, time);

    for (int i = 0; r == 0 && i < b->n_used; i++)
        b->s.value[b->used[i]][b->s.n - 1] = NAN;
    return r;
}

static double if_possible(double value)
{
    return value >= 0 && value < IMPOSSIBLE ? value : NAN;
}

int gput__run_series_add_all(struct gput__run_series_builder *b, double time, const double *values)
{
    int r = add_row(b, time);

    for (int i = 0; r == 0 && i < b->n_used; i++)
        b->s.value[b->used[i]][b->s.n - 1] = if_possible(values[i]);
    return r;
}

void gput__run_series_set(struct gput__run_series_builder *b, enum gput__metric m, double value)
{
    b->s.value[m][b->s.n - 1] = if_possible(value);
}

void gput__run_series_drop(struct gput__run_series *s, enum gput__metric m)
{
    free(s->value[m]);
    s->value[m] = NULL;
}

void gput__run_series_end(struct gput__run_series_builder *b, struct gput__run_series *ret)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (b->s.value[m] && !gput__any_known(b->s.value[m], b->s.n))
            gput__run_series_drop(&b->s, (enum gput__metric)m);
    gput__run_times_rise(b->s.time, b->s.n);
    *ret = b->s;
    *b = (struct gput__run_series_builder){ 0 };
}

double gput__run_series_span(const struct gput__run_series *s, size_t i, double interval)
{
    return i > 0 ? s->time[i] - s->time[i - 1] : interval;
}

void gput__run_series_to_rates(struct gput__run_series *s, enum gput__metric m, double factor,
                               double interval)
{
    for (size_t i = 0; s->value[m] && i < s->n; i++) {
        double span = gput__run_series_span(s, i, interval);

        s->value[m][i] = span > 0 ? s->value[m][i] * factor / span : NAN;
    }
}

#define NO_ROW SIZE_MAX

/* Which rows of the two become row i of the result. */
struct pairing {
    size_t n, *at_a, *at_b; /* NO_ROW: none */
};

static int pair(const struct gput__run_series *a, const struct gput__run_series *b,
                double tolerance, struct pairing *p)
{
    size_t i = 0, j = 0, most = a->n + b->n + 1;

    p->at_a = malloc(most * sizeof(*p->at_a));
    p->at_b = malloc(most * sizeof(*p->at_b));
    if (!p->at_a || !p->at_b)
        return -ENOMEM;
    while (i < a->n || j < b->n) {
        double gap = i == a->n ? INFINITY : j == b->n ? -INFINITY : a->time[i] - b->time[j];

        p->at_a[p->n] = gap < tolerance ? i++ : NO_ROW;
        p->at_b[p->n++] = gap > -tolerance ? j++ : NO_ROW;
    }
    return 0;
}

/* The column in its new rows; the old one is freed, so that there are never many twice. */
static int move(double **column, const size_t *at, size_t n, double **ret)
{
    if (!*column)
        return 0;
    *ret = malloc((n + 1) * sizeof(**ret));
    if (!*ret)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        (*ret)[i] = at[i] == NO_ROW ? NAN : (*column)[at[i]];
    free(*column);
    *column = NULL;
    return 0;
}

static int join(struct gput__run_series *a, struct gput__run_series *b, const struct pairing *p,
                struct gput__run_series *to)
{
    to->n = p->n;
    to->time = malloc((p->n + 1) * sizeof(*to->time));
    if (!to->time)
        return -ENOMEM;
    for (size_t i = 0; i < p->n; i++) {
        double time = p->at_a[i] == NO_ROW ? b->time[p->at_b[i]] : a->time[p->at_a[i]];

        to->time[i] = i > 0 && time < to->time[i - 1] ? to->time[i - 1] : time;
    }
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (move(&a->value[m], p->at_a, p->n, &to->value[m]) < 0 ||
            (!to->value[m] && move(&b->value[m], p->at_b, p->n, &to->value[m]) < 0))
            return -ENOMEM;
    return 0;
}

int gput__run_series_join(struct gput__run_series *a, struct gput__run_series *b, double tolerance,
                          struct gput__run_series *ret)
{
    struct gput__run_series to = { 0 };
    struct pairing p = { 0 };
    int r = pair(a, b, tolerance > 0 ? tolerance : 1e-9, &p);

    r = r < 0 ? r : join(a, b, &p, &to);
    free(p.at_a);
    free(p.at_b);
    gput__run_series_free(a);
    gput__run_series_free(b);
    if (r < 0)
        gput__run_series_free(&to);
    else
        *ret = to;
    return r;
}

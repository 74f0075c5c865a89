/* run_series.c - the moments of a run, put together row by row. */
#include "store/run_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct gput__series_builder *b)
{
    size_t cap = b->cap ? 2 * b->cap : 256;
    double *column = realloc(b->s.time, cap * sizeof(*column));

    if (!column)
        return -ENOMEM;
    b->s.time = column;
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        if (!b->s.value[m])
            continue;
        column = realloc(b->s.value[m], cap * sizeof(*column));
        if (!column)
            return -ENOMEM;
        b->s.value[m] = column;
    }
    b->cap = cap;
    return 0;
}

int gput__series_use(struct gput__series_builder *b, enum gput__metric m)
{
    if (b->s.value[m])
        return 0;
    if (b->cap == 0 && grow(b) < 0)
        return -ENOMEM;
    b->s.value[m] = malloc(b->cap * sizeof(double));
    if (!b->s.value[m])
        return -ENOMEM;
    for (size_t i = 0; i < b->s.n; i++)
        b->s.value[m][i] = NAN;
    return 0;
}

int gput__series_add(struct gput__series_builder *b, double time)
{
    size_t n = b->s.n;

    if (n == b->cap && grow(b) < 0)
        return -ENOMEM;
    b->s.time[n] = n > 0 && time < b->s.time[n - 1] ? b->s.time[n - 1] : time;
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (b->s.value[m])
            b->s.value[m][n] = NAN;
    b->s.n++;
    return 0;
}

void gput__series_set(struct gput__series_builder *b, enum gput__metric m, double value)
{
    b->s.value[m][b->s.n - 1] = value;
}

static int is_known(const double *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(column[i]))
            return 1;
    return 0;
}

void gput__series_drop(struct gput__run_series *s, enum gput__metric m)
{
    free(s->value[m]);
    s->value[m] = NULL;
}

void gput__series_end(struct gput__series_builder *b, struct gput__run_series *ret)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (b->s.value[m] && !is_known(b->s.value[m], b->s.n))
            gput__series_drop(&b->s, (enum gput__metric)m);
    *ret = b->s;
    *b = (struct gput__series_builder){ 0 };
}

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* The median; it is enough to look at some. */
double gput__series_interval(const struct gput__run_series *s)
{
    double some[999];
    size_t n = s->n > 1 ? s->n - 1 : 0;

    n = n < sizeof(some) / sizeof(*some) ? n : sizeof(some) / sizeof(*some);
    for (size_t i = 0; i < n; i++)
        some[i] = s->time[i + 1] - s->time[i];
    if (n == 0)
        return NAN;
    qsort(some, n, sizeof(*some), by_value);
    return some[n / 2];
}

double gput__series_span(const struct gput__run_series *s, size_t i, double interval)
{
    return i > 0 ? s->time[i] - s->time[i - 1] : interval;
}

void gput__series_to_rates(struct gput__run_series *s, enum gput__metric m, double factor,
                           double interval)
{
    for (size_t i = 0; s->value[m] && i < s->n; i++) {
        double span = gput__series_span(s, i, interval);

        s->value[m][i] = span > 0 ? s->value[m][i] * factor / span : NAN;
    }
}

/* Row i of the one and row j of the other; at the end of a series its number. */
static void copy_row(struct gput__series_builder *to, const struct gput__run_series *from, size_t i)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (from->value[m])
            gput__series_set(to, (enum gput__metric)m, from->value[m][i]);
}

static int join(const struct gput__run_series *a, const struct gput__run_series *b,
                double tolerance, struct gput__series_builder *to)
{
    size_t i = 0, j = 0;

    for (int m = 0; m < GPUT__N_METRICS; m++)
        if ((a->value[m] || b->value[m]) && gput__series_use(to, (enum gput__metric)m) < 0)
            return -ENOMEM;
    while (i < a->n || j < b->n) {
        double gap = i == a->n ? INFINITY : j == b->n ? -INFINITY : a->time[i] - b->time[j];
        int has_a = gap<tolerance, has_b = gap> - tolerance;

        if (gput__series_add(to, has_a ? a->time[i] : b->time[j]) < 0)
            return -ENOMEM;
        if (has_b)
            copy_row(to, b, j++);
        if (has_a)
            copy_row(to, a, i++);
    }
    return 0;
}

int gput__series_join(struct gput__run_series *a, struct gput__run_series *b, double tolerance,
                      struct gput__run_series *ret)
{
    struct gput__series_builder to = { .cap = 0 };
    int r = join(a, b, tolerance > 0 ? tolerance : 1e-9, &to);

    gput__series_free(a);
    gput__series_free(b);
    if (r < 0)
        gput__series_free(&to.s);
    else
        gput__series_end(&to, ret);
    return r;
}

void gput__series_free(struct gput__run_series *s)
{
    free(s->time);
    for (int m = 0; m < GPUT__N_METRICS; m++)
        free(s->value[m]);
    *s = (struct gput__run_series){ 0 };
}

/* run_series.h - the moments of a run, put together row by row. */
#ifndef GPUT_STORE_RUN_SERIES_H
#define GPUT_STORE_RUN_SERIES_H

#include "model/run.h"

struct gput__series_builder {
    struct gput__run_series s;
    size_t cap;
    enum gput__metric used[GPUT__N_METRICS]; /* those in `s`, as they came */
    int n_used;
};

/* The series will have this metric; not known in the rows that are there. */
int gput__series_use(struct gput__series_builder *b, enum gput__metric m);
/* One row more, in which nothing is known yet.  A time before that of the last row counts as that:
 * clocks are set back. */
int gput__series_add(struct gput__series_builder *b, double time);
/* Sets a metric that is in use, in the last row. */
static inline void gput__series_set(struct gput__series_builder *b, enum gput__metric m,
                                    double value)
{
    b->s.value[m][b->s.n - 1] = value;
}

/* Hands it over, without metrics that were never known.  The builder is empty afterwards. */
void gput__series_end(struct gput__series_builder *b, struct gput__run_series *ret);
/* NULL is fine for what is not there. */
void gput__series_drop(struct gput__run_series *s, enum gput__metric m);

/* The usual time from row to row; NAN: there are less than two. */
double gput__series_interval(const struct gput__run_series *s);
/* The time that row i tells of: since the row before it, or `interval` for the first. */
double gput__series_span(const struct gput__run_series *s, size_t i, double interval);
/* What was counted in each row, times `factor`, becomes a rate per second. */
void gput__series_to_rates(struct gput__run_series *s, enum gput__metric m, double factor,
                           double interval);
/* Puts the metrics of `b` beside those of `a`: rows that are less than `tolerance` seconds apart
 * become one, with the time of a's.  Both are empty afterwards, on failure too. */
int gput__series_join(struct gput__run_series *a, struct gput__run_series *b, double tolerance,
                      struct gput__run_series *ret);
void gput__series_free(struct gput__run_series *s);

#endif

/* run_series.h - the moments of a run, put together row by row. */
#ifndef GPUT_STORE_RUN_SERIES_H
#define GPUT_STORE_RUN_SERIES_H

#include "model/run.h"

struct gput__run_series_builder {
    struct gput__run_series s;
    size_t cap;
    enum gput__metric used[GPUT__N_METRICS]; /* those in `s`, as they came */
    int n_used;
};

/* The series will have this metric; not known in the rows that are there. */
int gput__run_series_use(struct gput__run_series_builder *b, enum gput__metric m);
/* One row more, in which nothing is known yet. */
int gput__run_series_add(struct gput__run_series_builder *b, double time);
/* One row more, with a value for each metric in the order of `used`. */
int gput__run_series_add_all(struct gput__run_series_builder *b, double time, const double *values);
/* Sets a metric that is in use, in the last row; a value that cannot be is not known. */
void gput__run_series_set(struct gput__run_series_builder *b, enum gput__metric m, double value);
/* Hands it over, with rising times and without metrics that were never known.  The builder is empty afterwards. */
void gput__run_series_end(struct gput__run_series_builder *b, struct gput__run_series *ret);
/* NULL is fine for what is not there. */
void gput__run_series_drop(struct gput__run_series *s, enum gput__metric m);

/* The time that row i tells of: since the row before it, or `interval` for the first. */
double gput__run_series_span(const struct gput__run_series *s, size_t i, double interval);
/* What was counted in each row, times `factor`, becomes a rate per second. */
void gput__run_series_to_rates(struct gput__run_series *s, enum gput__metric m, double factor,
                               double interval);
/* Puts the metrics of `b` beside those of `a`: rows that are less than `tolerance` seconds apart
 * become one, with the time of a's.  Both are empty afterwards, on failure too. */
int gput__run_series_join(struct gput__run_series *a, struct gput__run_series *b, double tolerance,
                          struct gput__run_series *ret);

#endif

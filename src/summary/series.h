/* series.h - what a run was over time: a row per record, in memory of fixed size.
 *
 * When it is full every four rows become two that keep the lowest and the highest of each level and
 * rate, and the whole of what each counter gained.  Sums over all rows ever made are kept beside, and
 * are never thinned.
 *
 * It holds no pointers, so that one process can write it in shared memory while others read.  It is
 * stored in columns, so that reading one touches nothing else. */
#ifndef GPUT_SUMMARY_SERIES_H
#define GPUT_SUMMARY_SERIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sample.h"

/* Over all rows. */
struct gput__series_total {
    uint64_t n;               /* rows in which it was known */
    double min, max, sum;     /* sum: of gains */
    double weighted, seconds; /* of levels and rates: value x time, and the time */
};

struct gput__series {
    uint32_t cap;       /* rows; a multiple of 4 */
    uint32_t room;      /* rows that may be used: a multiple of 4, at least 4 */
    uint32_t n_columns; /* the metrics, then two for each GPU */
    uint32_t n_metrics;
    _Atomic uint32_t n_gpus; /* that there are; the columns of others were never touched */
    uint8_t metric[GPUT__N_METRICS];
    _Atomic uint64_t n;       /* rows that are whole */
    _Atomic uint64_t n_total; /* rows that were ever made */
    _Atomic uint64_t epoch;   /* odd: rows are being thinned; else moves with each thinning */
    _Atomic uint64_t turn;    /* odd: the totals are being changed */
    double seconds;           /* that the rows cover */
    struct gput__series_total totals[GPUT__N_METRICS];
    double cells[]; /* the time, the length of the interval, then the columns; `cap` of each */
};

/* Which metrics, how many GPUs, how many rows at most. */
struct gput__series_plan {
    struct gput__metric_set metrics;
    uint32_t n_gpus, cap;
};

size_t gput__series_size(const struct gput__series_plan *plan);
/* Memory of that size, all zero, becomes an empty series; all of its rows may be used. */
void gput__series_begin(struct gput__series *s, const struct gput__series_plan *plan);
/* -EPROTO: the memory is not such a series, or does not hold it whole. */
int gput__series_check(const struct gput__series *s, size_t size);

/* The use in percent and the memory in bytes of each GPU, NAN where not known. */
struct gput__series_gpus {
    const double (*value)[2];
    uint32_t n;
};
/* A row for the time between two moments; `gpus` NULL: none. */
void gput__series_add(struct gput__series *s, const struct gput__sample *before,
                      const struct gput__sample *now, const struct gput__series_gpus *gpus);
/* A last stretch too short for a row of its own: only in the totals. */
void gput__series_add_rest(struct gput__series *s, const struct gput__sample *before,
                           const struct gput__sample *now);

/* Where a metric's column is, -1: nowhere. */
int gput__series_find(const struct gput__series *s, enum gput__metric m);

#define GPUT__SERIES_TIME 0
#define GPUT__SERIES_SECONDS 1
#define GPUT__SERIES_FIRST 2
/* Column 0 is the time, 1 the length of the interval in seconds, then the metrics and GPUs. */
static inline const double *gput__series_column(const struct gput__series *s, uint32_t column)
{
    return s->cells + (size_t)column * s->cap;
}

/* The totals of a metric while another process may be changing them; false: it is not in it. */
bool gput__series_total(const struct gput__series *s, enum gput__metric m,
                        struct gput__series_total *ret, double *ret_seconds);

#endif

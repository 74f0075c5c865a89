/* bins.h - a series of any length in as many columns as there are, with no peak lost.
 *
 * Each value holds for a stretch of time: a rate since the moment before, a level from half the way
 * to the moment before until half the way to the next.  A column tells the least, the largest and
 * the mean of what held in it. */
#ifndef GPUT_REPORT_BINS_H
#define GPUT_REPORT_BINS_H

#include <stdbool.h>
#include <stddef.h>

/* Where the columns lie. */
struct gput__bins_axis {
    double start, span;  /* seconds; a span of 0: one moment, which fills all columns */
    double longest_hold; /* how far a level holds to either side of its moment; behind it comes the
                            unknown */
    int n_columns;
};

struct gput__bin {
    double min, max, mean; /* NAN: not known there */
};

struct gput__bins {
    size_t n_known;        /* values that are; 0: nothing below is set */
    double min, max, mean; /* of all; the mean by time */
    double max_time;       /* when the largest was first seen, since axis.start */
    int max_column;
    struct gput__bin *columns; /* axis.n_columns of them */
};

/* The axis of these moments.  `start` and `end` are NAN where the moments alone tell. */
struct gput__bins_axis gput__bins_axis(const double *times, size_t n, double start, double end,
                                       int n_columns);

/* -ENOMEM.  Values that are not finite are unknown. */
int gput__bins_make(struct gput__bins *ret, const struct gput__bins_axis *axis, const double *times,
                    const double *values, size_t n, bool is_rate);
void gput__bins_free(struct gput__bins *b);

#endif

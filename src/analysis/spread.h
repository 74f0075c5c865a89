/* spread.h - what several runs have in common and how far they lie apart, by statistics that one odd run
 * does not move: the median and the median absolute deviation (MAD). */
#ifndef GPUT_ANALYSIS_SPREAD_H
#define GPUT_ANALYSIS_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

struct gput__spread {
    size_t n;                     /* values that are known */
    double median;                /* NAN without any, and so are the others */
    double low, high;             /* the least and the most */
    double inner_low, inner_high; /* the same without the fifth of the values at each end */
    /* The standard deviation that their MAD speaks for; NAN: there are less than two. */
    double deviation;
};

/* NAN is not known. */
void gput__spread_of(const double *values, size_t n, struct gput__spread *ret);

/* A value that the others do not explain; `least`: smaller distances are none. */
bool gput__spread_is_outlier(const struct gput__spread *s, double value, double least);

/* How far the medians of two groups of equal runs may lie apart by chance: three standard errors, from
 * the spread of the groups with three runs or more, and so far that the inner values of both do not
 * overlap.  NAN: there is no such group. */
double gput__spread_noise(const struct gput__spread *a, const struct gput__spread *b);

enum { GPUT__SPREAD_RUNS = 3 }; /* fewer have no spread to speak of */

#endif

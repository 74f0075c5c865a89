/* thin.h - a long series made short without losing its peaks. */
#ifndef GPUT_REPORT_THIN_H
#define GPUT_REPORT_THIN_H

#include <stddef.h>

/* n values of each: of bucket i the lowest, the highest and the mean of those that are known. */
struct gput__thinned {
    double *low, *high, *mean;
};

/* Where bucket `i` of `n_buckets` begins among `n` moments; at i = n_buckets: n. */
size_t gput__thin_start(size_t n, size_t n_buckets, size_t i);

/* NAN where nothing in a bucket is known.  `n_buckets` is at most n. */
void gput__thin(const double *value, size_t n, size_t n_buckets, struct gput__thinned *ret);

#endif

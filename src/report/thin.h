/* thin.h - a long series made short without losing its peaks. */
#ifndef GPUT_REPORT_THIN_H
#define GPUT_REPORT_THIN_H

#include <stddef.h>

/* Where bucket `i` of `n_buckets` begins among `n` moments; at i = n_buckets: n. */
size_t gput__thin_start(size_t n, size_t n_buckets, size_t i);

/* The lowest and the highest of each bucket; NAN where nothing in it is known.  `n_buckets` is at
 * most n. */
void gput__thin(const double *value, size_t n, size_t n_buckets, double *ret_low, double *ret_high);

#endif

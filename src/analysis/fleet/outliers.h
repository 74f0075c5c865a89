/* outliers.h - which of many values stand apart, by a test that noise with heavy tails does not trip. */
#ifndef GPUT_ANALYSIS_OUTLIERS_H
#define GPUT_ANALYSIS_OUTLIERS_H

#include <stddef.h>

/* Deviations, 0 or more (NAN: not known), beyond the result stand apart.  How heavy the tail is follows
 * from the values themselves, those at the top left aside: they may be what is searched for.  `least` is
 * a deviation that is nothing, whatever the others are.  INFINITY: there are too few to tell. */
double gput__outliers_above(const double *deviation, size_t n, double least);

#endif

/* median.h - numbers in their order, and the one in the middle.  None of them may be NAN. */
#ifndef GPUT_BASE_MEDIAN_H
#define GPUT_BASE_MEDIAN_H

#include <stddef.h>

void gput__sort_doubles(double *values, size_t n);
/* Sorts them, of which there is at least one. */
double gput__median(double *values, size_t n);

#endif

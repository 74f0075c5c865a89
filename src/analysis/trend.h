/* trend.h - how a figure moved from run to run. */
#ifndef GPUT_ANALYSIS_TREND_H
#define GPUT_ANALYSIS_TREND_H

#include <stddef.h>

struct gput__trend {
    size_t n; /* runs in which it is known */
    double
        per_run; /* the change from run to run: the median of all slopes (Theil and Sen); 0: there is
                       none that is more than chance (Mann and Kendall) */
    double next; /* where that leads for the next run; NAN: nothing is known */
};

/* `values` in the order of the runs; NAN is not known. */
void gput__trend_of(const double *values, size_t n, struct gput__trend *ret);

/* The value that so large a share of those known does not exceed: one of them; NAN: there is none. */
double gput__percentile(const double *values, size_t n, double share);

#endif

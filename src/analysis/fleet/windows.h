/* windows.h - the ranks of a job side by side in parts of its time. */
#ifndef GPUT_ANALYSIS_WINDOWS_H
#define GPUT_ANALYSIS_WINDOWS_H

#include "analysis/fleet/fleet_job.h"

enum { GPUT__WINDOWS = 20 };

struct gput__windows {
    size_t n;     /* GPUT__WINDOWS, or 0: too little is known over time */
    float *value; /* n for each rank: what it had all through that window; NAN: not known */
    double median[GPUT__WINDOWS];
    double level; /* the median of these, which deviations are shares of */
    double width; /* seconds */
    int way;
    bool is_hint; /* the column is not of the figure itself */
};

/* A column of the ranks' series; `way` as deviations count: 1 above, -1 below, 0 both.  0 or -ENOMEM. */
int gput__windows_make(const struct gput__fleet_job *job, int column, int way,
                       struct gput__windows *ret);
void gput__windows_free(struct gput__windows *w);

double gput__windows_value(const struct gput__windows *w, size_t rank, size_t window);
/* The largest deviation of a rank, NAN: none is known; `ret_at` may be NULL. */
double gput__windows_worst(const struct gput__windows *w, size_t rank, size_t *ret_at);
/* Whether the rank is off by more than `limit` in most of its windows, or nothing tells otherwise. */
bool gput__windows_are_all_off(const struct gput__windows *w, size_t rank, double limit);
/* From the first to the last window in which it is, in seconds from the start; NAN: there is none. */
void gput__windows_span(const struct gput__windows *w, size_t rank, double limit, double *ret_from,
                        double *ret_to);

#endif

/* moments.h - minimum, maximum, mean and standard deviation of values that come by and by. */
#ifndef GPUT_ANALYSIS_MOMENTS_H
#define GPUT_ANALYSIS_MOMENTS_H

#include "gput.h"

struct gput__moments { /* zero: nothing yet */
    /* What is taken off each value before it is added up: near the values it spares digits.  Set it
     * before the first one, and the same for those that will be merged. */
    double origin;
    uint64_t n;
    double min, max;
    double sum, lost; /* the sum, and what its roundings have lost; without the origin */
    double squares;   /* of the distances from the mean */
};

/* Takes in n more values. */
void gput__moments_add(struct gput__moments *m, const double *values, size_t n);
/* Takes in all that `other` has. */
void gput__moments_merge(struct gput__moments *m, const struct gput__moments *other);
struct gput_stats gput__moments_stats(const struct gput__moments *m);

#endif

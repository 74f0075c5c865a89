/* sample.h - the values of all metrics at one moment. */
#ifndef GPUT_MODEL_SAMPLE_H
#define GPUT_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"

struct gput__sample {
    int64_t boot_ns; /* when, on the clock that elapsed time is measured by */
    int64_t real_ns; /* when, since 1970 */
    uint32_t known;  /* a bit per metric: the others were not measured at this moment */
    double value[GPUT__N_METRICS];
};

static inline bool gput__sample_has(const struct gput__sample *s, enum gput__metric m)
{
    return s->known >> m & 1;
}

static inline void gput__sample_set(struct gput__sample *s, enum gput__metric m, double value)
{
    s->value[m] = value;
    s->known |= 1u << m;
}

/* Percent of one core between two moments.  A counter that fell (a process was lost from sight)
 * and an interval of no length give 0. */
double gput__sample_rate(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter);

#endif

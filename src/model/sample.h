/* sample.h - the values of all metrics at one moment. */
#ifndef GPUT_MODEL_SAMPLE_H
#define GPUT_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"

struct gput__sample {
    int64_t boot_ns;               /* when, on the clock that elapsed time is measured by */
    int64_t real_ns;               /* when, since 1970 */
    struct gput__metric_set known; /* the others were not measured at this moment */
    struct gput__metric_set parts; /* of which some processes could not be read */
    double value[GPUT__N_METRICS];
};

static inline bool gput__sample_has(const struct gput__sample *s, enum gput__metric m)
{
    return gput__metric_set_has(&s->known, m);
}

static inline void gput__sample_set(struct gput__sample *s, enum gput__metric m, double value)
{
    s->value[m] = value;
    gput__metric_set_add(&s->known, m);
}

/* The value without processes that could not be read, of which there are some. */
void gput__sample_set_part(struct gput__sample *s, enum gput__metric m, double value);
/* Sets what `from` knows. */
void gput__sample_add(struct gput__sample *s, const struct gput__sample *from);

/* What a counter gained between two moments; 0 if it fell (a process was lost from sight) or is not
 * known at both. */
double gput__sample_gain(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter);
/* The same per second, of seconds of CPU in percent of one core.  An interval of no length gives 0. */
double gput__sample_rate(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter);
/* What is kept of a metric over time: the level, the rate or what was gained since `before`; NAN: not
 * known. */
double gput__sample_over(const struct gput__sample *before, const struct gput__sample *now,
                         enum gput__metric m);

#endif

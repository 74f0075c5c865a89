/* summary.h - samples in, numbers out: maxima of the gauges, maxima and means of the rates.
 *
 * Of fixed size whatever the length of the run. */
#ifndef GPUT_SUMMARY_SUMMARY_H
#define GPUT_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "gput.h"
#include "model/sample.h"

/* How the job came near to what there is: for how long at each level of use of the CPU, and with 90 %
 * of the memory or more. */
struct gput__summary_use {
    double cpu_seconds_at[GPUT_CPU_LEVELS];
    double near_memory_s;
    int64_t at_ns; /* until then, */
    double cpu_s;  /* with so much CPU time counted */
};

struct gput__summary {
    int64_t period_ns;
    double most_percent;           /* no rate exceeds it: 100 x cores */
    struct gput__metric_set known; /* those that were ever measured */
    struct gput__metric_set parts; /* of which at some moment a process could not be read */
    double max[GPUT__N_METRICS];   /* of gauges; of counters the largest rate */
    /* Records that bound intervals.  The last interval is only closed when the next is known to be
     * long enough to stand alone. */
    struct gput__sample first, before_last, last;
    uint64_t n_records;
    struct gput__summary_use use;
};

void gput__summary_begin(struct gput__summary *s, int64_t period_ns, double most_percent,
                         const struct gput__sample *first);
/* Only gauges; the sample's counters are skipped. */
void gput__summary_poll(struct gput__summary *s, const struct gput__sample *sample);
/* Gauges and an interval. */
void gput__summary_record(struct gput__summary *s, const struct gput__sample *sample);
/* The last interval, which joins the one before if it is shorter than half of the period. */
void gput__summary_end(struct gput__summary *s, const struct gput__sample *sample);

/* The time up to this poll or record, by what the job used meanwhile; polls in quick succession are
 * taken together. */
void gput__summary_use(struct gput__summary *s, const struct gput__sample *sample,
                       double memory_limit);
/* ... up to this last moment, however short. */
void gput__summary_use_rest(struct gput__summary *s, const struct gput__sample *sample,
                            double memory_limit);

/* A high-water mark of the kernel's: a level that was reached, sampled or not. */
void gput__summary_raise(struct gput__summary *s, enum gput__metric gauge, double value);

static inline bool gput__summary_has(const struct gput__summary *s, enum gput__metric m)
{
    return gput__metric_set_has(&s->known, m);
}
/* The mean rate over the whole run, percent. */
double gput__summary_mean(const struct gput__summary *s, enum gput__metric counter);

#endif

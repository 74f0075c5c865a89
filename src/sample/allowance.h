/* allowance.h - CPU time that something may use: a fixed fraction of the elapsed time.
 *
 * Knows no clock: the caller gives the time.  What was not used is saved up, within a bound. */
#ifndef GPUT_SAMPLE_ALLOWANCE_H
#define GPUT_SAMPLE_ALLOWANCE_H

#include <stdint.h>

/* For watching between records: 0.2 % of one core; and where only records are shown. */
#define GPUT__WATCH_SHARE 500
#define GPUT__FRUGAL_SHARE 1600

struct gput__allowance {
    int64_t credit_ns; /* may still be taken; below 0: more than that was */
    int64_t credited_ns;
    int64_t most_ns; /* that can be saved up */
    int64_t cost_ns; /* of one time, on average */
    int64_t share;   /* 1/share of the time */
};

/* With all that can be saved up, to begin with. */
void gput__allowance_begin(struct gput__allowance *b, int64_t now, int64_t share, int64_t most_ns,
                           int64_t first_cost_ns);
void gput__allowance_earn(struct gput__allowance *b, int64_t now);
void gput__allowance_spend(struct gput__allowance *b, int64_t now, int64_t cost_ns);

/* How long until one more time is covered; not above 0: it is. */
int64_t gput__allowance_wait(const struct gput__allowance *b);

#endif

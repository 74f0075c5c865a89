/* budget.h - CPU time that something may take: one part in so many of the time that passes.
 *
 * Knows no clock: it is told the time.  What was not taken is saved up, but not without bound. */
#ifndef GPUT_SAMPLE_BUDGET_H
#define GPUT_SAMPLE_BUDGET_H

#include <stdint.h>

/* For watching between records: 0.2 % of one core; and where only records are shown. */
#define GPUT__WATCH_SHARE 500
#define GPUT__FRUGAL_SHARE 1600

struct gput__budget {
    int64_t credit_ns; /* may still be taken; below 0: more than that was */
    int64_t credited_ns;
    int64_t most_ns; /* that can be saved up */
    int64_t cost_ns; /* of one time, on average */
    int64_t share;   /* one part in so many */
};

/* With all that can be saved up, to begin with. */
void gput__budget_begin(struct gput__budget *b, int64_t now, int64_t share, int64_t most_ns,
                        int64_t first_cost_ns);
void gput__budget_earn(struct gput__budget *b, int64_t now);
void gput__budget_spend(struct gput__budget *b, int64_t now, int64_t cost_ns);

/* How long until one more time is covered; not above 0: it is. */
int64_t gput__budget_wait(const struct gput__budget *b);

#endif

/* past_demands.h - what many runs of one job say of its next one. */
#ifndef GPUT_ANALYSIS_PAST_DEMANDS_H
#define GPUT_ANALYSIS_PAST_DEMANDS_H

#include <stddef.h>

#include "gput.h"

struct gput__past {
    size_t n_runs;      /* that were there */
    size_t n_left_out;  /* of which the demand does not count: they failed, others did not */
    size_t n_killed;    /* for memory */
    double killed_at;   /* bytes, the most that was not enough; 0: nobody knows */
    double share;       /* of the runs whose peaks count: 0.95; 1: all */
    double growth;      /* of the peak of memory, bytes a run; 0: none that is more than chance */
    double next_memory; /* the peak that the growth leads to; 0: there is none */
};

/* Makes of the runs, the oldest first, those that count: peaks above the percentile are lowered to it, a
 * growing peak is followed by one run, and a run that was killed for memory is a lower bound, which no
 * longer counts where a later one needed more and got it.  The runs are changed and moved to the front;
 * returns how many count. */
size_t gput__past_demands(struct gput_demand *runs, size_t n, struct gput__past *ret);

#endif

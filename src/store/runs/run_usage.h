/* run_usage.h - the figures of a run from how it moved. */
#ifndef GPUT_STORE_RUN_USAGE_H
#define GPUT_STORE_RUN_USAGE_H

#include "model/run.h"

/* Nothing is known: units as they are by default, all figures unavailable. */
void gput__run_begin(struct gput__run *run);
/* From run->series: its interval, start and end where they are not known yet, and each figure that
 * is not: maxima, means weighted by time, sums. */
void gput__run_sum_up(struct gput__run *run);

#endif

/* gpu_kinds.h - what the time of a GPU went into, from one reading of what it did. */
#ifndef GPUT_SAMPLE_GPU_KINDS_H
#define GPUT_SAMPLE_GPU_KINDS_H

#include <stdbool.h>

#include "model/gpu_work.h"

/* The seconds of each kind in the time that the reading is of; none are GPUT__KIND_STUCK.  False: it does
 * not tell enough. */
bool gput__gpu_kinds(const struct gput__gpu_work *w, double ret[GPUT__N_GPU_KINDS]);

/* Whether the device is as in a hang: a kernel is on it all the time, hardly an SM has work, nothing
 * moves, and it takes little more power than at rest.  Of a short time that says little. */
bool gput__gpu_looks_stuck(const struct gput__gpu_work *w);

#endif

/* probes.h - cheap checks between polls: the CPU time of processes without a waiting parent, and the
 * kernel's count of mapped pages. */
#ifndef GPUT_SAMPLE_PROBES_H
#define GPUT_SAMPLE_PROBES_H

#include <stdint.h>

#include "sample/sampler.h"

/* How long to wait between two of a kind, by what they took so far. */
struct gput__probes {
    int64_t unwaited_pause_ns, memory_pause_ns;
};

/* When the next one is due; INT64_MAX: none. */
int64_t gput__probes_due(const struct gput__probes *p, const struct gput__sampler *s);
/* Makes those that are due; if none is, the first: a process without a waiting parent is new. */
void gput__probes_make(struct gput__probes *p, struct gput__sampler *s, int64_t now);

#endif

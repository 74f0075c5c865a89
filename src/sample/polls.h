/* polls.h - what costs little is asked for between looks: the CPU time of processes that nobody waits
 * for, and the kernel's count of mapped pages. */
#ifndef GPUT_SAMPLE_POLLS_H
#define GPUT_SAMPLE_POLLS_H

#include <stdint.h>

#include "sample/sampler.h"

/* How long to wait between two of a kind, by what they took so far. */
struct gput__polls {
    int64_t unwaited_pause_ns, memory_pause_ns;
};

/* When the next one is due; INT64_MAX: none. */
int64_t gput__polls_due(const struct gput__polls *p, const struct gput__sampler *s);
/* Makes those that are due; if none is, one was born whom nobody waits for. */
void gput__polls_make(struct gput__polls *p, struct gput__sampler *s, int64_t now);

#endif

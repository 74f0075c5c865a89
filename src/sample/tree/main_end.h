/* main_end.h - the end of main: its usage from wait4, and the CPU time and peak that follow. */
#ifndef GPUT_SAMPLE_MAIN_END_H
#define GPUT_SAMPLE_MAIN_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "sample/sampler.h"

struct gput__main_end {
    bool has_usage;             /* wait4 returned it */
    struct rusage usage;        /* of main and all that it waited for */
    uint64_t own_ns, waited_ns; /* the CPU time in it, apart; helpers of other trackers left out */
    bool cpu_is_exact;          /* main's */
    bool peak_is_exact;         /* main's */
    bool was_alone;             /* it never had a descendant */
};

/* Main is a zombie: what it still shows is read. */
void gput__main_last_poll(struct gput__sampler *s, int64_t now);
/* It was waited for.  `has_usage` and `usage` are from wait4; `own_ns`: its CPU clock as a zombie;
 * `floor_rss`: its peak began there.  Fills in the rest, and sets the counts in the table right. */
void gput__main_ended(struct gput__sampler *s, uint64_t own_ns, uint64_t floor_rss,
                      struct gput__main_end *end);
/* Tracking ends, and main lives on. */
void gput__main_left(const struct gput__sampler *s, struct gput__main_end *end);
/* The CPU time of the whole run.  Where /proc showed nothing, it is from main's end. */
void gput__main_end_cpu(const struct gput__sampler *s, const struct gput__main_end *end,
                        struct gput__sample *ret);

#endif

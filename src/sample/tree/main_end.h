/* main_end.h - the end of main: what the kernel tells then, and what follows for CPU time and peak. */
#ifndef GPUT_SAMPLE_MAIN_END_H
#define GPUT_SAMPLE_MAIN_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "sample/sampler.h"

struct gput__main_end {
    bool has_usage;             /* wait4 has told */
    struct rusage usage;        /* of main and all that it waited for */
    uint64_t own_ns, waited_ns; /* the CPU time in it, apart; helpers of other trackers left out */
    bool cpu_is_exact;          /* main's */
    bool peak_is_exact;         /* main's */
    bool was_alone;             /* it never had a descendant */
};

/* Main is a zombie: what it still shows is read. */
void gput__main_last_look(struct gput__sampler *s, int64_t now);
/* It was waited for.  `has_usage` and `usage` say what that told; `own_ns`: its CPU clock as a zombie;
 * `floor_rss`: its mark began there.  Fills in the rest, and sets the counts in the table right. */
void gput__main_ended(struct gput__sampler *s, uint64_t own_ns, uint64_t floor_rss,
                      struct gput__main_end *end);
/* We leave it, and it lives on. */
void gput__main_left(const struct gput__sampler *s, struct gput__main_end *end);
/* The CPU time of the whole run.  Where /proc showed nothing there is what main's end told. */
void gput__main_end_cpu(const struct gput__sampler *s, const struct gput__main_end *end,
                        struct gput__sample *ret);

#endif

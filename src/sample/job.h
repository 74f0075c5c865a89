/* job.h - the job as a stream shows it: PSS, CPU time in user and kernel mode, bytes to and from disks;
 * of main with its descendants or of main alone. */
#ifndef GPUT_SAMPLE_JOB_H
#define GPUT_SAMPLE_JOB_H

#include <stdbool.h>

#include "model/sample.h"
#include "sample/memory/memory.h"
#include "sample/tree/tree.h"

/* A count that may step back (what was written is deleted before it reaches a disk) and must not. */
struct gput__rising {
    double last, lost;
};

/* Written by job.c alone. */
struct gput__job {
    bool main_only;
    double user, kernel;                  /* seconds of CPU time in the two modes, */
    double kernel_part;                   /* of it, in the last interval with a value */
    double user_ticks, kernel_ticks, cpu; /* as they were at the last record */
    struct gput__rising read, written;
    double pss; /* while main lived */
};

/* `main_only`: without its descendants. */
void gput__job_begin(struct gput__job *j, bool main_only);

/* The memory alone, which a poll has found already. */
void gput__job_measure_memory(struct gput__job *j, const struct gput__memory *memory,
                              const struct gput__tree *tree, struct gput__sample *ret);
/* Sets the metrics of the job from what the last poll found; only the disk counters of processes that
 * moved since the last time are read here. */
void gput__job_measure(struct gput__job *j, const struct gput__memory *memory,
                       struct gput__tree *tree, struct gput__sample *ret);

#endif

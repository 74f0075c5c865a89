/* job.h - the job as a stream shows it: PSS, CPU time in user and kernel mode, bytes to and from disks;
 * of main with its descendants or of main alone. */
#ifndef GPUT_SAMPLE_JOB_H
#define GPUT_SAMPLE_JOB_H

#include <stdbool.h>

#include "model/sample.h"
#include "sample/tree.h"

/* A sum over the processes of the job.  One that dies takes its part along, unless its parent in the
 * job waited for it: what the sum loses is kept. */
struct gput__rising {
    double last, lost;
};

struct gput__job {
    bool main_only;
    struct gput__rising user, kernel, read, write;
    double pss; /* while main lived */
};

/* The memory alone, which a look has found already. */
void gput__job_measure_memory(struct gput__job *j, const struct gput__tree *tree,
                              struct gput__sample *ret);
/* Sets the metrics of the job from what the last look found; only the disk counters of processes that
 * moved since the last time are read here. */
void gput__job_measure(struct gput__job *j, struct gput__tree *tree, struct gput__sample *ret);

#endif

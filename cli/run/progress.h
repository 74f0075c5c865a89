/* progress.h - what is told and stored while the job runs. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "gput.h"
#include "options/options.h"
#include "output/output.h"
#include "terminal/live.h"

#include <time.h>

struct progress {
    const struct options *o;
    const struct output *output;
    struct gput_exporter *exporter; /* NULL: none */
    struct live live;
    time_t next_partial; /* by CLOCK_BOOTTIME */
    bool partial_failed; /* said once */
};

/* The callbacks that keep `p` up to date; it must outlive the tracker. */
struct gput_callbacks progress_callbacks(struct progress *p);

/* Whether it is worth a warning that the machine has no GPU: on a terminal, once a day, and where GPUs
 * were asked for. */
bool progress_tells_of_no_gpu(const struct options *o);

/* Takes the status line away. */
void progress_end(struct progress *p);

#endif

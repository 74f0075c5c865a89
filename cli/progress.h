/* progress.h - what is told and stored while the job runs. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "gput.h"
#include "live.h"
#include "options.h"
#include "output.h"

struct progress {
    const struct options *o;
    const struct output *output;
    struct live live;
    double next_partial; /* seconds of the run */
    bool partial_failed; /* said once */
};

/* The callbacks that keep `p` up to date; it must outlive the tracker. */
struct gput_callbacks progress_callbacks(struct progress *p);

/* Takes the status line away. */
void progress_end(struct progress *p);

#endif

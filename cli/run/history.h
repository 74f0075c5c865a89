/* history.h - the run that has just ended goes into a history. */
#ifndef CLI_RUN_HISTORY_H
#define CLI_RUN_HISTORY_H

#include "gput.h"
#include "options/options.h"

struct run_history { /* zero: none is kept */
    char *file;      /* "": the user's own */
    struct gput_history_entry *entry;
};

/* What an option asks for is refused where it cannot be; what the environment asks for is only missed, with
 * a line.  0 or -EINVAL. */
int run_history_choose(struct run_history *h, const struct options *o, struct refusal *ret_why);
/* Copies what is to be kept of the run, while the tracker is there. */
void run_history_record(struct run_history *h, const struct options *o, const struct gput_usage *u);
/* Adds it: whatever comes of that, the job and its status have nothing to do with it. */
void run_history_add(struct run_history *h);
void run_history_free(struct run_history *h);

#endif

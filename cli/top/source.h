/* source.h - the runs that can be watched, and the viewer of one. */
#ifndef CLI_TOP_SOURCE_H
#define CLI_TOP_SOURCE_H

#include "gput.h"

struct top_source {
    const char *who; /* the command that asks, for messages; set it before */
    struct gput_viewer *viewer;
    struct gput_tracker *own; /* of a process that nobody tracked; NULL: there is one */
    struct gput_running run;
    char command[300]; /* as it is to be shown */
};

/* Opens the viewer of a run.  Returns 0 or an exit status; what went wrong has been said. */
int top_source_open(struct top_source *s, const struct gput_running *run);
/* The run of a tracker, of a main process, or of a process that nobody tracks: then a tracker is started,
 * and ends with us. */
int top_source_open_pid(struct top_source *s, pid_t pid);
/* Waits, at most some seconds, until the tracker shows something.  0, or a negative errno. */
int top_source_first(struct top_source *s, struct gput_view *ret);
void top_source_close(struct top_source *s);

/* All runs, the youngest first; says why there are none and returns an exit status. */
int top_source_list(const char *who, struct gput_running **ret, int *ret_n);

#endif

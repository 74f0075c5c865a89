/* launcher.h - who a process is among those that a launcher of parallel jobs has started. */
#ifndef GPUT_SOURCE_LAUNCHER_H
#define GPUT_SOURCE_LAUNCHER_H

#include "gput.h"

/* Where its variables are looked up: getenv(), or a table of a test's. */
struct gput__environment {
    const char *(*get)(const void *ctx, const char *name);
    const void *ctx;
};

/* Reads the variables alone, by THE table of launchers.  `host` is the host's name.  What nobody says is
 * -1 or "", and `has_job_id` is 0 then. */
void gput__launch_read(const struct gput__environment *env, const char *host,
                       struct gput_launch *ret);

#endif

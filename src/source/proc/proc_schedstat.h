/* proc_schedstat.h - /proc/PID/task/TID/schedstat: what the scheduler has counted of one thread.
 *
 * /proc/PID/schedstat is of the first thread alone. */
#ifndef GPUT_SOURCE_PROC_SCHEDSTAT_H
#define GPUT_SOURCE_PROC_SCHEDSTAT_H

#include <stdint.h>

struct gput__proc_schedstat {
    uint64_t ran_ns;
    uint64_t waited_ns; /* for a CPU: able to run, and not running */
};

/* -EBADMSG: not such a file.  A kernel that keeps no such counts shows zeros. */
int gput__proc_schedstat_parse(const char *text, struct gput__proc_schedstat *ret);

#endif

/* proc_statm.h - the fields we use of /proc/<pid>/statm, see proc_pid_statm(5). */
#ifndef GPUT_SOURCE_PROC_STATM_H
#define GPUT_SOURCE_PROC_STATM_H

#include <stdint.h>

struct gput__proc_statm {
    uint64_t resident, shared; /* pages; the latter of files and shared memory */
};

/* -EBADMSG: not such a line. */
int gput__proc_statm_parse(const char *text, struct gput__proc_statm *ret);

#endif

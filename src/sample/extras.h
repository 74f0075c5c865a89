/* extras.h - open files and swap of the job: read at records, for those who ask.
 *
 * All of it is written by extras.c alone.  What is kept of a process is kept here, by its pid and
 * start, and not in the table of processes. */
#ifndef GPUT_SAMPLE_EXTRAS_H
#define GPUT_SAMPLE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/pidmap.h"
#include "model/sample.h"
#include "sample/tree.h"

/* The last count of the open files of a process. */
struct gput__extras_process {
    pid_t pid;
    uint64_t start;
    uint64_t cpu_ns; /* its CPU time then, + 1; 0: it was not counted */
    uint32_t files;
    uint32_t turn; /* when it was last met */
};

struct gput__extras {
    bool is_open;
    bool has_size; /* see gput__proc_fds_have_size() */
    struct gput__extras_process *processes;
    uint32_t n, cap, turn;
    struct gput__pidmap index; /* pid -> place in processes */
    struct gput__sample last;  /* what was told at the last record */
};

void gput__extras_close(struct gput__extras *e);

/* At a record.  `fd_meminfo` as in gput__root_reread(). */
void gput__extras_measure(struct gput__extras *e, const struct gput__tree *tree, bool main_only,
                          int *fd_meminfo, struct gput__sample *ret);

/* The last values once more: a job that ends has let go of its files before anybody can count. */
void gput__extras_repeat(const struct gput__extras *e, struct gput__sample *ret);

#endif

/* proc_status.h - the fields we use of /proc/<pid>/status, see proc_pid_status(5). */
#ifndef GPUT_SOURCE_PROC_STATUS_H
#define GPUT_SOURCE_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>

struct gput__proc_status {
    bool has_memory;                      /* a zombie and a kernel thread have none */
    uint64_t hwm, rss, anon, file, shmem; /* bytes */
    uint64_t swap;                        /* likewise: anonymous pages that were swapped out */
    bool ignores_children;                /* SIGCHLD: whose end it will never ask for */
    unsigned n_cpus;                      /* in the affinity mask; 0: unknown */
    unsigned n_namespaces;                /* pid namespaces that it is in, from ours inwards */
    int inner_pid;                        /* its pid in the innermost */
};

/* -EBADMSG: not such a file. */
int gput__proc_status_parse(const char *text, struct gput__proc_status *ret);

#endif

/* proc_stat.h - the fields we use of /proc/<pid>/stat, see proc_pid_stat(5). */
#ifndef GPUT_SOURCE_PROC_STAT_H
#define GPUT_SOURCE_PROC_STAT_H

#include <stdint.h>
#include <sys/types.h>

struct gput__proc_stat {
    char comm[16]; /* the name, as far as the kernel keeps it */
    char state;
    pid_t ppid, pgrp, session;
    uint64_t flags;                            /* PF_... of the kernel's; 4: it is exiting */
    uint64_t minflt, cminflt, majflt, cmajflt; /* c: of children waited for, with theirs */
    uint64_t utime, stime, cutime, cstime;     /* clock ticks, each cut to a whole one */
    uint32_t num_threads;
    uint64_t starttime; /* clock ticks since boot; with the pid the identity of a process */
    uint64_t rss_pages;
    uint64_t
        startstack; /* 0 without the right to see it; the same after fork, another after exec */
    uint64_t blkio_ticks; /* waited for disks, where delay accounting is on; of one thread */
};

/* -EBADMSG: not such a line. */
int gput__proc_stat_parse(const char *text, struct gput__proc_stat *ret);

#endif

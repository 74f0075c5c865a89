/* memscan.h - a memory scan: what the processes of the job have of their own and what they share.
 *
 * Its cost grows with the memory of the job, so it runs on a thread of its own: polls, records and
 * the end of the run never wait for it.  A read can also hang, as long as the process that is read
 * holds the lock of its own memory map: then the thread is left behind. */
#ifndef GPUT_SAMPLE_MEMSCAN_H
#define GPUT_SAMPLE_MEMSCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct gput__memscan_task {
    pid_t pid, via; /* see struct gput__task */
    bool is_main;
    bool is_forked;     /* and has not become another program: it shares with its parent */
    bool counts;        /* false: forked a moment ago; what it was forked with is not yet its own */
    uint64_t known_rss; /* what a poll said; all there is where smaps may not be read */
    uint64_t known_anon;
    uint64_t known_faults;
    /* the result, bytes */
    int error;
    uint64_t rss, pss, anon, private_rss, shared_rss, pss_anon, private_anon;
};

struct gput__rss {
    uint64_t total, private_rss, shared_rss;
};

struct gput__memscan {
    struct gput__root proc;
    const bool *stop; /* set from another thread: it is not wanted any more; NULL: never */
    struct gput__memscan_task *tasks;
    uint32_t n;
    size_t cap;
    bool is_full;     /* the whole job, not only some of its processes */
    bool with_files;  /* with who shares which file: many times as expensive */
    uint64_t version; /* of the tree when it was asked for */
    /* the result */
    struct gput__rss main, descendants, combined;
    uint64_t pss, descendants_pss; /* sums of the shares, the latter with what main shares */
    uint64_t pss_anon, main_pss;   /* of the former, anonymous pages; main's */
    uint64_t files;                /* pages of files, each once; 0 without them */
    bool complete;                 /* no process vanished meanwhile */
    bool has_grown;                /* more pages of files were mapped meanwhile */
    uint32_t hidden;               /* processes whose smaps may not be read */
    int64_t cost_ns;               /* CPU time that it took */
};

/* Reads and sums up, on the calling thread. */
void gput__memscan_run(struct gput__memscan *scan);

/* A thread that runs scans, one at a time; started at the first one. */
struct gput__memscanner; /* opaque */

/* NULL: no memory for it. */
struct gput__memscanner *gput__memscanner_open(const struct gput__root *proc);
/* A scan under way is given up; if that takes long its thread is left behind.  NULL is fine. */
void gput__memscanner_close(struct gput__memscanner *s);
/* The scan: the caller's to fill and to read, but between _ask() and the _done() that says true. */
struct gput__memscan *gput__memscanner_scan(struct gput__memscanner *s);
/* Readable when a scan is finished; -1: nothing is woken then. */
int gput__memscanner_fd(const struct gput__memscanner *s);
/* -EAGAIN: there is no thread for it. */
int gput__memscanner_ask(struct gput__memscanner *s);
/* Whether the scan that was asked for is finished. */
bool gput__memscanner_done(struct gput__memscanner *s);

#endif

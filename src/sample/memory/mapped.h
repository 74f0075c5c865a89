/* mapped.h - how much the job holds, from what all processes around it hold together.
 *
 * The kernel counts each page once that any process has mapped, for the machine (/proc/meminfo) and
 * for each control group (memory.stat): it takes microseconds, and is right where a memory scan is
 * not, while processes come and go.  What of it is the others' follows whenever the job's part is
 * known: while the job is one process, and at memory scans.  As long as the others stand still, the
 * rest is the job's at every later moment; scans show whether they do. */
#ifndef GPUT_SAMPLE_MAPPED_H
#define GPUT_SAMPLE_MAPPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct gput__mapped {
    const struct gput__root
        *root;       /* of the file that is read; NULL: it has not been searched for */
    char *name;      /* below it */
    int fd;          /* kept open */
    uint64_t all;    /* bytes, when last read; 0: unknown */
    bool has_others; /* what the others have is known: */
    int64_t others;  /* bytes; below nothing by what both they and the job map */
    int64_t noise;   /* by how much they seem to move: a mean that forgets */
    int64_t jolt;    /* the most that they moved at once of late, and when that was worked out */
    int64_t jolt_ns;
    int64_t learned_ns;
    uint64_t followed; /* `all` when the others were last followed */
    int64_t lately;    /* what was taken for theirs in the last moments, */
    int64_t most;      /* and how much of that may be the job's */
    long n_cores;
};

/* Finds the smallest control group around `pid`, else takes the machine.  Both roots are kept. */
void gput__mapped_open(struct gput__mapped *m, const struct gput__root *proc,
                       const struct gput__root *sys, pid_t pid);
void gput__mapped_close(struct gput__mapped *m);

/* Asks the kernel. */
void gput__mapped_read(struct gput__mapped *m);
/* By how much the job can have moved since this was last asked. */
struct gput__moves {
    uint64_t up, down; /* gained and lost, at the most */
    int64_t delay_ns;  /* from the first of its processes that was read to the count */
};

/* What moved besides is the others'. */
void gput__mapped_follow(struct gput__mapped *m, int64_t now, const struct gput__moves *job);
/* What the job holds exactly at the moment of the last read. */
void gput__mapped_learn(struct gput__mapped *m, int64_t now, uint64_t job);
/* What the job holds by a scan that just ended.  `is_exact`: no process came or went meanwhile. */
void gput__mapped_check(struct gput__mapped *m, int64_t now, uint64_t job, bool is_exact);
/* What the job held at the moment of the last read, which will hardly be less than `low` or more than
 * `high`.  -ENODATA: unknown, or the others move too much. */
int gput__mapped_job(struct gput__mapped *m, uint64_t low, uint64_t high, uint64_t *ret);

#endif

/* delays.h - for how long the threads of the job waited: for a CPU, and for disks. */
#ifndef GPUT_SAMPLE_DELAYS_H
#define GPUT_SAMPLE_DELAYS_H

#include "model/sample.h"
#include "sample/tree/tree.h"

/* Written by delays.c alone. */
struct gput__delays {
    bool is_open, is_known; /* a thread has been read */
    bool has_accounting;    /* the kernel counts waiting for disks: kernel.task_delayacct is 1 */
    bool has_no_counts;     /* it does not count waiting for a CPU either */
    bool is_part;           /* of a process with very many threads not all were read */
    uint64_t run_queue_ns, io_ticks; /* gained since the run began, ended threads as last seen */
    uint64_t n_reads,
        version; /* of the tree at the last record: if both are the same, nothing moved */
    /* Sleep that no signal ends, which is nearly always for a disk, as polls see it. */
    bool is_blocked; /* at the last poll */
    int64_t polled_ns, blocked_ns;
    uint64_t polled_reads, polled_version; /* as above, at the last poll */
};

/* At each poll, when the processes have been read. */
void gput__delays_poll(struct gput__delays *d, const struct gput__tree *tree, int64_t now);
/* At a record. */
void gput__delays_read(struct gput__delays *d, struct gput__tree *tree, bool main_only);
/* The metrics, as far as they are known. */
void gput__delays_tell(const struct gput__delays *d, double tick_s, struct gput__sample *ret);

/* A process leaves the table. */
void gput__delays_forget(struct gput__task *t);

#endif

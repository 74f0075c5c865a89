/* gpu_share.h - whose GPU memory is the job's: by pid, by pid in another namespace, by MIG instance,
 * or, where the driver names no processes, by how much the device has changed. */
#ifndef GPUT_SAMPLE_GPU_SHARE_H
#define GPUT_SAMPLE_GPU_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"
#include "sample/gpu/gpus.h"
#include "sample/tree/tree.h"

enum gput__gpu_how {
    GPUT__BY_NOTHING, /* the job used no GPU */
    GPUT__BY_PID,
    GPUT__BY_NAMESPACE,
    GPUT__BY_MIG,
    GPUT__BY_CHANGE,
};

/* One process of the job on one device; written by gpu_share.c alone. */
struct gput__gpu_user {
    pid_t pid;   /* in our namespace */
    pid_t named; /* the driver's */
    unsigned device;
    bool is_main;
    bool has_memory;
    uint64_t max_memory; /* bytes */
    enum gput__gpu_how how;
};

#define GPUT__MOST_GPU_USERS 64

/* What of the GPUs is the job's; written by gpu_share.c alone. */
struct gput__gpu_share {
    uint64_t seq;
    uint64_t tree_version;
    double memory[GPUT__N_GROUPS], used; /* bytes now */
    double utilization;                  /* percent now, those that count together */
    double job_utilization;              /* the part of it that is the job's */
    unsigned in_use, job_in_use;         /* devices that are busy at all, and with the job */
    bool knows_memory, knows_used, knows_utilization;
    bool others; /* another process was on a GPU meanwhile */
    enum gput__gpu_how how;
    /* The largest of them; of more than these the smallest are forgotten. */
    struct gput__gpu_user users[GPUT__MOST_GPU_USERS];
    unsigned n_users;
    /* What those that count do: the mean of them; bytes over their links so far. */
    struct gput__gpu_work work;
};

/* Takes what the thread has seen since the last time, if anything, and sets the GPU metrics. */
void gput__gpu_share_update(struct gput__gpu_share *s, struct gput__gpus *g,
                            const struct gput__tree *tree, struct gput__sample *ret);

#endif

/* plan.h - a job of many nodes that never ran: what each rank did, and what is wrong with some. */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "noise.h"

enum fault {
    FAULT_NONE,
    FAULT_SLOW,    /* half of the CPU all the time, and longer */
    FAULT_STALL,   /* no CPU for a tenth of the run */
    FAULT_BIG,     /* much more memory */
    FAULT_IDLE,    /* its GPU has little to do */
    FAULT_KILLED,  /* with its tracker, somewhere in the middle */
    FAULT_MISSING, /* of a node: it left no file */
    FAULT_SKEWED,  /* of a node: its clock is wrong by 2 to 5 seconds */
    N_FAULTS,
};
extern const char *const fault_names[N_FAULTS];

struct options {
    const char *out, *job, *step;
    int nodes, ranks, gpus; /* ranks and GPUs on each node */
    double seconds;
    int n_of[N_FAULTS];
    int restart;
    double start;
    struct noise noise;
};

/* So many moments are made of each series before it is thinned. */
enum { MOMENTS = 360, NODE_POINTS = 200, RANK_POINTS = 60, MOST_RANKS = 64 };

struct rank {
    enum fault fault;
    double start, end; /* seconds from the job's start, by a true clock */
    double level, ram, gpu_level;
    double cpu_seconds, max_ram, gpu_busy;
    float cpu[MOMENTS], memory[MOMENTS], gpu[MOMENTS]; /* at start + k / MOMENTS of its run */
};

struct node {
    int index;
    enum fault fault;
    double skew;
    struct rank rank[MOST_RANKS];
    int n_ranks;
    float ram_job[MOMENTS], cpu[MOMENTS]; /* at k / MOMENTS of the job's time */
};

/* Which node and which rank of it each fault is on: never two on one node. */
struct planted {
    enum fault fault;
    int node, local;
};

/* free() the list. */
struct planted *plan_faults(struct options *o, size_t *ret_n);
/* Fills in what happened on a node. */
void plan_node(struct options *o, const struct planted *planted, size_t n, int index,
               struct node *ret);
double plan_length(const struct options *o); /* with the slow ones */

#endif

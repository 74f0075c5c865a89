/* fleet_ask.h - what to ask for, for a job on many nodes. */
#ifndef GPUT_ANALYSIS_FLEET_ASK_H
#define GPUT_ANALYSIS_FLEET_ASK_H

#include "analysis/fleet/fleet_job.h"
#include "gput.h"

struct gput__fleet_ask {
    struct gput_resources task; /* for each rank, as the neediest of them */
    uint64_t node_memory_mib;   /* for each node */
    int nodes, tasks_per_node, gpus_per_node;
    double node_peak; /* bytes: of the node that had most; NAN: not known */
    size_t n_ranks;   /* that were gone by */
    bool is_short;    /* ranks are missing or failed: they may need more */
};

/* 0 or -ENOMEM. */
int gput__fleet_ask(const struct gput__fleet_job *job, double margin, struct gput__fleet_ask *ret);

#endif

/* history.h - the figures of a run over time, as far as a viewer has seen them, for its charts. */
#ifndef CLI_TOP_HISTORY_H
#define CLI_TOP_HISTORY_H

#include "gput.h"

#include <stdbool.h>
#include <stddef.h>

enum top_series {
    TOP_RAM,
    TOP_CPU,
    TOP_GPU_USE,
    TOP_GPU_RAM,
    TOP_DISK_READ,
    TOP_DISK_WRITE,
    TOP_NET_RECEIVED,
    TOP_NET_SENT,
    TOP_N_SERIES
};

enum { TOP_HISTORY = 2048 };

/* The last moments; when it is full every other one of the older half goes. */
struct top_history {
    size_t n;
    double time[TOP_HISTORY]; /* seconds since the start of the run */
    double value[TOP_N_SERIES][TOP_HISTORY];
    bool is_known[TOP_N_SERIES];
    double counted[TOP_N_SERIES]; /* of counters: at the moment before */
};

void top_history_add(struct top_history *h, const struct gput_view *v);

#endif

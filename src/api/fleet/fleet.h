/* fleet.h - a tracker as one of those of a job on many nodes: `--fleet`. */
#ifndef GPUT_API_FLEET_H
#define GPUT_API_FLEET_H

#include "api/fleet/courier.h"
#include "api/tracker.h"
#include "store/fleet/gathering.h"
#include "store/fleet/rank_state.h"

/* Written by fleet.c. */
struct gput__fleet {
    char *folder; /* DIR, absolute */
    struct gput_launch launch;
    struct gput__gathering gathering; /* what the trackers of this node have in common */
    bool was_elected;                 /* at the start: we ask the GPUs for all that they tell */
    bool is_started;                  /* the job runs, or has run */
    double max_pss;
    int64_t next_state_ns, next_refresh_ns;
    struct gput__courier courier;
};

/* fleet_state.c: all that goes into the node's file of this tracker. */
int gput__fleet_state(struct gput_tracker *t, struct gput__rank_state *ret);
/* The few figures that change all the time. */
void gput__fleet_figures(const struct gput_tracker *t, struct gput__rank_state *ret);

#endif

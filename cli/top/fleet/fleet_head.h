/* fleet_head.h - the lines above the grid of ranks: what is missing first. */
#ifndef CLI_TOP_FLEET_HEAD_H
#define CLI_TOP_FLEET_HEAD_H

#include "top/fleet/fleet_source.h"
#include "top/shared/lines.h"

/* Of a job of the fleet; at most so many lines of failed ranks and of such that stand apart. */
void top_fleet_head_write(const struct top_fleet *fleet, const struct gput_fleet_job *job, int most,
                          struct top_head *ret);

#endif

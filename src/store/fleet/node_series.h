/* node_series.h - the series of a node file. */
#ifndef GPUT_STORE_NODE_SERIES_H
#define GPUT_STORE_NODE_SERIES_H

#include "model/fleet/fleet.h"
#include "store/fleet/json_members.h"

/* An object of columns of equally many numbers, with the times in `t`.  Times that do not rise, or none:
 * there is no series; a column of another length, or that is always null, is not known. */
int gput__node_series_read(struct gput__members_reading *rd, int token,
                           const char *const columns[GPUT__FLEET_COLUMNS],
                           struct gput__fleet_series *ret);

#endif

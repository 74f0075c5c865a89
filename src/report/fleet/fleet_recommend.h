/* fleet_recommend.h - what to ask for, for a job on many nodes. */
#ifndef GPUT_REPORT_FLEET_RECOMMEND_H
#define GPUT_REPORT_FLEET_RECOMMEND_H

#include "report/fleet/fleet_report.h"
#include "report/recommend.h"

/* `target` NULL: as o->format says.  0 or -ENOMEM; the buffer keeps its own error. */
int gput__fleet_recommend(const struct gput__fleet_report *r,
                          const struct gput__recommend_target *target,
                          const struct gput_recommend_options *o, struct gput__buf *out);

#endif

/* viewer.h - what a viewer inside the library sees beside struct gput_view. */
#ifndef GPUT_API_LIVE_VIEWER_H
#define GPUT_API_LIVE_VIEWER_H

#include "api/live/watched.h"
#include "gput.h"

/* Of a tracker that makes its figures for us all the time, through memory that we have from it by fork(). */
struct gput_viewer *gput__viewer_beside(const struct gput__watched *w, pid_t tracker);
/* What was read last. */
const struct gput__live_slot *gput__viewer_slot(const struct gput_viewer *v);

#endif

/* run.h - what a tracker has measured, as it is looked at afterwards. */
#ifndef GPUT_API_RUN_H
#define GPUT_API_RUN_H

#include "api/tracker.h"
#include "model/run.h"

/* The figures and, with GPUT_KEEP_SERIES or streams, what they were over time.  Strings of its usage are
 * the tracker's: good until it is asked again or closed.  gput__run_free() the rest.
 * -ENODATA: it has measured nothing yet. */
int gput__run_of(struct gput_tracker *t, struct gput__run *ret, struct gput_error *ret_err);

#endif

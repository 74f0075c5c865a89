/* run.h - what a tracker has measured, as it is looked at afterwards. */
#ifndef GPUT_API_RUN_H
#define GPUT_API_RUN_H

#include "api/tracker.h"
#include "model/run.h"

/* The figures and, with GPUT_KEEP_SERIES or streams, what they were over time.  Strings of its usage are
 * the tracker's: good until it is asked again or closed.  gput__run_free() the rest.
 * -ENODATA: it has measured nothing yet. */
int gput__run_of(struct gput_tracker *t, struct gput__run *ret, struct gput_error *ret_err);

/* run_rows.c: the series of a run from the rows of one, whose columns these are; of its usage the names of
 * GPUs are used. */
int gput__run_take_rows(struct gput__run *run, const struct gput__series *s, double *const *columns,
                        size_t n);
/* report.c: the page of a run that is at hand, as gput_report_html() makes it. */
int gput__report_of_run(struct gput__run *run, int no_redact, char **ret_html);
/* Where it runs. */
void gput__run_tell_machine(struct gput__run *run, const char *proc_root);

#endif

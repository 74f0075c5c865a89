/* fleet_html.h - the page of a job on many nodes. */
#ifndef GPUT_REPORT_FLEET_HTML_H
#define GPUT_REPORT_FLEET_HTML_H

#include "report/fleet/fleet_report.h"

/* Appends the page of one job; `title` NULL: its name or id.  0 or -ENOMEM. */
int gput__fleet_html(const struct gput__fleet_report *r, const struct gput__fleet_job *job,
                     const char *title, struct gput__buf *out);

/* fleet_html_data.c: what its script draws. */
void gput__fleet_html_data(const struct gput__fleet_job *job, struct gput__buf *out);

#endif

/* report.h - the report of a run that has just ended. */
#ifndef CLI_RUN_REPORT_H
#define CLI_RUN_REPORT_H

#include "gput.h"

#include <stdbool.h>

/* free() it; NULL: what went wrong has been said.  `no_redact`: the command is shown as it is. */
char *report_html(struct gput_tracker *t, bool no_redact);

#endif

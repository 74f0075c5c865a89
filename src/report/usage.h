/* usage.h - the figures of a run, written. */
#ifndef GPUT_REPORT_USAGE_H
#define GPUT_REPORT_USAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "gput.h"

/* Both append and return 0 or -ENOMEM. */
int gput__usage_text(const struct gput_usage *u, bool full, struct gput__buf *out);
int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out);

#endif

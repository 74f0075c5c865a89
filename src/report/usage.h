/* usage.h - the figures of a run, written. */
#ifndef GPUT_REPORT_USAGE_H
#define GPUT_REPORT_USAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "gput.h"

/* Both append and return 0 or -ENOMEM. */
int gput__usage_text(const struct gput_usage *u, bool full, struct gput__buf *out);
int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out);

/* Each figure with its path, e.g. "max_ram.main.total_rss". */
typedef void gput__source_fn(void *ctx, const char *path, const struct gput_figure *f);
void gput__usage_each_source(const struct gput_usage *u, gput__source_fn *fn, void *ctx);

#endif

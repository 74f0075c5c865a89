/* usage.h - the figures of a run, written. */
#ifndef GPUT_REPORT_USAGE_H
#define GPUT_REPORT_USAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "gput.h"

/* Both append and return 0 or -ENOMEM. */
int gput__usage_text(const struct gput_usage *u, bool full, struct gput__buf *out);
int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out);

/* For the file of a node, which has the GPUs of all its ranks, and their sources, once: the full JSON
 * without these; why figures are not exact, each reason with its figures; the members of one GPU. */
int gput__usage_json_of_rank(const struct gput_usage *u, struct gput__buf *out);
int gput__provenance_json(const struct gput_usage *u, struct gput__buf *out);
struct gput__json;
void gput__gpu_json(struct gput__json *j, const struct gput_usage *u, int i);

/* The few lines of gput_usage_summary(). */
int gput__usage_summary(const struct gput_usage *u, int width, bool use_unicode,
                        struct gput__buf *out);

#endif

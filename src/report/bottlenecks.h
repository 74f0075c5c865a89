/* bottlenecks.h - what limited a run, in words: see gput_bottlenecks(). */
#ifndef GPUT_REPORT_BOTTLENECKS_H
#define GPUT_REPORT_BOTTLENECKS_H

#include <stdbool.h>

#include "gput.h"
#include "report/json/json.h"

/* Room for the words of one. */
enum { GPUT__BOTTLENECK_SIZE = 200 };

/* Whether it says that what the run was given is well used. */
bool gput__bottleneck_is_good(const struct gput_bottleneck *b);

/* The member "bottlenecks" of a result; the section of the same in its text. */
void gput__bottlenecks_json(struct gput__json *j, const struct gput_usage *u);
void gput__bottlenecks_text(struct gput__buf *out, const struct gput_usage *u);

#endif

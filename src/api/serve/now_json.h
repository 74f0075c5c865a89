/* now_json.h - what a job holds just now, and its processes, as JSON for the live page. */
#ifndef GPUT_API_SERVE_NOW_JSON_H
#define GPUT_API_SERVE_NOW_JSON_H

#include "base/buf.h"
#include "gput.h"

/* On one line. */
void gput__now_json(const struct gput_view *v, struct gput__buf *out);

#endif

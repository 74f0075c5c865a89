/* analysis.h - analyses and comparisons of code blocks as text and JSON. */
#ifndef GPUT_REPORT_ANALYSIS_H
#define GPUT_REPORT_ANALYSIS_H

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "base/buf.h"

void gput__analysis_text(const struct gput_analysis *a, bool full, struct gput__buf *out);
void gput__analysis_json(const struct gput_analysis *a, bool full, struct gput__buf *out);
void gput__comparison_text(const struct gput__comparison *c, enum gput_statistic statistic,
                           struct gput__buf *out);
void gput__comparison_json(const struct gput__comparison *c, struct gput__buf *out);

#endif

/* html_comparison.h - runs side by side as one page, with charts over one time axis. */
#ifndef GPUT_REPORT_HTML_COMPARISON_H
#define GPUT_REPORT_HTML_COMPARISON_H

#include "analysis/run_comparison.h"
#include "base/buf.h"
#include "model/run.h"

/* `runs` has for each group one that is drawn, or NULL.  0 or -ENOMEM. */
int gput__html_comparison(const struct gput__run_comparison *c, const struct gput__run *const *runs,
                          struct gput__buf *out);

#endif

/* html_fragment.h - a run as a part of somebody else's page. */
#ifndef GPUT_REPORT_HTML_FRAGMENT_H
#define GPUT_REPORT_HTML_FRAGMENT_H

#include "report/html/html.h"

/* The main of a report as a part of another page, such as a notebook: without a script and a style
 * sheet, in the colours of what is around it.  0 or -ENOMEM. */
int gput__html_fragment(const struct gput__html *h, struct gput__buf *out);

#endif

/* plot.h - a run as a picture of text: a summary, and charts over one time axis. */
#ifndef GPUT_REPORT_PLOT_H
#define GPUT_REPORT_PLOT_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/run.h"

/* What the reader's screen can show. */
struct gput__plot_style {
    int width; /* columns; no line is longer */
    bool use_unicode, use_colour;
    const char *title; /* NULL: the command, else the file */
};

enum {
    GPUT__PLOT_NARROWEST = 40,
    GPUT__PLOT_WIDEST = 1000, /* no screen is wider */
};

/* Widths outside of the two above are taken as the nearest of them.  -ENOMEM. */
int gput__plot(const struct gput__run *run, const struct gput__plot_style *style,
               struct gput__buf *out);

#endif

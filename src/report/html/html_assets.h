/* html_assets.h - style and scripts of the report, put into the program by tools/embed. */
#ifndef GPUT_REPORT_HTML_ASSETS_H
#define GPUT_REPORT_HTML_ASSETS_H

#include <stddef.h>

struct gput__asset {
    const unsigned char *text;
    size_t n;
    const char *hash; /* for the page's Content-Security-Policy: only what we wrote may run */
};

extern const struct gput__asset gput__asset_style, gput__asset_head_script,
    gput__asset_report_script;

/* 0: this build has no uPlot; charts stand still. */
extern const int gput__assets_have_uplot;

#endif

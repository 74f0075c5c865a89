/* bars.h - code blocks as bars on a terminal: share of time, peak RAM, peak GPU RAM. */
#ifndef CLI_BARS_H
#define CLI_BARS_H

#include "gput.h"

#include <stdbool.h>
#include <stdio.h>

/* What the terminal can show. */
struct bars_style {
    int width;
    bool has_colour;
    bool has_utf8;
};

/* On standard output, as its terminal likes it. */
void bars_print(const struct gput_analysis *a);

/* The costliest blocks first, one line each, no line longer than `width`. */
void bars_format(const struct gput_analysis *a, const struct bars_style *style, FILE *out);

#endif

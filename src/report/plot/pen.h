/* pen.h - writes lines of a picture cell by cell: colours where they change, no blanks at the end. */
#ifndef GPUT_REPORT_PEN_H
#define GPUT_REPORT_PEN_H

#include <stdbool.h>

#include "base/buf.h"

struct gput__pen {
    struct gput__buf *out;
    bool use_unicode, use_colour;
    int column;         /* of the next cell */
    int n_blanks;       /* not yet written: a line may end here */
    const char *colour; /* now in effect; NULL: none */
};

/* Colours, as the terminal takes them. */
#define GPUT__PEN_PLAIN NULL
#define GPUT__PEN_BOLD "1"
#define GPUT__PEN_DIM "2"
#define GPUT__PEN_MARK "1;33"

/* `glyph` takes one cell. */
void gput__pen_cell(struct gput__pen *pen, const char *colour, const char *glyph);
/* ASCII. */
void gput__pen_text(struct gput__pen *pen, const char *colour, const char *text);
/* Text of unknown origin, in at most `room` cells. */
void gput__pen_foreign(struct gput__pen *pen, const char *colour, const char *text, int room);
/* Blanks up to that column; nothing where the pen is there or further. */
void gput__pen_to(struct gput__pen *pen, int column);
void gput__pen_end_line(struct gput__pen *pen);

/* The first where Unicode is used, else the second. */
const char *gput__pen_choice(const struct gput__pen *pen, const char *unicode, const char *ascii);

#endif

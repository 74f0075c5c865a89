/* pen.c - writes lines of a picture cell by cell. */
#include "report/plot/pen.h"

#include <string.h>

#include "report/text/screen_text.h"

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void switch_colour(struct gput__pen *pen, const char *colour)
{
    if (!pen->use_colour || is_same(pen->colour, colour))
        return;
    if (pen->colour)
        gput__buf_puts(pen->out, "\033[0m");
    if (colour)
        gput__buf_printf(pen->out, "\033[%sm", colour);
    pen->colour = colour;
}

static void write_blanks(struct gput__pen *pen)
{
    if (pen->n_blanks > 0)
        gput__buf_printf(pen->out, "%*s", pen->n_blanks, "");
    pen->n_blanks = 0;
}

void gput__pen_cell(struct gput__pen *pen, const char *colour, const char *glyph)
{
    pen->column++;
    if (strcmp(glyph, " ") == 0) {
        pen->n_blanks++;
        return;
    }
    write_blanks(pen);
    switch_colour(pen, colour);
    gput__buf_puts(pen->out, glyph);
}

void gput__pen_text(struct gput__pen *pen, const char *colour, const char *text)
{
    for (; *text; text++)
        gput__pen_cell(pen, colour, (const char[]){ *text, '\0' });
}

void gput__pen_foreign(struct gput__pen *pen, const char *colour, const char *text, int room)
{
    write_blanks(pen);
    switch_colour(pen, colour);
    pen->column += gput__screen_text(pen->out, text, room, pen->use_unicode);
}

void gput__pen_to(struct gput__pen *pen, int column)
{
    if (column <= pen->column)
        return;
    pen->n_blanks += column - pen->column;
    pen->column = column;
}

void gput__pen_end_line(struct gput__pen *pen)
{
    switch_colour(pen, NULL);
    gput__buf_putc(pen->out, '\n');
    pen->column = pen->n_blanks = 0;
}

const char *gput__pen_choice(const struct gput__pen *pen, const char *unicode, const char *ascii)
{
    return pen->use_unicode ? unicode : ascii;
}

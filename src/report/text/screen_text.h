/* screen_text.h - text of unknown origin on the cells of a terminal. */
#ifndef GPUT_REPORT_SCREEN_TEXT_H
#define GPUT_REPORT_SCREEN_TEXT_H

#include <stdbool.h>

#include "base/buf.h"

/* The text on one line and in at most `room` columns; where it is longer it ends in dots.  What would
 * steer the terminal, cannot be seen or is no UTF-8 is shown as "\n", "\x1b" or "\u202e"; without
 * `use_unicode` what is not ASCII is "?".  Returns the columns taken. */
int gput__screen_text(struct gput__buf *out, const char *text, int room, bool use_unicode);

/* All of it on one line. */
void gput__screen_line(struct gput__buf *out, const char *text);

/* Columns of one character, never fewer than a terminal takes: terminals differ in the width of
 * pictures and of marks on letters. */
int gput__screen_columns(unsigned character);

#endif

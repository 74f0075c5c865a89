/* screen.h - `top` on the full screen. */
#ifndef CLI_TOP_SCREEN_H
#define CLI_TOP_SCREEN_H

#include "top/source.h"

/* Whether the terminal can show it: it is one, for input too, is not "dumb", and ncurses is there.  Else
 * `ret_why` says what is missing. */
int top_screen_begin(const char **ret_why);

/* One of `n` runs, until the user leaves; `interval` seconds from look to look.  Returns the exit
 * status. */
int top_screen(struct top_source *sources, int n, double interval);

#endif

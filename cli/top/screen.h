/* screen.h - `top` on the full screen. */
#ifndef CLI_TOP_SCREEN_H
#define CLI_TOP_SCREEN_H

#include "top/source.h"

/* One of `n` runs, until the user leaves; `interval` seconds from look to look.  Returns the exit
 * status. */
int top_screen(struct top_source *sources, int n, double interval);

#endif

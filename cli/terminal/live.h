/* live.h - the status line of --live. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "gput.h"

#include <stddef.h>

struct live {    /* zero: not shown yet */
    double next; /* not before this many seconds of the run */
};

/* The line for what is held now, of at most `width` columns: what matters least is left out. */
void live_format(const struct gput_live *now, size_t width, char *ret, size_t size);

/* Shows the line on standard error if that is a terminal and we are in its foreground. */
void live_show(struct live *l, const struct gput_live *now);

/* Gives the row back to the terminal. */
void live_end(void);

#endif

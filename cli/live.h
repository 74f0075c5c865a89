/* live.h - the status line of --live. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "gput.h"

#include <stdbool.h>
#include <stddef.h>

struct live { /* zero: not shown yet */
    bool shown;
    double next; /* not before this many seconds of the run */
};

/* The line for what is held now, cut to `width` columns. */
void live_format(const struct gput_now *now, size_t width, char *ret, size_t size);

/* Shows the line on standard error if that is a terminal and we are in its foreground. */
void live_show(struct live *l, const struct gput_now *now);
void live_erase(struct live *l);

#endif

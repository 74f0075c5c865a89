/* warnings.h - warnings that wait until it is sure that nothing is refused. */
#ifndef GPUT_STORE_WARNINGS_H
#define GPUT_STORE_WARNINGS_H

#include "gput.h"

struct gput__warnings {
    struct gput_callbacks on; /* to be given to others; borrows this struct */
    const struct gput_callbacks *to;
    char **lines;
    size_t n;
};

/* `to` may be NULL.  *w must stay where it is. */
void gput__warnings_begin(struct gput__warnings *w, const struct gput_callbacks *to);
/* Hands them over, or not, and forgets them. */
void gput__warnings_end(struct gput__warnings *w, int are_told);

#endif

/* plain.h - `top --plain`: a page of text every few seconds. */
#ifndef CLI_TOP_PLAIN_H
#define CLI_TOP_PLAIN_H

#include "top/source.h"

struct top_plain {
    double interval; /* seconds from page to page */
    int count;       /* pages, 0: until the job ends */
    int width;
};

/* Of `n` runs, one page each.  Returns the exit status. */
int top_plain(const struct top_plain *p, struct top_source *sources, int n);

#endif

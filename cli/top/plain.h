/* plain.h - `top --plain`: a page of text every few seconds. */
#ifndef CLI_TOP_PLAIN_H
#define CLI_TOP_PLAIN_H

#include "top/shared/pages.h"
#include "top/source.h"

/* Of `n` runs, one page each.  Returns the exit status. */
int top_plain(const struct top_pages *p, struct top_source *sources, int n);

#endif

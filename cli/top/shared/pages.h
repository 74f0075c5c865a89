/* pages.h - pages of text, one every few seconds, for screen readers, logs and pipes. */
#ifndef CLI_TOP_PAGES_H
#define CLI_TOP_PAGES_H

#include <stdio.h>
#include <time.h>

struct top_pages {
    double interval; /* seconds from page to page */
    int count;       /* pages, 0: until the job ends */
    int width;
};

/* What `print` writes, in one write: a reader gets whole pages.  0 or a negative errno. */
int top_page_write(void (*print)(const void *what, FILE *out), const void *what);
/* Until the next page; one that is late is not followed by others at once. */
void top_page_wait(struct timespec *next, double interval);

#endif

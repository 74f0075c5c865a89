/* open_page.h - shows an HTML page in the user's browser. */
#ifndef CLI_OPEN_PAGE_H
#define CLI_OPEN_PAGE_H

/* Starts $BROWSER (its first, where it lists several), else xdg-open, and does not wait for it.
 * Returns the exit status; what went wrong has been said. */
int open_page(const char *file);

#endif

/* open_page.h - shows an HTML page in the user's browser. */
#ifndef CLI_OPEN_PAGE_H
#define CLI_OPEN_PAGE_H

/* Starts $BROWSER (its first, where it lists several), else xdg-open, and does not wait for it; it is no child
 * of ours.  A file, or an address that begins with "http".  Returns the exit status; what went wrong has been
 * said, behind `prefix`. */
int open_page(const char *prefix, const char *page);

#endif

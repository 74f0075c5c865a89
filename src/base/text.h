/* text.h - short texts from outside, made fit to be shown. */
#ifndef GPUT_BASE_TEXT_H
#define GPUT_BASE_TEXT_H

/* Takes blanks and newlines off both ends and shows control characters as '?', in place.  Returns
 * `text`. */
char *gput__text_tidy(char *text);

#endif

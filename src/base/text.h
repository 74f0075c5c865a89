/* text.h - short texts from outside, made fit to be shown.
 *
 * Control characters would steer a terminal or end a line: in names of machines and files they are
 * shown as '?'.  Commands and names of code blocks, where every character counts, are shown by
 * report/screen_text.h and report/html_text.h. */
#ifndef GPUT_BASE_TEXT_H
#define GPUT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Without control characters. */
bool gput__text_is_plain(const char *text);
/* Shows them as '?', in place.  NULL is fine.  Returns `text`. */
char *gput__text_plain(char *text);
/* The same, and takes blanks and newlines off both ends. */
char *gput__text_tidy(char *text);
/* The start of a text of any length, on one line, for messages. */
const char *gput__text_shown(const char *text, size_t len, char *ret, size_t size);

#endif

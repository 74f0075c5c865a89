/* text.h - short texts from outside, made fit to be shown.
 *
 * What would steer a terminal, end a line or turn the text round is '?' in names of machines and
 * files, by gput_text_plain().  Commands and names of code blocks, where every character counts, are
 * shown by report/text/screen_text.h and report/html/html_text.h. */
#ifndef GPUT_BASE_TEXT_H
#define GPUT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* All of it can be seen, and is UTF-8. */
bool gput__text_is_plain(const char *text);
/* gput_text_plain(), and takes blanks and newlines off both ends. */
char *gput__text_tidy(char *text);
/* A spreadsheet that opens a table of text would take such a cell for a formula and run it, with blanks
 * in front too; and behind an apostrophe, which protects from that and is taken off again. */
bool gput__text_is_formula(const char *text, size_t len);
/* A word of a command as a shell reads it, so that it can be pasted: quoted where it has other than plain
 * characters and those of `also`. */
void gput__shell_word(struct gput__buf *out, const char *word, const char *also);
/* The start of a text of any length, on one line, for messages. */
const char *gput__text_shown(const char *text, size_t len, char *ret, size_t size);

#endif

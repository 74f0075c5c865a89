/* help_lines.h - the lines of --help: a name, and a text beside it that fits a terminal. */
#ifndef CLI_HELP_LINES_H
#define CLI_HELP_LINES_H

#include <stddef.h>
#include <stdio.h>

/* Words up to 80 columns; all lines but the first are indented, that one stands there already.  A
 * newline in the text begins a line. */
void help_print_wrapped(FILE *out, const char *text, int indent);

/* "  -o, --output=<file>", and the text beside or below it.  A name of one letter is a short option. */
void help_print_option(FILE *out, char letter, const char *name, const char *argument,
                       const char *text);

/* Adds " One of 'a', 'b' or 'c'." to a text; NULL: nothing. */
void help_add_choices(char *text, size_t size, const char *const *choices);

#endif

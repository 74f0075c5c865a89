/* help.h - the text of --help, made from the option table. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

void help_print(FILE *out);

/* Words up to 100 columns, further lines indented as the texts of options are; starts in `column`. */
void help_print_wrapped(FILE *out, const char *text, int column);

#endif

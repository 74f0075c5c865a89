/* help.h - the text of --help, made from the option table. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

void help_print(FILE *out);

#endif

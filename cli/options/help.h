/* help.h - the text of --help, made from the tables of commands and options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options/option.h"

#include <stdio.h>

void help_print(FILE *out, const struct command *command);

#endif

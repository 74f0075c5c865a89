/* help.h - the text of --help, made from the tables of options and subcommands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "sub_options.h"

#include <stdbool.h>
#include <stdio.h>

void help_print(FILE *out);

/* Whether the first or the last word behind the name asks for it. */
bool help_is_wanted(int argc, char **argv);

/* Of one subcommand; `label` is how it is called ("sub-track analyze"). */
void help_print_command(FILE *out, const char *label, const struct sub_command *command);
/* A line for each subcommand of a table. */
void help_print_commands(FILE *out, const struct sub_command *commands);

#endif

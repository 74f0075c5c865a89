/* sub_track_help.c - `gpu-tracker sub-track --help`, made from the tables of options. */
#include "sub_track.h"

enum { TEXT_COLUMN = 32 }; /* as help_print_wrapped() indents */

void sub_command_help(FILE *out, const struct sub_command *command)
{
    fprintf(out, "gpu-tracker sub-track %s %s\n%s\n\nOptions:\n", command->name, command->usage,
            command->help);
    sub_options_help(out, command->options);
}

void sub_track_help(FILE *out)
{
    fputs("Tells which part of the code costs what: marks of code blocks, and their analysis with "
          "the\n"
          "tracking file of the same run.\n"
          "\n"
          "Usage:\n",
          out);
    for (const struct sub_command *c = sub_commands; c->name; c++)
        fprintf(out, "  gpu-tracker sub-track %s %s\n", c->name, c->usage);
    fputs("\nSubcommands:\n", out);
    for (const struct sub_command *c = sub_commands; c->name; c++)
        fprintf(out, "  %-*s%s\n", TEXT_COLUMN - 2, c->name, c->help);
    fputs("\nEach has a --help of its own.\n", out);
}

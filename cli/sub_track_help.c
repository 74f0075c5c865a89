/* sub_track_help.c - `gpu-tracker sub-track --help`, made from the tables of options. */
#include "sub_track.h"

#include "help.h"

#include <string.h>

enum { TEXT_COLUMN = 32 }; /* as help_print_wrapped() indents */

static void print_option(FILE *out, const struct sub_option *o)
{
    char text[500];
    int column = 0;
    size_t used;

    if (o->letter && strlen(o->name) > 1)
        column = fprintf(out, "  -%c, --%s", o->letter, o->name);
    else if (o->letter)
        column = fprintf(out, "  -%c", o->letter);
    else
        column = fprintf(out, "      --%s", o->name);
    if (o->argument)
        column += fprintf(out, "%s%s", strlen(o->name) > 1 ? "=" : " ", o->argument);
    if (column + 2 > TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", TEXT_COLUMN - column, "");
    used = (size_t)snprintf(text, sizeof(text), "%s", o->help);
    for (const char *const *c = o->choices; c && *c && used < sizeof(text); c++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s '%s'%s",
                                 c == o->choices ? " One of"
                                 : c[1]          ? ","
                                                 : " or",
                                 *c, c[1] ? "" : ".");
    help_print_wrapped(out, text, TEXT_COLUMN);
}

void sub_command_help(FILE *out, const struct sub_command *command)
{
    fprintf(out, "gpu-tracker sub-track %s %s\n%s\n\nOptions:\n", command->name, command->usage,
            command->help);
    for (const struct sub_option *o = command->options; o->name; o++)
        print_option(out, o);
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

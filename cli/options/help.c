/* help.c - the text of --help, made from the tables of commands and options. */
#include "options/help.h"

#include <string.h>

enum { WIDTH = 80, TEXT_COLUMN = 28, NAME_COLUMN = 14 }; /* of options, of subcommands */

/* Words up to 80 columns; all lines but the first are indented, that one stands there already.  A
 * newline in the text begins a line. */
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    bool first = true;

    while (*text) {
        int length = (int)strcspn(text, " \n");
        bool is_full = !first && column + 1 + length > WIDTH;

        if (is_full)
            fprintf(out, "\n%*s", indent, "");
        column = is_full ? indent : column;
        column += fprintf(out, "%s%.*s", first || is_full ? "" : " ", length, text);
        first = text[length] == '\n';
        text += length;
        if (first) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    putc('\n', out);
}

/* "  -o, --output=<file>" */
static int print_name(FILE *out, const struct option_def *def)
{
    bool is_long = def->name[1] != '\0';
    int column;

    if (!is_long)
        column = fprintf(out, "  -%s", def->name);
    else if (def->letter)
        column = fprintf(out, "  -%c, --%s", def->letter, def->name);
    else
        column = fprintf(out, "      --%s", def->name);
    if (def->argument)
        column += fprintf(out, "%s%s%s",
                          def->is_optional ? "[="
                          : is_long        ? "="
                                           : " ",
                          def->argument, def->is_optional ? "]" : "");
    return column;
}

static void print_option(FILE *out, const struct option_def *def)
{
    int column = print_name(out, def);
    char text[500];
    size_t used = (size_t)snprintf(text, sizeof(text), "%s", def->help);

    for (const char *const *choice = def->choices; choice && *choice; choice++) {
        const char *between = choice == def->choices ? " One of" : choice[1] ? "," : " or";

        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s '%s'%s", between, *choice,
                                 choice[1] ? "" : ".");
    }
    if (def->fallback)
        snprintf(text + used, sizeof(text) - used, " Defaults to '%s'.", def->fallback);
    if (column + 2 > TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", TEXT_COLUMN - column, "");
    print_wrapped(out, text, TEXT_COLUMN);
}

static void print_options(FILE *out, const struct option_def *options)
{
    const char *group = NULL;

    for (const struct option_def *def = options; def && def->name; def++) {
        if (!def->help)
            continue;
        if (def == options || def->group != group)
            fprintf(out, "\n%s:\n", def->group ? def->group : "Options");
        group = def->group;
        print_option(out, def);
    }
}

static void print_usage(FILE *out, const struct command *command)
{
    if (!command->subcommands || !*command->name)
        fprintf(out, "  gpu-tracker %s%s%s\n", command->name, *command->name ? " " : "",
                command->usage);
    else
        for (const struct command *c = command->subcommands; c->name; c++)
            print_usage(out, c);
}

static void print_subcommands(FILE *out, const struct command *commands)
{
    fputs("\nSubcommands, each with a --help of its own:\n", out);
    for (const struct command *c = commands; c->name; c++) {
        if (!c->help)
            continue;
        fprintf(out, "  %-*s", NAME_COLUMN - 2, command_word(c));
        print_wrapped(out, c->help, NAME_COLUMN);
    }
}

void help_print(FILE *out, const struct command *command)
{
    if (!*command->name) /* its usage has many lines */
        print_wrapped(out, command->help, 0);
    fprintf(out, "%sUsage:\n", *command->name ? "" : "\n");
    print_usage(out, command);
    if (*command->name) {
        putc('\n', out);
        print_wrapped(out, command->about ? command->about : command->help, 0);
    }
    if (command->subcommands)
        print_subcommands(out, command->subcommands);
    print_options(out, command->options);
    if (!*command->name)
        fputs(command->about, out);
}

/* help_lines.c - the lines of --help: a name, and a text beside it that fits a terminal. */
#include "help_lines.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 80, TEXT_COLUMN = 28 };

void help_print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    bool first = true;

    while (*text) {
        int length = (int)strcspn(text, " \n");

        if (!first && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length;
        if (*text == '\n') {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        text += *text != '\0';
    }
    putc('\n', out);
}

void help_print_option(FILE *out, char letter, const char *name, const char *argument,
                       const char *text)
{
    bool is_long = strlen(name) > 1;
    int column;

    if (!is_long)
        column = fprintf(out, "  -%s", name);
    else if (letter)
        column = fprintf(out, "  -%c, --%s", letter, name);
    else
        column = fprintf(out, "      --%s", name);
    if (argument)
        column += fprintf(out, "%s%s", is_long ? "=" : " ", argument);
    if (column + 2 > TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", TEXT_COLUMN - column, "");
    help_print_wrapped(out, text, TEXT_COLUMN);
}

void help_add_choices(char *text, size_t size, const char *const *choices)
{
    for (const char *const *choice = choices; choice && *choice; choice++) {
        const char *between = choice == choices ? " One of" : choice[1] ? "," : " or";
        size_t used = strlen(text);

        snprintf(text + used, size - used, "%s '%s'%s", between, *choice, choice[1] ? "" : ".");
    }
}

/* help.c - the text of --help, made from the tables of options and subcommands. */
#include "help.h"

#include "commands.h"
#include "options.h"

#include <string.h>

enum { TEXT_COLUMN = 32, WIDTH = 100 };

void help_print_wrapped(FILE *out, const char *text, int column)
{
    bool first = true;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (!first && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length + (text[length] == ' ');
    }
    putc('\n', out);
}

static void print_text(FILE *out, const struct option_def *def)
{
    fputs(def->help, out);
    for (const char *const *choice = def->choices; choice && *choice; choice++) {
        const char *between = choice == def->choices ? " One of" : choice[1] ? "," : " or";

        fprintf(out, "%s '%s'%s", between, *choice, choice[1] ? "" : ".");
    }
    if (def->fallback)
        fprintf(out, " Defaults to '%s'.", def->fallback);
}

static void print_option(FILE *out, const struct option_def *def)
{
    char text[500] = "";
    FILE *line = fmemopen(text, sizeof(text), "w");
    int column;

    if (def->letter)
        column = fprintf(out, "  -%c, --%s", def->letter, def->name);
    else
        column = fprintf(out, "      --%s", def->name);
    if (def->argument)
        column += fprintf(out, "=%s", def->argument);
    if (column + 2 > TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", TEXT_COLUMN - column, "");
    if (line) {
        print_text(line, def);
        fclose(line);
    }
    help_print_wrapped(out, text, TEXT_COLUMN);
}

static void print_groups(FILE *out)
{
    for (int group = 0; group < N_GROUPS; group++) {
        fprintf(out, "\n%s:\n", option_group_title((enum option_group)group));
        for (int id = 0; id < N_OPTIONS; id++) {
            const struct option_def *def = option_def((enum option_id)id);

            if (def->help && (int)def->group == group)
                print_option(out, def);
        }
    }
}

static void print_usage_of_subcommands(FILE *out)
{
    for (const struct subcommand *s = subcommands; s->name; s++)
        if (s->help)
            fprintf(out, "  gpu-tracker %s %s\n", s->name, s->usage);
}

static void print_subcommands(FILE *out)
{
    fputs("\nSubcommands:\n", out);
    for (const struct subcommand *s = subcommands; s->name; s++) {
        if (!s->help)
            continue;
        fprintf(out, "  %-*s", TEXT_COLUMN - 2, s->name);
        help_print_wrapped(out, s->help, TEXT_COLUMN);
    }
}

void help_print(FILE *out)
{
    fputs("Tells what a command and all of its descendants use of RAM, GPU RAM, CPU, GPU and "
          "time.\n"
          "\n"
          "Usage:\n"
          "  gpu-tracker [options] [--] command [arguments...]\n"
          "  gpu-tracker [options] --execute=<command>\n"
          "  gpu-tracker [options] --pid=<pid>\n",
          out);
    print_usage_of_subcommands(out);
    fputs("  gpu-tracker -h | --help\n"
          "  gpu-tracker -v | --version\n",
          out);
    print_groups(out);
    print_subcommands(out);
    fputs("\n"
          "Options end at the first word that is not one; after -- comes the command, whatever its "
          "name,\n"
          "even that of a subcommand.\n"
          "The exit status is the command's (128+N: signal N ended it), or 124 timeout, 125 the "
          "tracker\n"
          "failed, 126 not executable, 127 not found, 2 wrong usage.\n"
          "\n"
          "Examples:\n"
          "  gpu-tracker -e \"bash job.sh\" --ru=megabytes --tu=seconds\n"
          "  gpu-tracker -f json -o result.json -- python3 train.py --epochs 3\n"
          "  gpu-tracker --full --pid=4711\n"
          "  gpu-tracker doctor\n"
          "  gpu-tracker sub-track analyze --tf=run.csv --stf=blocks.csv\n"
          "  srun gpu-tracker -o result-%r.txt -- ./solver\n",
          out);
}

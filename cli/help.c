/* help.c - the text of --help, made from the tables of options and subcommands. */
#include "help.h"

#include "commands.h"
#include "help_lines.h"
#include "options.h"

#include <string.h>

enum { NAME_COLUMN = 14 }; /* of the texts beside subcommands */

static void print_option(FILE *out, const struct option_def *def)
{
    char text[500];
    size_t used;

    snprintf(text, sizeof(text), "%s", def->help);
    help_add_choices(text, sizeof(text), def->choices);
    used = strlen(text);
    if (def->fallback)
        snprintf(text + used, sizeof(text) - used, " Defaults to '%s'.", def->fallback);
    help_print_option(out, def->letter, def->name, def->argument, text);
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

void help_print_commands(FILE *out, const struct sub_command *commands)
{
    for (const struct sub_command *c = commands; c->name; c++) {
        if (!c->help)
            continue;
        fprintf(out, "  %-*s", NAME_COLUMN - 2, c->name);
        help_print_wrapped(out, c->help, NAME_COLUMN);
    }
}

void help_print_command(FILE *out, const char *label, const struct sub_command *command)
{
    fprintf(out, "Usage:\n  gpu-tracker %s %s\n\n", label, command->usage);
    help_print_wrapped(out, command->about ? command->about : command->help, 0);
    fputs("\nOptions:\n", out);
    sub_options_help(out, command->options);
}

bool help_is_wanted(int argc, char **argv)
{
    const char *words[] = { argc > 1 ? argv[1] : "", argv[argc - 1] };

    for (int i = 0; i < 2; i++)
        if (strcmp(words[i], "-h") == 0 || strcmp(words[i], "--help") == 0)
            return true;
    return false;
}

void help_print(FILE *out)
{
    fputs("Tells what a command and its descendants use: RAM, GPU RAM, CPU, GPU and time.\n"
          "\n"
          "Usage:\n"
          "  gpu-tracker [options] [--] command [arguments...]\n"
          "  gpu-tracker [options] --execute=<command>\n"
          "  gpu-tracker [options] --pid=<pid>\n"
          "  gpu-tracker <subcommand> [options]\n"
          "  gpu-tracker -h | --help\n"
          "  gpu-tracker -v | --version\n"
          "\n"
          "Subcommands, each with a --help of its own:\n",
          out);
    help_print_commands(out, subcommands);
    print_groups(out);
    fputs("\n"
          "Options end at the first word that is not one; after -- comes the command,\n"
          "whatever its name, even that of a subcommand.\n"
          "The exit status is the command's (128+N: signal N ended it), or 124 timeout,\n"
          "125 the tracker failed, 126 not executable, 127 not found, 2 wrong usage.\n"
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

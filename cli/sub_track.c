/* sub_track.c - `gpu-tracker sub-track`: THE table of its subcommands, and their options. */
#include "sub_track.h"

#include "commands.h"
#include "exit_codes.h"
#include "help.h"
#include "output.h"
#include "say.h"

#include <string.h>

const struct sub_command sub_commands[] = {
    { .name = "mark",
      .run = sub_track_mark,
      .usage = "--stf=<file> --name=<name> [options] start|stop",
      .help = "Mark the start or the stop of a code block, for use in scripts.",
      .options = sub_mark_options },
    { .name = "run",
      .run = sub_track_run,
      .usage = "--stf=<file> --name=<name> [--exact] [--] command...",
      .help = "Run a command as a code block.",
      .options = sub_run_options,
      .words_end_options = true },
    { .name = "combine",
      .run = sub_track_combine,
      .usage = "--stf=<file> -p <file-path>...",
      .help = "Put the marks of several sub-tracking files into one.",
      .options = sub_combine_options,
      .words_are = 'p' },
    { .name = "analyze",
      .run = sub_track_analyze,
      .usage = "--tf=<tracking-file> --stf=<file> [options]",
      .help = "Tell what each code block took.",
      .options = sub_analyze_options },
    { .name = "compare",
      .run = sub_track_compare,
      .usage = "[options] -m <name>=<file-path>...",
      .help = "Compare the analyses of several runs.",
      .options = sub_compare_options,
      .words_are = 'm' },
    { .name = NULL },
};

/* "sub-track analyze" */
static void name_command(const struct sub_command *command, char ret[40])
{
    snprintf(ret, 40, "sub-track %s", command->name);
}

int sub_track_parse(const struct sub_command *command, int argc, char **argv,
                    int (*take)(void *ctx, int option, const char *value), void *ctx)
{
    char label[40];

    name_command(command, label);
    return sub_options_parse(command, label, argc, argv, take, ctx);
}

int sub_track_check_output(const struct sub_command *command, const char *output, const char *file)
{
    if (!output_is(output, file))
        return 0;
    say("sub-track %s: --output: '%s' is one of the files to read", command->name, output);
    return -1;
}

static int say_names(const char *word)
{
    char list[100] = "";

    for (const struct sub_command *c = sub_commands; c->name; c++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", c->name);
    }
    if (word)
        say("sub-track: '%s' is not one of: %s", word, list);
    else
        say("sub-track: one of these is missing: %s", list);
    return EXIT_USAGE;
}

static void print_help(FILE *out)
{
    fputs("Usage:\n", out);
    for (const struct sub_command *c = sub_commands; c->name; c++)
        fprintf(out, "  gpu-tracker sub-track %s %s\n", c->name, c->usage);
    fputs("\n"
          "Tells which part of the code costs what: marks of code blocks, and their\n"
          "analysis with the tracking file of the same run.\n"
          "\n"
          "Subcommands, each with a --help of its own:\n",
          out);
    help_print_commands(out, sub_commands);
}

int command_sub_track(const struct sub_command *command, int argc, char **argv)
{
    char label[40];

    if (argc < 2)
        return say_names(NULL);
    if (help_is_wanted(2, argv)) {
        print_help(stdout);
        return 0;
    }
    command = sub_command_find(sub_commands, argv[1]);
    if (!command)
        return say_names(argv[1]);
    if (argc > 2 && help_is_wanted(2, argv + 1)) {
        name_command(command, label);
        help_print_command(stdout, label, command);
        return 0;
    }
    return command->run(command, argc - 1, argv + 1);
}

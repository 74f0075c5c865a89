/* sub_track.c - `gpu-tracker sub-track`: THE table of its subcommands, and their options. */
#include "sub_track.h"

#include "commands.h"
#include "exit_codes.h"
#include "say.h"

#include <string.h>
#include <sys/stat.h>

const struct sub_command sub_commands[] = {
    { "mark", sub_track_mark, "--stf=<sub-track-file> --name=<name> [options] start|stop",
      "Mark the start or the stop of a code block, for use in scripts.", sub_mark_options, false,
      0 },
    { "run", sub_track_run, "--stf=<sub-track-file> --name=<name> [--exact] [--] command...",
      "Run a command as a code block.", sub_run_options, true, 0 },
    { "combine", sub_track_combine, "--stf=<sub-track-file> -p <file-path>...",
      "Put the marks of several sub-tracking files into one.", sub_combine_options, false, 'p' },
    { "analyze", sub_track_analyze, "--tf=<tracking-file> --stf=<sub-track-file> [options]",
      "Tell what each code block took.", sub_analyze_options, false, 0 },
    { "compare", sub_track_compare, "[options] -m <name>=<file-path>...",
      "Compare the analyses of several runs.", sub_compare_options, false, 'm' },
    { .name = NULL },
};

int sub_track_parse(const struct sub_command *command, int argc, char **argv,
                    int (*take)(void *ctx, int option, const char *value), void *ctx)
{
    char label[40];

    snprintf(label, sizeof(label), "sub-track %s", command->name);
    return sub_options_parse(command, label, argc, argv, take, ctx);
}

int sub_track_check_output(const struct sub_command *command, const char *output, const char *file)
{
    struct stat to, from;

    if (!output || stat(output, &to) < 0 || stat(file, &from) < 0 || !S_ISREG(to.st_mode) ||
        to.st_dev != from.st_dev || to.st_ino != from.st_ino)
        return 0;
    say("sub-track %s: --output: '%s' is one of the files to read", command->name, output);
    return -1;
}

const struct sub_command *sub_command(const char *name)
{
    for (const struct sub_command *c = sub_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
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

int command_sub_track(int argc, char **argv)
{
    const struct sub_command *command;

    if (argc < 2)
        return say_names(NULL);
    if (asks_for_help(argv[1])) {
        sub_track_help(stdout);
        return 0;
    }
    command = sub_command(argv[1]);
    if (!command)
        return say_names(argv[1]);
    if (argc > 2 && asks_for_help(argv[2])) {
        sub_command_help(stdout, command);
        return 0;
    }
    return command->run(argc - 1, argv + 1);
}

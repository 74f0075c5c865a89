/* sub_track.c - `gpu-tracker sub-track`: THE table of its subcommands, and their options. */
#include "sub_track.h"

#include "commands.h"
#include "exit_codes.h"
#include "say.h"

#include <stdio.h>
#include <string.h>

const struct sub_command sub_commands[] = {
    { "sub-track ", "mark", sub_track_mark,
      "--stf=<sub-track-file> --name=<name> [options] start|stop",
      "Mark the start or the stop of a code block, for use in scripts.", sub_mark_options, false,
      0 },
    { "sub-track ", "run", sub_track_run,
      "--stf=<sub-track-file> --name=<name> [--exact] [--] command...",
      "Run a command as a code block.", sub_run_options, true, 0 },
    { "sub-track ", "combine", sub_track_combine, "--stf=<sub-track-file> -p <file-path>...",
      "Put the marks of several sub-tracking files into one.", sub_combine_options, false, 'p' },
    { "sub-track ", "analyze", sub_track_analyze,
      "--tf=<tracking-file> --stf=<sub-track-file> [options]", "Tell what each code block took.",
      sub_analyze_options, false, 0 },
    { "sub-track ", "compare", sub_track_compare, "[options] -m <name>=<file-path>...",
      "Compare the analyses of several runs.", sub_compare_options, false, 'm' },
    { .name = NULL },
};

const struct sub_command *sub_command(const char *name)
{
    for (const struct sub_command *c = sub_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
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
    if (subcommand_asks_for_help(argv[1])) {
        sub_track_help(stdout);
        return 0;
    }
    command = sub_command(argv[1]);
    if (!command)
        return say_names(argv[1]);
    if (argc > 2 && subcommand_asks_for_help(argv[2])) {
        subcommand_help(stdout, command);
        return 0;
    }
    return command->run(argc - 1, argv + 1);
}

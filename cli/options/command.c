/* command.c - subcommands: found by name, their options read, run. */
#include "options/help.h"
#include "options/near.h"
#include "options/option.h"
#include "output/exit_codes.h"

#include <stdio.h>
#include <string.h>

const char *command_word(const struct command *command)
{
    const char *blank = strrchr(command->name, ' ');

    return blank ? blank + 1 : command->name;
}

const struct command *command_find(const struct command *table, const char *word)
{
    for (const struct command *c = table; c->name; c++)
        if (strcmp(command_word(c), word) == 0)
            return c;
    return NULL;
}

const char *command_near(const struct command *table, const char *word)
{
    struct near near = near_to(word, strlen(word));

    for (const struct command *c = table; c->name; c++)
        near_try(&near, c->help ? command_word(c) : NULL);
    return near.best;
}

int command_parse(const struct command *command, struct given *values, int argc, char **argv)
{
    struct refusal why;
    int word = options_parse(command, values, argc, argv, &why);

    if (word >= 0)
        return word;
    say("%s: %s", command->name, why.text);
    return -1;
}

int command_parse_alone(const struct command *command, struct given *values, int argc, char **argv)
{
    int word = command_parse(command, values, argc, argv);

    if (word < 0 || word == argc)
        return word < 0 ? -1 : 0;
    say("%s: '%s': it takes options only (see gpu-tracker %s --help)", command->name, argv[word],
        command->name);
    return -1;
}

static int refuse_word(const struct command *command, const char *word)
{
    const char *near = word ? command_near(command->subcommands, word) : NULL;
    char list[100] = "";

    for (const struct command *c = command->subcommands; c->name; c++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", command_word(c));
    }
    if (near)
        say("%s: '%s' is not one of: %s; did you mean '%s'?", command->name, word, list, near);
    else if (word)
        say("%s: '%s' is not one of: %s", command->name, word, list);
    else
        say("%s: one of these is missing: %s", command->name, list);
    return EXIT_USAGE;
}

static bool is_help(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
}

/* The first word asks for it, or the last unless that may be another command's. */
static bool help_is_wanted(const struct command *command, int argc, char **argv)
{
    if (!command->options && !command->subcommands)
        return false;
    return argc > 1 && (is_help(argv[1]) || (is_help(argv[argc - 1]) && !command->subcommands &&
                                             !command->words_end_options));
}

int command_run(const struct command *command, int argc, char **argv)
{
    const struct command *sub;

    if (help_is_wanted(command, argc, argv)) {
        help_print(stdout, command);
        return 0;
    }
    if (!command->subcommands)
        return command->run(command, argc, argv);
    sub = argc > 1 ? command_find(command->subcommands, argv[1]) : NULL;
    return sub ? command_run(sub, argc - 1, argv + 1)
               : refuse_word(command, argc > 1 ? argv[1] : NULL);
}

/* help.c - `gpu-tracker help [topic]`: the manual, a section of it, or a subcommand's --help. */
#include "options/help.h"
#include "commands/commands.h"
#include "commands/manual.h"
#include "output/exit_codes.h"
#include "output/say.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct option_def help_options[] = { { .name = NULL } };

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + 1;
}

/* A section begins with its title at the margin, in capitals. */
static bool is_title(const char *line)
{
    return *line != ' ' && *line != '\n';
}

/* The section whose title begins with the topic, in letters of either size; NULL: none does. */
static const char *find_section(const char *topic)
{
    for (const char *line = manual_text; *line; line = next_line(line))
        if (is_title(line) && strncasecmp(line, topic, strlen(topic)) == 0)
            return line;
    return NULL;
}

static void print_section(const char *title)
{
    const char *end = next_line(title);

    while (*end && !is_title(end))
        end = next_line(end);
    fwrite(title, 1, (size_t)(end - title), stdout);
}

static void refuse_topic(const char *topic)
{
    const char *near = command_near(gpu_tracker.subcommands, topic);
    char list[600] = "";
    size_t used = 0;

    for (const char *line = manual_text; *line; line = next_line(line))
        if (is_title(line) && used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s", used ? ", " : "",
                                     (int)strcspn(line, "\n"), line);
    if (near)
        say("help: there is nothing about '%s'; did you mean '%s'?", topic, near);
    else
        say("help: there is nothing about '%s'; topics are the subcommands and %s", topic, list);
}

/* The words as one; -1: one of them is an option. */
static int join_topic(int argc, char **argv, char *ret, size_t size)
{
    size_t used = 0;

    *ret = '\0';
    for (int i = 1; i < argc && used < size; i++) {
        if (*argv[i] == '-') {
            say("help: '%s': it takes a topic only", argv[i]);
            return -1;
        }
        used += (size_t)snprintf(ret + used, size - used, "%s%s", i > 1 ? " " : "", argv[i]);
    }
    return 0;
}

int command_help(const struct command *command, int argc, char **argv)
{
    char topic[100];
    const char *section;

    if (argc == 1) {
        fputs(manual_text, stdout);
        return 0;
    }
    if (join_topic(argc, argv, topic, sizeof(topic)) < 0)
        return EXIT_USAGE;
    command = &gpu_tracker;
    for (int i = 1; i < argc && command; i++)
        command = command->subcommands ? command_find(command->subcommands, argv[i]) : NULL;
    if (command && command->help) {
        help_print(stdout, command);
        return 0;
    }
    section = find_section(topic);
    if (section)
        print_section(section);
    else
        refuse_topic(topic);
    return section ? 0 : EXIT_USAGE;
}

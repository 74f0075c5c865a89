/* sub_track.c - `gpu-tracker sub-track`: THE table of its subcommands, and their options. */
#include "sub_track.h"

#include "commands.h"
#include "exit_codes.h"
#include "say.h"

#include <getopt.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_OPTIONS = 16,
    LONG_BASE = 256, /* above any short letter */
    A_WORD = 1,      /* what getopt_long calls a word that is no option, where it is asked for */
};

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

struct getopt_tables {
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 3];
};

static void fill_tables(const struct sub_command *command, struct getopt_tables *t)
{
    char *p = t->shorts;
    int n = 0;

    if (command->words_end_options || command->words_are)
        *p++ = command->words_are ? '-' : '+';
    *p++ = ':';
    for (const struct sub_option *o = command->options; o->name && n < MOST_OPTIONS; o++, n++) {
        t->longs[n] = (struct option){ o->name, o->argument ? required_argument : no_argument, NULL,
                                       LONG_BASE + n };
        if (!o->letter)
            continue;
        *p++ = o->letter;
        if (o->argument)
            *p++ = ':';
    }
    t->longs[n] = (struct option){ NULL, 0, NULL, 0 };
    *p = '\0';
}

/* The place in the table of what getopt has found; the end of it where there is none. */
static int place_of(const struct sub_command *command, int found)
{
    int i = found - LONG_BASE;

    if (found < LONG_BASE)
        for (i = 0; command->options[i].name && command->options[i].letter != (char)found;)
            i++;
    return i;
}

static void print_name(const struct sub_option *o, char *ret, size_t size)
{
    if (strlen(o->name) == 1)
        snprintf(ret, size, "-%s", o->name);
    else
        snprintf(ret, size, "--%s", o->name);
}

static int say_unknown(const struct sub_command *command, int found, char **argv)
{
    const struct sub_option *o;
    char name[40];

    if (found == ':') {
        o = &command->options[place_of(command, optopt)];
        print_name(o, name, sizeof(name));
        say("sub-track %s: option '%s' needs an argument: %s", command->name, name, o->argument);
    } else if (optopt >= LONG_BASE) {
        say("sub-track %s: option '--%s' takes no argument", command->name,
            command->options[optopt - LONG_BASE].name);
    } else if (optopt) {
        say("sub-track %s: unknown option '-%c' (see gpu-tracker sub-track %s --help)",
            command->name, optopt, command->name);
    } else {
        say("sub-track %s: unknown option '%.*s' (see gpu-tracker sub-track %s --help)",
            command->name, (int)strcspn(argv[optind - 1], "="), argv[optind - 1], command->name);
    }
    return -1;
}

static int check_choice(const struct sub_command *command, const struct sub_option *o,
                        const char *value)
{
    char list[200] = "";

    for (const char *const *choice = o->choices; choice && *choice; choice++) {
        size_t used = strlen(list);

        if (strcmp(*choice, value) == 0)
            return 0;
        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", *choice);
    }
    if (!o->choices)
        return 0;
    say("sub-track %s: --%s: '%s' is not one of: %s%s", command->name, o->name, value, list,
        strcmp(value, "pickle") == 0 ? " (pickles can run code when they are read; take json)"
                                     : "");
    return -1;
}

int sub_track_parse(const struct sub_command *command, int argc, char **argv,
                    int (*take)(void *ctx, int option, const char *value), void *ctx)
{
    struct getopt_tables tables;
    int found;

    fill_tables(command, &tables);
    opterr = 0;
    optind = 0; /* makes glibc start anew */
    while ((found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) >= 0) {
        const struct sub_option *o;

        if (found == '?' || found == ':')
            return say_unknown(command, found, argv);
        if (found == A_WORD)
            found = command->words_are;
        o = &command->options[place_of(command, found)];
        if (o->argument && check_choice(command, o, optarg) < 0)
            return -1;
        if (take(ctx, (int)(o - command->options), o->argument ? optarg : NULL) < 0)
            return -1;
    }
    while (command->words_are && optind < argc) { /* behind "--" */
        if (take(ctx, place_of(command, command->words_are), argv[optind++]) < 0)
            return -1;
    }
    return optind;
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

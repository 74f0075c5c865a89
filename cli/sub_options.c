/* sub_options.c - the options of subcommands: parsing and help. */
#include "sub_options.h"

#include "help_lines.h"
#include "say.h"

#include <getopt.h>
#include <string.h>

enum {
    MOST_OPTIONS = 16,
    LONG_BASE = 256, /* above any short letter */
    A_WORD = 1,      /* what getopt_long calls a word that is no option, where it is asked for */
};

struct getopt_tables {
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 3];
};

const struct sub_command *sub_command_find(const struct sub_command *table, const char *name)
{
    for (const struct sub_command *c = table; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

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

static int say_unknown(const struct sub_command *command, const char *label, int found, char **argv)
{
    const struct sub_option *o;
    char name[40];

    if (found == ':') {
        o = &command->options[place_of(command, optopt)];
        print_name(o, name, sizeof(name));
        say("%s: option '%s' needs an argument: %s", label, name, o->argument);
    } else if (optopt >= LONG_BASE) {
        say("%s: option '--%s' takes no argument", label,
            command->options[optopt - LONG_BASE].name);
    } else if (optopt) {
        say("%s: unknown option '-%c' (see gpu-tracker %s --help)", label, optopt, label);
    } else {
        say("%s: unknown option '%.*s' (see gpu-tracker %s --help)", label,
            (int)strcspn(argv[optind - 1], "="), argv[optind - 1], label);
    }
    return -1;
}

static int check_choice(const char *label, const struct sub_option *o, const char *value)
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
    say("%s: --%s: '%s' is not one of: %s%s", label, o->name, value, list,
        strcmp(value, "pickle") == 0 ? " (pickles can run code when they are read; take json)"
                                     : "");
    return -1;
}

int sub_options_parse(const struct sub_command *command, const char *label, int argc, char **argv,
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
            return say_unknown(command, label, found, argv);
        if (found == A_WORD)
            found = command->words_are;
        o = &command->options[place_of(command, found)];
        if (o->argument && check_choice(label, o, optarg) < 0)
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

int sub_options_alone(const struct sub_command *command, const char *label, int argc, char **argv,
                      int (*take)(void *ctx, int option, const char *value), void *ctx)
{
    int word = sub_options_parse(command, label, argc, argv, take, ctx);

    if (word < 0 || word == argc)
        return word < 0 ? -1 : 0;
    say("%s: '%s': it takes options only (see gpu-tracker %s --help)", label, argv[word], label);
    return -1;
}

static void print_option(FILE *out, const struct sub_option *o)
{
    char text[500];

    snprintf(text, sizeof(text), "%s", o->help);
    help_add_choices(text, sizeof(text), o->choices);
    help_print_option(out, o->letter, o->name, o->argument, text);
}

void sub_options_help(FILE *out, const struct sub_option *options)
{
    for (const struct sub_option *o = options; o->name; o++)
        if (o->help)
            print_option(out, o);
}

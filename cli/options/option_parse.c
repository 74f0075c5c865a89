/* option_parse.c - a command line, by getopt_long, with messages of our own. */
#include "options/near.h"
#include "options/option.h"
#include "options/option_set.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
    LONG_BASE = 256, /* above any short letter */
    A_WORD = 1,      /* what getopt_long calls a word that is no option, where it is asked for */
};

struct getopt_tables {
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 3];
};

/* '+': options end at the first word that is not one.  '-': such words are told as A_WORD.
 * ':': a missing argument is told apart. */
static void fill_tables(const struct command *command, struct getopt_tables *t)
{
    char *p = t->shorts;
    int n = 0;

    if (command->words_end_options || command->words_are)
        *p++ = command->words_are ? '-' : '+';
    *p++ = ':';
    for (const struct option_def *def = command->options; def->name && n < MOST_OPTIONS; def++) {
        int has_argument = def->is_optional ? optional_argument
                           : def->argument  ? required_argument
                                            : no_argument;

        t->longs[n] = (struct option){ def->name, has_argument, NULL, LONG_BASE + n };
        n++;
        if (!def->letter)
            continue;
        *p++ = def->letter;
        if (def->argument)
            *p++ = ':';
    }
    t->longs[n] = (struct option){ NULL, 0, NULL, 0 };
    *p = '\0';
}

static int place_of(const struct command *command, int found)
{
    int i = 0;

    if (found >= LONG_BASE)
        return found - LONG_BASE;
    found = found == A_WORD ? (unsigned char)command->words_are : found;
    while (command->options[i].letter != (char)found)
        i++;
    return i;
}

/* Whether the value is a word of its own. */
static bool is_apart(char **argv)
{
    return optarg && optarg == argv[optind - 1];
}

/* getopt_long does not say whether a long option is unknown or ambiguous. */
static int refuse_long(const struct command *command, const char *word, const char *see,
                       struct refusal *ret_why)
{
    int length = (int)strcspn(word, "="), matches = 0;
    struct near near = near_to(word + 2, (size_t)length - 2);
    char list[300] = "";

    for (const struct option_def *def = command->options; def->name; def++) {
        size_t used = strlen(list);

        if (strncmp(def->name, word + 2, (size_t)length - 2) == 0)
            snprintf(list + used, sizeof(list) - used, "%s--%s", matches++ ? ", " : "", def->name);
        near_try(&near, def->help ? def->name : NULL);
    }
    if (matches > 1 && length > 2)
        return refuse(ret_why, "option '%.*s' is ambiguous: %s", length, word, list);
    if (near.best)
        return refuse(ret_why, "unknown option '%.*s'; did you mean '--%s'? %s", length, word,
                      near.best, see);
    return refuse(ret_why, "unknown option '%.*s' %s", length, word, see);
}

static int refuse_option(const struct command *command, int found, char **argv,
                         struct refusal *ret_why)
{
    const char *word = argv[optind - 1];
    char see[80], label[LABEL_SIZE];
    int i;

    snprintf(see, sizeof(see), "(see gpu-tracker %s%s--help)", command->name,
             *command->name ? " " : "");
    if (optopt == 0)
        return refuse_long(command, word, see, ret_why);
    if (found == '?' && optopt < LONG_BASE)
        return refuse(ret_why, "unknown option '-%c' %s", optopt, see);
    i = place_of(command, optopt);
    option_word(&command->options[i], word, label);
    if (found == '?')
        return refuse(ret_why, "option '%s' takes no argument", label);
    return refuse(ret_why, "option '%s' needs an argument: %s", label,
                  command->options[i].argument);
}

static int set_found(const struct command *command, struct given *given, int found, char **argv,
                     struct refusal *ret_why)
{
    int i = place_of(command, found);
    const struct option_def *def = &command->options[i];
    char label[LABEL_SIZE];

    given->word[i] = found == A_WORD ? NULL : argv[optind - (is_apart(argv) ? 2 : 1)];
    /* "-- command" behind an option whose value was forgotten; "--report=--" is a name. */
    if (found != A_WORD && is_apart(argv) && strcmp(optarg, "--") == 0)
        return refuse(ret_why, "option '%s' needs an argument: %s",
                      option_word(def, given->word[i], label), def->argument);
    if (def->is_optional && !optarg)
        return option_set(given, i, FROM_LINE, "", ret_why);
    return option_set(given, i, FROM_LINE, def->argument ? optarg : NULL, ret_why);
}

static int check_pairs(const struct given *given, struct refusal *ret_why)
{
    const struct option_def *options = given->options;
    char label[LABEL_SIZE], other[LABEL_SIZE];

    for (int i = 0; options[i].name; i++) {
        int excluded = option_by_name(options, options[i].excludes);
        int needed = option_by_name(options, options[i].needs);

        if (!given->origin[i])
            continue;
        if (excluded >= 0 && given->origin[excluded])
            return refuse(ret_why, "%s and %s do not go together",
                          option_label(given, excluded, other), option_label(given, i, label));
        if (needed >= 0 && !given->origin[needed])
            return refuse(ret_why, "%s goes with --%s", option_label(given, i, label),
                          options[needed].name);
    }
    return 0;
}

int options_parse(const struct command *command, struct given *given, int argc, char **argv,
                  struct refusal *ret_why)
{
    struct getopt_tables tables;
    int found, before = 1; /* optind in front of each step */

    given->command = command;
    given->options = command->options;
    fill_tables(command, &tables);
    opterr = 0;
    optind = 0; /* makes glibc start anew */
    while ((found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) >= 0) {
        if (found == '?' || found == ':')
            return refuse_option(command, found, argv, ret_why);
        if (set_found(command, given, found, argv, ret_why) < 0)
            return -EINVAL;
        if (command->options[place_of(command, found)].is_last)
            return optind;
        before = optind;
    }
    given->after_dashes = optind > before; /* only "--" is stepped over at the end */
    while (command->words_are && optind < argc) {
        optarg = argv[optind++];
        if (set_found(command, given, A_WORD, argv, ret_why) < 0)
            return -EINVAL;
    }
    return check_pairs(given, ret_why) < 0 ? -EINVAL : optind;
}

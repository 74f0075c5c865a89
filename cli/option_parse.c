/* option_parse.c - the command line, by getopt_long, with messages of our own. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { LONG_BASE = 256 }; /* above any short letter */

struct getopt_tables {
    struct option longs[N_OPTIONS + 1];
    char shorts[2 + 2 * N_OPTIONS + 1];
};

/* '+': options end at the first word that is not one.  ':': a missing argument is told apart. */
static void fill_tables(struct getopt_tables *t)
{
    char *p = t->shorts;

    *p++ = '+';
    *p++ = ':';
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);
        int has_arg = def->argument ? required_argument : no_argument;

        t->longs[id] = (struct option){ def->name, has_arg, NULL, LONG_BASE + id };
        if (!def->letter)
            continue;
        *p++ = def->letter;
        if (def->argument)
            *p++ = ':';
    }
    t->longs[N_OPTIONS] = (struct option){ NULL, 0, NULL, 0 };
    *p = '\0';
}

static enum option_id id_of(int found)
{
    int id = found - LONG_BASE;

    if (found < LONG_BASE)
        for (id = 0; option_def((enum option_id)id)->letter != (char)found;)
            id++;
    return (enum option_id)id;
}

/* getopt_long does not say whether a long option is unknown or ambiguous. */
static int refuse_long(const char *word, struct refusal *ret_why)
{
    size_t length = strcspn(word + 2, "=");
    char list[300] = "";
    int matches = 0;

    for (int id = 0; id < N_OPTIONS; id++) {
        const char *name = option_def((enum option_id)id)->name;
        size_t used = strlen(list);

        if (strncmp(name, word + 2, length) == 0)
            snprintf(list + used, sizeof(list) - used, "%s--%s", matches++ ? ", " : "", name);
    }
    if (matches > 1 && length > 0)
        return refuse(ret_why, "option '%.*s' is ambiguous: %s", (int)length + 2, word, list);
    return refuse(ret_why, "unknown option '%.*s' (see gpu-tracker --help)", (int)length + 2, word);
}

static int refuse_option(int found, char **argv, struct refusal *ret_why)
{
    if (found == ':')
        return refuse(ret_why, "option '--%s' needs an argument: %s",
                      option_def(id_of(optopt))->name, option_def(id_of(optopt))->argument);
    if (optopt >= LONG_BASE)
        return refuse(ret_why, "option '--%s' takes no argument", option_def(id_of(optopt))->name);
    if (optopt)
        return refuse(ret_why, "unknown option '-%c' (see gpu-tracker --help)", optopt);
    return refuse_long(argv[optind - 1], ret_why);
}

/* "-- command" behind an option whose value was forgotten; "--report=--" is a name. */
static bool is_forgotten(char **argv)
{
    return optarg == argv[optind - 1] && strcmp(optarg, "--") == 0;
}

static int take(struct options *o, enum option_id id, char **argv, struct refusal *ret_why)
{
    if (option_def(id)->argument && is_forgotten(argv))
        return refuse(ret_why, "option '--%s' needs an argument: %s", option_def(id)->name,
                      option_def(id)->argument);
    if (option_def(id)->kind != KIND_FLAG)
        return option_set_text(o, id, FROM_LINE, optarg, ret_why);
    option_set_flag(o, id, FROM_LINE, true);
    return 0;
}

int options_parse(struct options *ret, int argc, char **argv, struct refusal *ret_why)
{
    struct getopt_tables tables;
    struct options o = { 0 };
    int before = 1; /* optind in front of each step */

    fill_tables(&tables);
    opterr = 0;
    optind = 0; /* makes glibc start anew */
    while (!o.help && !o.version) {
        int found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);

        if (found < 0) {
            /* Only "--" is stepped over at the end. */
            o.after_dashes = optind > before;
            break;
        }
        if (found == '?' || found == ':')
            return refuse_option(found, argv, ret_why);
        if (take(&o, id_of(found), argv, ret_why) < 0)
            return -EINVAL;
        before = optind;
    }
    o.words = argv + optind;
    o.n_words = argc - optind;
    *ret = o;
    return 0;
}

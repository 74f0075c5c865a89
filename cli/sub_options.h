/* sub_options.h - the options of subcommands.
 *
 * Parsing, --help and the completions are loops over the tables of options: a new option is one
 * line in the table of its subcommand. */
#ifndef CLI_SUB_OPTIONS_H
#define CLI_SUB_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

struct sub_option {
    const char *name;           /* without dashes; NULL ends a table */
    const char *argument;       /* its name in --help; NULL: a flag */
    const char *help;           /* one sentence; NULL: hidden */
    const char *const *choices; /* NULL-terminated, or NULL: any text */
    char letter;                /* short form, or 0 */
    bool is_file;               /* for completions */
};

struct sub_command {
    const char *name;
    /* argv[0] is its name; returns the exit status: 0, 1 failed, 2 usage. */
    int (*run)(const struct sub_command *command, int argc, char **argv);
    const char *usage;                /* its arguments */
    const char *help;                 /* one sentence that fits a line; NULL: hidden */
    const char *about;                /* for its own --help; NULL: `help` says it all */
    const struct sub_option *options; /* ended by a NULL name; NULL: it has its own way */
    bool words_end_options;           /* the first word that is no option ends them */
    char words_are;                   /* letter of the option that such words belong to, or 0 */
};

/* The entry of that name in a table that ends in a NULL name; NULL: there is none. */
const struct sub_command *sub_command_find(const struct sub_command *table, const char *name);

/* Calls `take` for each option that is given, with its place in `options`; `value` is NULL for a
 * flag.  Choices are checked before.  `take` returns 0, or -1 after it has said what is wrong.
 * `label` is how messages name the command ("sub-track analyze").
 * Returns the place in argv of the first word that is no option (the words are moved behind the
 * options unless words_end_options, and are none if words_are is set), or -1 when something was
 * wrong and has been said. */
int sub_options_parse(const struct sub_command *command, const char *label, int argc, char **argv,
                      int (*take)(void *ctx, int option, const char *value), void *ctx);

/* The same for a command that takes no other words: 0 or -1. */
int sub_options_alone(const struct sub_command *command, const char *label, int argc, char **argv,
                      int (*take)(void *ctx, int option, const char *value), void *ctx);

/* The lines of --help. */
void sub_options_help(FILE *out, const struct sub_option *options);

#endif

/* subcommand.h - a subcommand with a table of options: parsing, --help and completions are loops over
 * it.  A new option is one line there. */
#ifndef CLI_SUBCOMMAND_H
#define CLI_SUBCOMMAND_H

#include <stdbool.h>
#include <stdio.h>

struct sub_option {
    const char *name;           /* without dashes; NULL ends a table */
    const char *argument;       /* its name in --help; NULL: a flag */
    const char *help;           /* one sentence */
    const char *const *choices; /* NULL-terminated, or NULL: any text */
    char letter;                /* short form, or 0 */
    bool is_file;               /* for completions */
};

struct sub_command {
    const char *parent; /* "sub-track " before the names of its own, else "" */
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is its name; returns the exit status */
    const char *usage;                 /* its arguments */
    const char *help;                  /* one sentence */
    const struct sub_option *options;  /* ended by a NULL name */
    bool words_end_options;            /* the first word that is no option ends them */
    char words_are;                    /* letter of the option that such words belong to, or 0 */
};

/* Calls `take` for each option that is given, with its place in `options`; `value` is NULL for a
 * flag.  Choices are checked before.  `take` returns 0, or -1 after it has said what is wrong.
 * Returns the place in argv of the first word that is no option (the words are moved behind the
 * options unless words_end_options, and are none if words_are is set), or -1 when something was
 * wrong and has been said. */
int subcommand_parse(const struct sub_command *command, int argc, char **argv,
                     int (*take)(void *ctx, int option, const char *value), void *ctx);

/* Refuses, and says so, a result (NULL: standard output) that would replace a file that is read. */
int subcommand_check_output(const struct sub_command *command, const char *output,
                            const char *file);

bool subcommand_asks_for_help(const char *word);
void subcommand_help(FILE *out, const struct sub_command *command);

#endif

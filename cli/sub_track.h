/* sub_track.h - `gpu-tracker sub-track`: its subcommands, each with a file of its own.
 *
 * Parsing, --help and the completions are loops over the tables of options: a new option is one
 * line in the table of its subcommand. */
#ifndef CLI_SUB_TRACK_H
#define CLI_SUB_TRACK_H

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
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is its name; returns the exit status */
    const char *usage;                 /* its arguments */
    const char *help;                  /* one sentence */
    const struct sub_option *options;  /* ended by a NULL name */
    bool words_end_options;            /* the first word that is no option ends them */
    char words_are;                    /* letter of the option that such words belong to, or 0 */
};

/* The table, ended by a NULL name. */
extern const struct sub_command sub_commands[];

extern const struct sub_option sub_analyze_options[], sub_combine_options[], sub_compare_options[];
extern const struct sub_option sub_mark_options[], sub_run_options[];

int sub_track_analyze(int argc, char **argv);
int sub_track_combine(int argc, char **argv);
int sub_track_compare(int argc, char **argv);
int sub_track_mark(int argc, char **argv);
int sub_track_run(int argc, char **argv);

/* Calls `take` for each option that is given, with its place in `options`; `value` is NULL for a
 * flag.  Choices are checked before.  `take` returns 0, or -1 after it has said what is wrong.
 * Returns the place in argv of the first word that is no option (the words are moved behind the
 * options unless words_end_options, and are none if words_are is set), or -1 when something was
 * wrong and has been said. */
int sub_track_parse(const struct sub_command *command, int argc, char **argv,
                    int (*take)(void *ctx, int option, const char *value), void *ctx);

/* Refuses, and says so, a result (NULL: standard output) that would replace a file that is read. */
int sub_track_check_output(const struct sub_command *command, const char *output, const char *file);

/* The table's entry of a name that is there. */
const struct sub_command *sub_command(const char *name);

/* sub_track_help.c */
void sub_track_help(FILE *out);
void sub_command_help(FILE *out, const struct sub_command *command);

#endif

/* commands.h - the subcommands: each has a file of its own and a line in the table of main.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "sub_options.h"

/* argv[0] is the subcommand's name.  Each returns the exit status: 0, 1 failed, 2 usage. */
int command_catalogue(int argc, char **argv);
int command_completions(int argc, char **argv);
int command_discover(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_helper(int argc, char **argv);
int command_process(int argc, char **argv);
int command_recommend(int argc, char **argv);
int command_report(int argc, char **argv);
int command_sub_track(int argc, char **argv);
int command_system(int argc, char **argv);

struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage; /* its arguments */
    const char *help;  /* one sentence; NULL: hidden */
    const struct sub_option
        *options; /* ended by a NULL name, for completions; NULL: others do it */
};

/* The table, ended by a NULL name. */
extern const struct subcommand subcommands[];

extern const struct sub_option catalogue_options[], discover_options[], process_options[],
    recommend_options[], report_options[], system_options[];

#endif

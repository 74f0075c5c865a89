/* sub_track.h - `gpu-tracker sub-track`: its subcommands, each with a file of its own. */
#ifndef CLI_SUB_TRACK_H
#define CLI_SUB_TRACK_H

#include "sub_options.h"

/* The table, ended by a NULL name. */
extern const struct sub_command sub_commands[];

extern const struct sub_option sub_analyze_options[], sub_combine_options[], sub_compare_options[];
extern const struct sub_option sub_mark_options[], sub_run_options[];

int sub_track_analyze(const struct sub_command *command, int argc, char **argv);
int sub_track_combine(const struct sub_command *command, int argc, char **argv);
int sub_track_compare(const struct sub_command *command, int argc, char **argv);
int sub_track_mark(const struct sub_command *command, int argc, char **argv);
int sub_track_run(const struct sub_command *command, int argc, char **argv);

/* As sub_options_parse(). */
int sub_track_parse(const struct sub_command *command, int argc, char **argv,
                    int (*take)(void *ctx, int option, const char *value), void *ctx);

/* Refuses, and says so, a result (NULL: standard output) that would replace a file that is read. */
int sub_track_check_output(const struct sub_command *command, const char *output, const char *file);

#endif

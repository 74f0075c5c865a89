/* sub_track.h - `gpu-tracker sub-track`: its subcommands, each with a file of its own. */
#ifndef CLI_SUB_TRACK_H
#define CLI_SUB_TRACK_H

#include "options/option.h"

/* The table, ended by a NULL name. */
extern const struct command sub_commands[];

extern const struct option_def sub_analyze_options[], sub_combine_options[], sub_compare_options[];
extern const struct option_def sub_mark_options[], sub_run_options[];

int sub_track_analyze(const struct command *command, int argc, char **argv);
int sub_track_combine(const struct command *command, int argc, char **argv);
int sub_track_compare(const struct command *command, int argc, char **argv);
int sub_track_mark(const struct command *command, int argc, char **argv);
int sub_track_run(const struct command *command, int argc, char **argv);

/* Refuses, and says so, a result (NULL: standard output) that would replace a file that is read. */
int sub_track_check_output(const struct given *given, const char *output, const char *file);

#endif

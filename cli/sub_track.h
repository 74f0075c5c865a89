/* sub_track.h - `gpu-tracker sub-track`: its subcommands, each with a file of its own. */
#ifndef CLI_SUB_TRACK_H
#define CLI_SUB_TRACK_H

#include "subcommand.h"

/* The table, ended by a NULL name. */
extern const struct sub_command sub_commands[];

extern const struct sub_option sub_analyze_options[], sub_combine_options[], sub_compare_options[];
extern const struct sub_option sub_mark_options[], sub_run_options[];

int sub_track_analyze(int argc, char **argv);
int sub_track_combine(int argc, char **argv);
int sub_track_compare(int argc, char **argv);
int sub_track_mark(int argc, char **argv);
int sub_track_run(int argc, char **argv);

/* The table's entry of a name that is there. */
const struct sub_command *sub_command(const char *name);

/* sub_track_help.c */
void sub_track_help(FILE *out);

#endif

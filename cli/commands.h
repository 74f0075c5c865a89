/* commands.h - the subcommands: each has a file of its own and a line in the table of main.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "sub_options.h"

#define COMMAND(name) int name(const struct sub_command *command, int argc, char **argv)
COMMAND(command_catalogue);
COMMAND(command_completions);
COMMAND(command_discover);
COMMAND(command_doctor);
COMMAND(command_helper);
COMMAND(command_recommend);
COMMAND(command_report);
COMMAND(command_stream);
COMMAND(command_sub_track);
#undef COMMAND

/* The table, ended by a NULL name. */
extern const struct sub_command subcommands[];

extern const struct sub_option catalogue_options[], discover_options[], doctor_options[],
    process_options[], recommend_options[], report_options[], system_options[];

#endif

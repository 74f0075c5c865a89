/* commands.h - THE table of commands, and the functions of the subcommands: a file for each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options/option.h"

/* gpu-tracker itself, with its subcommands. */
extern const struct command gpu_tracker;

#define COMMAND(name) int name(const struct command *command, int argc, char **argv)
COMMAND(catalogue_show);
COMMAND(catalogue_update);
COMMAND(command_check);
COMMAND(command_compare);
COMMAND(command_completions);
COMMAND(command_discover);
COMMAND(command_doctor);
COMMAND(command_export);
COMMAND(command_help);
COMMAND(command_helper);
COMMAND(command_history);
COMMAND(command_recommend);
COMMAND(command_repeat);
COMMAND(command_report);
COMMAND(command_stream);
COMMAND(command_serve);
COMMAND(command_top);
#undef COMMAND

extern const char *const history_words[];
extern const struct option_def catalogue_show_options[], catalogue_update_options[],
    check_options[], compare_options[], discover_options[], doctor_options[], help_options[],
    process_options[], recommend_options[], repeat_options[], report_options[], system_options[],
    serve_options[], top_options[];
extern const struct option_def export_options[];
extern const struct option_def history_options[];

#endif

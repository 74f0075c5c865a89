/* merge.h - `gpu-tracker merge`. */
#ifndef CLI_MERGE_H
#define CLI_MERGE_H

#include "options/option.h"

int command_merge(const struct command *command, int argc, char **argv);
extern const struct option_def merge_options[];

#endif

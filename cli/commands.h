/* commands.h - the subcommands: each has a file of its own and a line in the table of main.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

/* argv[0] is the subcommand's name.  Each returns the exit status: 0, 1 failed, 2 usage. */
int command_completions(int argc, char **argv);
int command_doctor(int argc, char **argv);

#endif

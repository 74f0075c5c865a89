/* exit_codes.h - what the exit status says when it is not the command's own. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

enum exit_code {
    EXIT_FAILED = 1, /* of a subcommand */
    EXIT_USAGE = 2,
    EXIT_OVER_BUDGET = 122,   /* the command succeeded, and used more than it may */
    EXIT_OVER_BASELINE = 122, /* of `check`: the command succeeded, its figures are worse */
    EXIT_TIMED_OUT = 124,
    EXIT_TRACKER_FAILED = 125, /* before the command ran */
    EXIT_CANNOT_EXECUTE = 126,
    EXIT_NOT_FOUND = 127,
    EXIT_SIGNAL_BASE = 128,
};

#endif

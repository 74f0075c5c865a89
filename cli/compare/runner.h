/* runner.h - runs commands one after the other under a tracker each, and keeps their results. */
#ifndef CLI_COMPARE_RUNNER_H
#define CLI_COMPARE_RUNNER_H

#include "gput.h"
#include "run/child.h"

#include <stdbool.h>

/* A command to run: as words, or as one string as -e takes it. */
struct runner_command {
    char *const *words; /* NULL: `text` */
    const char *text;
    char *name; /* as a shell would read it */
};

/* Zero: nothing is open. */
struct runner {
    const char *label;   /* the subcommand, for messages */
    const char *results; /* the folder where results stay; NULL: one that is removed */
    bool shows_output;   /* what the command writes to standard output is let through */
    struct child_signals signals;
    char *folder;
    int n_results; /* written so far */
    char *last;    /* the name of the last one */
    int told;      /* the signal that ended it */
};

/* Says what is wrong: 0, or the exit status. */
int runner_open(struct runner *r);
void runner_close(struct runner *r);

/* Sets `name`; free() it.  0 or -ENOMEM. */
int runner_name(struct runner_command *command);

/* Runs it once.  Returns its exit status as the tracker passes it on, and the name of its result, which is
 * good until the next run, or NULL where there is none; a status other than 0 has been said. */
int runner_run(struct runner *r, const struct runner_command *command, const char **ret_result);

#endif

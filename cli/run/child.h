/* child.h - a command as a child: signals reach it as they would without us, and its status is ours.
 *
 * What the terminal sends reaches the command by itself, what is sent to us alone is passed on. */
#ifndef CLI_RUN_CHILD_H
#define CLI_RUN_CHILD_H

#include <signal.h>

struct child_signals {
    sigset_t set, old_mask;
    struct sigaction old_chld;
};

/* Before any other thread is there. */
void child_block_signals(struct child_signals *s);

struct child {
    const char *file; /* what is executed, looked up in PATH; NULL: argv[0] */
    char *const *argv;
    int in, out; /* its standard input and output; -1: ours */
};

/* Runs it to its end and returns its exit status; 128+N where signal N ended it.  -errno: it could not be
 * executed.  `ret_told`, which may be NULL, is the last signal that told us to end meanwhile, or stays. */
int child_run(const struct child_signals *s, const struct child *child, int *ret_told);

#endif

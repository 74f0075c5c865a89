/* run.h - run mode: tracks a command or a running process. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "options/options.h"

/* Returns the exit status. */
int run(struct options *o);

#endif

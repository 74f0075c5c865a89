/* job.h - what is to be tracked. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "options/options.h"

struct job {
    char **argv; /* NULL: the process o->pid */
    char **made; /* of argv, what job_free() frees */
};

/* Exactly one of -e, words after the options, and --pid.  0 or -EINVAL. */
int job_choose(const struct options *o, struct job *ret, struct refusal *ret_why);
void job_free(struct job *job);

#endif

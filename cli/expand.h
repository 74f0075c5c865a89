/* expand.h - %h, %p, %r and %% in the names of files. */
#ifndef CLI_EXPAND_H
#define CLI_EXPAND_H

#include "say.h"

#include <sys/types.h>

struct expansion {
    const char *host;
    pid_t pid;
    const char *rank; /* NULL: not known */
};

/* The rank that the launcher of a parallel job gave this process, or NULL. */
const char *expand_rank(void);

/* The names of this process; `ret->host` is a copy in `host`. */
void expand_here(char host[256], struct expansion *ret);

/* `label` names the option in messages.  free() the result.  0 or -EINVAL. */
int expand(const char *label, const char *pattern, const struct expansion *by, char **ret_name,
           struct refusal *ret_why);

#endif

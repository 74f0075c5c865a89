/* expand.h - %h, %p, %r, %j, %s, %n and %% in the names of files. */
#ifndef CLI_EXPAND_H
#define CLI_EXPAND_H

#include "gput.h"
#include "output/say.h"

#include <sys/types.h>

struct expansion {
    const char *host;
    pid_t pid;
    struct gput_launch launch;
};

/* The names of this process; `ret->host` is a copy in `host`. */
void expand_here(char host[256], struct expansion *ret);

/* `label` names the option in messages.  free() the result.  0 or -EINVAL. */
int expand(const char *label, const char *pattern, const struct expansion *by, char **ret_name,
           struct refusal *ret_why);

#endif

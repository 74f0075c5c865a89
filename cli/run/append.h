/* append.h - --append: the result is added to a file. */
#ifndef CLI_RUN_APPEND_H
#define CLI_RUN_APPEND_H

#include "options/options.h"
#include "output/output.h"

/* Refuses what cannot be added to, or has other columns; `file` NULL: none was named.  `output` is prepared. */
int append_check(const struct options *o, const char *file, const struct output *output,
                 struct refusal *ret_why);

#endif

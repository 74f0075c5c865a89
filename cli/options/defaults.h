/* defaults.h - options of every run: from the user's file, and from GPUT_OPTS, which wins over it. */
#ifndef CLI_DEFAULTS_H
#define CLI_DEFAULTS_H

#include "options/options.h"

#include <stdio.h>

#define DEFAULTS_VARIABLE "GPUT_OPTS"

/* Adds to what the command line gave, which stays.  0 or -EINVAL.  defaults_free() in any case, once the
 * options are not needed any more. */
int defaults_add(struct options *o, struct refusal *ret_why);
void defaults_free(void);

/* The file's name; NULL: there is no place for it.  free() it. */
char *defaults_path(void);

/* Where they are read, and what is there: for `doctor`. */
void defaults_print(FILE *out);

#endif

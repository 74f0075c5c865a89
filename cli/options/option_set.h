/* option_set.h - one value: checked by the kind of its option, and kept. */
#ifndef CLI_OPTION_SET_H
#define CLI_OPTION_SET_H

#include "options/option.h"

/* `text` is NULL for a flag. */
int option_set(struct given *given, int i, enum option_origin origin, const char *text,
               struct refusal *ret_why);

/* "--outp=x" and "-ox" without their values; NULL: the option's name.  Returns `ret`. */
const char *option_word(const struct option_def *def, const char *word, char ret[LABEL_SIZE]);

#endif

/* groups.h - the runs that somebody names on a command line: "a.json", "new=b1.json,b2.json", a folder. */
#ifndef CLI_COMPARE_GROUPS_H
#define CLI_COMPARE_GROUPS_H

#include "gput.h"

/* Adds what `word` names to the comparison.  0, or the exit status once it has been said by `command`. */
int groups_add(struct gput_comparison *c, const char *command, const char *word, int place);

/* --fail-if: "ram>+5%". */
struct refusal;
int groups_fail_if(struct gput_comparison *c, const char *text, struct refusal *ret_why);

extern const char *const comparison_formats[]; /* in the order of enum gput_comparison_format */

#endif

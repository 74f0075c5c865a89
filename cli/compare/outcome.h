/* outcome.h - a comparison, written where the result goes, and what it says of a build. */
#ifndef CLI_COMPARE_OUTCOME_H
#define CLI_COMPARE_OUTCOME_H

#include <stdbool.h>

#include "gput.h"

struct output;

/* 0, or a negative errno once it has been said by `command`. */
int outcome_write(const struct gput_comparison *c, enum gput_comparison_format format,
                  const struct output *output, const char *command);

/* EXIT_FAILED where a --fail-if holds; the lines say which, unless the text does that already. */
int outcome_judge(const struct gput_comparison *c, const char *command, bool with_lines);

#endif

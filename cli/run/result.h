/* result.h - the end of a run: what is said, the result, the exit status. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "gput.h"
#include "options/options.h"
#include "output/output.h"

/* The exit status that tells how the job ended. */
int result_status(const struct options *o, const struct gput_usage *u);

/* Chooses the units that the user left to us ("auto"). */
void result_choose_units(const struct options *o, struct gput_usage *u);

/* The lines on standard error. */
void result_say(const struct options *o, const struct gput_tracker *t, const struct gput_usage *u);

/* Writes the figures, to standard error if they can be stored nowhere else.  Returns `t`, or NULL
 * where it had to be closed: its closing gives signals back their effect, and writing to a pipe
 * that no one reads must be stoppable. */
struct gput_tracker *result_write(const struct options *o, const struct output *output,
                                  struct gput_tracker *t, const struct gput_usage *u);

#endif

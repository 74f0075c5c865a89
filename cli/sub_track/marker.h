/* marker.h - the two marks of `gpu-tracker sub-track run`.
 *
 * Whoever holds the file must not hold up the command: another thread writes the marks, and is waited
 * for a second or so. */
#ifndef CLI_SUB_TRACK_MARKER_H
#define CLI_SUB_TRACK_MARKER_H

#include "output/say.h"

struct marks_options;

/* Opens the file and marks the start of the block; `o` must live as long as the process.  Signals that
 * are to be waited for must be blocked before.  0, or a negative errno with the reason, and there is
 * nothing to stop; -EINVAL: wrong usage. */
int marker_start(const struct marks_options *o, struct refusal *ret_why);

/* Marks its stop and closes the file. */
int marker_stop(struct refusal *ret_why);

#endif

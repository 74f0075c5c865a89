/* run_file.h - reads a finished run from the file that is left of it. */
#ifndef GPUT_STORE_RUN_FILE_H
#define GPUT_STORE_RUN_FILE_H

#include "base/input.h"
#include "model/run.h"

/* From any of: a tracking file (.csv or .sqlite), the JSON of a result (`gpu-tracker -f json`, with
 * or without --full), a snapshot of the Python package resource_tracker, the CSV of a stream of a
 * system or process; all but .sqlite plain or gzipped, also from a pipe.  What it holds decides, not
 * its name.  What the file does not tell is unavailable in run->usage and NULL in run->series.
 * Unfinished last lines are left out, with a warning by `on`, which may be NULL.
 * `ret_err` says what is wrong in one line, with file and line.  -EBADMSG: it is none of these, or is
 * damaged; or the errno of opening. */
int gput__run_read(const char *path, const struct gput_callbacks *on, struct gput__run *ret,
                   struct gput_error *ret_err);
/* The same from an input, which is closed; `path` is for messages. */
int gput__run_read_input(struct gput__input *in, const char *path, const struct gput_callbacks *on,
                         struct gput__run *ret, struct gput_error *ret_err);

#endif

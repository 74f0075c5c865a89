/* run_files.h - a run from its tracking file, its result, or both. */
#ifndef GPUT_API_RUN_FILES_H
#define GPUT_API_RUN_FILES_H

#include "model/run.h"

/* Reads `file` and, if it is not NULL, `result_file`, in either order: a tracking file tells how the
 * figures moved, a result how the run ended.  `ret_tracking_file` is the one of the two that is a
 * tracking file, or NULL.  Errors as in gput__run_read(). */
int gput__run_files_read(const char *file, const char *result_file, const struct gput_callbacks *on,
                         struct gput__run *ret, const char **ret_tracking_file,
                         struct gput_error *err);

#endif

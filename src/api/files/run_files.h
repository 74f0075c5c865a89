/* run_files.h - a run from its tracking file, its result, or both. */
#ifndef GPUT_API_RUN_FILES_H
#define GPUT_API_RUN_FILES_H

#include "model/run.h"

/* Reads `file` and, if it is not NULL, `result_file`, in either order: a tracking file tells how the
 * figures moved, a result how the run ended.  Errors as in gput__run_read(). */
int gput__run_files_read(const char *file, const char *result_file, const struct gput_callbacks *on,
                         struct gput__run *ret, struct gput_error *err);

#endif

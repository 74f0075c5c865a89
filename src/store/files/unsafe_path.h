/* unsafe_path.h - unsafe paths: a link, pipe or file that another user placed where a file is to be written. */
#ifndef GPUT_STORE_UNSAFE_PATH_H
#define GPUT_STORE_UNSAFE_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "gput.h"

/* Whether the file that lies at `path` is unsafe: 0 or -EPERM. */
int gput__check_owner(const char *path, const struct stat *st);

/* Whether an open file is what lies at `path`, and not behind a link there. */
bool gput__is_at(int fd, const char *path);

/* The name of an open file without links in it, to be freed.  -EPERM: somebody has put another one in
 * its place meanwhile. */
int gput__real_name(int fd, const char *path, char **ret);

/* Why a file cannot be written. */
const char *gput__why_unwritten(int r);

#endif

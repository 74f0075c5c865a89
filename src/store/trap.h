/* trap.h - names that somebody else may have laid out for us in a folder that everybody may write. */
#ifndef GPUT_STORE_TRAP_H
#define GPUT_STORE_TRAP_H

#include <sys/stat.h>

#include "gput.h"

/* Where the name leads, as far as links may be followed; free() it.  -EPERM: as of
 * gput_file_check(). */
int gput__follow_links(const char *path, char **ret);

/* Whether the file that lies at `path` is a trap: 0 or -EPERM. */
int gput__check_owner(const char *path, const struct stat *st);

/* Why a file cannot be written. */
const char *gput__why_unwritten(int r);

#endif

/* whole_file.h - files that appear as a whole: written aside, then put in their place. */
#ifndef GPUT_STORE_WHOLE_FILE_H
#define GPUT_STORE_WHOLE_FILE_H

#include <stddef.h>

/* Makes a file of a new name, which ends in `end`, in the folder of `path`; the umask decides on its
 * mode.  Returns its descriptor or a negative errno; free() the name. */
int gput__create_aside(const char *path, const char *end, char **ret_aside);

/* However often a signal or a full pipe cuts it short.  0 or a negative errno. */
int gput__write_all(int fd, const char *text, size_t len);

#endif

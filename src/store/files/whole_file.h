/* whole_file.h - files that appear as a whole: written aside, then put in their place. */
#ifndef GPUT_STORE_WHOLE_FILE_H
#define GPUT_STORE_WHOLE_FILE_H

/* Makes a file of a new name, which ends in `end`, in the folder of `path`; the umask decides on its
 * mode.  Returns its descriptor or a negative errno; free() the name. */
int gput__create_aside(const char *path, const char *end, char **ret_aside);

#endif

/* user_file.h - files of the user's own: see gput_user_file(). */
#ifndef GPUT_STORE_USER_FILE_H
#define GPUT_STORE_USER_FILE_H

#include "gput.h"

/* Makes the folders above a file that are not there yet.  0 or a negative errno. */
int gput__make_folders(const char *path);

#endif

/* fleet_files.h - all node files below folders. */
#ifndef GPUT_STORE_FLEET_FILES_H
#define GPUT_STORE_FLEET_FILES_H

#include "gput.h"
#include "model/fleet/fleet.h"

/* Reads files, and for a folder *.json in it and up to three folders below (docs/FLEET.md), on its own
 * file system; gput__fleet_free() what came.  Of two versions of one file the newer one counts.  What
 * cannot be used is among the faults, and the rest counts nevertheless.  -ENODATA: there is no node
 * file; -E2BIG: there are thousands of other files in it; -ENOMEM.  Then there is nothing to free. */
int gput__fleet_read(const char *const *paths, size_t n, struct gput__fleet *ret,
                     struct gput_error *ret_err);

/* Whether it is a folder, or a file that begins as a node file does. */
bool gput__fleet_is(const char *path);

#endif

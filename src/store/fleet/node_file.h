/* node_file.h - the file that the trackers of one node left (docs/FLEET.md). */
#ifndef GPUT_STORE_NODE_FILE_H
#define GPUT_STORE_NODE_FILE_H

#include "base/input.h"
#include "gput.h"
#include "model/fleet/fleet.h"

/* Reads one; the caller closes the input.  `path` is for messages and stays the caller's for as long as
 * the fleet lives.  -EBADMSG: it is damaged, cut off or of another format; -ENODATA: it is no node file.
 * `why` gets the reason in words. */
int gput__node_file_read(struct gput__input *in, const char *path, struct gput__fleet *fleet,
                         struct gput__fleet_file *ret, char why[200]);

#endif

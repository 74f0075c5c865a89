/* courier.h - takes the file of a node into the folder of the fleet while the tracker goes on: that folder
 * is on a file system of a network, which can be slow or hang. */
#ifndef GPUT_API_COURIER_H
#define GPUT_API_COURIER_H

#include <stdbool.h>
#include <stdint.h>

#include "store/fleet/deliver.h"

struct gput__sending; /* what its thread has: outlives the tracker where that must not wait */

/* Written by courier.c. */
struct gput__courier {
    struct gput__sending *sending; /* NULL: none is under way */
};

/* While the job runs: by a thread.  `text` becomes the courier's.  -EBUSY: the last one is under way. */
int gput__courier_send(struct gput__courier *c, const struct gput__delivery *d, char *text);
/* Whether one has come to its end, well or not. */
bool gput__courier_is_back(struct gput__courier *c);
/* Waits so long for it at most; what is still under way then is not put in its place any more: true. */
bool gput__courier_cancel(struct gput__courier *c, int64_t patience_ns);
/* The same, and it is left to itself. */
void gput__courier_close(struct gput__courier *c, int64_t patience_ns);

/* When the job has ended: by a child process, which is waited for so long at most and otherwise goes on by
 * itself, after a pause of `pause_ns`.  -ETIMEDOUT: it goes on. */
int gput__courier_finish(struct gput__delivery *d, int64_t pause_ns, int64_t patience_ns);

#endif

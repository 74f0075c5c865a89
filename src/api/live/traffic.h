/* traffic.h - what goes over the machine's disks and network while a viewer looks. */
#ifndef GPUT_API_TRAFFIC_H
#define GPUT_API_TRAFFIC_H

#include "gput.h"
#include "sample/machine/machine.h"

/* Written by traffic.c alone. */
struct gput__traffic {
    struct gput__root proc, sys;
    struct gput__machine machine;
    bool is_open;
};

/* Fills that part of a view; all zero is one that was not read yet. */
void gput__traffic_read(struct gput__traffic *t, struct gput_view *ret);
void gput__traffic_close(struct gput__traffic *t);

#endif

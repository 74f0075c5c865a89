/* deliver.h - a node's file on its way into the folder of the fleet. */
#ifndef GPUT_STORE_DELIVER_H
#define GPUT_STORE_DELIVER_H

#include <stdatomic.h>
#include <stddef.h>

enum { GPUT__DELIVERY_NAME = 136 };

/* All in fixed room: it is used by a thread, or by a child after fork(), while the rest goes on. */
struct gput__delivery {
    char folder[2048]; /* DIR, absolute */
    char job[GPUT__DELIVERY_NAME], step[GPUT__DELIVERY_NAME], node[GPUT__DELIVERY_NAME];
    char part[4];   /* the hashed folder, "" where there is none */
    char id[20];    /* random: for the name of the file that is being written */
    char stale[20]; /* likewise of one that may have been left there, and is removed; "": none */
    int number;     /* of the node's file: 1 for NODE.json, 2 for NODE.2.json; 0: not yet chosen */
    char note[512]; /* a local file that keeps the number, once it is chosen; "": none */
    const char *text;
    size_t len;
    const atomic_int
        *is_cancelled; /* not 0: it is not to be put in its place any more; NULL: never */
};

/* The hashed sub-folder of a node, where there are so many nodes that one folder would be slow. */
void gput__delivery_choose_part(struct gput__delivery *d, int n_nodes);

/* Writes it whole, then renames.  The first time a name is chosen that nobody has, and folders are made
 * below `folder`; later ones replace that file: one file is made and one renamed.  Allocates nothing.
 * 0 or a negative errno; -ENOENT: there is no such folder. */
int gput__deliver(struct gput__delivery *d);

#endif

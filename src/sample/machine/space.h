/* space.h - the space of the machine's file systems, asked for on a thread of its own.
 *
 * A thread that asks a hung file system (a failing disk, a mount whose server is gone) never returns,
 * so the sampler never asks itself: it uses the answers of the worker's last finished round.
 * A thread that does not come back is left behind; another one takes its place and leaves out the
 * mount that held it. */
#ifndef GPUT_SAMPLE_SPACE_H
#define GPUT_SAMPLE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"
#include "sample/machine/statvfs_worker.h"
#include "source/machine/sys_space.h"

/* Written by space.c alone, but has_thread and patience_ns before the first round. */
struct gput__space {
    gput__statvfs *ask;
    bool has_thread;     /* false: rounds run at once on the calling thread */
    int64_t patience_ns; /* a question that takes longer hangs */
    const struct gput__root *proc;

    struct gput__statvfs_worker *worker; /* NULL: none yet, or no more */
    int64_t asked_ns;                    /* when the last round was asked for */
    uint64_t hung[GPUT__MOST_HUNG];      /* devices that are not asked any more */
    size_t n_hung;
    char why[256]; /* what is left out, and why; "" is nothing */

    bool is_known;
    bool is_late;               /* the round that was last waited for did not end in time */
    struct gput__sys_space sum; /* of the last finished round */
};

/* `ask` NULL is statvfs().  Of a live root the rounds run on a thread, unless has_thread is changed
 * before the first of them. */
void gput__space_open(struct gput__space *s, const struct gput__root *proc, gput__statvfs *ask);
/* A thread that hangs is left to itself. */
void gput__space_close(struct gput__space *s);

/* Takes what there is and asks for the next round, if the last one is not too young. */
void gput__space_read(struct gput__space *s);
/* A round that begins now is waited for, at most so long, and taken.  false: it did not end in time. */
bool gput__space_wait(struct gput__space *s, int64_t timeout_ns);

/* The volumes of the last finished round: a block to be freed, its names in it.  NULL: not known, or
 * no memory. */
struct gput__sys_volume *gput__space_volumes(struct gput__space *s, size_t *ret_n);

#endif

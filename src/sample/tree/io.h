/* io.h - bytes that the job moved to and from disks, exited processes included.
 *
 * The kernel adds what a child has moved to its parent's count when the parent waits for it, with what
 * it moved before the tracking.  The bytes of a child that vanished are noted at its parent (`due`), and the
 * next read of the parent shows whether it inherited them. */
#ifndef GPUT_SAMPLE_IO_H
#define GPUT_SAMPLE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/tree/tree.h"

/* Reads the processes that moved since the last time, and applies what is due. */
void gput__io_read(struct gput__tree *tree, bool main_only);

/* At a poll: main, who may be gone by the next record, and newcomers that are older than the tracking,
 * whose bytes count from now on. */
void gput__io_glance(struct gput__tree *tree);

/* `t` leaves the table; `parent` NULL: no process of the job waited for it. */
void gput__io_hand_on(struct gput__tree *tree, struct gput__task *parent, struct gput__task *t);

/* The bytes of the job so far.  False: they may not be read. */
bool gput__io_sum(const struct gput__tree *tree, bool main_only, uint64_t *ret_read,
                  uint64_t *ret_written);

#endif

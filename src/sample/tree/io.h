/* io.h - bytes that the job moved to and from disks, those of its dead included.
 *
 * The kernel adds what a child has moved to its parent's count when the parent waits for it, with what
 * it moved before the tracking.  Of a child that vanished it is told to its parent (`due`), and what is
 * read of the parent next shows whether it inherited. */
#ifndef GPUT_SAMPLE_IO_H
#define GPUT_SAMPLE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/tree/tree.h"

/* Reads whoever moved since the last time, and settles what is due. */
void gput__io_read(struct gput__tree *tree, bool main_only);

/* At a look: main, who may be gone by the next record, and newcomers that are older than the tracking,
 * whose bytes count from now on. */
void gput__io_glance(struct gput__tree *tree);

/* `t` leaves the table; `parent` NULL: nobody of the job waited for it. */
void gput__io_hand_on(struct gput__tree *tree, struct gput__task *parent, struct gput__task *t);

/* The bytes of the job so far.  False: they are not ours to see. */
bool gput__io_sum(const struct gput__tree *tree, bool main_only, uint64_t *ret_read,
                  uint64_t *ret_written);

#endif

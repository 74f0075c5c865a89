/* filemaps.h - file and shared-memory pages of many processes, each page counted once.
 *
 * Pages are the same where device, inode and offset are.  Which of them are present in a process is
 * only known as a sum over its mapping.  Two lower bounds of the union are known, and the larger one
 * counts: per range the largest sum among the processes, right where the pages of one process hold
 * those of the others (a library); and the sum of the shares (Pss), right where no process outside of
 * the job maps the file (shared memory of which each process uses its own slice). */
#ifndef GPUT_SAMPLE_FILEMAPS_H
#define GPUT_SAMPLE_FILEMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/proc/proc_smaps.h"

struct gput__filemap {
    uint64_t device, inode, from, to;
    uint64_t rss, descendants_rss; /* the largest seen, bytes */
    uint64_t pss, descendants_pss; /* sums */
};

struct gput__filemaps {
    struct gput__filemap *slots; /* open addressing; to == 0: free */
    size_t n, cap;
};

void gput__filemaps_free(struct gput__filemaps *f);
/* Adds one mapping of one process, with its pages that are the file's and its share of them. */
int gput__filemaps_add(struct gput__filemaps *f, const struct gput__vma *v, uint64_t rss,
                       uint64_t pss, bool is_main);
/* Bytes of all and of the descendants.  Sorts in place: add nothing afterwards. */
void gput__filemaps_sum(struct gput__filemaps *f, uint64_t *ret_all, uint64_t *ret_descendants);

#endif

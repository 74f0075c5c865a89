/* filemaps.h - file and shared-memory pages of many processes, each page counted once.
 *
 * Pages are the same where device, inode and offset are.  Which of them are present in a process is
 * only known as a sum over its mapping, so per range the largest sum among the processes is taken:
 * a lower bound of the union, exact where one process's pages hold the others'. */
#ifndef GPUT_SAMPLE_FILEMAPS_H
#define GPUT_SAMPLE_FILEMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gput__filemap {
    uint64_t device, inode, from, to;
    uint64_t rss, descendants_rss; /* the largest seen, bytes */
};

struct gput__filemaps {
    struct gput__filemap *slots; /* open addressing; to == 0: free */
    size_t n, cap;
};

void gput__filemaps_free(struct gput__filemaps *f);
/* Adds one mapping of one process. */
int gput__filemaps_add(struct gput__filemaps *f, uint64_t device, uint64_t inode, uint64_t from,
                       uint64_t to, uint64_t rss, bool is_main);
/* Bytes of all and of the descendants.  Sorts in place: add nothing afterwards. */
void gput__filemaps_sum(struct gput__filemaps *f, uint64_t *ret_all, uint64_t *ret_descendants);

#endif

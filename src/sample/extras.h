/* extras.h - open files and swap of the job: read at records, for those who ask. */
#ifndef GPUT_SAMPLE_EXTRAS_H
#define GPUT_SAMPLE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"
#include "sample/tree/tree.h"

/* Written by extras.c alone. */
struct gput__extras {
    bool is_open;
    bool has_size;             /* see gput__proc_fds_have_size() */
    uint64_t n_reads, version; /* of the tree at the last record: if both stand, nobody has moved */
    struct gput__sample last;  /* what was told then */
};

/* At a record.  `no_swap`: nothing of the machine is in swap. */
void gput__extras_measure(struct gput__extras *e, struct gput__tree *tree, bool main_only,
                          bool no_swap, struct gput__sample *ret);

/* The last values once more: a job that ends has let go of its files before anybody can count. */
void gput__extras_repeat(const struct gput__extras *e, struct gput__sample *ret);

#endif

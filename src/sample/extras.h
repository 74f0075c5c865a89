/* extras.h - open files, swap and delays of the job: read at records, on request. */
#ifndef GPUT_SAMPLE_EXTRAS_H
#define GPUT_SAMPLE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"
#include "sample/tree/delays.h"
#include "sample/tree/tree.h"

/* Written by extras.c alone. */
struct gput__extras {
    bool is_open;
    bool has_size; /* see gput__proc_fds_have_size() */
    uint64_t n_reads,
        version; /* of the tree at the last record: if both are the same, nothing has moved */
    struct gput__sample last; /* the values then */
    struct gput__delays delays;
};

/* At a record.  `no_swap`: nothing of the machine is in swap. */
void gput__extras_measure(struct gput__extras *e, struct gput__tree *tree, bool main_only,
                          bool no_swap, struct gput__sample *ret);

/* The last values once more: a job that ends has closed its files before they can be counted. */
void gput__extras_repeat(const struct gput__extras *e, struct gput__sample *ret);

#endif

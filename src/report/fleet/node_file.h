/* node_file.h - the file of a node of a fleet, out of what its trackers have stored (docs/FLEET.md). */
#ifndef GPUT_REPORT_NODE_FILE_H
#define GPUT_REPORT_NODE_FILE_H

#include "store/fleet/rank_state.h"

struct gput__node_file {
    const char *gathering;
    double wall, boot; /* when the first tracker came */
    double written_wall, written_boot;
    bool is_final;
    struct gput__rank_state *ranks; /* are sorted by rank */
    size_t n;
};

/* Appends it as one line.  The buffer keeps an error.  -ENODATA: no rank has said who the job is. */
int gput__node_file_print(struct gput__node_file *f, struct gput__buf *out);

/* node_memory.c: the most memory that all ranks had at one moment, with what they share counted once
 * where `ret_is_pss` is true; `t`, if not NULL, has `n` moments whose values go to `ret_values`. */
double gput__node_memory(const struct gput__node_file *f, const double *t, size_t n,
                         double *ret_values, bool *ret_is_pss);

#endif

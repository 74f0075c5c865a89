/* helpers.h - helper processes of trackers inside of the job: found, and kept out of its figures.
 *
 * A helper has no part in what the job does, but it is a child of one of the job's processes, so
 * that its CPU time and faults reach that one's count of the children it waited for. */
#ifndef GPUT_SAMPLE_HELPERS_H
#define GPUT_SAMPLE_HELPERS_H

#include "sample/tree/tree.h"

/* How to find the program that the tracker would start as one. */
void gput__helpers_use_program(struct gput__tree *tree, const struct gput__finder *program);
void gput__helpers_close(struct gput__tree *tree);

enum gput__is_helper {
    GPUT__NO_HELPER,
    GPUT__HELPER,
    GPUT__HELPER_PERHAPS, /* in the middle of exec: the next poll decides */
};
enum gput__is_helper gput__is_helper(const struct gput__tree *tree, pid_t pid,
                                     const struct gput__proc_stat *st);
bool gput__helpers_have(const struct gput__tree *tree, pid_t pid);
/* It is followed from now on, beside the job. */
void gput__helpers_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st);
/* Reads them; what an exited one used is subtracted from its parent. */
void gput__helpers_poll(struct gput__tree *tree);
/* At the end: `waited_ns` is what main has waited for, all that helpers used after they were last seen
 * included.  If no other process exited, it is theirs. */
void gput__helpers_apply_waited(struct gput__tree *tree, uint64_t waited_ns);

#endif

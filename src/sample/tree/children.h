/* children.h - new processes of the job, from the kernel's lists of children. */
#ifndef GPUT_SAMPLE_CHILDREN_H
#define GPUT_SAMPLE_CHILDREN_H

#include "sample/tree/tree.h"

/* Adds the children of a process from the kernel's list. */
void gput__tree_list_children(struct gput__tree *tree, uint32_t place);
/* Likewise the tracker's: orphans of the job. */
void gput__tree_list_orphans(struct gput__tree *tree);
bool gput__tree_can_list_children(const struct gput__tree *tree);

#endif

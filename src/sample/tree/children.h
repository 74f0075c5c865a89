/* children.h - who was born in the job, as the kernel lists the children of each process. */
#ifndef GPUT_SAMPLE_CHILDREN_H
#define GPUT_SAMPLE_CHILDREN_H

#include "sample/tree/tree.h"

/* Takes in the children of a process as the kernel lists them. */
void gput__tree_list_children(struct gput__tree *tree, uint32_t place);
/* Likewise the tracker's, which orphans of the job become. */
void gput__tree_list_orphans(struct gput__tree *tree);
bool gput__tree_can_list_children(const struct gput__tree *tree);

#endif

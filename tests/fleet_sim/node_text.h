/* node_text.h - a node of the plan as the JSON of docs/FLEET.md. */
#ifndef NODE_TEXT_H
#define NODE_TEXT_H

#include "plan.h"

/* Room for any node. */
enum { NODE_TEXT_SIZE = 1 << 20 };

size_t node_text(const struct options *o, const struct node *node, char *ret);

#endif

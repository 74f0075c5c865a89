/* json_tree.h - a small piece of JSON as a whole, read strictly: see struct gput_json. */
#ifndef GPUT_BASE_JSON_TREE_H
#define GPUT_BASE_JSON_TREE_H

#include <stdbool.h>

#include "base/input.h"
#include "gput.h"

/* As gput_json_read(); `has_nan`: NaN and Infinity, which Python's json writes, are null. */
int gput__json_tree(struct gput__input *in, bool has_nan, struct gput_json **ret,
                    struct gput_error *ret_err);
int gput__json_tree_of(const char *text, size_t n, bool has_nan, struct gput_json **ret,
                       struct gput_error *ret_err);
/* NULL: there is none of that kind, or no object. */
const struct gput_json *gput__json_member_of(const struct gput_json *object, const char *name,
                                             enum gput_json_kind kind);

#endif

/* json_leaves.h - the values of a small piece of JSON, each with its path: "max_ram.main.total_rss",
 * "gpu.gpus.0.name". */
#ifndef GPUT_BASE_JSON_LEAVES_H
#define GPUT_BASE_JSON_LEAVES_H

#include "base/text/json_pull.h"

struct gput__json_leaf {
    char *path;
    enum gput__json_token kind; /* STRING, NUMBER, TRUE, FALSE or NULL */
    char *text;                 /* of a string */
    double number;
    uint64_t line;
};

struct gput__json_leaves {
    struct gput__json_leaf *leaf;
    size_t n, cap;
    uint64_t line; /* where adding failed */
};

/* Adds the value that begins with `token`, the one that next() just gave; `path` is put before
 * the paths in it, which have no more than 400 bytes.  -EFBIG: there are too many. */
int gput__json_leaves_add(struct gput__json_leaves *l, struct gput__json_pull *p, int token,
                          const char *path);
/* To be called before gput__json_leaf(). */
void gput__json_leaves_sort(struct gput__json_leaves *l);
/* NULL: there is none. */
const struct gput__json_leaf *gput__json_leaf(const struct gput__json_leaves *l, const char *path);
void gput__json_leaves_free(struct gput__json_leaves *l);

#endif

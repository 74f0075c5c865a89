/* json_leaves.c - the values of a small piece of JSON, each with its path. */
#include "base/text/json_leaves.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define LONGEST_PATH 400
/* A result of a run on a machine of 16 GPUs with 1000 processes on them has 8000. */
#define MOST 200000

/* How the path goes on at each level. */
struct walk {
    char path[LONGEST_PATH];
    size_t end[GPUT__JSON_DEEPEST + 1]; /* the length of the path of this level */
    size_t index[GPUT__JSON_DEEPEST + 1];
};

static int add_leaf(struct gput__json_leaves *l, const struct gput__json_pull *p, int token,
                    const char *path)
{
    bool has_text = token == GPUT__JSON_STRING;
    struct gput__json_leaf leaf = { .kind = (enum gput__json_token)token,
                                    .number = p->number,
                                    .line = p->line };

    if (l->n == MOST)
        return -EFBIG;
    if (GPUT__GROW(l->leaf, l->cap, l->n + 1) < 0)
        return -ENOMEM;
    leaf.path = strdup(path);
    leaf.text = has_text ? strdup(gput__buf_text(&p->text)) : NULL;
    if (!leaf.path || (has_text && !leaf.text)) {
        free(leaf.path);
        free(leaf.text);
        return -ENOMEM;
    }
    l->leaf[l->n++] = leaf;
    return 0;
}

/* Writes ".NAME" behind the path of the level. */
static int name_level(struct walk *w, unsigned level, const char *name)
{
    size_t at = w->end[level], room = sizeof(w->path) - at;
    int n = snprintf(w->path + at, room, "%s%s", at > 0 ? "." : "", name);

    return n < 0 || (size_t)n >= room ? -EFBIG : 0;
}

static int name_item(struct walk *w, unsigned level)
{
    char name[24];

    snprintf(name, sizeof(name), "%zu", w->index[level]++);
    return name_level(w, level, name);
}

static bool opens(int token)
{
    return token == GPUT__JSON_OPEN || token == GPUT__JSON_OPEN_LIST;
}

static bool closes(int token)
{
    return token == GPUT__JSON_CLOSE || token == GPUT__JSON_CLOSE_LIST;
}

/* One token that does not close; `level` is how deep it stands. */
static int add_token(struct gput__json_leaves *l, struct gput__json_pull *p, struct walk *w,
                     int token, unsigned level)
{
    unsigned depth = p->depth - opens(token);
    int r = 0;

    if (token == GPUT__JSON_KEY)
        return name_level(w, level, gput__buf_text(&p->text));
    if (level > 0 && p->is_list[depth - 1])
        r = name_item(w, level);
    if (r < 0)
        return r;
    if (!opens(token))
        return add_leaf(l, p, token, w->path);
    w->end[level + 1] = strlen(w->path);
    w->index[level + 1] = 0;
    return 0;
}

int gput__json_leaves_add(struct gput__json_leaves *l, struct gput__json_pull *p, int token,
                          const char *path)
{
    struct walk w = { .path = "" };
    unsigned base = p->depth - opens(token);
    int r = name_level(&w, 0, path);

    r = r < 0 ? r : add_token(l, p, &w, token, 0);
    while (r == 0 && p->depth > base) {
        token = gput__json_pull_next(p);
        if (token < 0)
            r = token;
        else if (!closes(token))
            r = add_token(l, p, &w, token, p->depth - opens(token) - base);
    }
    l->line = p->line;
    return r;
}

static int by_path(const void *a, const void *b)
{
    const struct gput__json_leaf *one = a, *other = b;

    return strcmp(one->path, other->path);
}

void gput__json_leaves_sort(struct gput__json_leaves *l)
{
    if (l->n > 1)
        qsort(l->leaf, l->n, sizeof(*l->leaf), by_path);
}

static int against_path(const void *path, const void *leaf)
{
    return strcmp(path, ((const struct gput__json_leaf *)leaf)->path);
}

const struct gput__json_leaf *gput__json_leaf(const struct gput__json_leaves *l, const char *path)
{
    return l->n > 0 ? bsearch(path, l->leaf, l->n, sizeof(*l->leaf), against_path) : NULL;
}

void gput__json_leaves_free(struct gput__json_leaves *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->leaf[i].path);
        free(l->leaf[i].text);
    }
    free(l->leaf);
    *l = (struct gput__json_leaves){ 0 };
}

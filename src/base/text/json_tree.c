/* json_tree.c - a small piece of JSON as a whole, read strictly. */
#include "base/text/json_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/json_pull.h"

struct reading {
    struct gput__json_pull p;
    char twice[64]; /* a name that its object has already */
};

static int read_value(struct reading *rd, int token, struct gput_json *ret);

static int copy_text(const struct reading *rd, char **ret)
{
    *ret = strdup(gput__buf_text(&rd->p.text));
    return *ret ? 0 : -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
    const struct gput_json *one = *(const struct gput_json *const *)a;
    const struct gput_json *other = *(const struct gput_json *const *)b;
    int order = strcmp(one->name, other->name);

    return order ? order : (one > other) - (one < other); /* the first one first */
}

static int check_names(struct reading *rd, const struct gput_json *object)
{
    const struct gput_json **sorted = calloc(object->n + 1, sizeof(*sorted));
    int r = sorted ? 0 : -ENOMEM;

    for (size_t i = 0; r == 0 && i < object->n; i++)
        sorted[i] = &object->item[i];
    if (r == 0 && object->n > 1)
        qsort(sorted, object->n, sizeof(*sorted), by_name);
    for (size_t i = 1; r == 0 && i < object->n; i++)
        if (!strcmp(sorted[i]->name, sorted[i - 1]->name)) {
            snprintf(rd->twice, sizeof(rd->twice), "%s", sorted[i]->name);
            rd->p.line = sorted[i]->line;
            r = -EBADMSG;
        }
    free(sorted);
    return r;
}

static int read_items(struct reading *rd, struct gput_json *ret)
{
    int end = ret->kind == GPUT_JSON_OBJECT ? GPUT__JSON_CLOSE : GPUT__JSON_CLOSE_LIST, token;
    size_t cap = 0;
    int r = 0;

    while (r == 0 && (token = gput__json_pull_next(&rd->p)) != end) {
        struct gput_json *item;

        r = token < 0 ? token : GPUT__GROW(ret->item, cap, ret->n + 1);
        if (r < 0)
            return r;
        item = &ret->item[ret->n++];
        *item = (struct gput_json){ .line = rd->p.line };
        if (token == GPUT__JSON_KEY) {
            r = copy_text(rd, &item->name);
            token = r < 0 ? r : gput__json_pull_next(&rd->p);
        }
        r = read_value(rd, token, item);
    }
    return r < 0 || ret->kind == GPUT_JSON_LIST ? r : check_names(rd, ret);
}

static int read_value(struct reading *rd, int token, struct gput_json *ret)
{
    static const enum gput_json_kind kinds[] = {
        [GPUT__JSON_OPEN] = GPUT_JSON_OBJECT,   [GPUT__JSON_OPEN_LIST] = GPUT_JSON_LIST,
        [GPUT__JSON_STRING] = GPUT_JSON_STRING, [GPUT__JSON_NUMBER] = GPUT_JSON_NUMBER,
        [GPUT__JSON_TRUE] = GPUT_JSON_BOOLEAN,  [GPUT__JSON_FALSE] = GPUT_JSON_BOOLEAN,
        [GPUT__JSON_NULL] = GPUT_JSON_NULL,
    };

    if (token < 0)
        return token;
    ret->kind = kinds[token];
    ret->number = token == GPUT__JSON_NUMBER ? rd->p.number : token == GPUT__JSON_TRUE;
    ret->is_whole = token == GPUT__JSON_NUMBER && rd->p.is_whole;
    if (token == GPUT__JSON_STRING)
        return copy_text(rd, &ret->text);
    return token == GPUT__JSON_OPEN || token == GPUT__JSON_OPEN_LIST ? read_items(rd, ret) : 0;
}

static int tell(const struct reading *rd, int r, struct gput_error *ret_err)
{
    if (!ret_err)
        return r;
    *ret_err = (struct gput_error){ .field = "" };
    if (r != -EBADMSG || !rd || (!*rd->twice && !rd->p.error))
        snprintf(ret_err->text, sizeof(ret_err->text), "%s", strerror(-r));
    else if (*rd->twice)
        snprintf(ret_err->text, sizeof(ret_err->text), "line %u: the name '%s' is a duplicate",
                 (unsigned)rd->p.line, rd->twice);
    else
        snprintf(ret_err->text, sizeof(ret_err->text), "line %u: %s", (unsigned)rd->p.line,
                 rd->p.error);
    return r;
}

int gput__json_tree(struct gput__input *in, bool has_nan, struct gput_json **ret,
                    struct gput_error *ret_err)
{
    struct gput_json *json = calloc(1, sizeof(*json));
    struct reading rd = { .twice = "" };
    int r = json ? 0 : -ENOMEM;

    gput__json_pull_begin(&rd.p, in);
    rd.p.is_strict = true;
    rd.p.has_nan = has_nan;
    if (r == 0)
        r = read_value(&rd, gput__json_pull_next(&rd.p), json);
    if (r == 0)
        r = gput__json_pull_next(&rd.p); /* the end, which is 0 */
    if (r < 0) {
        tell(&rd, r, ret_err);
        json = gput_json_free(json);
    } else {
        *ret = json;
    }
    gput__json_pull_end(&rd.p);
    return r;
}

int gput__json_tree_of(const char *text, size_t n, bool has_nan, struct gput_json **ret,
                       struct gput_error *ret_err)
{
    struct gput__input in = { .fd = -1, .data = (char *)text, .end = n };

    return gput__json_tree(&in, has_nan, ret, ret_err);
}

int gput_json_read(const char *file, struct gput_json **ret_json, struct gput_error *ret_err)
{
    struct gput__input in = GPUT__INPUT_INIT;
    int r = gput__input_open(file, &in);

    if (r < 0)
        return tell(NULL, r, ret_err);
    r = gput__json_tree(&in, false, ret_json, ret_err);
    gput__input_close(&in);
    return r;
}

const struct gput_json *gput_json_member(const struct gput_json *object, const char *name)
{
    for (size_t i = 0; object && object->kind == GPUT_JSON_OBJECT && i < object->n; i++)
        if (!strcmp(object->item[i].name, name))
            return &object->item[i];
    return NULL;
}

const struct gput_json *gput__json_member_of(const struct gput_json *object, const char *name,
                                             enum gput_json_kind kind)
{
    const struct gput_json *found = gput_json_member(object, name);

    return found && found->kind == kind ? found : NULL;
}

static void free_parts(struct gput_json *json)
{
    for (size_t i = 0; i < json->n; i++)
        free_parts(&json->item[i]);
    free(json->item);
    free(json->name);
    free(json->text);
}

struct gput_json *gput_json_free(struct gput_json *json)
{
    if (json)
        free_parts(json);
    free(json);
    return NULL;
}

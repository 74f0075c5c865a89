/* fuzz_json.c - JSON a token at a time, against Jansson: what that reads we read, to the same. */
#include <errno.h>
#include <jansson.h>

#include "base/text/json_pull.h"
#include "fuzz.h"
#include "memory_file.h"

/* Whether the value that begins with `token` is `v`.  A double stands for each number. */
static void compare(struct gput__json_pull *p, int token, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        fuzz_must(token == GPUT__JSON_OPEN);
        for (const json_t *member; (token = gput__json_pull_next(p)) == GPUT__JSON_KEY;) {
            member = json_object_get(v, gput__buf_text(&p->text));
            fuzz_must(member != NULL);
            compare(p, gput__json_pull_next(p), member);
        }
        fuzz_must(token == GPUT__JSON_CLOSE);
        break;
    case JSON_ARRAY:
        fuzz_must(token == GPUT__JSON_OPEN_LIST);
        for (size_t i = 0; i < json_array_size(v); i++)
            compare(p, gput__json_pull_next(p), json_array_get(v, i));
        fuzz_must(gput__json_pull_next(p) == GPUT__JSON_CLOSE_LIST);
        break;
    case JSON_STRING:
        fuzz_must(token == GPUT__JSON_STRING &&
                  !strcmp(gput__buf_text(&p->text), json_string_value(v)));
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        fuzz_must(token == GPUT__JSON_NUMBER && p->number == json_number_value(v));
        break;
    default:
        fuzz_must(token == (json_is_true(v)    ? GPUT__JSON_TRUE
                            : json_is_false(v) ? GPUT__JSON_FALSE
                                               : GPUT__JSON_NULL));
    }
}

/* To the end or to the first fault. */
static void read_all(struct gput__json_pull *p)
{
    int token;

    while ((token = gput__json_pull_next(p)) > GPUT__JSON_END)
        fuzz_must(p->depth <= GPUT__JSON_DEEPEST && p->line > 0);
    fuzz_must(token != -EBADMSG || p->error);
}

/* Levels of nesting, a plain value being none. */
static unsigned depth_of(json_t *v)
{
    unsigned deepest = 0, depth;
    const char *key;
    json_t *item;
    size_t i;

    json_object_foreach(v, key, item) {
        depth = depth_of(item);
        deepest = depth > deepest ? depth : deepest;
    }
    json_array_foreach(v, i, item) {
        depth = depth_of(item);
        deepest = depth > deepest ? depth : deepest;
    }
    return json_is_object(v) || json_is_array(v) ? deepest + 1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    json_t *v = NULL;
    struct gput__json_pull p;
    struct gput__input in;

    if (!memchr(data, 0, size)) /* Jansson takes it for the end */
        v = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (gput__input_take(file.fd, &in) < 0) {
        fuzz_must(!v); /* it begins as gzip */
        return 0;
    }
    gput__json_pull_begin(&p, &in);
    if (v && depth_of(v) <= GPUT__JSON_DEEPEST) {
        compare(&p, gput__json_pull_next(&p), v);
        fuzz_must(gput__json_pull_next(&p) == GPUT__JSON_END);
    } else {
        read_all(&p);
    }
    gput__json_pull_end(&p);
    gput__input_close(&in);
    json_decref(v);
    return 0;
}

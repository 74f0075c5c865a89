/* fuzz_json.c - JSON a token at a time and as a whole: what the strict reader takes, the lenient one reads
 * to the same. */
#include <errno.h>
#include <math.h>

#include "base/text/json_pull.h"
#include "base/text/json_tree.h"
#include "fuzz.h"
#include "memory_file.h"

static void compare(struct gput__json_pull *p, int token, const struct gput_json *v)
{
    fuzz_must(token == (v->kind == GPUT_JSON_OBJECT   ? GPUT__JSON_OPEN
                        : v->kind == GPUT_JSON_LIST   ? GPUT__JSON_OPEN_LIST
                        : v->kind == GPUT_JSON_STRING ? GPUT__JSON_STRING
                        : v->kind == GPUT_JSON_NUMBER ? GPUT__JSON_NUMBER
                        : v->kind == GPUT_JSON_NULL   ? GPUT__JSON_NULL
                        : v->number != 0              ? GPUT__JSON_TRUE
                                                      : GPUT__JSON_FALSE));
    if (v->kind == GPUT_JSON_STRING)
        fuzz_must(!strcmp(gput__buf_text(&p->text), v->text));
    if (v->kind == GPUT_JSON_NUMBER)
        fuzz_must(p->number == v->number && isfinite(v->number));
    for (size_t i = 0; i < v->n; i++) {
        if (v->kind == GPUT_JSON_OBJECT)
            fuzz_must(gput__json_pull_next(p) == GPUT__JSON_KEY && p->line == v->item[i].line &&
                      !strcmp(gput__buf_text(&p->text), v->item[i].name) &&
                      gput_json_member(v, v->item[i].name) == &v->item[i]);
        compare(p, gput__json_pull_next(p), &v->item[i]);
    }
    if (v->kind == GPUT_JSON_OBJECT || v->kind == GPUT_JSON_LIST)
        fuzz_must(gput__json_pull_next(p) == token + 1);
}

/* To the end or to the first fault. */
static void read_all(struct gput__json_pull *p)
{
    int token;

    while ((token = gput__json_pull_next(p)) > GPUT__JSON_END)
        fuzz_must(p->depth <= GPUT__JSON_DEEPEST && p->line > 0);
    fuzz_must(token != -EBADMSG || p->error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    struct gput_error err = { .text = "" };
    struct gput_json *v = NULL;
    struct gput__json_pull p;
    struct gput__input in;
    int r = gput_json_read(file.path, &v, &err);

    fuzz_must(r == 0 ? v && !err.text[0] : !v && err.text[0]);
    fuzz_must(lseek(file.fd, 0, SEEK_SET) == 0);
    if (gput__input_open_fd(file.fd, &in) < 0) {
        fuzz_must(!v); /* it begins as gzip */
        return 0;
    }
    gput__json_pull_begin(&p, &in);
    if (v) {
        compare(&p, gput__json_pull_next(&p), v);
        fuzz_must(gput__json_pull_next(&p) == GPUT__JSON_END);
    } else {
        read_all(&p);
    }
    gput__json_pull_end(&p);
    gput__input_close(&in);
    gput_json_free(v);
    return 0;
}

/* json_pull.h - JSON from front to back, a token at a time, whatever its size.
 *
 * What Python's json writes beyond the standard is read too: NaN, Infinity and -Infinity, as null.
 * Further forms that are not JSON are read leniently, unless `is_strict` is set. */
#ifndef GPUT_BASE_JSON_PULL_H
#define GPUT_BASE_JSON_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/input.h"

enum gput__json_token {
    GPUT__JSON_END, /* of the text */
    GPUT__JSON_OPEN,
    GPUT__JSON_CLOSE,
    GPUT__JSON_OPEN_LIST,
    GPUT__JSON_CLOSE_LIST,
    GPUT__JSON_KEY,
    GPUT__JSON_STRING,
    GPUT__JSON_NUMBER,
    GPUT__JSON_TRUE,
    GPUT__JSON_FALSE,
    GPUT__JSON_NULL,
};

/* No file of ours is deeper. */
#define GPUT__JSON_DEEPEST 32

struct gput__json_pull {
    struct gput__input *in;
    uint64_t line;         /* from 1, of the token */
    struct gput__buf text; /* of a key or string, in UTF-8, without its quotes */
    double number;
    bool is_whole;     /* the number has no fraction and no exponent */
    bool is_strict;    /* set after begin(): JSON as RFC 8259 has it, in UTF-8, without U+0000 */
    bool has_nan;      /* the same, but NaN and Infinity are read */
    const char *error; /* what is wrong, in words, when a call returns -EBADMSG */
    /* Where we are: */
    unsigned depth;
    bool is_list[GPUT__JSON_DEEPEST];
    bool has_member, is_after_key, is_done;
};

/* `in` stays the caller's. */
void gput__json_pull_begin(struct gput__json_pull *p, struct gput__input *in);
/* A token, or a negative errno. */
int gput__json_pull_next(struct gput__json_pull *p);
/* Behind the value that begins with `token`, the one that next() just gave. */
int gput__json_pull_skip(struct gput__json_pull *p, int token);
/* Behind the value of the name that next() just gave.  Much faster than skip(): of what is in an object
 * or list nothing is checked but brackets and quotes. */
int gput__json_pull_skip_next(struct gput__json_pull *p);
void gput__json_pull_end(struct gput__json_pull *p);

#endif

/* json_members.h - objects of JSON into structs, by tables of their members.
 *
 * Members that no table names are passed over; one of another kind than the table says is as if it were
 * not there: the struct keeps what it was filled with before. */
#ifndef GPUT_STORE_JSON_MEMBERS_H
#define GPUT_STORE_JSON_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/text/json_pull.h"

struct gput__members_reading {
    struct gput__json_pull pull;
    struct gput__names *names; /* where texts are kept */
    float *numbers;            /* room for a list of them */
    size_t n_numbers, cap_numbers;
};

enum gput__member_kind {
    GPUT__MEMBER_NUMBER, /* double, 0 or more */
    GPUT__MEMBER_INT,    /* int, 0 or more */
    GPUT__MEMBER_TEXT,   /* const char *, of the names; of a long one the beginning */
    GPUT__MEMBER_BOOL,   /* bool */
    GPUT__MEMBER_MAYBE,  /* int: 0, 1 */
    GPUT__MEMBER_READ,   /* what `read` does with it; it gets the struct and the first token */
};

struct gput__member {
    const char *name;
    enum gput__member_kind kind;
    size_t at;
    int (*read)(struct gput__members_reading *rd, int token, void *into);
};

/* The object that begins with `token`; `members` end with a NULL name.  0 or a negative errno. */
int gput__members_read(struct gput__members_reading *rd, int token,
                       const struct gput__member *members, void *into);
/* For each object of a list `read`; what is no list is passed over. */
int gput__members_read_list(struct gput__members_reading *rd, int token,
                            int (*read)(struct gput__members_reading *rd, int token, void *into),
                            void *into);
/* A list of numbers, which go to rd->numbers, NAN for null; -EBADMSG with rd->pull.error NULL: it is
 * none, and has been passed over. */
int gput__members_read_numbers(struct gput__members_reading *rd, int token);

#endif

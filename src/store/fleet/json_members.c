/* json_members.c - objects of JSON into structs, by tables of their members. */
#include "store/fleet/json_members.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/grow.h"

/* Longer ones are commands, of which the beginning tells enough. */
#define LONGEST_TEXT 1000
/* Nothing that is measured is more. */
#define IMPOSSIBLE 1e18

static int read_text(struct gput__members_reading *rd, char *at)
{
    size_t len = rd->pull.text.len < LONGEST_TEXT ? rd->pull.text.len : LONGEST_TEXT;
    const char *text = gput__buf_text(&rd->pull.text);
    uint32_t i;
    int r;

    while (len > 0 && len < rd->pull.text.len && ((unsigned char)text[len] & 0xC0) == 0x80)
        len--; /* not within a character */
    r = gput__names_add(rd->names, text, len, &i);
    text = r == 0 ? rd->names->list[i].text : NULL;
    if (r == 0)
        memcpy(at, &text, sizeof(text));
    return r;
}

static void read_number(double value, enum gput__member_kind kind, char *at)
{
    int whole = (int)(value >= 0 && value <= INT_MAX ? value : -1);

    if (kind == GPUT__MEMBER_NUMBER && value >= 0 && value < IMPOSSIBLE)
        memcpy(at, &value, sizeof(value));
    if (kind == GPUT__MEMBER_INT && whole >= 0)
        memcpy(at, &whole, sizeof(whole));
}

static int read_member(struct gput__members_reading *rd, int token, const struct gput__member *m,
                       char *into)
{
    bool is_true = token == GPUT__JSON_TRUE;
    int maybe = is_true;

    if (m->kind == GPUT__MEMBER_READ)
        return m->read(rd, token, into);
    if (token == GPUT__JSON_STRING && m->kind == GPUT__MEMBER_TEXT)
        return read_text(rd, into + m->at);
    if (token == GPUT__JSON_NUMBER)
        read_number(rd->pull.number, m->kind, into + m->at);
    else if (token == GPUT__JSON_TRUE || token == GPUT__JSON_FALSE) {
        if (m->kind == GPUT__MEMBER_BOOL)
            memcpy(into + m->at, &is_true, sizeof(is_true));
        if (m->kind == GPUT__MEMBER_MAYBE)
            memcpy(into + m->at, &maybe, sizeof(maybe));
    } else {
        return gput__json_pull_skip(&rd->pull, token);
    }
    return 0;
}

/* The member that the token just read names; NULL: nobody asks for it. */
static const struct gput__member *find(const struct gput__members_reading *rd,
                                       const struct gput__member *members)
{
    const char *name = gput__buf_text(&rd->pull.text);

    for (; members->name; members++)
        if (strcmp(members->name, name) == 0)
            return members;
    return NULL;
}

int gput__members_read(struct gput__members_reading *rd, int token,
                       const struct gput__member *members, void *into)
{
    struct gput__json_pull *p = &rd->pull;

    if (token != GPUT__JSON_OPEN)
        return gput__json_pull_skip(p, token);
    while ((token = gput__json_pull_next(p)) == GPUT__JSON_KEY) {
        const struct gput__member *m = find(rd, members);
        int r;

        if (!m) {
            r = gput__json_pull_skip_next(p);
        } else {
            token = gput__json_pull_next(p);
            r = token < 0 ? token : read_member(rd, token, m, into);
        }
        if (r < 0)
            return r;
    }
    return token < 0 ? token : 0;
}

int gput__members_read_list(struct gput__members_reading *rd, int token,
                            int (*read)(struct gput__members_reading *rd, int token, void *into),
                            void *into)
{
    if (token != GPUT__JSON_OPEN_LIST)
        return gput__json_pull_skip(&rd->pull, token);
    while ((token = gput__json_pull_next(&rd->pull)) >= 0 && token != GPUT__JSON_CLOSE_LIST) {
        int r = token == GPUT__JSON_OPEN ? read(rd, token, into)
                                         : gput__json_pull_skip(&rd->pull, token);

        if (r < 0)
            return r;
    }
    return token < 0 ? token : 0;
}

int gput__members_read_numbers(struct gput__members_reading *rd, int token)
{
    struct gput__json_pull *p = &rd->pull;

    rd->n_numbers = 0;
    if (token != GPUT__JSON_OPEN_LIST) {
        int r = gput__json_pull_skip(p, token);

        return r < 0 ? r : -EBADMSG;
    }
    while ((token = gput__json_pull_next(p)) >= 0 && token != GPUT__JSON_CLOSE_LIST) {
        bool is_number = token == GPUT__JSON_NUMBER && fabs(p->number) < IMPOSSIBLE;
        int r = GPUT__GROW(rd->numbers, rd->cap_numbers, rd->n_numbers + 1);

        r = r < 0 ? r : gput__json_pull_skip(p, token);
        if (r < 0)
            return r;
        rd->numbers[rd->n_numbers++] = is_number ? (float)p->number : NAN;
    }
    return token < 0 ? token : 0;
}

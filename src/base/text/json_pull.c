/* json_pull.c - JSON from front to back, a token at a time, whatever its size. */
#include "base/text/json_pull.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text/atod.h"
#include "base/text/utf8.h"

/* A longer text is no figure and no name. */
#define LONGEST_STRING (1024 * 1024)

void gput__json_pull_begin(struct gput__json_pull *p, struct gput__input *in)
{
    *p = (struct gput__json_pull){ .in = in, .line = 1 };
}

void gput__json_pull_end(struct gput__json_pull *p)
{
    gput__buf_free(&p->text);
}

static int refuse(struct gput__json_pull *p, const char *error)
{
    p->error = error;
    return -EBADMSG;
}

/* The next byte, which stays; -1: the end; or an errno below that. */
static int peek(struct gput__json_pull *p)
{
    struct gput__input *in = p->in;

    if (in->begin == in->end) {
        int r = gput__input_fill(in);

        if (r <= 0)
            return r < 0 ? r - 1 : -1;
    }
    return (unsigned char)in->data[in->begin];
}

static int fault_of(struct gput__json_pull *p, int peeked)
{
    return peeked == -1 ? refuse(p, "the text ends too early") : peeked + 1;
}

static int peek_behind_blanks(struct gput__json_pull *p)
{
    int c;

    while ((c = peek(p)) == ' ' || c == '\n' || c == '\r' || c == '\t') {
        p->line += c == '\n';
        p->in->begin++;
    }
    return c;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of \uXXXX. */
static int take_code(struct gput__json_pull *p, unsigned *ret)
{
    *ret = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(p), digit = hex_digit(c);

        if (c < 0)
            return fault_of(p, c);
        if (digit < 0)
            return refuse(p, "\\u without four digits");
        *ret = *ret * 16 + (unsigned)digit;
        p->in->begin++;
    }
    return 0;
}

/* \uXXXX, of which a character beyond 16 bits has two; half of one is replaced. */
static int take_unicode(struct gput__json_pull *p)
{
    unsigned code, low;
    int r = take_code(p, &code);

    if (r < 0)
        return r;
    if (code >= 0xD800 && code < 0xDC00) {
        if (peek(p) != '\\')
            code = GPUT__UTF8_REPLACEMENT;
        else if (p->in->begin++, peek(p) != 'u')
            return refuse(p, "half of a character of two parts");
        else if (p->in->begin++, (r = take_code(p, &low)) < 0)
            return r;
        else
            code = low >= 0xDC00 && low < 0xE000
                       ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                       : GPUT__UTF8_REPLACEMENT;
    }
    gput__utf8_put(&p->text,
                   code == 0 || (code >= 0xD800 && code < 0xE000) ? GPUT__UTF8_REPLACEMENT : code);
    return 0;
}

static int take_escape(struct gput__json_pull *p)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = peek(p);
    const char *at;

    if (c < 0)
        return fault_of(p, c);
    p->in->begin++;
    if (c == 'u')
        return take_unicode(p);
    at = c ? strchr(from, c) : NULL;
    if (!at)
        return refuse(p, "an unknown escape in a string");
    gput__buf_putc(&p->text, to[at - from]);
    return 0;
}

/* What stands up to the next quote, backslash or control byte, or to the end of the piece. */
static void take_plain(struct gput__json_pull *p)
{
    struct gput__input *in = p->in;
    size_t at = in->begin;

    while (at < in->end && in->data[at] != '"' && in->data[at] != '\\' &&
           (unsigned char)in->data[at] >= ' ')
        at++;
    gput__buf_add(&p->text, in->data + in->begin, at - in->begin);
    in->begin = at;
}

static int take_string(struct gput__json_pull *p)
{
    int c, r = 0;

    gput__buf_clear(&p->text);
    p->in->begin++; /* the quote */
    while (r == 0 && (c = peek(p)) != '"') {
        if (c < 0)
            return fault_of(p, c);
        if (c < ' ')
            return refuse(p, "a string is not closed");
        if (p->text.len > LONGEST_STRING)
            return refuse(p, "a string is too long");
        if (c == '\\') {
            p->in->begin++;
            r = take_escape(p);
        } else {
            take_plain(p);
        }
    }
    if (r < 0)
        return r;
    p->in->begin++;
    return p->text.err ? p->text.err : GPUT__JSON_STRING;
}

static bool is_of_word(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

/* Letters, digits and signs, up to what cannot belong to them. */
static int take_word(struct gput__json_pull *p, char *word, size_t size)
{
    size_t n = 0;
    int c;

    while (is_of_word(c = peek(p))) {
        if (n + 1 == size)
            return refuse(p, "a number is too long");
        word[n++] = (char)c;
        p->in->begin++;
    }
    word[n] = '\0';
    return c < -1 ? fault_of(p, c) : 0;
}

static int take_number_or_name(struct gput__json_pull *p)
{
    static const struct {
        const char *name;
        enum gput__json_token token;
    } names[] = {
        { "true", GPUT__JSON_TRUE },     { "false", GPUT__JSON_FALSE },
        { "null", GPUT__JSON_NULL },     { "NaN", GPUT__JSON_NULL },
        { "Infinity", GPUT__JSON_NULL }, { "-Infinity", GPUT__JSON_NULL },
    };
    char word[400];
    const char *end;
    int r = take_word(p, word, sizeof(word));

    if (r < 0)
        return r;
    end = *word == '+' || *word == '.' ? NULL : gput__atod(word, &p->number);
    if (end && !*end)
        return isfinite(p->number) ? GPUT__JSON_NUMBER : GPUT__JSON_NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(word, names[i].name) == 0)
            return (int)names[i].token;
    return refuse(p, "this is no value");
}

static int open_level(struct gput__json_pull *p, bool is_list)
{
    if (p->depth == GPUT__JSON_DEEPEST)
        return refuse(p, "too many values within each other");
    p->in->begin++;
    p->is_list[p->depth++] = is_list;
    p->has_member = false;
    return is_list ? GPUT__JSON_OPEN_LIST : GPUT__JSON_OPEN;
}

static int close_level(struct gput__json_pull *p)
{
    bool is_list = p->is_list[--p->depth];

    p->in->begin++;
    p->has_member = true;
    p->is_done = p->depth == 0;
    return is_list ? GPUT__JSON_CLOSE_LIST : GPUT__JSON_CLOSE;
}

static int take_value(struct gput__json_pull *p, int c)
{
    int r;

    p->is_after_key = false;
    if (c == '{' || c == '[')
        return open_level(p, c == '[');
    r = c == '"' ? take_string(p) : take_number_or_name(p);
    p->has_member = true;
    p->is_done = p->depth == 0;
    return r;
}

static int take_key(struct gput__json_pull *p, int c)
{
    int r = c == '"' ? take_string(p) : refuse(p, "a name in quotes is missing");

    if (r < 0)
        return r;
    c = peek_behind_blanks(p);
    if (c < 0)
        return fault_of(p, c);
    if (c != ':')
        return refuse(p, "a colon is missing behind a name");
    p->in->begin++;
    p->is_after_key = true;
    return GPUT__JSON_KEY;
}

/* Within an object or list, in front of the next member: takes the comma. */
static int take_comma(struct gput__json_pull *p, int c)
{
    if (!p->has_member)
        return c;
    if (c != ',')
        return refuse(p, "a comma is missing");
    p->in->begin++;
    c = peek_behind_blanks(p);
    return c < 0 ? fault_of(p, c) : c;
}

int gput__json_pull_next(struct gput__json_pull *p)
{
    int c = peek_behind_blanks(p);

    if (p->is_done && c >= 0)
        return refuse(p, "something follows the end");
    if (p->is_done && c == -1)
        return GPUT__JSON_END;
    if (c < 0)
        return fault_of(p, c);
    if (p->depth == 0 || p->is_after_key)
        return take_value(p, c);
    if (c == (p->is_list[p->depth - 1] ? ']' : '}'))
        return close_level(p);
    c = take_comma(p, c);
    if (c < 0)
        return c;
    return p->is_list[p->depth - 1] ? take_value(p, c) : take_key(p, c);
}

int gput__json_pull_skip(struct gput__json_pull *p, int token)
{
    unsigned depth = p->depth;

    if (token < 0 || (token != GPUT__JSON_OPEN && token != GPUT__JSON_OPEN_LIST))
        return token < 0 ? token : 0;
    while (token >= 0 && p->depth >= depth)
        token = gput__json_pull_next(p);
    return token < 0 ? token : 0;
}

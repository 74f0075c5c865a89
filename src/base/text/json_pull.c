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
static int read_code(struct gput__json_pull *p, unsigned *ret)
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
static int read_unicode(struct gput__json_pull *p)
{
    unsigned code, low;
    bool is_none;
    int r = read_code(p, &code);

    if (r < 0)
        return r;
    if (code >= 0xD800 && code < 0xDC00 && peek(p) == '\\') {
        p->in->begin++;
        if (peek(p) != 'u')
            return refuse(p, "half of a character of two parts");
        p->in->begin++;
        r = read_code(p, &low);
        if (r < 0)
            return r;
        if (low >= 0xDC00 && low < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    is_none = code == 0 || (code >= 0xD800 && code < 0xE000);
    if (is_none && p->is_strict)
        return refuse(p, "\\u0000, or half of a character of two parts");
    gput__utf8_append(&p->text, is_none ? GPUT__UTF8_REPLACEMENT : code);
    return 0;
}

static int read_escape(struct gput__json_pull *p)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = peek(p);
    const char *at;

    if (c < 0)
        return fault_of(p, c);
    p->in->begin++;
    if (c == 'u')
        return read_unicode(p);
    at = c ? strchr(from, c) : NULL;
    if (!at)
        return refuse(p, "an unknown escape in a string");
    gput__buf_putc(&p->text, to[at - from]);
    return 0;
}

/* The text up to the next quote, backslash or control byte, or to the end of the piece. */
static void read_plain(struct gput__json_pull *p)
{
    struct gput__input *in = p->in;
    size_t at = in->begin;

    while (at < in->end && in->data[at] != '"' && in->data[at] != '\\' &&
           (unsigned char)in->data[at] >= ' ')
        at++;
    gput__buf_add(&p->text, in->data + in->begin, at - in->begin);
    in->begin = at;
}

static bool is_utf8(const char *text)
{
    size_t n = 1;

    for (; *text && n > 0; text += n)
        n = gput__utf8_length(text);
    return n > 0;
}

static int read_string(struct gput__json_pull *p)
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
            r = read_escape(p);
        } else {
            read_plain(p);
        }
    }
    if (r < 0)
        return r;
    p->in->begin++;
    if (p->is_strict && !is_utf8(gput__buf_text(&p->text)))
        return refuse(p, "a text that is not UTF-8");
    return p->text.err ? p->text.err : GPUT__JSON_STRING;
}

static bool is_of_word(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

/* Letters, digits and signs, up to what cannot belong to them. */
static int read_word(struct gput__json_pull *p, char *word, size_t size)
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

static const char *skip_digits(const char *s)
{
    return s + strspn(s, "0123456789");
}

/* Whether it is a number as JSON has it: no "+1", "01", ".5" or "5."; and whether it is whole. */
static bool is_json_number(const char *s, bool *ret_is_whole)
{
    const char *digits = s += *s == '-';

    s = skip_digits(s);
    if (s == digits || (*digits == '0' && s > digits + 1))
        return false;
    *ret_is_whole = !*s;
    if (*s == '.') {
        digits = s + 1;
        s = skip_digits(digits);
        if (s == digits)
            return false;
    }
    if (*s == 'e' || *s == 'E') {
        s += 1 + (s[1] == '+' || s[1] == '-');
        digits = s;
        s = skip_digits(s);
        if (s == digits)
            return false;
    }
    return !*s;
}

static int read_number_or_name(struct gput__json_pull *p)
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
    int r = read_word(p, word, sizeof(word));

    if (r < 0)
        return r;
    end = *word == '+' || *word == '.' ? NULL : gput__atod(word, &p->number);
    p->is_whole = false;
    if (end && !*end && !is_json_number(word, &p->is_whole) && p->is_strict)
        return refuse(p, "a number that is not written as JSON has it");
    if (end && !*end && !isfinite(p->number) && p->is_strict)
        return refuse(p, "a number is too large");
    if (end && !*end)
        return isfinite(p->number) ? GPUT__JSON_NUMBER : GPUT__JSON_NULL;
    for (size_t i = 0; i < (p->is_strict && !p->has_nan ? 3 : sizeof(names) / sizeof(*names)); i++)
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

static int read_value(struct gput__json_pull *p, int c)
{
    int r;

    p->is_after_key = false;
    if (c == '{' || c == '[')
        return open_level(p, c == '[');
    r = c == '"' ? read_string(p) : read_number_or_name(p);
    p->has_member = true;
    p->is_done = p->depth == 0;
    return r;
}

static int read_key(struct gput__json_pull *p, int c)
{
    int r = c == '"' ? read_string(p) : refuse(p, "a name in quotes is missing");

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
static int read_comma(struct gput__json_pull *p, int c)
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
        return read_value(p, c);
    if (c == (p->is_list[p->depth - 1] ? ']' : '}'))
        return close_level(p);
    c = read_comma(p, c);
    if (c < 0)
        return c;
    return p->is_list[p->depth - 1] ? read_value(p, c) : read_key(p, c);
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

/* Where a piece of text stands in objects, lists and strings. */
struct nesting {
    unsigned depth;
    bool in_string, is_escaped;
};

/* Takes bytes up to the bracket that closes the outermost, or to the end of the piece. */
static const char *skip_piece(struct nesting *n, const char *at, const char *end, uint64_t *line)
{
    for (; at < end; at++) {
        if (n->is_escaped) {
            n->is_escaped = false;
        } else if (n->in_string) {
            n->is_escaped = *at == '\\';
            n->in_string = *at != '"';
        } else if (*at == '"') {
            n->in_string = true;
        } else if (*at == '{' || *at == '[') {
            n->depth++;
        } else if (*at == '}' || *at == ']') {
            if (--n->depth == 0)
                return at + 1;
        } else {
            *line += *at == '\n';
        }
    }
    return at;
}

int gput__json_pull_skip_next(struct gput__json_pull *p)
{
    struct nesting nesting = { .depth = 0 };
    int c = peek_behind_blanks(p);

    if (c != '{' && c != '[')
        return gput__json_pull_skip(p, gput__json_pull_next(p));
    do {
        struct gput__input *in = p->in;
        const char *data;

        c = peek(p);
        if (c < 0)
            return fault_of(p, c);
        data = in->data;
        in->begin =
            (size_t)(skip_piece(&nesting, data + in->begin, data + in->end, &p->line) - data);
    } while (nesting.depth > 0);
    p->is_after_key = false;
    p->has_member = true;
    return 0;
}

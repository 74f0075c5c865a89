/* table_csv.c - rows of a CSV file, as Python's csv module writes and reads them: fields in double
 * quotes may hold commas, newlines and doubled quotes; lines end in CR LF or LF.
 *
 * The file is read in pieces and never mapped: it may be cut or grow while we are at it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/atod.h"
#include "store/files/table.h"

enum {
    PIECE = 256 * 1024,
    /* A row that is longer is no row of ours, and must not take all memory. */
    LONGEST_ROW = 64 * 1024 * 1024,
};

struct csv {
    struct gput__table t;
    struct gput__input in;
    bool is_at_end;
    char *data; /* has a NUL behind `end` */
    size_t cap, begin, end;
    uint64_t line; /* of data[begin] */
    struct gput__table_cell *cells;
    size_t cap_cells;
};

/* What a scan of a row has come to. */
struct scan {
    size_t at;
    uint64_t n_lines; /* newlines within quotes */
    bool is_torn;     /* text follows the closing quote of a field of several lines: no writer's */
};

static int fill(struct csv *c)
{
    ssize_t n;

    if (c->begin > 0) {
        memmove(c->data, c->data + c->begin, c->end - c->begin);
        c->end -= c->begin;
        c->begin = 0;
    }
    if (c->end + 1 >= c->cap) {
        size_t cap = c->cap ? 2 * c->cap : PIECE;
        char *data = cap <= LONGEST_ROW ? realloc(c->data, cap) : NULL;

        if (!data)
            return cap > LONGEST_ROW ? -EFBIG : -ENOMEM;
        c->data = data;
        c->cap = cap;
    }
    n = gput__input_read(&c->in, c->data + c->end, c->cap - c->end - 1);
    if (n < 0)
        return (int)n;
    c->is_at_end = n == 0;
    c->end += (size_t)n;
    c->data[c->end] = '\0';
    return 0;
}

/* Behind the closing quote of the field that begins at data[at], or `end` if it is not there yet. */
static size_t skip_quoted(const struct csv *c, size_t at, size_t end, uint64_t *n_lines)
{
    for (at++; at < end; at++) {
        if (c->data[at] == '\n')
            ++*n_lines;
        if (c->data[at] != '"')
            continue;
        if (at + 1 >= end || c->data[at + 1] != '"')
            return at + 1;
        at++;
    }
    return end;
}

/* Behind the field that begins at data[at]: at a comma, a newline or `end`. */
static size_t skip_field(const struct csv *c, size_t at, size_t end, uint64_t *n_lines)
{
    if (at < end && c->data[at] == '"')
        at = skip_quoted(c, at, end, n_lines);
    while (at < end && c->data[at] != ',' && c->data[at] != '\n')
        at++;
    return at;
}

/* Whether data[begin..end), a field with newlines, goes on behind its closing quote. */
static bool is_torn(const struct csv *c, size_t begin, size_t end)
{
    uint64_t n_lines = 0;
    size_t at = skip_quoted(c, begin, end, &n_lines);

    return at < end && c->data[at] != '\r';
}

/* To the newline that ends the row: 1, or 0: it is not there yet. */
static int find_end(const struct csv *c, struct scan *ret)
{
    struct scan scan = { .at = c->begin };

    for (;;) {
        uint64_t before = scan.n_lines;
        size_t field = scan.at;

        scan.at = skip_field(c, field, c->end, &scan.n_lines);
        if (scan.at >= c->end)
            return 0;
        scan.is_torn |= scan.n_lines > before && is_torn(c, field, scan.at);
        if (c->data[scan.at] == '\n') {
            *ret = scan;
            return 1;
        }
        scan.at++;
    }
}

/* Takes the quotes from a field in place; what follows the closing one belongs to the text. */
static size_t unquote(char *field, size_t len)
{
    bool is_quoted = true;
    size_t n = 0;

    for (size_t i = 1; i < len; i++) {
        if (!is_quoted || field[i] != '"')
            field[n++] = field[i];
        else if (i + 1 < len && field[i + 1] == '"')
            field[n++] = field[i++];
        else
            is_quoted = false;
    }
    return n;
}

static int add_cell(struct csv *c, char *field, size_t len)
{
    if (GPUT__GROW(c->cells, c->cap_cells, c->t.n_cells + 1) < 0)
        return -ENOMEM;
    if (len > 0 && *field == '"')
        len = unquote(field, len);
    field[len] = '\0';
    c->cells[c->t.n_cells++] =
        (struct gput__table_cell){ .kind = GPUT__CELL_TEXT, .text = field, .len = len };
    return 0;
}

/* Cuts data[begin..end) into cells; `end` is the newline. */
static int split(struct csv *c, size_t begin, size_t end)
{
    c->t.n_cells = 0;
    if (end > begin && c->data[end - 1] == '\r')
        end--;
    for (;;) {
        uint64_t n_lines = 0;
        size_t at = skip_field(c, begin, end, &n_lines);

        if (add_cell(c, c->data + begin, at - begin) < 0)
            return -ENOMEM;
        if (at >= end)
            return 1;
        begin = at + 1;
    }
}

static bool is_blank(const struct csv *c, size_t end)
{
    return end == c->begin || (end == c->begin + 1 && c->data[c->begin] == '\r');
}

/* Numbers with commas between, and one text at most: a row of any of our files. */
static bool looks_like_row(const struct csv *c, const char *p, const char *end)
{
    unsigned n = 0, n_numbers = 0, n_texts = 0;
    double number;

    for (;; p++) {
        const char *stop = memchr(p, ',', (size_t)(end - p));

        stop = stop ? stop : end;
        n_texts += stop > p;
        if (stop > p && gput__atod(p, &number) == stop) {
            n_texts--;
            n_numbers++;
        }
        n++;
        p = stop;
        if (p == end)
            break;
    }
    return n >= (c->t.in_rows ? c->t.n_columns : 3) && n_numbers >= 2 && n_texts <= 1;
}

/* Whether a quote in the row that begins at data[begin], and has no end, has taken in the rows behind
 * it.  A name that is being written, with newlines in it, has none. */
static bool has_swallowed_rows(const struct csv *c)
{
    const char *end = c->data + c->end, *line = memchr(c->data + c->begin, '\n', c->end - c->begin);
    const char *newline;

    for (; line && (newline = memchr(line + 1, '\n', (size_t)(end - line - 1))); line = newline) {
        const char *stop = newline > line + 1 && newline[-1] == '\r' ? newline - 1 : newline;

        if (looks_like_row(c, line + 1, stop))
            return true;
    }
    return false;
}

/* 1: a row in c->cells; -EBADMSG: a quote is not closed. */
static int read_row(struct csv *c)
{
    struct scan scan;
    size_t begin;
    int r;

    for (;;) {
        while (find_end(c, &scan) == 0) {
            if (c->is_at_end)
                return has_swallowed_rows(c) ? -EBADMSG : 0;
            r = fill(c);
            if (r < 0)
                return r == -EFBIG && has_swallowed_rows(c) ? -EBADMSG : r;
        }
        if (scan.is_torn)
            return -EBADMSG;
        begin = c->begin;
        c->t.row = c->line;
        c->line += scan.n_lines + 1;
        if (!is_blank(c, scan.at))
            break;
        c->begin = scan.at + 1;
    }
    c->begin = scan.at + 1;
    return split(c, begin, scan.at);
}

static int next(struct gput__table *t, struct gput_error *ret_err)
{
    struct csv *c = (struct csv *)t;
    int r = read_row(c);
    char what[80];

    if (r < 0) {
        t->row = c->line;
        gput__table_fail(t, ret_err, "%s",
                         r == -EFBIG     ? "the line is too long"
                         : r == -EBADMSG ? "a quote is not closed"
                                         : gput__why_unread(r));
    }
    if (r == 0 && c->begin < c->end) {
        t->row = c->line;
        snprintf(what, sizeof(what), "line %llu: the last line is unfinished and was left out",
                 (unsigned long long)c->line);
        gput__table_tell_unfinished(t, what);
    }
    return r;
}

static int begin(struct gput__table *t, const char *name, struct gput_error *ret_err)
{
    (void)name;
    return next(t, ret_err);
}

static struct gput__table_cell cell(const struct gput__table *t, unsigned i)
{
    return ((const struct csv *)t)->cells[i];
}

/* The usual row, plain numbers with commas between, in one go. */
static int numbers(struct gput__table *t, double *ret)
{
    struct csv *c = (struct csv *)t;
    const char *p = c->data + c->begin;

    for (unsigned i = 0; i < t->n_columns; i++) {
        if (i > 0 && *p++ != ',')
            return 0;
        p = gput__atod(p, &ret[i]);
        if (!p || !isfinite(ret[i]))
            return 0;
    }
    p += *p == '\r';
    if (*p != '\n')
        return 0;
    t->row = c->line++;
    c->begin = (size_t)(p + 1 - c->data);
    return 1;
}

static void place(const struct gput__table *t, char *ret, size_t size)
{
    snprintf(ret, size, "line %llu", (unsigned long long)t->row);
}

static void close_csv(struct gput__table *t)
{
    struct csv *c = (struct csv *)t;

    gput__input_close(&c->in);
    free(c->data);
    free(c->cells);
    free(c);
}

static const struct gput__table_ops ops = { begin, next, cell, numbers, place, close_csv, true };

/* What some editors put in front of a text. */
static void skip_byte_order_mark(struct csv *c)
{
    if (c->end >= 3 && memcmp(c->data, "\xEF\xBB\xBF", 3) == 0)
        c->begin = 3;
}

int gput__table_open_csv(struct gput__input *in, struct gput__table **ret)
{
    struct csv *c = calloc(1, sizeof(*c));
    int r;

    if (!c) {
        gput__input_close(in);
        return -ENOMEM;
    }
    *c = (struct csv){ .t = { .ops = &ops, .row = 1 }, .in = *in, .line = 1 };
    *in = GPUT__INPUT_INIT;
    r = fill(c);
    if (r < 0) {
        close_csv(&c->t);
        return r;
    }
    skip_byte_order_mark(c);
    *ret = &c->t;
    return 0;
}

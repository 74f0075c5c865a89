/* usage_text.c - the figures of a run as text. */
#include <string.h>

#include "base/dtoa.h"
#include "report/layout.h"
#include "report/usage.h"

#define INDENT 3

static void put_label(struct gput__buf *out, unsigned depth, const char *label)
{
    gput__buf_printf(out, "%*s%s:", (int)(depth * INDENT), "", label);
}

/* The command line is shown on a terminal: bytes that would steer it are not passed on. */
static void put_words(struct gput__buf *out, const char *words)
{
    for (; *words; words++)
        gput__buf_putc(out, (unsigned char)*words < 0x20 || *words == 0x7F ? '?' : *words);
}

static void put_figure(struct gput__buf *out, const struct gput__row *row,
                       const struct gput_usage *u, bool say_unknown)
{
    const struct gput_figure *f = gput__row_figure(row, u);
    char text[32];

    if (say_unknown && f->source == GPUT_UNAVAILABLE) {
        gput__buf_puts(out, "unavailable");
        if (f->why)
            gput__buf_printf(out, " (%s)", f->why);
    } else if (row->kind == GPUT__ROW_COUNT) {
        gput__buf_printf(out, "%.0f", f->value);
    } else {
        gput__dtoa_round3(gput__row_value(row, u), text);
        gput__buf_puts(out, text);
    }
}

static void put_value(struct gput__buf *out, const struct gput__row *row,
                      const struct gput_usage *u, bool say_unknown)
{
    const char *words;

    gput__buf_putc(out, ' ');
    switch (row->kind) {
    case GPUT__ROW_TEXT:
    case GPUT__ROW_ENDING:
    case GPUT__ROW_OOM:
        words = gput__row_words(row, u);
        put_words(out, words ? words : "unknown");
        break;
    case GPUT__ROW_BOOL:
        gput__buf_puts(out, gput__row_long(row, u) ? "yes" : "no");
        break;
    case GPUT__ROW_INT:
    case GPUT__ROW_EXIT:
    case GPUT__ROW_SIGNAL:
    case GPUT__ROW_PID:
        if (gput__row_applies(row, u))
            gput__buf_printf(out, "%ld", gput__row_long(row, u));
        else
            gput__buf_puts(out, "none");
        break;
    default:
        put_figure(out, row, u, say_unknown);
    }
}

static void put_rows(struct gput__buf *out, const struct gput__row *rows, size_t n,
                     const struct gput_usage *u, bool say_unknown)
{
    unsigned depth = 0;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].kind == GPUT__ROW_CLOSE) {
            depth--;
            continue;
        }
        put_label(out, depth, rows[i].label);
        if (rows[i].kind == GPUT__ROW_OPEN)
            depth++;
        else
            put_value(out, &rows[i], u, say_unknown);
        gput__buf_putc(out, '\n');
    }
}

static bool same_source(const struct gput_figure *a, const struct gput_figure *b)
{
    return a->source == b->source && a->why == b->why;
}

struct group {
    size_t n_rows;
    const struct gput_figure *first; /* NULL: it has no figures */
    bool alike;                      /* all of them are known in the same way */
};

static struct group look_through(const struct gput__row *open, const struct gput_usage *u)
{
    struct group g = { .alike = true };
    int depth = 0;

    do {
        const struct gput__row *row = &open[g.n_rows++];

        depth += (row->kind == GPUT__ROW_OPEN) - (row->kind == GPUT__ROW_CLOSE);
        if (!gput__row_is_figure(row))
            continue;
        if (!g.first)
            g.first = gput__row_figure(row, u);
        g.alike &= same_source(g.first, gput__row_figure(row, u));
    } while (depth > 0);
    return g;
}

static void put_source(struct gput__buf *out, const struct gput_figure *f)
{
    gput__buf_printf(out, " %s", gput__source_name(f->source));
    if (f->why)
        gput__buf_printf(out, " (%s)", f->why);
}

/* One line for each group of figures that are known in the same way: the outermost possible. */
static void put_sources(struct gput__buf *out, const struct gput__row *rows, size_t n,
                        const struct gput_usage *u)
{
    unsigned depth = 1;

    for (size_t i = 0; i < n; i++) {
        struct group g = { .n_rows = 1, .alike = true };

        if (rows[i].kind == GPUT__ROW_CLOSE)
            depth--;
        else if (rows[i].kind == GPUT__ROW_OPEN)
            g = look_through(&rows[i], u);
        else if (gput__row_is_figure(&rows[i]))
            g.first = gput__row_figure(&rows[i], u);
        if (g.first) {
            put_label(out, depth, rows[i].label);
            if (g.alike)
                put_source(out, g.first);
            gput__buf_putc(out, '\n');
        }
        if (g.alike)
            i += g.n_rows - 1; /* with all that it holds */
        else
            depth++;
    }
}

int gput__usage_text(const struct gput_usage *u, bool full, struct gput__buf *out)
{
    put_rows(out, gput__default_rows, gput__n_default_rows, u, full);
    if (full) {
        put_rows(out, gput__full_rows, gput__n_full_rows, u, true);
        put_label(out, 0, "Sources");
        gput__buf_putc(out, '\n');
        put_sources(out, gput__default_rows, gput__n_default_rows, u);
        put_sources(out, gput__full_rows, gput__n_full_rows, u);
    }
    return out->err;
}

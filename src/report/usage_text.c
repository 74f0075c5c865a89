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
    if (gput__row_is_figure(row)) {
        put_figure(out, row, u, say_unknown);
    } else if (row->kind == GPUT__ROW_BOOL) {
        gput__buf_puts(out, gput__row_long(row, u) ? "yes" : "no");
    } else if (row->kind == GPUT__ROW_INT || row->kind == GPUT__ROW_PID) {
        gput__buf_printf(out, "%ld", gput__row_long(row, u));
    } else {
        words = gput__row_words(row, u);
        put_words(out, words ? words : "unknown");
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

static void put_source(void *ctx, const char *path, const struct gput_figure *f)
{
    struct gput__buf *out = ctx;

    put_label(out, 1, path);
    gput__buf_printf(out, " %s", gput__source_name(f->source));
    if (f->why)
        gput__buf_printf(out, " (%s)", f->why);
    gput__buf_putc(out, '\n');
}

int gput__usage_text(const struct gput_usage *u, bool full, struct gput__buf *out)
{
    put_rows(out, gput__default_rows, gput__n_default_rows, u, full);
    if (full) {
        put_rows(out, gput__full_rows, gput__n_full_rows, u, true);
        put_label(out, 0, "Sources");
        gput__buf_putc(out, '\n');
        gput__usage_each_source(u, put_source, out);
    }
    return out->err;
}

static void each_source(const struct gput__row *rows, size_t n, const struct gput_usage *u,
                        gput__source_fn *fn, void *ctx)
{
    const char *open[4];
    unsigned depth = 0;

    for (size_t i = 0; i < n; i++) {
        char path[128] = "";

        if (rows[i].kind == GPUT__ROW_OPEN)
            open[depth++] = rows[i].key;
        else if (rows[i].kind == GPUT__ROW_CLOSE)
            depth--;
        if (!gput__row_is_figure(&rows[i]))
            continue;
        for (unsigned d = 0; d < depth; d++) {
            strcat(path, open[d]);
            strcat(path, ".");
        }
        strcat(path, rows[i].key);
        fn(ctx, path, gput__row_figure(&rows[i], u));
    }
}

void gput__usage_each_source(const struct gput_usage *u, gput__source_fn *fn, void *ctx)
{
    each_source(gput__default_rows, gput__n_default_rows, u, fn, ctx);
    each_source(gput__full_rows, gput__n_full_rows, u, fn, ctx);
}

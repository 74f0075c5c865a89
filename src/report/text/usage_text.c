/* usage_text.c - the figures of a run as text. */
#include <string.h>

#include "base/text/dtoa.h"
#include "report/cells.h"
#include "report/text/screen_text.h"
#include "report/usage.h"

#define INDENT 3

static void put_label(struct gput__buf *out, unsigned depth, const char *label)
{
    for (unsigned i = 0; i < depth * INDENT; i++)
        gput__buf_putc(out, ' ');
    gput__buf_puts(out, label);
    gput__buf_putc(out, ':');
}

/* It may hold what a library or the other side of shared memory says. */
static void put_why(struct gput__buf *out, const char *why)
{
    if (!why)
        return;
    gput__buf_puts(out, " (");
    gput__screen_line(out, why);
    gput__buf_putc(out, ')');
}

static void put_figure(struct gput__buf *out, struct gput__cell c, bool say_unknown)
{
    const struct gput_figure *f = gput__cell_figure(c);
    char text[32];

    if (say_unknown && f->source == GPUT_UNAVAILABLE) {
        gput__buf_puts(out, "unavailable");
        put_why(out, f->why);
    } else if (c.row->kind == GPUT__ROW_COUNT) {
        gput__buf_printf(out, "%.0f", f->value);
    } else {
        gput__dtoa_round3(gput__cell_value(c), text);
        gput__buf_puts(out, text);
    }
}

static void put_value(struct gput__buf *out, struct gput__cell c, bool say_unknown)
{
    const char *words;

    gput__buf_putc(out, ' ');
    switch (c.row->kind) {
    case GPUT__ROW_TEXT:
    case GPUT__ROW_ENDING:
    case GPUT__ROW_OOM:
        words = gput__cell_words(c);
        gput__screen_line(out, words ? words : "none");
        break;
    case GPUT__ROW_BOOL:
        gput__buf_puts(out, gput__cell_long(c) ? "yes" : "no");
        break;
    case GPUT__ROW_INT:
    case GPUT__ROW_SOME:
    case GPUT__ROW_EXIT:
    case GPUT__ROW_SIGNAL:
    case GPUT__ROW_PID:
        if (gput__cell_applies(c))
            gput__buf_printf(out, "%ld", gput__cell_long(c));
        else
            gput__buf_puts(out, "none");
        break;
    default:
        put_figure(out, c, say_unknown);
    }
}

static void put_rows(struct gput__buf *out, unsigned depth, const struct gput__rows *rows,
                     const void *base, const struct gput_usage *u, bool say_unknown)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct gput__cell c = { &rows->row[i], base, u };

        if (c.row->kind == GPUT__ROW_CLOSE) {
            depth--;
            continue;
        }
        put_label(out, depth, c.row->label);
        if (c.row->kind == GPUT__ROW_OPEN)
            depth++;
        else
            put_value(out, c, say_unknown);
        gput__buf_putc(out, '\n');
    }
}

static void put_gpus(struct gput__buf *out, const struct gput_usage *u)
{
    for (int i = 0; i < u->gpu.n_gpus; i++) {
        gput__buf_printf(out, "GPU %d:\n", u->gpu.gpus[i].index);
        put_rows(out, 1, &gput__gpu_rows, &u->gpu.gpus[i], u, true);
    }
    if (u->gpu.n_gpus == 0)
        return;
    gput__buf_printf(out, "GPU processes:\n%*sAttribution: %s\n", INDENT, "",
                     u->gpu.attribution ? u->gpu.attribution : "none");
    if (u->gpu.note) {
        gput__buf_printf(out, "%*sNote: ", INDENT, "");
        gput__screen_line(out, u->gpu.note);
        gput__buf_putc(out, '\n');
    }
    for (int i = 0; i < u->gpu.n_processes; i++) {
        gput__buf_printf(out, "%*sProcess %d:\n", INDENT, "", i + 1);
        put_rows(out, 2, &gput__gpu_process_rows, &u->gpu.processes[i], u, true);
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
        struct gput__cell c = { &open[g.n_rows++], u, u };

        depth += (c.row->kind == GPUT__ROW_OPEN) - (c.row->kind == GPUT__ROW_CLOSE);
        if (!gput__row_is_figure(c.row))
            continue;
        if (!g.first)
            g.first = gput__cell_figure(c);
        g.alike &= same_source(g.first, gput__cell_figure(c));
    } while (depth > 0);
    return g;
}

static void put_source(struct gput__buf *out, const struct gput_figure *f)
{
    gput__buf_printf(out, " %s", gput__source_name(f->source));
    put_why(out, f->why);
}

/* One line for each group of figures that are known in the same way: the outermost possible. */
static void put_sources(struct gput__buf *out, const struct gput__rows *rows,
                        const struct gput_usage *u)
{
    unsigned depth = 1;

    for (size_t i = 0; i < rows->n; i++) {
        struct gput__cell c = { &rows->row[i], u, u };
        struct group g = { .n_rows = 1, .alike = true };

        if (c.row->kind == GPUT__ROW_CLOSE)
            depth--;
        else if (c.row->kind == GPUT__ROW_OPEN)
            g = look_through(c.row, u);
        else if (gput__row_is_figure(c.row))
            g.first = gput__cell_figure(c);
        if (g.first) {
            put_label(out, depth, c.row->label);
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
    struct gput__row room[2][GPUT__MOST_ROWS];
    struct gput__rows shown = gput__usage_rows(GPUT__DEFAULT_ROWS, room[0]), more;

    put_rows(out, 0, &shown, u, u, full);
    if (full) {
        more = gput__usage_rows(GPUT__FULL_ROWS, room[1]);
        put_gpus(out, u);
        put_rows(out, 0, &more, u, u, true);
        put_label(out, 0, "Sources");
        gput__buf_putc(out, '\n');
        put_sources(out, &shown, u);
        put_sources(out, &more, u);
    }
    return out->err;
}

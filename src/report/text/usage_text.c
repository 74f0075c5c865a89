/* usage_text.c - the figures of a run as text. */
#include <stdlib.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "report/bottlenecks.h"
#include "report/budget.h"
#include "report/cells.h"
#include "report/text/amount.h"
#include "report/text/gpu_work_text.h"
#include "report/text/screen_text.h"
#include "report/usage.h"

#define INDENT 3
#define NAME_WIDTH 40

static void write_label(struct gput__buf *out, unsigned depth, const char *label)
{
    for (unsigned i = 0; i < depth * INDENT; i++)
        gput__buf_putc(out, ' ');
    gput__buf_puts(out, label);
    gput__buf_putc(out, ':');
}

/* It may hold what a library or the other side of shared memory says. */
static void write_why(struct gput__buf *out, const char *why)
{
    if (!why)
        return;
    gput__buf_puts(out, " (");
    gput__screen_line(out, why);
    gput__buf_putc(out, ')');
}

static void write_figure(struct gput__buf *out, struct gput__cell c, bool say_unknown)
{
    const struct gput_figure *f = gput__cell_figure(c);
    char text[32];

    if (say_unknown && f->source == GPUT_UNAVAILABLE) {
        gput__buf_puts(out, "unavailable");
        write_why(out, f->why);
    } else if (c.row->kind == GPUT__ROW_COUNT) {
        gput__buf_printf(out, "%.0f", f->value);
    } else {
        gput__dtoa_round3(gput__cell_value(c), text);
        gput__buf_puts(out, text);
    }
}

/* "key=value, key=value" */
static void write_pairs(struct gput__buf *out, const char *lines)
{
    if (!lines || !*lines) {
        gput__buf_puts(out, "none");
        return;
    }
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        char *pair = strndup(lines, n);

        if (pair)
            gput__screen_line(out, pair);
        free(pair);
        lines += n + (lines[n] == '\n');
        gput__buf_puts(out, *lines ? ", " : "");
    }
}

static void write_value(struct gput__buf *out, struct gput__cell c, bool say_unknown)
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
    case GPUT__ROW_PAIRS:
        write_pairs(out, gput__cell_words(c));
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
        write_figure(out, c, say_unknown);
    }
}

static void write_rows(struct gput__buf *out, unsigned depth, const struct gput__rows *rows,
                       const void *base, const struct gput_usage *u, bool say_unknown)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct gput__cell c = { &rows->row[i], base, u };

        if (c.row->kind == GPUT__ROW_CLOSE) {
            depth--;
            continue;
        }
        write_label(out, depth, c.row->label);
        if (c.row->kind == GPUT__ROW_OPEN)
            depth++;
        else
            write_value(out, c, say_unknown);
        gput__buf_putc(out, '\n');
    }
}

static void write_gpus(struct gput__buf *out, const struct gput_usage *u)
{
    for (int i = 0; i < u->gpu.n_gpus; i++) {
        gput__buf_printf(out, "GPU %d:\n", u->gpu.gpus[i].index);
        write_rows(out, 1, &gput__gpu_rows, &u->gpu.gpus[i], u, true);
        if (u->gpu.work)
            gput__gpu_work_text(out, INDENT, &u->gpu.work[i]);
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
        write_rows(out, 2, &gput__gpu_process_rows, &u->gpu.processes[i], u, true);
    }
}

static void write_amount(struct gput__buf *out, struct gput_figure f,
                         const char *amount(double value, char *ret))
{
    char text[GPUT__AMOUNT_SIZE] = "-";

    if (f.source != GPUT_UNAVAILABLE)
        amount(f.value, text);
    gput__buf_printf(out, "  %12s", text);
}

/* Who used it: a line for each group of processes. */
static void write_groups(struct gput__buf *out, const struct gput_usage *u)
{
    if (u->processes.n_groups)
        gput__buf_printf(out, "Who used it:\n%*s%-40s  %12s  %12s  %12s  %12s  %12s  %12s\n",
                         INDENT, "", "Command", "Processes", "CPU time", "Peak RSS", "Peak GPU RAM",
                         "First seen", "Last seen");
    for (int i = 0; i < u->processes.n_groups; i++) {
        const struct gput_process_group *g = &u->processes.groups[i];
        int width;

        gput__buf_printf(out, "%*s", INDENT, "");
        width = gput__screen_text(out, g->name, NAME_WIDTH, true);
        gput__buf_printf(out, "%*s", NAME_WIDTH - width, "");
        write_amount(out, g->count, gput__amount_count);
        write_amount(out, g->cpu_seconds, gput__amount_seconds);
        write_amount(out, g->max_rss, gput__amount_bytes);
        write_amount(out, g->gpu_ram, gput__amount_bytes);
        write_amount(out, g->first_seen, gput__amount_seconds);
        write_amount(out, g->last_seen, gput__amount_seconds);
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

static struct group scan_group(const struct gput__row *open, const struct gput_usage *u)
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

static void write_source(struct gput__buf *out, const struct gput_figure *f)
{
    gput__buf_printf(out, " %s", gput__source_name(f->source));
    write_why(out, f->why);
}

/* One line for each group of figures that are known in the same way: the outermost possible. */
static void write_sources(struct gput__buf *out, const struct gput__rows *rows,
                          const struct gput_usage *u)
{
    unsigned depth = 1;

    for (size_t i = 0; i < rows->n; i++) {
        struct gput__cell c = { &rows->row[i], u, u };
        struct group g = { .n_rows = 1, .alike = true };

        if (c.row->kind == GPUT__ROW_CLOSE)
            depth--;
        else if (c.row->kind == GPUT__ROW_OPEN)
            g = scan_group(c.row, u);
        else if (gput__row_is_figure(c.row))
            g.first = gput__cell_figure(c);
        if (g.first) {
            write_label(out, depth, c.row->label);
            if (g.alike)
                write_source(out, g.first);
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

    write_rows(out, 0, &shown, u, u, full);
    gput__budget_text(out, u);
    if (full) {
        more = gput__usage_rows(GPUT__FULL_ROWS, room[1]);
        write_gpus(out, u);
        write_rows(out, 0, &more, u, u, true);
        gput__bottlenecks_text(out, u);
        write_groups(out, u);
        write_label(out, 0, "Sources");
        gput__buf_putc(out, '\n');
        write_sources(out, &shown, u);
        write_sources(out, &more, u);
    }
    return out->err;
}

/* comparison_text.c - a comparison of runs as text: for each measurement the sessions by value. */
#include <limits.h>
#include <string.h>

#include "report/analysis.h"
#include "report/text/grid.h"
#include "report/text/screen_text.h"

enum { INDENT = 3 };

static const char *const statistics[] = {
    [GPUT_MIN] = "min", [GPUT_MAX] = "max", [GPUT_MEAN] = "mean", [GPUT_STD] = "std"
};

/* How wide the cells of a section are. */
struct cell_width {
    int session, value;
};

static void widen(struct cell_width *w, const struct gput__ranked *list, size_t n)
{
    struct gput__buf shown = GPUT__BUF_INIT;
    char number[48];

    for (size_t i = 0; i < n; i++) {
        int session = gput__screen_text(&shown, list[i].session, INT_MAX, true), value;

        shown.len = 0;
        gput__grid_number(list[i].value, number);
        value = (int)strlen(number);
        w->session = session > w->session ? session : w->session;
        w->value = value > w->value ? value : w->value;
    }
    gput__buf_free(&shown);
}

static void write_label(struct gput__buf *out, int indent, const char *label)
{
    gput__buf_printf(out, "%*s", indent, "");
    gput__screen_line(out, label);
    gput__buf_puts(out, "\n");
}

static void write_ranking(struct gput__buf *out, int indent, const char *label,
                          const struct gput__ranked *list, size_t n, const struct cell_width *w)
{
    char number[48];
    int width;

    write_label(out, indent, label);
    gput__buf_printf(out, "%*s", indent + INDENT, "");
    for (size_t i = 0; i < n; i++) {
        gput__grid_number(list[i].value, number);
        gput__buf_puts(out, i ? "   " : "");
        width = gput__screen_text(out, list[i].session, INT_MAX, true);
        gput__buf_printf(out, "%*s %*s", w->session - width, "", w->value, number);
    }
    gput__buf_puts(out, "\n");
}

void gput__comparison_text(const struct gput__comparison *c, enum gput_statistic statistic,
                           struct gput__buf *out)
{
    struct cell_width overall = { 0 }, usage = { 0 }, computed = { 0 };
    size_t n = c->n_sessions;

    widen(&overall, c->overall, c->n_measurements * n);
    widen(&usage, c->usage, c->n_measurements * c->n_blocks * n);
    widen(&computed, c->computed, c->n_blocks * n);
    gput__buf_printf(out, "Overall resource usage (%s):\n", statistics[statistic]);
    for (size_t m = 0; m < c->n_measurements; m++)
        write_ranking(out, INDENT, c->measurements[m], c->overall + m * n, n, &overall);
    if (c->n_blocks == 0)
        return;
    gput__buf_printf(out, "Code block resource usage (%s):\n", statistics[statistic]);
    for (size_t m = 0; m < c->n_measurements; m++) {
        write_label(out, INDENT, c->measurements[m]);
        for (size_t b = 0; b < c->n_blocks; b++)
            write_ranking(out, 2 * INDENT, c->blocks[b], c->usage + (m * c->n_blocks + b) * n, n,
                          &usage);
    }
    gput__buf_printf(out, "Code block compute time (%s, seconds):\n", statistics[statistic]);
    for (size_t b = 0; b < c->n_blocks; b++)
        write_ranking(out, INDENT, c->blocks[b], c->computed + b * n, n, &computed);
}

/* run_comparison_text.c - runs side by side, for people. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "report/run_comparison.h"
#include "report/text/screen_text.h"

enum { LABEL = 22, CELL = 14, SMALL = 10, MOST_FILES = 5 };

/* Whether the names of groups are heads of columns; else their numbers are. */
static bool has_short_names(const struct gput__run_comparison *c)
{
    struct gput__buf shown = GPUT__BUF_INIT;
    bool is_short = true;

    for (size_t g = 0; g < c->n_groups; g++)
        is_short &= gput__screen_text(&shown, c->groups[g].name, INT_MAX, true) <= CELL - 2;
    gput__buf_free(&shown);
    return is_short;
}

static void write_runs(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    const struct gput__run_group *g = &c->groups[group];

    if (!has_short_names(c) && c->n_groups > 1)
        gput__buf_printf(out, "[%zu] ", group + 1);
    gput__screen_line(out, g->name);
    gput__buf_printf(out, ": %zu run%s", g->n, g->n == 1 ? "" : "s");
    if (g->n == 0 || !g->runs[0].source || strcmp(g->runs[0].source, g->name) == 0) {
        gput__buf_putc(out, '\n');
        return;
    }
    for (size_t i = 0; i < g->n && i < MOST_FILES; i++) {
        gput__buf_puts(out, i ? ", " : " (");
        gput__screen_line(out, g->runs[i].source ? g->runs[i].source : "?");
    }
    if (g->n > MOST_FILES)
        gput__buf_printf(out, " and %zu more", g->n - MOST_FILES);
    gput__buf_puts(out, ")\n");
}

/* At the right of its column. */
static void write_cell(struct gput__buf *out, const char *text, int width)
{
    gput__buf_printf(out, "%*s", width, text);
}

static void write_head(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    struct gput__buf shown = GPUT__BUF_INIT;
    int columns;

    if (!has_short_names(c)) {
        gput__buf_printf(out, "%*s[%zu]", CELL - 3, "", group + 1);
        return;
    }
    columns = gput__screen_text(&shown, c->groups[group].name, INT_MAX, true);
    gput__buf_printf(out, "%*s%s", CELL - columns, "", gput__buf_text(&shown));
    gput__buf_free(&shown);
}

static void write_label(const struct gput__named_figure *f, struct gput__buf *out)
{
    if (strlen(f->label) < LABEL)
        gput__buf_printf(out, "%-*s", LABEL, f->label);
    else
        gput__buf_printf(out, "%s\n%*s", f->label, LABEL, ""); /* a path is long */
}

/* --- one group beside the first --------------------------------------------------------------- */

static void write_difference(const struct gput__run_comparison *c, size_t group, int i,
                             struct gput__buf *out)
{
    struct gput__compared_cells cells;

    gput__compared_cells(c, group, i, &cells);
    write_label(&c->figures[i], out);
    gput__buf_printf(out, "%*s%*s%*s%*s  %s\n", CELL, cells.base, CELL, cells.other, SMALL,
                     cells.change, SMALL, cells.noise, cells.verdict);
}

static void write_group(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    gput__buf_printf(out, "\n%*s", LABEL, "");
    write_head(c, 0, out);
    write_head(c, group, out);
    write_cell(out, "change", SMALL);
    write_cell(out, "noise", SMALL);
    gput__buf_putc(out, '\n');
    gput__compared_each(c, group, write_difference, out);
    gput__buf_putc(out, '\n');
    gput__compared_sum(c, group, out);
    gput__buf_puts(out, ".\n");
}

/* --- each group by itself --------------------------------------------------------------------- */

static void write_spread(const struct gput__run_comparison *c, size_t group, int i,
                         struct gput__buf *out)
{
    const struct gput__run_group *g = &c->groups[group];
    const struct gput__named_figure *f = &c->figures[i];
    char text[GPUT__AMOUNT_SIZE];
    struct gput__spread s;
    int outliers = 0;

    gput__run_group_spread(g, i, &s);
    write_label(f, out);
    write_cell(out, gput__compared_amount(f->unit, s.median, text), CELL);
    write_cell(out, gput__compared_amount(f->unit, s.deviation, text), CELL);
    write_cell(out, gput__compared_amount(f->unit, s.low, text), CELL);
    write_cell(out, gput__compared_amount(f->unit, s.high, text), CELL);
    for (size_t k = 0; k < g->n; k++)
        outliers += gput__spread_is_outlier(&s, g->runs[k].value[i], f->least);
    if (outliers > 0)
        gput__buf_printf(out, "  %d outlier%s", outliers, outliers == 1 ? "" : "s");
    gput__buf_putc(out, '\n');
}

static void write_spreads(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    static const char *const heads[] = { "median", "deviation", "least", "most" };

    gput__buf_printf(out, "\n%*s", LABEL, "");
    for (size_t i = 0; i < 4; i++)
        write_cell(out, heads[i], CELL);
    gput__buf_putc(out, '\n');
    gput__compared_each(c, group, write_spread, out);
}

/* --- all -------------------------------------------------------------------------------------- */

static void write_unknown(void *ctx, const char *figure, const char *why)
{
    gput__buf_printf(ctx, "Not known: %s: %s.\n", figure, why);
}

static void write_conditions(const struct gput__run_comparison *c, struct gput__buf *out)
{
    for (size_t g = 1; g < c->n_groups; g++)
        for (int i = 0; i < c->n_conditions; i++) {
            gput__buf_puts(out, gput__run_comparison_fails(c, g, i) ? "FAILED " : "passed ");
            gput__compared_condition(c, g, i, out);
            gput__buf_putc(out, '\n');
        }
}

static bool has_spread(const struct gput__run_comparison *c)
{
    for (size_t g = 0; g < c->n_groups; g++)
        if (c->groups[g].n < GPUT__SPREAD_RUNS)
            return false;
    return true;
}

void gput__run_comparison_text(const struct gput__run_comparison *c, struct gput__buf *out)
{
    for (size_t g = 0; g < c->n_groups; g++) {
        write_runs(c, g, out);
        if (c->n_groups == 1)
            write_spreads(c, g, out);
    }
    for (size_t g = 1; g < c->n_groups; g++)
        write_group(c, g, out);
    gput__compared_unknown(c, write_unknown, out);
    if (c->n_groups > 1)
        gput__buf_puts(out,
                       has_spread(c)
                           ? "Medians; noise: what medians of equal runs may differ by, from "
                             "the spread of these.\n"
                           : "Noise: what equal runs are taken to differ by; three runs or more "
                             "of each tell it better.\n");
    write_conditions(c, out);
}

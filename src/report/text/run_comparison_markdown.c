/* run_comparison_markdown.c - runs side by side, as a table of Markdown. */
#include <math.h>
#include <string.h>

#include "report/formats/formats.h"
#include "report/run_comparison.h"

static void write_difference(const struct gput__run_comparison *c, size_t group, int i,
                             struct gput__buf *out)
{
    struct gput__compared_cells cells;
    const char *stars;

    gput__compared_cells(c, group, i, &cells);
    stars = cells.differs ? "**" : "";
    gput__buf_puts(out, "| ");
    gput__markdown_text(out, c->figures[i].label);
    gput__buf_printf(out, " | %s | %s | %s | %s | %s%s%s |\n", cells.base, cells.other,
                     cells.change, cells.noise, stars, cells.verdict, stars);
}

static void write_head(const struct gput__run_group *g, struct gput__buf *out)
{
    gput__markdown_text(out, g->name);
    if (g->n > 1)
        gput__buf_printf(out, " (%zu runs)", g->n);
    gput__buf_puts(out, " | ");
}

static void write_group(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    gput__buf_puts(out, "| | ");
    write_head(&c->groups[0], out);
    write_head(&c->groups[group], out);
    gput__buf_puts(out, "change | noise | |\n|---|---:|---:|---:|---:|---|\n");
    gput__compared_each(c, group, write_difference, out);
    gput__buf_putc(out, '\n');
    gput__compared_sum(c, group, out);
    gput__buf_puts(out, ".\n");
}

static void write_spread(const struct gput__run_comparison *c, size_t group, int i,
                         struct gput__buf *out)
{
    const struct gput__named_figure *f = &c->figures[i];
    char median[GPUT__AMOUNT_SIZE], deviation[GPUT__AMOUNT_SIZE], low[GPUT__AMOUNT_SIZE],
        high[GPUT__AMOUNT_SIZE];
    struct gput__spread s;

    gput__run_group_spread(&c->groups[group], i, &s);
    gput__buf_puts(out, "| ");
    gput__markdown_text(out, f->label);
    gput__buf_printf(
        out, " | %s | %s | %s | %s |\n", gput__compared_amount(f->unit, s.median, median),
        gput__compared_amount(f->unit, s.deviation, deviation),
        gput__compared_amount(f->unit, s.low, low), gput__compared_amount(f->unit, s.high, high));
}

static void write_spreads(const struct gput__run_comparison *c, struct gput__buf *out)
{
    gput__buf_puts(out, "| ");
    write_head(&c->groups[0], out);
    gput__buf_puts(out, "median | deviation | least | most |\n|---|---:|---:|---:|---:|\n");
    gput__compared_each(c, 0, write_spread, out);
}

static void write_conditions(const struct gput__run_comparison *c, struct gput__buf *out)
{
    struct gput__buf line = GPUT__BUF_INIT;

    for (size_t g = 1; g < c->n_groups; g++)
        for (int i = 0; i < c->n_conditions; i++) {
            gput__buf_clear(&line);
            gput__compared_condition(c, g, i, &line);
            gput__buf_puts(out,
                           gput__run_comparison_fails(c, g, i) ? "- **failed** " : "- passed ");
            gput__markdown_text(out, gput__buf_text(&line));
            gput__buf_putc(out, '\n');
        }
    gput__buf_free(&line);
}

void gput__run_comparison_markdown(const struct gput__run_comparison *c, struct gput__buf *out)
{
    if (c->n_groups == 1)
        write_spreads(c, out);
    for (size_t g = 1; g < c->n_groups; g++) {
        gput__buf_puts(out, g > 1 ? "\n" : "");
        write_group(c, g, out);
    }
    if (c->n_conditions > 0 && c->n_groups > 1)
        gput__buf_putc(out, '\n');
    write_conditions(c, out);
}

/* html_comparison.c - runs side by side as one page, with charts over one time axis. */
#include "report/html/html_comparison.h"

#include <errno.h>
#include <stdlib.h>

#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/html/overlay.h"
#include "report/run_comparison.h"

static void write_cell(struct gput__buf *out, const char *text)
{
    gput__buf_puts(out, "<td>");
    gput__html_text(out, text);
    gput__buf_puts(out, "</td>");
}

static void write_difference(const struct gput__run_comparison *c, size_t group, int i,
                             struct gput__buf *out)
{
    struct gput__compared_cells cells;
    const char *tag;

    gput__compared_cells(c, group, i, &cells);
    tag = cells.differs ? "strong" : "span";
    gput__buf_puts(out, "<tr><th scope=\"row\">");
    gput__html_text(out, c->figures[i].label);
    gput__buf_puts(out, "</th>");
    write_cell(out, cells.base);
    write_cell(out, cells.other);
    write_cell(out, cells.change);
    write_cell(out, cells.noise);
    gput__buf_printf(out, "<td><%s>%s</%s></td></tr>\n", tag, cells.verdict, tag);
}

static void write_head_cell(const struct gput__run_group *g, struct gput__buf *out)
{
    gput__buf_puts(out, "<th scope=\"col\">");
    gput__html_isolated(out, g->name);
    if (g->n != 1)
        gput__buf_printf(out, "<br><small>%zu runs</small>", g->n);
    gput__buf_puts(out, "</th>");
}

static void write_conditions(const struct gput__run_comparison *c, size_t group,
                             struct gput__buf *out)
{
    if (c->n_conditions == 0)
        return;
    gput__buf_puts(out, "<ul>\n");
    for (int i = 0; i < c->n_conditions; i++) {
        struct gput__buf line = GPUT__BUF_INIT;

        gput__compared_condition(c, group, i, &line);
        gput__buf_puts(out, gput__run_comparison_fails(c, group, i) ? "<li><strong>failed</strong> "
                                                                    : "<li>passed ");
        gput__html_text(out, gput__buf_text(&line));
        gput__buf_puts(out, "</li>\n");
        gput__buf_free(&line);
    }
    gput__buf_puts(out, "</ul>\n");
}

static void write_group(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    struct gput__buf sum = GPUT__BUF_INIT;

    gput__compared_sum(c, group, &sum);
    gput__buf_printf(out, "<section aria-labelledby=\"group-%zu\">\n<h2 id=\"group-%zu\">", group,
                     group);
    gput__html_isolated(out, c->groups[0].name);
    gput__buf_puts(out, " and ");
    gput__html_isolated(out, c->groups[group].name);
    gput__buf_printf(out, "</h2>\n<p>%s.</p>\n", gput__buf_text(&sum));
    gput__buf_printf(out,
                     "<div class=\"scroll\" role=\"region\" aria-labelledby=\"group-%zu\" "
                     "tabindex=\"0\"><table><thead><tr><th scope=\"col\">Figure</th>",
                     group);
    write_head_cell(&c->groups[0], out);
    write_head_cell(&c->groups[group], out);
    gput__buf_puts(out, "<th scope=\"col\">Change</th><th scope=\"col\">Noise</th>"
                        "<th scope=\"col\">Verdict</th></tr></thead><tbody>\n");
    gput__compared_each(c, group, write_difference, out);
    gput__buf_puts(out, "</tbody></table></div>\n");
    write_conditions(c, group, out);
    gput__buf_puts(out, "</section>\n");
    gput__buf_free(&sum);
}

static void write_page(const struct gput__run_comparison *c, const struct gput__html *h,
                       const struct gput__charts *charts, struct gput__buf *out)
{
    gput__html_begin("Runs side by side", out);
    gput__buf_puts(out, "<h1>Runs side by side</h1>\n");
    for (size_t g = 1; g < c->n_groups; g++)
        write_group(c, g, out);
    if (charts->n > 0) {
        gput__html_charts(h, charts, out);
        gput__buf_puts(out, "<p class=\"note\">Each run begins at 0; of a group one run is "
                            "drawn.</p>\n");
    } else {
        gput__buf_puts(out, "<p class=\"note\">There are no charts: no tracking file (--tf) is "
                            "among the runs.</p>\n");
    }
    gput__html_end_charts(h, charts, out);
}

int gput__html_comparison(const struct gput__run_comparison *c, const struct gput__run *const *runs,
                          struct gput__buf *out)
{
    const char **names = calloc(c->n_groups + 1, sizeof(*names));
    struct gput__overlay *o = calloc(1, sizeof(*o));
    int r = names && o ? 0 : -ENOMEM;

    for (size_t g = 0; r == 0 && g < c->n_groups; g++)
        names[g] = c->groups[g].name;
    if (r == 0)
        r = gput__overlay_make(runs, names, c->n_groups, o);
    if (r == 0 || r == -ENODATA) {
        struct gput__html h = { .run = &o->run };

        write_page(c, &h, &o->charts, out);
        r = out->err;
    }
    if (o)
        gput__overlay_free(o);
    free(o);
    free(names);
    return r;
}

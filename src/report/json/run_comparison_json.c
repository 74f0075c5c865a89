/* run_comparison_json.c - runs side by side, for programs: bytes, seconds, joules, percent. */
#include <math.h>

#include "report/json/json.h"
#include "report/run_comparison.h"

static double percent_of(double part, double whole)
{
    return part == 0 ? 0 : whole > 0 ? 100 * part / whole : NAN;
}

static void write_figure(struct gput__json *j, const struct gput__run_group *g,
                         const struct gput__named_figure *f, int i)
{
    struct gput__spread s;

    gput__run_group_spread(g, i, &s);
    gput__json_open(j, f->name);
    gput__json_double(j, "median", s.median);
    gput__json_double(j, "deviation", s.deviation);
    gput__json_double(j, "min", s.low);
    gput__json_double(j, "max", s.high);
    gput__json_open_list(j, "values");
    for (size_t k = 0; k < g->n; k++)
        gput__json_double(j, NULL, g->runs[k].value[i]);
    gput__json_close_list(j);
    gput__json_open_list(j, "outliers"); /* places in `values` */
    for (size_t k = 0; k < g->n; k++)
        if (gput__spread_is_outlier(&s, g->runs[k].value[i], f->least))
            gput__json_count(j, NULL, (double)k);
    gput__json_close_list(j);
    if (g->why[i])
        gput__json_string(j, "why", g->why[i]);
    gput__json_close(j);
}

static void write_group(struct gput__json *j, const struct gput__run_comparison *c, size_t group)
{
    const struct gput__run_group *g = &c->groups[group];

    gput__json_open(j, NULL);
    gput__json_string(j, "name", g->name);
    gput__json_count(j, "n_runs", (double)g->n);
    gput__json_open_list(j, "runs");
    for (size_t i = 0; i < g->n; i++)
        gput__json_string(j, NULL, g->runs[i].source);
    gput__json_close_list(j);
    gput__json_open(j, "figures");
    for (int i = 0; i < c->n_figures; i++)
        write_figure(j, g, &c->figures[i], i);
    gput__json_close(j);
    gput__json_close(j);
}

static void write_difference(struct gput__json *j, const struct gput__run_comparison *c,
                             size_t group, int i)
{
    const struct gput__named_figure *f = &c->figures[i];
    struct gput__difference d;

    gput__run_difference(c, group, i, &d);
    gput__json_open(j, NULL);
    gput__json_string(j, "name", f->name);
    gput__json_string(j, "label", f->label);
    gput__json_string(j, "unit", gput__figure_unit_name(f->unit));
    gput__json_string(j, "group", c->groups[group].name);
    gput__json_double(j, "base", d.base.median);
    gput__json_double(j, "new", d.other.median);
    gput__json_double(j, "change_percent", percent_of(d.change, d.base.median));
    gput__json_double(j, "noise_percent", percent_of(d.noise, d.base.median));
    gput__json_string(j, "verdict", gput__verdict_name(d.verdict));
    gput__json_close(j);
}

static void write_condition(struct gput__json *j, const struct gput__run_comparison *c,
                            size_t group, int i)
{
    struct gput__buf why = GPUT__BUF_INIT;

    gput__compared_condition(c, group, i, &why);
    gput__json_open(j, NULL);
    gput__json_string(j, "condition", c->conditions[i].text);
    gput__json_string(j, "group", c->groups[group].name);
    gput__json_bool(j, "failed", gput__run_comparison_fails(c, group, i));
    gput__json_string(j, "why", gput__buf_text(&why));
    gput__json_close(j);
    gput__buf_free(&why);
}

void gput__run_comparison_json(const struct gput__run_comparison *c, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_open_list(&j, "groups");
    for (size_t g = 0; g < c->n_groups; g++)
        write_group(&j, c, g);
    gput__json_close_list(&j);
    gput__json_open_list(&j, "figures");
    for (size_t g = 1; g < c->n_groups; g++)
        for (int i = 0; i < c->n_figures; i++)
            write_difference(&j, c, g, i);
    gput__json_close_list(&j);
    gput__json_open_list(&j, "fail_if");
    for (size_t g = 1; g < c->n_groups; g++)
        for (int i = 0; i < c->n_conditions; i++)
            write_condition(&j, c, g, i);
    gput__json_close_list(&j);
    gput__json_close(&j);
}

/* run_comparison.c - groups of runs side by side. */
#include "analysis/run_comparison.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/figure.h"

/* Of a figure without a row in the table: see named_figure.c. */
#define OTHER_TOLERANCE 0.15
#define OTHER_FLOOR 0.05

void gput__run_comparison_begin(struct gput__run_comparison *c)
{
    *c = (struct gput__run_comparison){ .n_figures = GPUT__N_NAMED_FIGURES };
    memcpy(c->figures, gput__named_figures, sizeof(gput__named_figures));
}

static void free_group(struct gput__run_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->runs[i].source);
    for (int i = 0; i < GPUT__MOST_COMPARED; i++)
        free(g->why[i]);
    free(g->runs);
    free(g->name);
}

void gput__run_comparison_free(struct gput__run_comparison *c)
{
    for (size_t i = 0; i < c->n_groups; i++)
        free_group(&c->groups[i]);
    free(c->groups);
    *c = (struct gput__run_comparison){ 0 };
}

static int find_figure(const struct gput__run_comparison *c, const char *name)
{
    for (int i = 0; i < c->n_figures; i++)
        if (strcmp(c->figures[i].name, name) == 0)
            return i;
    return -1;
}

int gput__run_comparison_condition(struct gput__run_comparison *c, const char *text,
                                   struct gput_error *ret_err)
{
    struct gput__condition *condition = &c->conditions[c->n_conditions];
    int r;

    if (c->n_conditions == GPUT__MOST_CONDITIONS) {
        *ret_err = (struct gput_error){ .field = "" };
        snprintf(ret_err->text, sizeof(ret_err->text), "there are more than %d conditions",
                 GPUT__MOST_CONDITIONS);
        return -E2BIG;
    }
    r = gput__condition_parse(text, condition, ret_err);
    if (r < 0)
        return r;
    if (find_figure(c, condition->figure) < 0)
        c->figures[c->n_figures++] = (struct gput__named_figure){ condition->figure,
                                                                  condition->figure,
                                                                  condition->unit,
                                                                  GPUT__WISH_NONE,
                                                                  OTHER_TOLERANCE,
                                                                  OTHER_FLOOR,
                                                                  0 };
    c->figure_of[c->n_conditions++] = find_figure(c, condition->figure);
    return 0;
}

/* --- runs ----------------------------------------------------------------------------------- */

static struct gput__run_group *group_of(struct gput__run_comparison *c, const char *name)
{
    struct gput__run_group *grown;

    for (size_t i = 0; i < c->n_groups; i++)
        if (strcmp(c->groups[i].name, name) == 0)
            return &c->groups[i];
    grown = realloc(c->groups, (c->n_groups + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    c->groups = grown;
    grown += c->n_groups;
    *grown = (struct gput__run_group){ .name = strdup(name) };
    if (!grown->name)
        return NULL;
    c->n_groups++;
    return grown;
}

static struct gput_figure figure_of(const struct gput__run_comparison *c, int i,
                                    const struct gput_usage *u)
{
    enum gput__figure_unit unit;
    struct gput_figure f;

    if (i < GPUT__N_NAMED_FIGURES)
        return gput__named_figure_of(u, i);
    if (gput__figure_at_path(u, c->figures[i].name, &f, &unit) < 0)
        return (struct gput_figure){ 0, GPUT_UNAVAILABLE, "there is no such figure" };
    return f;
}

/* Another run of the group, of which nothing is known yet. */
static struct gput__compared_run *add_run(struct gput__run_group *g, const char *source)
{
    struct gput__compared_run *grown = realloc(g->runs, (g->n + 1) * sizeof(*grown));

    if (!grown)
        return NULL;
    g->runs = grown;
    grown += g->n;
    *grown = (struct gput__compared_run){ .source = source ? strdup(source) : NULL };
    if (source && !grown->source)
        return NULL;
    g->n++;
    return grown;
}

static void set_value(struct gput__run_group *g, struct gput__compared_run *run, int i,
                      double value, const char *why)
{
    run->value[i] = value;
    if (isnan(value) && !g->why[i])
        g->why[i] = strdup(why ? why : "nobody measured it");
}

int gput__run_comparison_add(struct gput__run_comparison *c, const char *group, const char *source,
                             const struct gput_usage *u)
{
    struct gput__run_group *g = group_of(c, group);
    struct gput__compared_run *run = g ? add_run(g, source) : NULL;

    for (int i = 0; run && i < c->n_figures; i++) {
        struct gput_figure f = figure_of(c, i, u);

        set_value(g, run, i, gput__figure_value(f), f.why);
    }
    return run ? 0 : -ENOMEM;
}

int gput__run_comparison_add_values(struct gput__run_comparison *c, const char *group,
                                    const char *source, const double *values, const char *why)
{
    struct gput__run_group *g = group_of(c, group);
    struct gput__compared_run *run = g ? add_run(g, source) : NULL;

    for (int i = 0; run && i < c->n_figures; i++)
        set_value(g, run, i, values[i], why);
    return run ? 0 : -ENOMEM;
}

/* --- figures -------------------------------------------------------------------------------- */

void gput__run_group_spread(const struct gput__run_group *g, int i, struct gput__spread *ret)
{
    double *values = malloc((g->n + 1) * sizeof(*values));

    for (size_t k = 0; values && k < g->n; k++)
        values[k] = g->runs[k].value[i];
    gput__spread_of(values, values ? g->n : 0, ret);
    free(values);
}

bool gput__run_group_knows(const struct gput__run_group *g, int i)
{
    for (size_t k = 0; k < g->n; k++)
        if (!isnan(g->runs[k].value[i]))
            return true;
    return false;
}

static double larger(double a, double b)
{
    return isnan(b) || a > b ? a : b;
}

/* What its kind of figure is known to vary by, or what these runs do. */
static double noise_of(const struct gput__named_figure *f, const struct gput__difference *d)
{
    bool has_spread = d->base.n >= GPUT__SPREAD_RUNS && d->other.n >= GPUT__SPREAD_RUNS;
    double share = has_spread ? f->floor : f->tolerance;

    return larger(larger(share * fabs(d->base.median), f->least), d->noise_seen);
}

static enum gput__verdict judge(const struct gput__named_figure *f,
                                const struct gput__difference *d)
{
    if (isnan(d->change) || f->wish == GPUT__WISH_NONE)
        return GPUT__NOT_JUDGED;
    if (fabs(d->change) <= d->noise)
        return GPUT__SAME;
    return (d->change < 0) == (f->wish == GPUT__WISH_LESS) ? GPUT__BETTER : GPUT__WORSE;
}

void gput__run_difference(const struct gput__run_comparison *c, size_t group, int i,
                          struct gput__difference *ret)
{
    struct gput__difference d = { 0 };

    gput__run_group_spread(&c->groups[0], i, &d.base);
    gput__run_group_spread(&c->groups[group], i, &d.other);
    d.change = d.other.median - d.base.median;
    d.noise_seen = gput__spread_noise(&d.base, &d.other);
    d.noise = noise_of(&c->figures[i], &d);
    d.verdict = judge(&c->figures[i], &d);
    *ret = d;
}

const char *gput__verdict_name(enum gput__verdict verdict)
{
    static const char *const names[] = { NULL, "same", "better", "worse" };

    return names[verdict];
}

bool gput__run_comparison_fails(const struct gput__run_comparison *c, size_t group, int i)
{
    const struct gput__condition *condition = &c->conditions[i];
    struct gput__difference d;

    gput__run_difference(c, group, c->figure_of[i], &d);
    if (isnan(d.other.median) || (condition->is_change && isnan(d.base.median)))
        return true;
    return gput__condition_holds(condition, d.base.median, d.other.median, d.noise_seen);
}

/* run_comparison_words.c - what a comparison of runs says, however it is laid out. */
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "report/run_comparison.h"

const char *gput__compared_amount(enum gput__figure_unit unit, double value,
                                  char ret[GPUT__AMOUNT_SIZE])
{
    if (isnan(value))
        return strcpy(ret, "?");
    return gput__amount_figure(value, unit, ret);
}

enum { MANY = 20 }; /* times as much: percents are hard to read then */

/* A share of the base, with its sign. */
static const char *print_share(const char *format, double share, char *ret)
{
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, format, fabs(share) < 0.0005 ? 0 : 100 * share);
    return ret;
}

const char *gput__compared_change(enum gput__figure_unit unit, const struct gput__difference *d,
                                  char ret[GPUT__AMOUNT_SIZE])
{
    char amount[GPUT__AMOUNT_SIZE];

    if (isnan(d->change))
        return strcpy(ret, "?");
    if (d->change == 0)
        return strcpy(ret, "0 %");
    if (d->other.median >= MANY * d->base.median && d->base.median > 0) {
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%.0f times", d->other.median / d->base.median);
        return ret;
    }
    if (d->base.median > 0)
        return print_share("%+.1f %%", d->change / d->base.median, ret);
    gput__compared_amount(unit, fabs(d->change), amount);
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%c%.40s", d->change < 0 ? '-' : '+', amount);
    return ret;
}

const char *gput__compared_noise(enum gput__figure_unit unit, const struct gput__difference *d,
                                 char ret[GPUT__AMOUNT_SIZE])
{
    if (isnan(d->change))
        return strcpy(ret, "?");
    if (d->base.median > 0 && unit != GPUT__IN_NUMBERS)
        return print_share("%.1f %%", d->noise / d->base.median, ret);
    return gput__compared_amount(unit, d->noise, ret);
}

const char *gput__compared_verdict(const struct gput__difference *d)
{
    const char *name = gput__verdict_name(d->verdict);

    return name ? name : isnan(d->change) ? "not known" : "not judged";
}

void gput__compared_cells(const struct gput__run_comparison *c, size_t group, int figure,
                          struct gput__compared_cells *ret)
{
    enum gput__figure_unit unit = c->figures[figure].unit;
    struct gput__difference d;

    gput__run_difference(c, group, figure, &d);
    gput__compared_amount(unit, d.base.median, ret->base);
    gput__compared_amount(unit, d.other.median, ret->other);
    gput__compared_change(unit, &d, ret->change);
    gput__compared_noise(unit, &d, ret->noise);
    ret->verdict = gput__compared_verdict(&d);
    ret->differs = d.verdict == GPUT__WORSE || d.verdict == GPUT__BETTER;
}

void gput__compared_difference(const struct gput__named_figure *f, const struct gput__difference *d,
                               struct gput__buf *out)
{
    char base[GPUT__AMOUNT_SIZE], other[GPUT__AMOUNT_SIZE], change[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out, "%s went from %s to %s (%s)", f->name,
                     gput__compared_amount(f->unit, d->base.median, base),
                     gput__compared_amount(f->unit, d->other.median, other),
                     gput__compared_change(f->unit, d, change));
}

static bool is_something(const struct gput__run_group *g, int figure)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->runs[i].value[figure] > 0)
            return true;
    return false;
}

/* A job of one process says it twice. */
static bool is_all_in_main(const struct gput__run_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->runs[i].value[GPUT__NAMED_MAIN_PROCESS_RAM] != g->runs[i].value[GPUT__NAMED_RAM])
            return false;
    return true;
}

static bool is_asked_for(const struct gput__run_comparison *c, int figure)
{
    for (int i = 0; i < c->n_conditions; i++)
        if (c->figure_of[i] == figure)
            return true;
    return false;
}

bool gput__compared_is_shown(const struct gput__run_comparison *c, int figure)
{
    bool says_more = figure != GPUT__NAMED_MAIN_PROCESS_RAM;

    if (is_asked_for(c, figure))
        return true;
    for (size_t g = 0; g < c->n_groups; g++)
        says_more |= !is_all_in_main(&c->groups[g]);
    if (!says_more)
        return false;
    for (size_t g = 0; g < c->n_groups; g++)
        if (is_something(&c->groups[g], figure))
            return true;
    return false;
}

void gput__compared_each(const struct gput__run_comparison *c, size_t group,
                         void (*write)(const struct gput__run_comparison *c, size_t group,
                                       int figure, struct gput__buf *out),
                         struct gput__buf *out)
{
    for (int i = 0; i < c->n_figures; i++)
        if (gput__compared_is_shown(c, i))
            write(c, group, i, out);
}

/* --- conditions ----------------------------------------------------------------------------- */

static void say_unknown(const struct gput__run_comparison *c, size_t group, int figure,
                        struct gput__buf *out)
{
    const struct gput__run_group *g = &c->groups[group];

    if (gput__run_group_knows(g, figure))
        g = &c->groups[0];
    gput__buf_printf(out, "%s is not known in '%s': %s", c->figures[figure].name, g->name,
                     g->n == 0        ? "it has no run"
                     : g->why[figure] ? g->why[figure]
                                      : "nobody measured it");
}

void gput__compared_condition(const struct gput__run_comparison *c, size_t group, int i,
                              struct gput__buf *out)
{
    const struct gput__condition *condition = &c->conditions[i];
    int figure = c->figure_of[i];
    char other[GPUT__AMOUNT_SIZE];
    struct gput__difference d;

    gput__run_difference(c, group, figure, &d);
    gput__buf_printf(out, "%s: ", condition->text);
    if (isnan(d.other.median) || (condition->is_change && isnan(d.base.median))) {
        say_unknown(c, group, figure, out);
        return;
    }
    if (!condition->is_change) {
        gput__buf_printf(out, "%s is %s in '%s'", condition->figure,
                         gput__compared_amount(c->figures[figure].unit, d.other.median, other),
                         c->groups[group].name);
        return;
    }
    gput__compared_difference(&c->figures[figure], &d, out);
    if (gput__condition_holds(condition, d.base.median, d.other.median, NAN) &&
        !gput__run_comparison_fails(c, group, i))
        gput__buf_puts(out, ", which is within what these runs vary by");
}

/* --- sums ----------------------------------------------------------------------------------- */

static void add_count(struct gput__buf *out, int n, const char *what, bool *is_first)
{
    if (n == 0)
        return;
    gput__buf_printf(out, "%s%d %s%s %s", *is_first ? "" : ", ", n,
                     *is_first ? (n == 1 ? "figure " : "figures ") : "", n == 1 ? "is" : "are",
                     what);
    *is_first = false;
}

void gput__compared_sum(const struct gput__run_comparison *c, size_t group, struct gput__buf *out)
{
    int n[GPUT__WORSE + 1] = { 0 };
    struct gput__difference d;
    bool is_first = true;

    for (int i = 0; i < c->n_figures; i++) {
        gput__run_difference(c, group, i, &d);
        n[d.verdict] += gput__compared_is_shown(c, i);
    }
    add_count(out, n[GPUT__WORSE], "worse", &is_first);
    add_count(out, n[GPUT__BETTER], "better", &is_first);
    add_count(out, n[GPUT__SAME], "the same", &is_first);
    if (is_first)
        gput__buf_puts(out, "no figure could be judged");
}

void gput__compared_unknown(const struct gput__run_comparison *c,
                            void (*add)(void *ctx, const char *figure, const char *why), void *ctx)
{
    for (int i = 0; i < c->n_figures; i++) {
        const char *why = NULL;
        bool is_known = false;

        for (size_t g = 0; g < c->n_groups; g++) {
            is_known |= gput__run_group_knows(&c->groups[g], i);
            why = why ? why : c->groups[g].why[i];
        }
        if (!is_known && why)
            add(ctx, c->figures[i].name, why);
    }
}

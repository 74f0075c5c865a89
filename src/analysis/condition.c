/* condition.c - what somebody does not want to happen to a figure. */
#include "analysis/condition.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/quantity.h"

__attribute__((format(printf, 2, 3))) static int refuse(struct gput_error *err, const char *format,
                                                        ...)
{
    va_list args;

    *err = (struct gput_error){ .field = "" };
    va_start(args, format);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    return -EINVAL;
}

/* Which figure it is of, and in what that is told. */
static int find_figure(struct gput__condition *c, struct gput_error *err)
{
    static const struct gput_usage nothing = { .size = sizeof(nothing) };
    struct gput_figure unused;
    int i = gput__named_figure_find(c->figure);
    char names[300] = "";

    if (i >= 0) {
        c->unit = gput__named_figures[i].unit;
        return 0;
    }
    if (gput__figure_at_path(&nothing, c->figure, &unused, &c->unit) == 0)
        return 0;
    for (i = 0; i < GPUT__N_NAMED_FIGURES; i++) {
        size_t used = strlen(names);

        snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
                 gput__named_figures[i].name);
    }
    return refuse(err, "'%s' is no figure: it is one of %s, or a path of the result's JSON",
                  c->figure, names);
}

static int parse_amount(struct gput__condition *c, const char *text, struct gput_error *err)
{
    size_t n = strlen(text);
    const char *units;
    enum gput__figure_unit unit;

    c->is_change = *text == '+' || *text == '-';
    /* Of a figure in percent "+5%" is five points more: a share of a share is seldom meant. */
    c->is_percent = c->is_change && c->unit != GPUT__IN_PERCENT && n > 0 && text[n - 1] == '%';
    unit = c->is_percent ? GPUT__IN_PERCENT : c->unit;
    if (gput__quantity_parse(text + c->is_change, unit, &c->amount) == 0) {
        c->amount = *text == '-' ? -c->amount : c->amount;
        return 0;
    }
    units = gput__quantity_units(c->unit);
    return refuse(
        err,
        "'%s' is no amount of %s: write a number%s%s, with + or - for a change, which may "
        "be in %%",
        text, c->figure, *units ? " with one of " : "", units);
}

int gput__condition_parse(const char *text, struct gput__condition *ret, struct gput_error *ret_err)
{
    struct gput__condition c = { .text = "" };
    size_t n = strcspn(text, "<>");
    const char *amount = text + n + 1;
    int r;

    if (!text[n] || n == 0 || n >= sizeof(c.figure) || strlen(text) >= sizeof(c.text))
        return refuse(ret_err, "'%.200s' is no condition such as 'ram>+5%%' or 'cpu>300s'", text);
    snprintf(c.text, sizeof(c.text), "%s", text);
    snprintf(c.figure, sizeof(c.figure), "%.*s", (int)n, text);
    while (n > 0 && c.figure[n - 1] == ' ')
        c.figure[--n] = '\0';
    c.is_less = amount[-1] == '<';
    amount += strspn(amount, " ");
    r = find_figure(&c, ret_err);
    if (r == 0)
        r = parse_amount(&c, amount, ret_err);
    if (r == 0)
        *ret = c;
    return r;
}

bool gput__condition_holds(const struct gput__condition *c, double base, double value, double noise)
{
    double change = value - base, limit = c->amount;

    if (!c->is_change)
        return c->is_less ? value < limit : value > limit;
    if (c->is_percent)
        limit *= fabs(base) / 100;
    if (!isnan(noise) && fabs(change) <= noise)
        return false;
    return c->is_less ? change < limit : change > limit;
}

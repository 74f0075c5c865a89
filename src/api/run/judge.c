/* judge.c - limits and figures by themselves, for who has the figures of a run. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/tracker.h"
#include "model/budget.h"

struct gput_budget {
    struct gput__budget asked;
    struct gput_budget_line lines[GPUT__BUDGET_LINES];
};

int gput_budget_open(const char *limits, struct gput_budget **ret_b, struct gput_error *ret_err)
{
    char why[sizeof(((struct gput_error *)NULL)->text)];
    struct gput_budget *b = calloc(1, sizeof(*b));
    int r;

    if (!b)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    r = gput__budget_parse(limits, &b->asked, why, sizeof(why));
    if (r < 0) {
        free(b);
        return gput__refuse(ret_err, r, "budget", "%s", why);
    }
    *ret_b = b;
    return 0;
}

/* The figures of a caller that was built against an older header are fewer. */
static void copy_usage(const struct gput_usage *u, struct gput_usage *ret)
{
    *ret = (struct gput_usage){ .size = sizeof(*ret) };
    memcpy(ret, u, u->size < sizeof(*ret) ? u->size : sizeof(*ret));
}

int gput_budget_judge(struct gput_budget *b, const struct gput_usage *u,
                      const struct gput_budget_line **ret_lines)
{
    struct gput_usage whole;

    copy_usage(u, &whole);
    for (int i = 0; i < b->asked.n; i++)
        b->lines[i] = gput__budget_judge(&b->asked.limit[i], &whole);
    *ret_lines = b->lines;
    return b->asked.n;
}

struct gput_budget *gput_budget_close(struct gput_budget *b)
{
    free(b);
    return NULL;
}

int gput_usage_figure(const struct gput_usage *u, const char *name, struct gput_figure *ret)
{
    int named = gput__named_figure_find(name);
    enum gput__figure_unit unit;
    struct gput_usage whole;

    copy_usage(u, &whole);
    if (named < 0)
        return gput__figure_at_path(&whole, name, ret, &unit);
    *ret = gput__named_figure_of(&whole, named);
    return 0;
}

double gput_figure_noise(const char *name, double base)
{
    int named = gput__named_figure_find(name);
    const struct gput__named_figure *f = named < 0 ? NULL : &gput__named_figures[named];

    if (!f)
        return NAN;
    return fmax(f->tolerance * fabs(base), f->least);
}

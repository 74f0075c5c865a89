/* budget.c - what became of the budget of a run, in words and for programs. */
#include "report/budget.h"

#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "base/text/text.h"
#include "model/figure.h"
#include "model/usage_rows.h"
#include "report/text/amount.h"
#include "report/text/screen_text.h"

static bool is(const char *unit, const char *name)
{
    return strcmp(unit, name) == 0;
}

static const char *amount(double value, const char *unit, char *ret)
{
    if (is(unit, "bytes"))
        return gput__amount_bytes(value, ret);
    if (is(unit, "seconds"))
        return gput__amount_seconds(value, ret);
    if (is(unit, "joules"))
        return gput__amount_energy(value, ret);
    if (is(unit, "percent"))
        return gput__amount_percent(value, ret);
    return gput__amount_number(value, ret);
}

/* "790 MB (20 %) below" */
static const char *margin(const struct gput_budget_line *l, char *ret, size_t size)
{
    double away = fabs(l->measured.value - l->limit);
    const char *side = l->measured.value > l->limit ? "above" : "below";
    char by[GPUT__AMOUNT_SIZE], share[GPUT__AMOUNT_SIZE];

    if (away == 0)
        return "just that";
    amount(away, l->unit, by);
    if (l->limit > 0)
        gput__snprintf(ret, size, "%s (%s) %s", by,
                       gput__amount_percent(100 * away / l->limit, share), side);
    else
        gput__snprintf(ret, size, "%s %s", by, side);
    return ret;
}

const char *gput_budget_words(const struct gput_budget_line *l, char *ret, size_t size)
{
    const char *bound = is(l->op, ">=") ? "at least" : "at most", *why = l->measured.why;
    char measured[GPUT__AMOUNT_SIZE], by[3 * GPUT__AMOUNT_SIZE];

    if (!gput__figure_is_known(l->measured))
        gput__snprintf(ret, size, "%s: not known, %s %s%s%s", l->figure, bound, l->asked,
                       why ? ": " : "", why ? why : "");
    else
        gput__snprintf(ret, size, "%s: %s, %s %s: %s (%s%s%s)", l->figure,
                       amount(l->measured.value, l->unit, measured), bound, l->asked,
                       margin(l, by, sizeof(by)), gput__source_name(l->measured.source),
                       why ? ": " : "", why ? why : "");
    return ret;
}

void gput__budget_json(struct gput__json *j, const struct gput_usage *u)
{
    char words[GPUT__BUDGET_WORDS];

    if (u->budget.n_lines == 0)
        return;
    gput__json_open_list(j, "budget");
    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *l = &u->budget.lines[i];

        gput__json_open(j, NULL);
        gput__json_string(j, "figure", l->figure);
        gput__json_string(j, "op", l->op);
        gput__json_double(j, "limit", l->limit);
        gput__json_double(j, "measured", gput__figure_value(l->measured));
        gput__json_string(j, "unit", l->unit);
        gput__json_bool(j, "ok", l->is_met);
        gput__json_string(j, "source", gput__source_name(l->measured.source));
        if (l->measured.why)
            gput__json_string(j, "why", l->measured.why);
        gput__json_string(j, "words", gput_budget_words(l, words, sizeof(words)));
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

void gput__budget_text(struct gput__buf *out, const struct gput_usage *u)
{
    char words[GPUT__BUDGET_WORDS];

    if (u->budget.n_lines)
        gput__buf_puts(out, "Budget:\n");
    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *l = &u->budget.lines[i];

        gput__buf_puts(out, l->is_met ? "   kept: " : "   broken: ");
        gput__screen_line(out, gput_budget_words(l, words, sizeof(words)));
        gput__buf_putc(out, '\n');
    }
}

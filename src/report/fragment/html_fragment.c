/* html_fragment.c - a run as a part of somebody else's page: how it goes, its figures, small curves,
 * what limited it.
 *
 * Notebooks keep such a part in their file and hand it on to exporters, some of which take scripts and
 * style sheets away.  So all style stands in the elements, text and background have the colours of
 * the page, and greys and curves are ones that can be seen on white and on black. */
#include "report/fragment/html_fragment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/figure.h"
#include "report/budget.h"
#include "report/html/html_text.h"

/* What was found, at most; the report has the rest. */
#define MOST_ADVICE 3

#define SMALL "font-size:12px;opacity:.8"

static const char *const tones[] = {
    [GPUT__TONE_GOOD] = "#16a34a",
    [GPUT__TONE_NEUTRAL] = "#3b82f6",
    [GPUT__TONE_WARN] = "#d97706",
    [GPUT__TONE_BAD] = "#ef4444",
};

static const struct curve {
    const char *chart, *colour;
} curves[] = {
    { "memory", "#3b82f6" },
    { "cpu", "#d97706" },
    { "gpu-memory", "#8b5cf6" },
    { "gpu", "#16a34a" },
};

static bool is_running(const struct gput_usage *u)
{
    return u->job.ending == GPUT_DETACHED;
}

static void write_head(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__advice ending;

    gput__html_ending(h, &ending);
    gput__buf_puts(out, "<div style=\"display:flex;flex-wrap:wrap;gap:2px 16px;"
                        "justify-content:space-between\"><strong><bdi>");
    gput__html_beginning(out, gput__html_title(h), GPUT__LONG_TITLE);
    gput__buf_printf(out,
                     "</bdi></strong><span data-part=\"ending\"><span aria-hidden=\"true\" "
                     "style=\"color:%s\">&#9679;</span> ",
                     tones[ending.tone]);
    gput__html_text(out, ending.what);
    gput__buf_puts(out, "</span></div>\n");
}

static void write_figure(const struct gput__card *c, struct gput__buf *out)
{
    if (!c->value[0])
        return;
    gput__buf_printf(out,
                     "<div data-part=\"%s\" data-value=\"%.17g\"><div style=\"" SMALL "\">%s</div>"
                     "<div style=\"font-size:18px;font-weight:600\">",
                     c->id, c->exact, c->name);
    gput__html_text(out, c->value);
    gput__buf_puts(out, "</div><div style=\"" SMALL "\">");
    gput__html_text(out, c->note);
    gput__buf_puts(out, "</div></div>\n");
}

static void write_figures(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__cards cards;

    gput__html_list_cards(h, &cards);
    gput__buf_puts(out, "<div style=\"display:flex;flex-wrap:wrap;gap:8px 28px;margin:8px 0\">\n");
    for (size_t i = 0; i < cards.n; i++)
        write_figure(&cards.card[i], out);
    gput__buf_puts(out, "</div>\n");
}

/* "Memory 100 MB, at most 220 MB" while it runs. */
static void write_label(const struct gput__html *h, const struct gput__chart *c,
                        struct gput__buf *out)
{
    const struct gput__run_series *s = &h->run->series;
    double now = c->line[0].value[s->n - 1] * c->line[0].scale;
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, c->title);
    if (is_running(&h->run->usage) && !isnan(now))
        gput__buf_printf(out, " %s,", gput__chart_value(c->unit, now, text));
    gput__buf_printf(out, " at most %s", gput__chart_value(c->unit, c->line[0].max, text));
}

/* The job's own line alone. */
static void write_curve(const struct gput__html *h, const struct gput__chart *c, const char *colour,
                        struct gput__buf *out)
{
    gput__buf_puts(out, "<div style=\"flex:1 1 260px\"><div style=\"" SMALL "\">");
    write_label(h, c, out);
    gput__buf_printf(out,
                     "</div><svg data-part=\"curve-%s\" viewBox=\"0 -4 %d %d\" "
                     "preserveAspectRatio=\"none\" width=\"100%%\" height=\"56\" role=\"img\" "
                     "aria-label=\"%s over time\" style=\"display:block\"><path d=\"M0 %dH%d\" "
                     "stroke=\"#808080\" stroke-width=\"1\" vector-effect=\"non-scaling-stroke\"/>"
                     "<path d=\"",
                     c->id, GPUT__PATH_WIDTH, GPUT__PATH_HEIGHT + 8, c->title, GPUT__PATH_HEIGHT,
                     GPUT__PATH_WIDTH);
    gput__html_path(h, &c->line[0], fmax(c->line[0].max, 1e-9), out);
    gput__buf_printf(
        out,
        "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\" vector-effect=\"non-scaling-stroke\"/></svg></div>\n",
        colour);
}

static void write_curves(const struct gput__html *h, const struct gput__charts *charts,
                         struct gput__buf *out)
{
    if (h->run->series.n <= 1)
        return;
    gput__buf_puts(out, "<div style=\"display:flex;flex-wrap:wrap;gap:8px 20px\">\n");
    for (size_t i = 0; i < sizeof(curves) / sizeof(*curves); i++)
        for (size_t k = 0; k < charts->n; k++)
            if (!strcmp(charts->chart[k].id, curves[i].chart))
                write_curve(h, &charts->chart[k], curves[i].colour, out);
    gput__buf_puts(out, "</div>\n");
}

static void write_line(const char *part, enum gput__tone tone, const char *what, const char *more,
                       struct gput__buf *out)
{
    gput__buf_printf(out,
                     "<div data-part=\"%s\"><span aria-hidden=\"true\" style=\"color:%s\">"
                     "&#9679;</span> ",
                     part, tones[tone]);
    gput__html_text(out, what);
    gput__html_text(out, more[0] ? " " : "");
    gput__html_text(out, more);
    gput__buf_puts(out, "</div>\n");
}

/* While it runs, only what has been used up is broken for good. */
static bool is_judged(const struct gput_usage *u, const struct gput_budget_line *l)
{
    return !is_running(u) ||
           (!l->is_met && gput__figure_is_known(l->measured) && strcmp(l->op, ">=") != 0);
}

static void write_budget(const struct gput_usage *u, struct gput__buf *out)
{
    char words[GPUT__BUDGET_WORDS];

    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *l = &u->budget.lines[i];

        if (is_judged(u, l))
            write_line(l->is_met ? "budget-kept" : "budget-broken",
                       l->is_met ? GPUT__TONE_GOOD : GPUT__TONE_BAD,
                       l->is_met ? "Budget kept:" : "Budget broken:",
                       gput_budget_words(l, words, sizeof(words)), out);
    }
}

/* What limited it, and what else is worth a warning. */
static void write_findings(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__advice list[GPUT__MOST_ADVICE];
    size_t n = gput__advice(h->run, list), n_written = 0;
    char limit[200];

    gput__limit_in_words(h->run, limit, sizeof(limit));
    write_line("limit", GPUT__TONE_NEUTRAL, limit, "", out);
    for (size_t i = 0; i < n && n_written < MOST_ADVICE; i++) {
        if (list[i].tone != GPUT__TONE_WARN && list[i].tone != GPUT__TONE_BAD)
            continue;
        write_line("advice", list[i].tone, list[i].what, list[i].todo, out);
        n_written++;
    }
}

int gput__html_fragment(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__charts *charts = malloc(sizeof(*charts));

    if (!charts)
        return -ENOMEM;
    gput__charts_make(h->run, charts);
    gput__buf_puts(out,
                   "<div class=\"gpu-tracker\" style=\"max-width:760px;border:1px solid #808080;"
                   "border-radius:8px;padding:10px 14px;margin:4px 0;color:inherit;"
                   "font:14px/1.45 system-ui,sans-serif\">\n");
    write_head(h, out);
    write_figures(h, out);
    write_curves(h, charts, out);
    gput__buf_puts(out, "<div style=\"margin-top:8px\">\n");
    write_budget(&h->run->usage, out);
    write_findings(h, out);
    gput__buf_puts(out, "</div>\n</div>\n");
    free(charts);
    return out->err;
}

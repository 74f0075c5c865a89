/* html_live.c - the page of a run that goes on: the report so far, in parts that change one by one. */
#include "report/html/html.h"
#include "report/html/html_text.h"

/* What the script writes: state, what the run holds, its processes. */
static const char banner[] =
    "<section id=\"live\" aria-label=\"Now\"><p id=\"live-state\" role=\"status\" class=\"verdict "
    "neutral\">Connecting</p> <button type=\"button\" class=\"button\" id=\"save\" hidden>Save the "
    "report</button><p id=\"live-now\"></p></section>\n"
    "<noscript><p class=\"note\">Without JavaScript this page stands still: reload it.</p></noscript>\n";
static const char processes[] =
    "<section id=\"processes\" aria-labelledby=\"living\" hidden>\n<h2 id=\"living\">Processes</h2>\n"
    "<div class=\"scroll long\" role=\"region\" aria-labelledby=\"living\" tabindex=\"0\"><table>"
    "<caption>Those that live now. Memory is each one's share of the job's memory, and all that it "
    "has in memory.</caption><thead><tr></tr></thead><tbody></tbody></table></div>\n</section>\n";

const char *gput__html_live_name(enum gput__live_part part)
{
    static const char *const names[GPUT__LIVE_PARTS] = {
        [GPUT__LIVE_SUMMARY] = "summary", [GPUT__LIVE_CARDS] = "cards",
        [GPUT__LIVE_ADVICE] = "advice",   [GPUT__LIVE_CHARTS] = "charts",
        [GPUT__LIVE_WHO] = "who",         [GPUT__LIVE_GPUS] = "gpus",
        [GPUT__LIVE_FIGURES] = "figures",
    };

    return names[part];
}

void gput__html_live_part(const struct gput__html *h, const struct gput__charts *c,
                          enum gput__live_part part, struct gput__buf *out)
{
    static void (*const writers[GPUT__LIVE_PARTS])(const struct gput__html *,
                                                   struct gput__buf *) = {
        [GPUT__LIVE_SUMMARY] = gput__html_summary, [GPUT__LIVE_CARDS] = gput__html_cards,
        [GPUT__LIVE_ADVICE] = gput__html_advice,   [GPUT__LIVE_WHO] = gput__html_who,
        [GPUT__LIVE_GPUS] = gput__html_gpus,       [GPUT__LIVE_FIGURES] = gput__html_figures,
    };

    if (part == GPUT__LIVE_CHARTS)
        gput__html_charts(h, c, out);
    else
        writers[part](h, out);
}

void gput__html_live_charts(const struct gput__charts *c, struct gput__buf *out)
{
    for (size_t i = 0; i < c->n; i++) {
        gput__buf_printf(out, "%s %s\n", c->chart[i].id,
                         c->chart[i].limit > 0 && c->chart[i].limit_label ? c->chart[i].limit_label
                                                                          : "");
        for (size_t k = 0; k < c->chart[i].n_lines; k++)
            gput__buf_printf(out, " %d %s\n", c->chart[i].line[k].colour,
                             c->chart[i].line[k].label);
    }
    for (size_t i = 0; i < c->n_quiet; i++)
        gput__buf_printf(out, "%s\n", c->quiet[i]);
}

void gput__html_live_page(const struct gput__html *h, const struct gput__charts *c,
                          const char *const parts[GPUT__LIVE_PARTS], struct gput__buf *out)
{
    gput__html_begin_live(h, out);
    gput__buf_puts(out, banner);
    for (int i = 0; i < GPUT__LIVE_PARTS; i++) {
        gput__buf_printf(out, "<div class=\"part\" id=\"part-%s\">\n",
                         gput__html_live_name((enum gput__live_part)i));
        gput__buf_puts(out, parts[i]);
        gput__buf_puts(out, "</div>\n");
        if (i == GPUT__LIVE_CHARTS)
            gput__buf_puts(out, processes);
    }
    gput__html_end_live(h, c, out);
}

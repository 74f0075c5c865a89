/* html_server.c - what the run cost, the servers that would do, and what they would save. */
#include <math.h>
#include <string.h>

#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"
#include "servers/server_choice.h"

static void write_usd(struct gput__buf *out, double usd)
{
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, gput__amount_usd(usd, text));
}

/* What it ran on; nothing where that is not known. */
static void write_current(const struct gput__server_choice *c, struct gput__buf *out)
{
    const struct gput_server_offer *now = &c->current;

    if (!now->type)
        return;
    gput__buf_puts(out, "<p id=\"current\">It ran on ");
    gput__html_isolated(out, now->type);
    gput__buf_puts(out, " of ");
    gput__html_isolated(out, now->vendor);
    if (isnan(now->usd_hour)) {
        gput__buf_puts(out, ", whose price is not known.</p>\n");
        return;
    }
    gput__buf_puts(out, ", at ");
    write_usd(out, now->usd_hour);
    gput__buf_puts(out, " an hour");
    if (*now->region && (!c->current_region || strcmp(c->current_region, now->region) != 0)) {
        gput__buf_puts(out, " in ");
        gput__html_isolated(out, now->region);
    }
    gput__buf_puts(out, " (");
    gput__html_text(out, now->source);
    gput__buf_puts(out, ", ");
    gput__html_text(out, now->as_of);
    gput__buf_puts(out, ").</p>\n");
}

/* The cheapest is the first. */
static void write_headline(const struct gput__server_choice *c, struct gput__buf *out)
{
    const struct gput_server_offer *best = &c->list[0];
    struct gput__server_cost cost = gput__server_cost(c, best);

    gput__buf_puts(out, "<p class=\"headline\" id=\"saving\">");
    gput__html_isolated(out, best->type);
    gput__buf_puts(out, " of ");
    gput__html_isolated(out, best->vendor);
    gput__buf_puts(out, " would do");
    if (cost.saving_percent > 0) {
        gput__buf_printf(out, ", and save %.0f %%", cost.saving_percent);
        if (!isnan(cost.saving_usd)) {
            gput__buf_puts(out, " (");
            write_usd(out, cost.saving_usd);
            gput__buf_puts(out, " for a run like this)");
        }
    } else if (!isnan(cost.saving_percent)) {
        gput__buf_puts(out, "; it costs no less than the one that was used");
    }
    gput__buf_puts(out, ".</p>\n");
}

static void write_gpus(const struct gput_server_offer *o, struct gput__buf *out)
{
    char text[GPUT__AMOUNT_SIZE];

    if (!(o->gpus > 0)) {
        gput__buf_puts(out, "none");
        return;
    }
    gput__buf_printf(out, "%s ", gput__amount_number(o->gpus, text));
    gput__html_text(out, o->gpu_model);
}

static void write_offer(const struct gput__server_choice *c, const struct gput_server_offer *o,
                        struct gput__buf *out)
{
    struct gput__server_cost cost = gput__server_cost(c, o);

    gput__buf_puts(out, "<tr><th scope=\"row\">");
    gput__html_isolated(out, o->type);
    gput__buf_puts(out, "<br><small>");
    gput__html_text(out, o->vendor);
    gput__buf_puts(out, *o->region ? ", " : "");
    gput__html_text(out, o->region);
    gput__buf_printf(out, "</small></th><td>%d</td><td>", o->vcpus);
    gput__buf_printf(out, "%.4g GiB</td><td>", o->memory_mib / 1024);
    write_gpus(o, out);
    gput__buf_puts(out, "</td><td>");
    write_usd(out, o->usd_hour);
    gput__buf_puts(out, isnan(cost.run_usd) ? "</td><td class=\"missing\">not known" : "</td><td>");
    if (!isnan(cost.run_usd))
        write_usd(out, cost.run_usd);
    gput__buf_puts(out, "</td><td>");
    gput__html_text(out, o->as_of);
    gput__buf_puts(out, "<br><small>");
    gput__html_text(out, o->source);
    gput__buf_puts(out, "</small></td></tr>\n");
}

static void write_table(const struct gput__server_choice *c, const struct gput_server_offer *list,
                        size_t n, const char *id, struct gput__buf *out)
{
    gput__buf_printf(out,
                     "<div class=\"scroll\" role=\"region\" aria-labelledby=\"servers\" "
                     "tabindex=\"0\"><table id=\"%s\"><caption>The cheapest servers that "
                     "have what to ask for, from ",
                     id);
    gput__html_text(out, c->origin);
    gput__buf_puts(out,
                   "; prices are for Linux, on demand.</caption><thead><tr><th "
                   "scope=\"col\">Server</th><th scope=\"col\">vCPUs</th><th "
                   "scope=\"col\">Memory</th><th scope=\"col\">GPUs</th><th scope=\"col\">An "
                   "hour</th><th scope=\"col\">This run</th><th scope=\"col\">Price of</th></tr>"
                   "</thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++)
        write_offer(c, &list[i], out);
    gput__buf_puts(out, "</tbody></table></div>\n");
}

/* Prices that may no longer hold are folded away. */
static void write_offers(const struct gput__server_choice *c, struct gput__buf *out)
{
    if (c->n > 0)
        write_headline(c, out);
    write_current(c, out);
    if (c->n > 0)
        write_table(c, c->list, c->n, "offers", out);
    if (c->n_old == 0)
        return;
    gput__buf_printf(out, "<details id=\"old-prices\"><summary>%s: %zu</summary>\n",
                     c->n > 0 ? "Others that fit, with prices older than a year"
                              : "All that fit have prices older than a year",
                     c->total_old);
    write_table(c, c->old, c->n_old, "old-offers", out);
    gput__buf_puts(out, "</details>\n");
}

static void write_section(const void *choice, struct gput__buf *out)
{
    const struct gput__server_choice *c = choice;

    gput__buf_puts(out, "<section aria-labelledby=\"servers\">\n<h2 id=\"servers\">Where it could "
                        "run</h2>\n");
    if (c->n + c->n_old > 0) {
        write_offers(c, out);
    } else {
        gput__buf_puts(out, "<p id=\"no-server\">None in the catalogue: ");
        gput__html_text(out, c->why_none ? c->why_none : "nothing fits");
        gput__buf_puts(out, ".</p>\n");
        write_current(c, out);
    }
    gput__buf_puts(out, "</section>\n");
}

void gput__server_choice_html(const struct gput__server_choice *c, struct gput__html *page)
{
    double usd = c->current.type ? gput__server_cost(c, &c->current).run_usd : NAN;

    page->cost_usd = usd > 0 ? usd : 0;
    page->usd_per_hour = c->current.usd_hour;
    page->write_servers = write_section;
    page->servers = c;
}

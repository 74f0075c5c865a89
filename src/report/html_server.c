/* html_server.c - the servers that would do, and what they would save. */
#include "report/html.h"
#include "report/html_text.h"
#include "report/human.h"

/* "$1.20", "$0.0042" */
static void put_usd(struct gput__buf *out, double usd)
{
    gput__buf_printf(out, "$%.*f", usd >= 0.1 || usd == 0 ? 2 : 4, usd);
}

double gput__html_cost(const struct gput__html *h, double usd_hour)
{
    struct gput_figure time = h->run->usage.compute_time.time;

    return usd_hour > 0 && time.source != GPUT_UNAVAILABLE ? usd_hour * time.value / 3600 : -1;
}

/* The cheapest is the first. */
static void put_headline(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput__html_offer *best = &h->offers[0];
    double now = gput__html_cost(h, h->paid_usd_hour), then = gput__html_cost(h, best->usd_hour);

    gput__buf_puts(out, "<p class=\"headline\" id=\"saving\">");
    gput__html_isolated(out, best->type);
    gput__buf_puts(out, " would do");
    if (now > 0 && then >= 0 && then < now) {
        gput__buf_printf(out, ", and save %.0f %% (", 100 * (1 - then / now));
        put_usd(out, now - then);
        gput__buf_puts(out, " for a run like this)");
    } else if (now > 0 && then >= now) {
        gput__buf_puts(out, "; it costs no less than the one that was used");
    }
    gput__buf_puts(out, ".</p>\n");
}

static void put_offer(const struct gput__html *h, struct gput__buf *out,
                      const struct gput__html_offer *o)
{
    double cost = gput__html_cost(h, o->usd_hour);
    char text[GPUT__HUMAN_SIZE];

    gput__buf_puts(out, "<tr><th scope=\"row\">");
    gput__html_isolated(out, o->type);
    gput__buf_puts(out, "<br><small>");
    gput__html_text(out, o->vendor);
    gput__buf_puts(out, o->region && *o->region ? ", " : "");
    gput__html_text(out, o->region ? o->region : "");
    gput__buf_printf(out, "</small></th><td>%d</td><td>%s</td><td>", o->vcpus,
                     gput__human_bytes(o->memory_mib * 1048576, text));
    if (o->gpus > 0) {
        gput__buf_printf(out, "%s ", gput__human_number(o->gpus, text));
        gput__html_text(out, o->gpu_model ? o->gpu_model : "");
    } else {
        gput__buf_puts(out, "none");
    }
    gput__buf_puts(out, "</td><td>");
    put_usd(out, o->usd_hour);
    gput__buf_puts(out, cost >= 0 ? "</td><td>" : "</td><td class=\"missing\">not known");
    if (cost >= 0)
        put_usd(out, cost);
    gput__buf_puts(out, "</td></tr>\n");
}

void gput__html_server(const struct gput__html *h, struct gput__buf *out)
{
    if (h->n_offers == 0)
        return;
    gput__buf_puts(out,
                   "<section aria-labelledby=\"servers\">\n<h2 id=\"servers\">Where it would run "
                   "for less</h2>\n");
    put_headline(h, out);
    gput__buf_puts(out, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"servers\" "
                        "tabindex=\"0\"><table><caption>The cheapest servers that have what it "
                        "needs, on demand");
    if (h->offers[0].as_of && *h->offers[0].as_of) {
        gput__buf_puts(out, "; prices of ");
        gput__html_text(out, h->offers[0].as_of);
    }
    gput__buf_puts(out,
                   ".</caption><thead><tr><th scope=\"col\">Server</th><th "
                   "scope=\"col\">vCPUs</th><th scope=\"col\">Memory</th><th "
                   "scope=\"col\">GPUs</th><th scope=\"col\">An hour</th><th scope=\"col\">This "
                   "run</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < h->n_offers; i++)
        put_offer(h, out, &h->offers[i]);
    gput__buf_puts(out, "</tbody></table></div>\n</section>\n");
}

/* fleet_html.c - the page of a job on many nodes: in words, and the places that its script draws in. */
#include "report/fleet/fleet_html.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/print.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"

/* Ranks that are named on the page; the grid marks all. */
enum { MOST_NAMED = 100 };

static void write_fact(struct gput__buf *out, const char *name, const char *value)
{
    gput__buf_printf(out, "<div><dt>%s</dt><dd>", name);
    gput__html_text(out, value);
    gput__buf_puts(out, "</dd></div>");
}

static void write_count(struct gput__buf *out, const char *name, size_t n, int expected)
{
    char text[60];

    if (expected >= 0 && (size_t)expected != n)
        snprintf(text, sizeof(text), "%zu of %d", n, expected);
    else
        snprintf(text, sizeof(text), "%zu", n);
    write_fact(out, name, text);
}

static void write_verdict(const struct gput__fleet_job *job, struct gput__buf *out)
{
    bool is_good = gput__fleet_job_is_complete(job);
    int missing = job->expected_ranks - (int)job->n_ranks;
    size_t n = job->missing_ranks.n > 0 ? job->missing_ranks.n_missing
               : missing > 0            ? (size_t)missing
                                        : 0;

    gput__buf_printf(out, "<p class=\"verdict %s\" data-verdict=\"%s\">", is_good ? "good" : "bad",
                     is_good ? "complete" : "incomplete");
    if (is_good)
        gput__buf_puts(out, "Complete: no rank is missing or failed");
    else
        gput__buf_printf(out, "%zu rank%s missing, %zu failed", n, n == 1 ? "" : "s",
                         job->n_failed_ranks);
    gput__buf_puts(out, "</p>\n");
}

static void write_hero(const struct gput__fleet_job *job, const char *title, struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS];

    gput__buf_puts(out, "<section class=\"hero\" aria-labelledby=\"title\">\n");
    write_verdict(job, out);
    gput__buf_puts(out, "<h1 id=\"title\">");
    gput__html_beginning(out, title, GPUT__LONG_TITLE);
    gput__buf_puts(out, "</h1>\n");
    if (job->command) {
        gput__buf_puts(out, "<p class=\"command\">");
        gput__html_beginning(out, job->command, GPUT__LONG_COMMAND);
        gput__buf_puts(out, "</p>\n");
    }
    gput__buf_puts(out, "<dl class=\"facts\">");
    write_fact(out, "Job", gput__fleet_job_words(job, words));
    write_count(out, "Nodes", job->n_nodes, job->expected_nodes);
    write_count(out, "Ranks", job->n_ranks, job->expected_ranks);
    gput__buf_puts(out, "<div><dt>Started</dt><dd><time datetime=\"");
    gput__buf_puts(out, gput__amount_iso(job->totals.start, words));
    gput__buf_printf(out, "\">%s</time></dd></div>", gput__amount_utc(job->totals.start, words));
    gput__buf_puts(out, "</dl>\n</section>\n");
}

/* --- cards -------------------------------------------------------------------------------------- */

static void write_card(struct gput__buf *out, const char *id, const char *name, const char *value,
                       const char *note)
{
    const char *blank = strchr(value, ' ');

    gput__buf_printf(out, "<article class=\"card\" id=\"card-%s\"><h3>%s</h3><p class=\"value\">",
                     id, name);
    if (blank && !strchr(blank + 1, ' '))
        gput__buf_printf(out, "%.*s<span class=\"unit\">&nbsp;%s</span>", (int)(blank - value),
                         value, blank + 1);
    else
        gput__html_text(out, value);
    gput__buf_puts(out, "</p><p class=\"note\">");
    gput__html_text(out, note);
    gput__buf_puts(out, "</p></article>\n");
}

static const char *hours(double seconds, char *ret)
{
    if (seconds < 360) /* of a short job */
        return gput__amount_seconds(seconds, ret);
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, seconds >= 360000 ? "%.0f h" : "%.3g h", seconds / 3600);
    return ret;
}

static void write_share_card(struct gput__buf *out, const char *id, const char *name, double used,
                             double of, const char *word)
{
    char value[GPUT__AMOUNT_SIZE], total[GPUT__AMOUNT_SIZE], share[GPUT__AMOUNT_SIZE], note[160];

    snprintf(note, sizeof(note), of > 0 ? "%s of %s %s" : "%s%s%s",
             of > 0 ? gput__amount_percent(100 * used / of, share) : "",
             of > 0 ? hours(of, total) : "", of > 0 ? word : "");
    write_card(out, id, name, hours(used, value), note);
}

static void write_cards(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__fleet_totals *t = &job->totals;
    char value[GPUT__AMOUNT_SIZE], other[GPUT__AMOUNT_SIZE], note[160];

    gput__buf_puts(out, "<section aria-label=\"Totals\"><div class=\"cards\">\n");
    gput__snprintf(note, sizeof(note), "the slowest rank %s above the mean",
                   gput__amount_percent(100 * gput__spread_imbalance(&job->spread.wall), other));
    write_card(out, "time", "Time", gput__amount_seconds(t->wall_seconds, value), note);
    if (t->cpu_seconds >= 0)
        write_share_card(out, "cpu", "CPU", t->cpu_seconds, t->cpu_seconds_given, "given");
    snprintf(note, sizeof(note), "sum of the peaks of nodes: %s",
             gput__amount_bytes(t->sum_of_node_peaks, other));
    if (t->max_ram_at_once >= 0)
        write_card(out, "memory", "Memory at one moment, at most",
                   gput__amount_bytes(t->max_ram_at_once, value), note);
    if (t->gpu_seconds_held > 0)
        write_share_card(out, "gpu", "GPUs busy", t->gpu_seconds_busy, t->gpu_seconds_held, "held");
    if (t->energy >= 0)
        write_card(out, "energy", "Energy of GPUs", gput__amount_energy(t->energy, value), "");
    gput__buf_puts(out, "</div></section>\n");
}

/* --- lists -------------------------------------------------------------------------------------- */

/* A button that shows the rank in the grid; to be closed. */
static void open_item(struct gput__buf *out, size_t rank, bool has_place)
{
    gput__buf_puts(out, "<li>");
    if (has_place)
        gput__buf_printf(out, "<button type=\"button\" class=\"button\" data-rank=\"%zu\">", rank);
}

static void close_item(struct gput__buf *out, bool has_place)
{
    gput__buf_puts(out, has_place ? "</button></li>\n" : "</li>\n");
}

static void write_missing(const struct gput__fleet_job *job, struct gput__buf *out)
{
    if (job->n_missing_nodes > 0) {
        gput__buf_printf(out, "<li>%zu missing node%s", job->n_missing_nodes,
                         job->n_missing_nodes == 1 ? "" : "s");
        gput__buf_puts(out, job->missing_nodes.n ? ", by number: " : "");
        gput__fleet_ranges(out, &job->missing_nodes);
        gput__buf_puts(out, "</li>\n");
    }
    if (job->missing_ranks.n_missing > 0) {
        gput__buf_puts(out, "<li>missing ranks: ");
        gput__fleet_ranges(out, &job->missing_ranks);
        gput__buf_puts(out, "</li>\n");
    }
}

static void write_failure(const struct gput__fleet_job *job, const struct gput__fleet_failure *f,
                          struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS], at[GPUT__AMOUNT_SIZE];

    open_item(out, f->rank, true);
    gput__html_text(out, gput__fleet_rank_words(job, f->rank, words));
    gput__buf_printf(out, ": %s", gput__fleet_failure_words(f, words));
    if (f->at >= 0)
        gput__buf_printf(out, ", after %s", gput__amount_seconds(f->at, at));
    close_item(out, true);
}

static void write_failed(const struct gput__fleet_job *job, struct gput__buf *out)
{
    if (gput__fleet_job_is_complete(job))
        return;
    gput__buf_puts(out, "<section id=\"failed\"><h2>Missing or failed</h2>\n"
                        "<ul class=\"fleet-list\">\n");
    write_missing(job, out);
    for (size_t i = 0; i < job->n_failures && i < MOST_NAMED; i++)
        write_failure(job, &job->failures[i], out);
    if (job->n_failures > MOST_NAMED)
        gput__buf_printf(out, "<li>and %zu more</li>\n", job->n_failures - MOST_NAMED);
    gput__buf_puts(out, "</ul></section>\n");
}

static void write_straggler(const struct gput__fleet_job *job, const struct gput__straggler *s,
                            struct gput__buf *out)
{
    char a[GPUT__FLEET_WORDS], b[GPUT__FLEET_WORDS];

    open_item(out, s->rank, true);
    gput__html_text(out, gput__fleet_rank_words(job, s->rank, a));
    gput__buf_printf(out, ": %s %s, median %s", gput__fleet_figure_titles[s->figure],
                     gput__fleet_value(s->figure, s->value, a),
                     gput__fleet_value(s->figure, s->median, b));
    if (s->is_chronic)
        gput__buf_puts(out, ", all the time");
    else if (s->to > s->from)
        gput__buf_printf(out, ", once: from %s to %s", gput__amount_seconds(s->from, a),
                         gput__amount_seconds(s->to, b));
    close_item(out, true);
}

static void write_apart(const struct gput__fleet_job *job, struct gput__buf *out)
{
    if (job->n_stragglers == 0)
        return;
    gput__buf_puts(out, "<section id=\"apart\"><h2>Ranks that stand apart</h2>\n"
                        "<ul class=\"fleet-list\">\n");
    for (size_t i = 0; i < job->n_stragglers && i < MOST_NAMED; i++)
        write_straggler(job, &job->stragglers[i], out);
    if (job->n_stragglers > MOST_NAMED)
        gput__buf_printf(out, "<li>and %zu more</li>\n", job->n_stragglers - MOST_NAMED);
    gput__buf_puts(out, "</ul></section>\n");
}

static void write_clocks(const struct gput__fleet_job *job, struct gput__buf *out)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_nodes; i++) {
        const struct gput__job_node *node = &job->nodes[i];
        char a[GPUT__AMOUNT_SIZE];

        if (!(fabs(node->clock_ahead) > 0) || n == MOST_NAMED)
            continue;
        gput__buf_puts(out, n++ == 0
                                ? "<section id=\"clocks\"><h2>Clocks that are wrong; times here "
                                  "are put right</h2>\n<ul class=\"fleet-list\">\n"
                                : "");
        gput__buf_puts(out, "<li>");
        gput__html_text(out, node->name);
        gput__buf_printf(out, ": %s %s</li>\n", gput__amount_seconds(fabs(node->clock_ahead), a),
                         node->clock_ahead > 0 ? "ahead" : "behind");
    }
    gput__buf_puts(out, n > 0 ? "</ul></section>\n" : "");
}

/* --- what the script draws ------------------------------------------------------------------------ */

static void write_grid(const struct gput__fleet_job *job, struct gput__buf *out)
{
    gput__buf_puts(
        out,
        "<section id=\"ranks\"><h2>Ranks</h2>\n<p class=\"hint\">Each field is a rank, in their "
        "order; choose one for its charts. A red corner: it failed; another corner: it stands "
        "apart; a red frame: it is missing.</p>\n<div class=\"fleet-map\">\n"
        "<div class=\"buttons\" id=\"controls\" hidden role=\"group\" aria-label=\"Colour by\">"
        "<button type=\"button\" class=\"button\" data-figure-of=\"time\">Time</button>"
        "<button type=\"button\" class=\"button\" data-figure-of=\"cpu\">CPU</button>"
        "<button type=\"button\" class=\"button\" data-figure-of=\"memory\">Memory</button>");
    if (job->spread.gpu_busy.n > 0)
        gput__buf_puts(out, "<button type=\"button\" class=\"button\" data-figure-of=\"gpu\">GPU"
                            "</button>");
    gput__buf_puts(
        out,
        "</div>\n<canvas id=\"grid\" tabindex=\"0\" role=\"application\" aria-label=\"Ranks; arrow "
        "keys choose one\" aria-describedby=\"chosen\"></canvas>\n"
        "<p class=\"scale\"><span id=\"scale-low\"></span><svg aria-hidden=\"true\"><defs>"
        "<linearGradient id=\"ramp\"><stop offset=\"0\" class=\"low\"/><stop offset=\"1\" "
        "class=\"high\"/></linearGradient></defs><rect width=\"120\" height=\"10\" "
        "fill=\"url(#ramp)\"/></svg><span id=\"scale-high\"></span></p>\n"
        "<p class=\"said\" id=\"pointed\"></p>\n</div>\n"
        "<p class=\"said\" id=\"chosen\" role=\"status\"></p>\n"
        "<div class=\"rank-charts\" id=\"rank-charts\"></div>\n"
        "<noscript><p>The grid and the charts need JavaScript; the lists and tables do not."
        "</p></noscript></section>\n"
        "<section id=\"nodes\"><h2>Nodes over time</h2>\n<p class=\"hint\" id=\"lanes-what\"></p>\n"
        "<div class=\"fleet-lanes\"><canvas id=\"lanes\" role=\"img\" aria-label=\"A row for each "
        "node, from the start to the end\"></canvas><p class=\"said\" id=\"lane\"></p></div>"
        "</section>\n");
}

/* --- tables ------------------------------------------------------------------------------------- */

typedef const char *(*amount_words)(double value, char *ret);

static void write_row(struct gput__buf *out, const char *name, const struct gput__spread *s,
                      amount_words words)
{
    char a[GPUT__AMOUNT_SIZE];
    double imbalance = gput__spread_imbalance(s);

    if (s->n == 0)
        return;
    gput__buf_printf(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", name, words(s->min, a));
    gput__buf_printf(out, "<td>%s</td>", words(s->median, a));
    gput__buf_printf(out, "<td>%s</td>", words(s->max, a));
    gput__buf_printf(out, "<td>%s</td></tr>\n",
                     isfinite(imbalance) ? gput__amount_percent(100 * imbalance, a) : "-");
}

static void write_table_head(struct gput__buf *out, const char *caption)
{
    gput__buf_printf(
        out,
        "<div class=\"scroll\" tabindex=\"0\"><table><caption>%s</caption><thead><tr>"
        "<th scope=\"col\">Figure</th><th scope=\"col\">min</th><th scope=\"col\">median"
        "</th><th scope=\"col\">max</th><th scope=\"col\">imbalance</th></tr></thead>"
        "<tbody>\n",
        caption);
}

static void write_tables(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__fleet_spreads *s = &job->spread;

    gput__buf_puts(out, "<section id=\"tables\"><h2>From the lowest to the highest</h2>\n");
    write_table_head(out, "Ranks");
    write_row(out, "Time", &s->wall, gput__amount_seconds);
    write_row(out, "CPU time", &s->cpu_seconds, gput__amount_seconds);
    write_row(out, "CPU", &s->cpu_percent, gput__amount_percent);
    write_row(out, "Memory", &s->max_ram, gput__amount_bytes);
    write_row(out, "GPU", &s->gpu_busy, gput__amount_percent);
    write_row(out, "GPU memory", &s->max_gpu_ram, gput__amount_bytes);
    gput__buf_puts(out, "</tbody></table></div>\n<p></p>\n");
    write_table_head(out, "Nodes");
    write_row(out, "CPU time", &s->node_cpu_seconds, gput__amount_seconds);
    write_row(out, "Memory of the job", &s->node_ram_job, gput__amount_bytes);
    write_row(out, "Memory, other programs included", &s->node_ram_system, gput__amount_bytes);
    write_row(out, "GPU", &s->node_gpu_busy, gput__amount_percent);
    gput__buf_puts(out, "</tbody></table></div></section>\n");
}

static void write_faults(const struct gput__fleet *fleet, struct gput__buf *out)
{
    size_t n = 0;

    for (size_t i = 0; i < fleet->n_faults && n < MOST_NAMED; i++) {
        if (fleet->faults[i].is_harmless)
            continue;
        gput__buf_puts(out, n++ == 0
                                ? "<section id=\"faults\"><h2>Files that could not be used</h2>\n"
                                  "<ul class=\"fleet-list\">\n"
                                : "");
        gput__buf_puts(out, "<li>");
        gput__html_text(out, fleet->faults[i].text);
        gput__buf_puts(out, "</li>\n");
    }
    gput__buf_puts(out, n > 0 ? "</ul></section>\n" : "");
}

static void write_data(const void *job, struct gput__buf *out)
{
    gput__fleet_html_data(job, out);
}

int gput__fleet_html(const struct gput__fleet_report *r, const struct gput__fleet_job *job,
                     const char *title, struct gput__buf *out)
{
    if (!title)
        title = job->id->name ? job->id->name : job->id->id;
    gput__html_begin(title, out);
    write_hero(job, title, out);
    write_cards(job, out);
    write_failed(job, out);
    write_apart(job, out);
    write_clocks(job, out);
    write_grid(job, out);
    write_tables(job, out);
    write_faults(r->fleet, out);
    gput__html_end(write_data, job, out);
    return out->err;
}

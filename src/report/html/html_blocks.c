/* html_blocks.c - code blocks in a report: when each ran, and what it took. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"
#include "store/records/columns.h"

/* Lanes are drawn for the blocks that took longest; the pieces of all of them together are bounded. */
enum { MOST_LANES = 16, ALL_PIECES = 6000, MOST_ROWS = 500 };
/* Of the horizontal axis of a lane. */
#define LANE_WIDTH 100000.0

struct piece {
    double start, stop;
};

static int by_time(const void *a, const void *b)
{
    const struct gput_block *const *one = a, *const *two = b;
    double x = (*one)->wall_time, y = (*two)->wall_time;

    return x > y ? -1 : x < y ? 1 : strcmp((*one)->name, (*two)->name);
}

static double first_call(const struct gput_block *b)
{
    double first = INFINITY;

    for (size_t i = 0; i < b->num_calls; i++)
        first = fmin(first, b->calls[i].start);
    return first;
}

static int by_first_call(const void *a, const void *b)
{
    const struct gput_block *const *one = a, *const *two = b;
    double x = first_call(*one), y = first_call(*two);

    return x < y ? -1 : x > y ? 1 : strcmp((*one)->name, (*two)->name);
}

/* Pointers to the blocks, the one that took longest first; NULL: no memory. */
static const struct gput_block **sorted(const struct gput__html *h)
{
    const struct gput_block **list = malloc(h->n_blocks * sizeof(*list));

    for (size_t i = 0; list && i < h->n_blocks; i++)
        list[i] = &h->blocks[i];
    if (list)
        qsort(list, h->n_blocks, sizeof(*list), by_time);
    return list;
}

static int by_start(const void *a, const void *b)
{
    const struct piece *one = a, *two = b;

    return (one->start > two->start) - (one->start < two->start);
}

/* Pieces that touch, or are nearer than `gap`, become one.  Returns how many are left. */
static size_t join(struct piece *p, size_t n, double gap)
{
    size_t at = 0;

    for (size_t i = 1; i < n; i++) {
        if (p[i].start <= p[at].stop + gap)
            p[at].stop = fmax(p[at].stop, p[i].stop);
        else
            p[++at] = p[i];
    }
    return n > 0 ? at + 1 : 0;
}

/* When at least one call ran, in at most `most` pieces; NULL: no memory. */
static struct piece *pieces_of(const struct gput_block *b, size_t most, double span, size_t *ret_n)
{
    struct piece *p = malloc((b->num_calls + 1) * sizeof(*p));
    size_t n = b->num_calls;

    if (!p)
        return NULL;
    for (size_t i = 0; i < n; i++)
        p[i] = (struct piece){ b->calls[i].start, b->calls[i].stop };
    qsort(p, n, sizeof(*p), by_start);
    n = join(p, n, 0);
    for (double gap = span / 1e5; n > most; gap *= 2)
        n = join(p, n, gap);
    *ret_n = n;
    return p;
}

static void write_name(struct gput__buf *out, const char *name)
{
    gput__buf_puts(out, "<bdi>");
    gput__html_beginning(out, name, GPUT__LONG_NAME);
    gput__buf_puts(out, "</bdi>");
}

static void write_lane(struct gput__buf *out, const struct gput_block *b, size_t lane, size_t most,
                       double from, double to)
{
    size_t n = 0;
    struct piece *p = pieces_of(b, most, to - from, &n);
    char calls[GPUT__AMOUNT_SIZE], time[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, "<li class=\"lane\"><span class=\"lane-name\">");
    write_name(out, b->name);
    gput__buf_printf(out, "</span> <span class=\"peak\">%s, %s call%s</span>",
                     gput__amount_seconds(b->wall_time, time),
                     gput__amount_count((double)b->num_calls, calls), b->num_calls == 1 ? "" : "s");
    gput__buf_printf(out,
                     "<svg class=\"band\" viewBox=\"0 0 %.0f 1\" preserveAspectRatio=\"none\" "
                     "aria-hidden=\"true\"><path class=\"c%zu\" d=\"",
                     LANE_WIDTH, lane % GPUT__N_COLOURS);
    for (size_t i = 0; p && i < n; i++) {
        double x = (p[i].start - from) / (to - from) * LANE_WIDTH;
        double width = (p[i].stop - p[i].start) / (to - from) * LANE_WIDTH;

        gput__buf_printf(out, "M%.1f 0h%.1fv1h-%.1fz", x, width, width);
    }
    gput__buf_puts(out, "\"/></svg></li>\n");
    free(p);
}

void gput__html_lanes(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput_block **list = sorted(h);
    size_t n = h->n_blocks < MOST_LANES ? h->n_blocks : MOST_LANES;
    double from, to;

    gput__html_span(h, &from, &to);
    if (list && n > 0 && to > from) {
        qsort(list, n, sizeof(*list), by_first_call);
        gput__buf_puts(out, "<div class=\"lanes\" id=\"lanes\"><h3>Code blocks</h3>\n<ul>\n");
        for (size_t i = 0; i < n; i++)
            write_lane(out, list[i], i, ALL_PIECES / n, from, to);
        gput__buf_puts(out, "</ul></div>\n");
    }
    free(list);
}

/* --- the table ------------------------------------------------------------------------------- */

static const struct gput_stats *stats_of(const struct gput_block *b, const char *column)
{
    for (size_t i = 0; b->resource_usage && i + 1 < GPUT__N_COLUMNS; i++)
        if (!strcmp(gput__column_name(i), column))
            return b->num_timepoints > 0 ? &b->resource_usage[i] : NULL;
    return NULL;
}

static void write_cell(struct gput__buf *out, const char *text)
{
    gput__buf_puts(out, text ? "<td>" : "<td class=\"missing\">");
    gput__buf_puts(out, text ? text : "not seen");
    gput__buf_puts(out, "</td>");
}

static void write_memory(struct gput__buf *out, const struct gput_block *b, const char *column,
                         double exact)
{
    const struct gput_stats *s = stats_of(b, column);
    double peak = fmax(s ? s->max : NAN, exact);
    char text[GPUT__AMOUNT_SIZE];

    write_cell(out, isnan(peak) ? NULL : gput__amount_bytes(peak, text));
}

static double cores_of(const struct gput_block *b)
{
    const struct gput_stats *s = stats_of(b, "cpu_combined_sum_utilization_percent");

    return s ? s->mean / 100 : NAN;
}

static bool has_gpu(const struct gput__html *h)
{
    return h->run->usage.gpu_utilization.system_gpu_count.value > 0;
}

/* Of the time from one moment to the other, in percent: a call may begin before the run. */
static double share_of(const struct gput_block *b, double from, double to)
{
    size_t n = 0;
    struct piece *p = pieces_of(b, b->num_calls, 0, &n);
    double sum = p ? 0 : NAN;

    for (size_t i = 0; p && i < n; i++)
        sum += fmax(fmin(p[i].stop, to) - fmax(p[i].start, from), 0);
    free(p);
    return to > from ? 100 * sum / (to - from) : NAN;
}

static void write_row(const struct gput__html *h, struct gput__buf *out, const struct gput_block *b,
                      double from, double to)
{
    const struct gput_stats *gpu = stats_of(b, "gpu_hardware_utilization_percent");
    double cores = cores_of(b), share = share_of(b, from, to);
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, "<tr><th scope=\"row\">");
    write_name(out, b->name);
    gput__buf_puts(out, "</th>");
    write_cell(out, gput__amount_count((double)b->num_calls, text));
    write_cell(out, gput__amount_seconds(b->wall_time, text));
    write_cell(out, isnan(share) ? NULL : gput__amount_percent(share, text));
    write_cell(out, b->num_calls ? gput__amount_seconds(b->compute_time.mean, text) : NULL);
    write_cell(out, b->num_calls ? gput__amount_seconds(b->compute_time.max, text) : NULL);
    write_cell(out, isnan(cores) ? NULL : gput__amount_number(cores, text));
    write_memory(out, b, "combined_ram", b->num_peaks ? b->peak_ram : NAN);
    if (has_gpu(h)) {
        write_cell(out, gpu && !isnan(gpu->mean) ? gput__amount_percent(gpu->mean, text) : NULL);
        write_memory(out, b, "combined_gpu_ram", NAN);
    }
    gput__buf_puts(out, "</tr>\n");
}

void gput__html_blocks(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput_block **list = sorted(h);
    double from, to;

    if (h->n_blocks == 0 || !list) {
        free(list);
        return;
    }
    gput__html_span(h, &from, &to);
    to = fmax(to, from + h->run->usage.compute_time.time.value);
    gput__buf_printf(
        out,
        "<section aria-labelledby=\"blocks\">\n<h2 id=\"blocks\">What the code blocks took</h2>\n"
        "<div class=\"scroll long\" role=\"region\" aria-labelledby=\"blocks\" "
        "tabindex=\"0\"><table id=\"block-table\"><caption>The longest first%s. CPU, "
        "memory and GPU are those of the whole job meanwhile.</caption>"
        "<thead><tr><th scope=\"col\">Block</th><th scope=\"col\">Calls</th><th "
        "scope=\"col\">Time</th><th scope=\"col\">Share of the run</th><th "
        "scope=\"col\">Mean per call</th><th scope=\"col\">Longest call</th><th "
        "scope=\"col\">CPU cores, mean</th><th scope=\"col\">Peak memory</th>%s</tr>"
        "</thead>\n<tbody>\n",
        h->n_blocks > MOST_ROWS ? " (others are left out)" : "",
        has_gpu(h) ? "<th scope=\"col\">GPU, mean</th><th scope=\"col\">Peak GPU "
                     "memory</th>"
                   : "");
    for (size_t i = 0; i < h->n_blocks && i < MOST_ROWS; i++)
        write_row(h, out, list[i], from, to);
    gput__buf_puts(out, "</tbody></table></div>\n</section>\n");
    free(list);
}

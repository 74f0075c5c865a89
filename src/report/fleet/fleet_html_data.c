/* fleet_html_data.c - a job on many nodes for the script of its page: figures of ranks as numbers, and
 * packed, a byte for each value, series of ranks and nodes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "report/fleet/fleet_html.h"
#include "report/html/html_text.h"
#include "report/html/pack.h"

/* Points of a rank's and of a node's series: 1,000 nodes of 8 ranks must stay below 5 MB. */
enum { RANK_POINTS = 60, NODE_POINTS = 120 };
/* A code is 0, not known, or 1 + the value in so many steps of the highest. */
enum { STEPS = 254 };
/* More places of ranks no screen shows: then those that are there stand one after the other. */
enum { MOST_PLACES = 200000 };

/* What of a series is shown: for ranks, for nodes, and which button of the page it goes with. */
struct column {
    const char *title, *unit, *of;
    int rank, other_rank,
        node; /* columns of the series; other_rank: where the first is not there */
};
static const struct column columns[] = {
    { "Memory", "bytes", "memory", GPUT__RANK_PSS, GPUT__RANK_RAM, GPUT__NODE_RAM_JOB },
    { "CPU", "percent", "cpu", GPUT__RANK_CPU, GPUT__RANK_CPU, GPUT__NODE_CPU_SYSTEM },
    { "GPU", "percent", "gpu", GPUT__RANK_GPU, GPUT__RANK_GPU, GPUT__NODE_GPU },
};
enum { N_COLUMNS = sizeof(columns) / sizeof(*columns) };

struct writer {
    const struct gput__fleet_job *job;
    struct gput__buf *out;
    struct gput__buf codes; /* of all series */
    float *highest;         /* of each rank, column by column */
    bool has_places;        /* a rank's place is its number */
};

static void put_number(struct gput__buf *out, double value, int decimals)
{
    if (isfinite(value))
        gput__buf_printf(out, "%.*f", decimals, value);
    else
        gput__buf_puts(out, "null");
}

/* --- series ------------------------------------------------------------------------------------ */

/* The highest of each of `n` equal parts of from ... to; NAN where nothing is known. */
static void spread_out(const struct gput__fleet_series *s, const float *value, double zero,
                       double from, double to, float *ret, int n)
{
    double width = (to - from) / n;

    for (int k = 0; k < n; k++)
        ret[k] = NAN;
    if (!value || !(width > 0))
        return;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t next = i + 1 < s->n ? i + 1 : i;
        double first = (zero + (double)s->t[i] - from) / width;
        double last = (zero + (double)s->t[next] - from) / width;

        if (!(first < n) || !(last >= 0))
            continue;
        last = fmin(last, n);
        for (int k = first > 0 ? (int)first : 0; k < n && k <= (int)last; k++)
            ret[k] = fmaxf(ret[k], value[i]);
    }
}

static float highest_of(const float *values, int n)
{
    float highest = NAN;

    for (int k = 0; k < n; k++)
        highest = fmaxf(highest, values[k]);
    return highest;
}

static void add_codes(struct gput__buf *codes, const float *values, int n, double highest)
{
    for (int k = 0; k < n; k++) {
        double share = highest > 0 ? (double)values[k] / highest : 0;

        gput__buf_putc(
            codes,
            (char)(unsigned char)(isfinite(values[k]) ? 1 + lround(fmin(share, 1) * STEPS) : 0));
    }
}

static const float *rank_values(const struct gput__job_rank *r, const struct column *c)
{
    const struct gput__fleet_series *s = &r->rank->series;

    return s->value[c->rank] ? s->value[c->rank] : s->value[c->other_rank];
}

static void add_ranks(struct writer *w, int column)
{
    float values[RANK_POINTS];

    for (size_t i = 0; i < w->job->n_ranks; i++) {
        const struct gput__job_rank *r = &w->job->ranks[i];
        double zero = r->file->clock.wall - (r->rank->start - r->start), highest;

        spread_out(&r->rank->series, rank_values(r, &columns[column]), zero, r->start, r->end,
                   values, RANK_POINTS);
        highest = (double)highest_of(values, RANK_POINTS);
        w->highest[(size_t)column * w->job->n_ranks + i] = (float)highest;
        add_codes(&w->codes, values, RANK_POINTS, highest);
    }
}

/* A node's files are of other ranks: their values are added up. */
static void fill_node(const struct writer *w, const struct gput__job_node *node, int column,
                      float *ret)
{
    const struct gput__fleet_totals *t = &w->job->totals;
    float values[NODE_POINTS];

    for (int k = 0; k < NODE_POINTS; k++)
        ret[k] = NAN;
    for (size_t i = 0; i < node->n_files; i++) {
        const struct gput__fleet_file *f = node->files[i];

        spread_out(&f->series, f->series.value[columns[column].node],
                   f->clock.wall - node->clock_ahead, t->start, t->end, values, NODE_POINTS);
        for (int k = 0; k < NODE_POINTS; k++)
            if (column == 0 && isfinite(ret[k]) && isfinite(values[k]))
                ret[k] += values[k];
            else
                ret[k] = fmaxf(ret[k], values[k]);
    }
}

/* One scale for all nodes; returns its end. */
static double add_nodes(struct writer *w, int column)
{
    float values[NODE_POINTS];
    double highest = NAN;

    for (size_t i = 0; i < w->job->n_nodes; i++) {
        fill_node(w, &w->job->nodes[i], column, values);
        highest = fmax(highest, (double)highest_of(values, NODE_POINTS));
    }
    for (size_t i = 0; i < w->job->n_nodes; i++) {
        fill_node(w, &w->job->nodes[i], column, values);
        add_codes(&w->codes, values, NODE_POINTS, highest);
    }
    return highest;
}

static void write_columns(struct writer *w)
{
    gput__buf_puts(w->out, ",\"columns\":[");
    for (int c = 0; c < N_COLUMNS; c++) {
        add_ranks(w, c);
        gput__buf_printf(w->out, "%s{\"title\":\"%s\",\"unit\":\"%s\",\"high\":[", c ? "," : "",
                         columns[c].title, columns[c].unit);
        for (size_t i = 0; i < w->job->n_ranks; i++) {
            gput__buf_puts(w->out, i ? "," : "");
            put_number(w->out, (double)w->highest[(size_t)c * w->job->n_ranks + i], c ? 1 : 0);
        }
        gput__buf_puts(w->out, "]}");
    }
    gput__buf_puts(w->out, "],\"nodeColumns\":[");
    for (int c = 0; c < N_COLUMNS; c++) {
        gput__buf_printf(w->out, "%s{\"title\":\"%s\",\"unit\":\"%s\",\"of\":\"%s\",\"high\":",
                         c ? "," : "", columns[c].title, columns[c].unit, columns[c].of);
        put_number(w->out, fmax(0, add_nodes(w, c)), 1);
        gput__buf_putc(w->out, '}');
    }
    gput__buf_putc(w->out, ']');
}

static void write_packed(struct writer *w)
{
    struct gput__buf packed = GPUT__BUF_INIT;

    if (w->codes.err == 0 && gput__pack_deflate(&w->codes, &packed) == 0) {
        gput__buf_puts(w->out, ",\"packed\":\"");
        gput__pack_base64(w->out, packed.data, packed.len);
        gput__buf_putc(w->out, '"');
    }
    if (w->codes.err)
        w->out->err = w->codes.err;
    gput__buf_free(&packed);
}

/* --- figures ------------------------------------------------------------------------------------ */

/* From the lowest to the highest. */
static void write_scale(struct writer *w, const double *values, size_t n)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < n; i++) {
        low = isfinite(values[i]) ? fmin(low, values[i]) : low;
        high = isfinite(values[i]) ? fmax(high, values[i]) : high;
    }
    gput__buf_puts(w->out, "],\"low\":");
    put_number(w->out, low <= high ? low : 0, 3);
    gput__buf_puts(w->out, ",\"high\":");
    put_number(w->out, low <= high ? high : 0, 3);
    gput__buf_putc(w->out, '}');
}

static void write_figures(struct writer *w)
{
    static const struct {
        const char *id, *title, *unit;
    } shown[GPUT__FLEET_FIGURES] = {
        [GPUT__FLEET_WALL] = { "time", "Time", "seconds" },
        [GPUT__FLEET_CPU] = { "cpu", "CPU", "percent" },
        [GPUT__FLEET_RAM] = { "memory", "Memory", "bytes" },
        [GPUT__FLEET_GPU] = { "gpu", "GPU", "percent" },
    };
    double *values = malloc((w->job->n_ranks + 1) * sizeof(*values));

    gput__buf_puts(w->out, ",\"figures\":[");
    for (int f = 0; values && f < GPUT__FLEET_FIGURES; f++) {
        gput__buf_printf(w->out, "%s{\"id\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",\"value\":[",
                         f ? "," : "", shown[f].id, shown[f].title, shown[f].unit);
        for (size_t i = 0; i < w->job->n_ranks; i++) {
            values[i] = gput__fleet_figure_of(&w->job->ranks[i], (enum gput__fleet_figure)f);
            gput__buf_puts(w->out, i ? "," : "");
            put_number(w->out, values[i], f == GPUT__FLEET_RAM ? 0 : 2);
        }
        write_scale(w, values, w->job->n_ranks);
    }
    gput__buf_putc(w->out, ']');
    if (!values)
        w->out->err = -ENOMEM;
    free(values);
}

/* --- ranks and nodes ----------------------------------------------------------------------------- */

static double value_of(const struct writer *w, const char *key, size_t i)
{
    const struct gput__job_rank *r = &w->job->ranks[i];

    if (strcmp(key, "node") == 0)
        return (double)r->node;
    if (strcmp(key, "number") == 0)
        return r->rank->rank;
    if (strcmp(key, "slot") == 0)
        return w->has_places ? r->rank->rank : (double)i;
    return (strcmp(key, "start") == 0 ? r->start : r->end) - w->job->totals.start;
}

static void write_list(struct writer *w, const char *key, int decimals)
{
    gput__buf_printf(w->out, ",\"%s\":[", key);
    for (size_t i = 0; i < w->job->n_ranks; i++) {
        gput__buf_puts(w->out, i ? "," : "");
        put_number(w->out, value_of(w, key, i), decimals);
    }
    gput__buf_putc(w->out, ']');
}

/* For each rank a number: of `failures` one more than the place of the words, of `apart` 1. */
static void write_marks(struct writer *w, int *mark)
{
    const struct gput__fleet_job *job = w->job;

    memset(mark, 0, job->n_ranks * sizeof(*mark));
    for (size_t i = job->n_failures; i-- > 0;) /* of several the first */
        mark[job->failures[i].rank] = 1 + (int)i;
    gput__buf_puts(w->out, ",\"failed\":[");
    for (size_t i = 0; i < job->n_ranks; i++)
        gput__buf_printf(w->out, "%s%d", i ? "," : "", mark[i]);
    memset(mark, 0, job->n_ranks * sizeof(*mark));
    for (size_t i = 0; i < job->n_stragglers; i++)
        mark[job->stragglers[i].rank] = 1;
    gput__buf_puts(w->out, "],\"apart\":[");
    for (size_t i = 0; i < job->n_ranks; i++)
        gput__buf_printf(w->out, "%s%d", i ? "," : "", mark[i]);
    gput__buf_puts(w->out, "]}");
}

/* A rank has the place of its number where each has one of its own. */
static size_t find_places(struct writer *w)
{
    const struct gput__fleet_job *job = w->job;
    int last = job->ranks[job->n_ranks - 1].rank->rank, n = job->expected_ranks;

    n = n > last ? n : last + 1;
    w->has_places = job->ranks[0].rank->rank >= 0 && n <= MOST_PLACES;
    for (size_t i = 0; i < job->n_ranks; i++)
        w->has_places &= !job->ranks[i].is_twice;
    return w->has_places ? (size_t)n : job->n_ranks;
}

static void write_names(struct writer *w)
{
    char words[GPUT__FLEET_WORDS];

    gput__buf_puts(w->out, ",\"nodes\":[");
    for (size_t i = 0; i < w->job->n_nodes; i++) {
        gput__buf_puts(w->out, i ? "," : "");
        gput__html_json(w->out, w->job->nodes[i].name);
    }
    gput__buf_puts(w->out, "],\"failures\":[");
    for (size_t i = 0; i < w->job->n_failures; i++) {
        gput__buf_puts(w->out, i ? "," : "");
        gput__html_json(w->out, gput__fleet_failure_words(&w->job->failures[i], words));
    }
    gput__buf_putc(w->out, ']');
}

static void write_all(struct writer *w, int *mark)
{
    const struct gput__fleet_job *job = w->job;
    size_t places = find_places(w);

    gput__buf_puts(w->out, "<script type=\"application/json\" id=\"data\">{\"kind\":\"fleet\"");
    gput__buf_puts(w->out, ",\"span\":");
    put_number(w->out, job->totals.wall_seconds, 3);
    gput__buf_printf(w->out, ",\"slots\":%zu,\"perNode\":%zu,\"points\":%d,\"nodePoints\":%d",
                     places, job->nodes[0].n_ranks, RANK_POINTS, NODE_POINTS);
    write_names(w);
    gput__buf_printf(w->out, ",\"ranks\":{\"n\":%zu", job->n_ranks);
    write_list(w, "slot", 0);
    write_list(w, "number", 0);
    write_list(w, "node", 0);
    write_list(w, "start", 1);
    write_list(w, "end", 1);
    write_marks(w, mark);
    write_figures(w);
    write_columns(w);
    write_packed(w);
    gput__buf_puts(w->out, "}</script>\n");
}

void gput__fleet_html_data(const struct gput__fleet_job *job, struct gput__buf *out)
{
    struct writer w = { .job = job, .out = out };
    int *mark = malloc(job->n_ranks * sizeof(*mark));

    w.highest = malloc(N_COLUMNS * job->n_ranks * sizeof(*w.highest));
    if (mark && w.highest)
        write_all(&w, mark);
    else
        out->err = -ENOMEM;
    gput__buf_free(&w.codes);
    free(mark);
    free(w.highest);
}

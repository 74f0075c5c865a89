/* html_data.c - the series of a report for its script: an overview that is drawn at once, and more
 * that is unpacked when somebody zooms in. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/dtoa.h"
#include "report/html.h"
#include "report/html_text.h"
#include "report/pack.h"
#include "report/thin.h"

/* The overview: as many moments as a wide screen has columns, fewer where there are many lines. */
enum { MOST_IN_OVERVIEW = 2000, LEAST_IN_OVERVIEW = 400, ALL_IN_OVERVIEW = 32000 };
/* The rest: as many as room is for, at most these. */
enum { MOST_IN_DEEP = 1 << 17 };
/* Codes: in the overview exact to 1/65535 of the highest value, in the rest to 1/4095. */
enum { FINE = 65535, COARSE = 4095 };

struct level {
    size_t n;
    bool is_thin; /* lowest, highest and mean of several moments; otherwise each moment itself */
    struct gput__thinned of;
    uint16_t *code;
    uint32_t *ticks;
};

struct writer {
    const struct gput__run_series *s;
    const struct gput__charts *charts;
    double from, to, tick; /* times are told in ticks since `from` */
    struct gput__buf *out;
};

static void free_level(struct level *l)
{
    free(l->of.low);
    free(l->of.high);
    free(l->of.mean);
    free(l->code);
    free(l->ticks);
}

static int make_level(struct level *l, size_t n, size_t most)
{
    *l = (struct level){ .n = n < most ? n : most, .is_thin = n > most };
    l->of.low = malloc(l->n * sizeof(*l->of.low));
    l->of.high = malloc(l->n * sizeof(*l->of.high));
    l->of.mean = malloc(l->n * sizeof(*l->of.mean));
    l->code = malloc(3 * l->n * sizeof(*l->code));
    l->ticks = malloc(l->n * sizeof(*l->ticks));
    return l->of.low && l->of.high && l->of.mean && l->code && l->ticks ? 0 : -1;
}

static void fill_ticks(const struct writer *w, struct level *l)
{
    for (size_t i = 0; i < l->n; i++) {
        double t = w->s->time[gput__thin_start(w->s->n, l->n, i)] - w->from;

        l->ticks[i] = t > 0 ? (uint32_t)fmin(round(t / w->tick), UINT32_MAX) : 0;
    }
}

/* The codes of one line: l->n of the lowest, then as many of the highest and of the means. */
static double fill_codes(const struct writer *w, const struct gput__chart *c,
                         const struct gput__line *line, unsigned top, struct level *l)
{
    double step = gput__pack_step(line->max / line->scale, c->unit == GPUT__CHART_COUNT, top);

    gput__thin(line->value, w->s->n, l->n, &l->of);
    gput__pack_codes(l->of.low, l->n, step, top, l->code);
    gput__pack_codes(l->of.high, l->n, step, top, l->code + l->n);
    gput__pack_codes(l->of.mean, l->n, step, top, l->code + 2 * l->n);
    return step * line->scale;
}

static void put_number(struct gput__buf *out, const char *key, double value)
{
    char text[32];

    gput__dtoa(value, text);
    gput__buf_printf(out, "\"%s\":%s", key, isfinite(value) ? text : "null");
}

static void put_codes(struct gput__buf *out, const char *key, const void *bytes, size_t n)
{
    gput__buf_printf(out, ",\"%s\":\"", key);
    gput__pack_base64(out, bytes, n);
    gput__buf_putc(out, '"');
}

static void put_line(const struct writer *w, const struct gput__chart *c,
                     const struct gput__line *line, struct level *l)
{
    double step = fill_codes(w, c, line, FINE, l);

    gput__buf_puts(w->out, "{\"label\":");
    gput__html_json(w->out, line->label);
    gput__buf_printf(w->out, ",\"colour\":%d,\"hidden\":%s,", line->colour,
                     line->is_hidden ? "true" : "false");
    put_number(w->out, "step", step);
    gput__buf_putc(w->out, ',');
    put_number(w->out, "max", line->max);
    put_codes(w->out, "low", l->code, l->n * sizeof(*l->code));
    if (l->is_thin) {
        put_codes(w->out, "high", l->code + l->n, l->n * sizeof(*l->code));
        put_codes(w->out, "mean", l->code + 2 * l->n, l->n * sizeof(*l->code));
    }
    gput__buf_putc(w->out, '}');
}

static void put_chart(const struct writer *w, const struct gput__chart *c, struct level *l)
{
    static const char *const units[] = {
        [GPUT__CHART_CORES] = "cores",     [GPUT__CHART_BYTES] = "bytes",
        [GPUT__CHART_PERCENT] = "percent", [GPUT__CHART_RATE] = "rate",
        [GPUT__CHART_COUNT] = "count",
    };

    gput__buf_printf(w->out, "{\"id\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",", c->id, c->title,
                     units[c->unit]);
    put_number(w->out, "limit", c->limit);
    gput__buf_printf(w->out, ",\"drawLimit\":%s,\"lines\":[", c->limit_label ? "true" : "false");
    for (size_t i = 0; i < c->n_lines; i++) {
        gput__buf_puts(w->out, i ? "," : "");
        put_line(w, c, &c->line[i], l);
    }
    gput__buf_puts(w->out, "]}");
}

static void put_overview(const struct writer *w, size_t n_lines)
{
    size_t most = ALL_IN_OVERVIEW / (n_lines + 1);
    struct level l;

    most = most > MOST_IN_OVERVIEW    ? MOST_IN_OVERVIEW
           : most < LEAST_IN_OVERVIEW ? LEAST_IN_OVERVIEW
                                      : most;
    if (make_level(&l, w->s->n, most) < 0) {
        w->out->err = -ENOMEM;
    } else {
        fill_ticks(w, &l);
        gput__buf_printf(w->out, "\"n\":%zu,\"thin\":%s", l.n, l.is_thin ? "true" : "false");
        put_codes(w->out, "time", l.ticks, l.n * sizeof(*l.ticks));
        gput__buf_puts(w->out, ",\"charts\":[");
        for (size_t i = 0; i < w->charts->n; i++) {
            gput__buf_puts(w->out, i ? "," : "");
            put_chart(w, &w->charts->chart[i], &l);
        }
        gput__buf_putc(w->out, ']');
    }
    free_level(&l);
}

/* Time, then the lines of all charts in their order, as planes of bytes. */
static void pack_level(const struct writer *w, struct level *l, struct gput__buf *planes)
{
    fill_ticks(w, l);
    gput__pack_rising(planes, l->ticks, l->n);
    for (size_t i = 0; i < w->charts->n; i++)
        for (size_t k = 0; k < w->charts->chart[i].n_lines; k++) {
            fill_codes(w, &w->charts->chart[i], &w->charts->chart[i].line[k], COARSE, l);
            gput__pack_differences(planes, l->code, l->n);
            for (size_t m = l->n; m < 3 * l->n; m++) /* both above the lowest */
                l->code[m] = (uint16_t)(l->code[m] - l->code[m % l->n]);
            if (l->is_thin) {
                gput__pack_plain(planes, l->code + l->n, l->n);
                gput__pack_plain(planes, l->code + 2 * l->n, l->n);
            }
        }
}

static int deflate_level(const struct writer *w, size_t most, struct level *l,
                         struct gput__buf *ret)
{
    struct gput__buf planes = { 0 };
    int r = make_level(l, w->s->n, most);

    if (r == 0) {
        pack_level(w, l, &planes);
        r = gput__pack_deflate(&planes, ret);
    }
    gput__buf_free(&planes);
    return r;
}

/* As fine as there is room for: what did not fit is tried again, as much coarser as it was too
 * large. */
static void put_deep(const struct writer *w, size_t room)
{
    size_t most = w->s->n < MOST_IN_DEEP ? w->s->n : MOST_IN_DEEP;

    room = room / 4 * 3; /* base64 */
    while (most > MOST_IN_OVERVIEW) {
        struct gput__buf packed = { 0 };
        struct level l;
        int r = deflate_level(w, most, &l, &packed);
        bool fits = r == 0 && packed.len <= room;

        if (fits) {
            gput__buf_printf(w->out, ",\"deep\":{\"n\":%zu,\"thin\":%s,\"top\":%d", l.n,
                             l.is_thin ? "true" : "false", COARSE);
            put_codes(w->out, "data", packed.data, packed.len);
            gput__buf_putc(w->out, '}');
        }
        if (r == 0 && !fits)
            most = (size_t)((double)most * fmin(0.9, 0.95 * (double)room / (double)packed.len));
        gput__buf_free(&packed);
        free_level(&l);
        if (r < 0 || fits)
            return;
    }
}

/* A deep level has codes of its own; the script needs their steps too. */
static void put_deep_steps(const struct writer *w)
{
    bool is_first = true;

    gput__buf_puts(w->out, ",\"deepSteps\":[");
    for (size_t i = 0; i < w->charts->n; i++)
        for (size_t k = 0; k < w->charts->chart[i].n_lines; k++) {
            const struct gput__chart *c = &w->charts->chart[i];
            const struct gput__line *line = &c->line[k];
            char text[32];

            gput__dtoa(line->scale * gput__pack_step(line->max / line->scale,
                                                     c->unit == GPUT__CHART_COUNT, COARSE),
                       text);
            gput__buf_printf(w->out, "%s%s", is_first ? "" : ",", text);
            is_first = false;
        }
    gput__buf_putc(w->out, ']');
}

void gput__html_data(const struct gput__html *h, const struct gput__charts *c, size_t room,
                     struct gput__buf *out)
{
    struct writer w = { .s = &h->run->series, .charts = c, .out = out };
    size_t n_lines = 0, before = out->len;

    gput__html_span(h, &w.from, &w.to);
    w.tick = fmax(1e-6, (w.to - w.from) / 2e9);
    for (size_t i = 0; i < c->n; i++)
        n_lines += c->chart[i].n_lines;
    gput__buf_puts(out, "<script type=\"application/json\" id=\"data\">{");
    put_number(out, "from", w.from);
    gput__buf_putc(out, ',');
    put_number(out, "to", w.to);
    gput__buf_putc(out, ',');
    put_number(out, "tick", w.tick);
    if (n_lines > 0) {
        gput__buf_putc(out, ',');
        put_overview(&w, n_lines);
        put_deep_steps(&w);
        if (out->err == 0 && out->len - before < room)
            put_deep(&w, room - (out->len - before));
    }
    gput__buf_puts(out, "}</script>\n");
}

/* html_data.c - the series of a report for its script: an overview that is drawn at once, and more
 * that is unpacked when somebody zooms in. */
#include <errno.h>
#include <math.h>

#include "base/text/dtoa.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/html/level.h"
#include "report/html/pack.h"

/* The overview: as many moments as a wide screen has columns, fewer where there are many lines. */
enum { MOST_IN_OVERVIEW = 2000, LEAST_IN_OVERVIEW = 400, ALL_IN_OVERVIEW = 32000 };
/* Codes are exact to this part of the highest value. */
enum { FINE = 65535 };

struct writer {
    struct gput__level_source s;
    double to;
    struct gput__buf *out;
};

static void write_number(struct gput__buf *out, const char *key, double value)
{
    char text[32];

    gput__dtoa(value, text);
    gput__buf_printf(out, "\"%s\":%s", key, isfinite(value) ? text : "null");
}

static void write_codes(struct gput__buf *out, const char *key, const void *bytes, size_t n)
{
    gput__buf_printf(out, ",\"%s\":\"", key);
    gput__pack_base64(out, bytes, n);
    gput__buf_putc(out, '"');
}

static void write_line(const struct writer *w, const struct gput__chart *c,
                       const struct gput__line *line, struct gput__level *l)
{
    gput__level_fill_codes(l, &w->s, c, line, FINE);
    gput__buf_puts(w->out, "{\"label\":");
    gput__html_json(w->out, line->label);
    gput__buf_printf(w->out, ",\"colour\":%d,\"hidden\":%s,", line->colour,
                     line->is_hidden ? "true" : "false");
    write_number(w->out, "step", gput__level_step(c, line, FINE));
    gput__buf_putc(w->out, ',');
    write_number(w->out, "max", line->max);
    write_codes(w->out, "low", l->code, l->n * sizeof(*l->code));
    if (l->is_thin) {
        write_codes(w->out, "high", l->code + l->n, l->n * sizeof(*l->code));
        write_codes(w->out, "mean", l->code + 2 * l->n, l->n * sizeof(*l->code));
    }
    gput__buf_putc(w->out, '}');
}

static void write_chart(const struct writer *w, const struct gput__chart *c, struct gput__level *l)
{
    static const char *const units[] = {
        [GPUT__CHART_CORES] = "cores",     [GPUT__CHART_BYTES] = "bytes",
        [GPUT__CHART_PERCENT] = "percent", [GPUT__CHART_RATE] = "rate",
        [GPUT__CHART_COUNT] = "count",
    };

    gput__buf_printf(w->out, "{\"id\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",", c->id, c->title,
                     units[c->unit]);
    write_number(w->out, "limit", c->limit);
    gput__buf_printf(w->out, ",\"drawLimit\":%s,\"stacked\":%s,\"lines\":[",
                     c->limit_label ? "true" : "false", c->is_stacked ? "true" : "false");
    for (size_t i = 0; i < c->n_lines; i++) {
        gput__buf_puts(w->out, i ? "," : "");
        write_line(w, c, &c->line[i], l);
    }
    gput__buf_puts(w->out, "]}");
}

static size_t moments_for(size_t n_lines)
{
    size_t most = ALL_IN_OVERVIEW / (n_lines + 1);

    return most > MOST_IN_OVERVIEW    ? MOST_IN_OVERVIEW
           : most < LEAST_IN_OVERVIEW ? LEAST_IN_OVERVIEW
                                      : most;
}

static void write_overview(const struct writer *w, size_t most)
{
    struct gput__level l;

    if (gput__level_make(&l, &w->s, most) < 0) {
        w->out->err = -ENOMEM;
    } else {
        gput__level_fill_ticks(&l, &w->s);
        gput__buf_printf(w->out, "\"n\":%zu,\"thin\":%s", l.n, l.is_thin ? "true" : "false");
        write_codes(w->out, "time", l.ticks, l.n * sizeof(*l.ticks));
        gput__buf_puts(w->out, ",\"charts\":[");
        for (size_t i = 0; i < w->s.charts->n; i++) {
            gput__buf_puts(w->out, i ? "," : "");
            write_chart(w, &w->s.charts->chart[i], &l);
        }
        gput__buf_putc(w->out, ']');
    }
    gput__level_free(&l);
}

/* `most` 0: as many moments as suit the lines; `room` 0: they are all that is told. */
static void write_data(const struct gput__html *h, const struct gput__charts *c, size_t most,
                       size_t room, struct gput__buf *out)
{
    const struct gput__run_series *series = &h->run->series;
    struct writer w = { .s = { .time = series->time, .charts = c, .n = series->n }, .out = out };
    size_t n_lines = 0, before = out->len;

    gput__html_span(h, &w.s.from, &w.to);
    w.s.tick = fmax(1e-6, (w.to - w.s.from) / 2e9);
    for (size_t i = 0; i < c->n; i++)
        n_lines += c->chart[i].n_lines;
    gput__buf_putc(out, '{');
    write_number(out, "from", w.s.from);
    gput__buf_putc(out, ',');
    write_number(out, "to", w.to);
    gput__buf_putc(out, ',');
    write_number(out, "tick", w.s.tick);
    if (n_lines > 0) {
        gput__buf_putc(out, ',');
        write_overview(&w, most ? most : moments_for(n_lines));
        before = out->len - before;
        if (room)
            gput__html_deep(&w.s, MOST_IN_OVERVIEW, room > before ? room - before : 0, out);
    }
    gput__buf_putc(out, '}');
}

void gput__html_data(const struct gput__html *h, const struct gput__charts *c, size_t room,
                     struct gput__buf *out)
{
    gput__buf_puts(out, "<script type=\"application/json\" id=\"data\">");
    write_data(h, c, 0, room, out);
    gput__buf_puts(out, "</script>\n");
}

void gput__html_data_so_far(const struct gput__html *h, const struct gput__charts *c, size_t most,
                            struct gput__buf *out)
{
    write_data(h, c, most, 0, out);
}

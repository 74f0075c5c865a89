/* html_charts.c - the charts of a report as they stand still: without a script, and on paper. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/figure.h"
#include "report/html/html.h"
#include "report/html/html_assets.h"
#include "report/html/html_text.h"
#include "report/html/thin.h"
#include "report/text/amount.h"

/* A peak is worth a word where it is so much above what is drawn. */
#define BETWEEN 1.01

enum { WIDTH = GPUT__PATH_WIDTH, HEIGHT = GPUT__PATH_HEIGHT, BUCKETS = 240, TIME_LABELS = 5 };

struct frame {
    double from, to; /* seconds since 1970 */
    double top;
    int n_steps; /* of the vertical axis */
};

void gput__html_span(const struct gput__html *h, double *ret_from, double *ret_to)
{
    const struct gput__run_series *s = &h->run->series;
    double from = INFINITY, to = -INFINITY;

    if (s->n > 0) {
        from = fmin(s->time[0], h->run->start); /* fmin() and fmax() leave NAN aside */
        to = fmax(s->time[s->n - 1], h->run->end);
    }
    for (size_t i = 0; s->n == 0 && i < h->n_blocks; i++)
        for (size_t k = 0; k < h->blocks[i].num_calls; k++) {
            from = fmin(from, h->blocks[i].calls[k].start);
            to = fmax(to, h->blocks[i].calls[k].stop);
        }
    *ret_from = from <= to ? from : 0;
    *ret_to = from < to ? to : from == to ? from + 1 : 0;
}

/* 1, 2 or 5 times a power of ten, so that at most five steps reach the top. */
static void set_steps(struct frame *f, double top)
{
    double step = pow(10, floor(log10(top / 5)));

    while (top / step > 5)
        step *= top / step > 25 ? 10 : top / step > 10 ? 5 : 2;
    f->n_steps = (int)ceil(top / step - 1e-9);
    f->top = step * f->n_steps;
}

static int x_of(const struct frame *f, double time)
{
    return (int)lround((time - f->from) / (f->to - f->from) * WIDTH);
}

static int y_of(const struct frame *f, double value)
{
    return HEIGHT - (int)lround(fmin(value / f->top, 1) * HEIGHT);
}

struct still {
    size_t n;
    double low[BUCKETS], high[BUCKETS], mean[BUCKETS];
    double time[BUCKETS];
    int x[BUCKETS];
};

/* Whether for long nothing was recorded behind bucket i, as when a machine sleeps: the script has the
 * same rule.  What is close by is compared: long runs are thinner where they are older. */
static bool is_gap(const struct still *t, size_t i, double span)
{
    double before = i > 0 ? t->time[i] - t->time[i - 1] : 0, length, behind;

    if (i + 1 >= t->n)
        return false;
    length = t->time[i + 1] - t->time[i];
    behind = i + 2 < t->n ? t->time[i + 2] - t->time[i + 1] : 0;
    return length > 5 * fmax(before, behind) && length > span / 100 && fmax(before, behind) > 0;
}

/* Lines through what is known; a single moment is a dot. */
static void write_line(struct gput__buf *out, const struct still *t, const double *value,
                       double scale, const struct frame *f)
{
    bool is_drawing = false;

    for (size_t i = 0; i < t->n; i++) {
        if (isnan(value[i])) {
            is_drawing = false;
            continue;
        }
        gput__buf_printf(out, "%s%d %d%s", is_drawing ? "L" : "M", t->x[i],
                         y_of(f, value[i] * scale), is_drawing ? "" : "h0");
        is_drawing = !is_gap(t, i, f->to - f->from);
    }
}

/* From the lowest to the highest, bucket by bucket. */
static void write_band(struct gput__buf *out, const struct still *t, double scale,
                       const struct frame *f)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->high[i] > t->low[i])
            gput__buf_printf(out, "M%d %dV%d", t->x[i], y_of(f, t->low[i] * scale),
                             y_of(f, t->high[i] * scale));
}

/* From a line down to the ground. */
static void write_area(struct gput__buf *out, const struct still *t, double scale,
                       const struct frame *f)
{
    for (size_t i = 0; i < t->n; i++) {
        if (isnan(t->mean[i]))
            continue;
        gput__buf_printf(out, "M%d %d", t->x[i], HEIGHT);
        for (; i < t->n && !isnan(t->mean[i]); i++) {
            gput__buf_printf(out, "L%d %d", t->x[i], y_of(f, t->mean[i] * scale));
            if (i + 1 == t->n || isnan(t->mean[i + 1]) || is_gap(t, i, f->to - f->from))
                break;
        }
        gput__buf_printf(out, "V%dZ", HEIGHT);
    }
}

static void make_still(const struct gput__run_series *s, const struct gput__line *line,
                       const struct frame *f, struct still *t)
{
    t->n = s->n < BUCKETS ? s->n : BUCKETS;
    for (size_t i = 0; i < t->n; i++) {
        t->time[i] = s->time[gput__thin_start(s->n, t->n, i)];
        t->x[i] = x_of(f, t->time[i]);
    }
    gput__thin(line->value, s->n, t->n, &(struct gput__thinned){ t->low, t->high, t->mean });
}

void gput__html_path(const struct gput__html *h, const struct gput__line *line, double top,
                     struct gput__buf *out)
{
    struct frame f = { .top = top };
    struct still t;

    gput__html_span(h, &f.from, &f.to);
    make_still(&h->run->series, line, &f, &t);
    write_line(out, &t, t.high, line->scale, &f);
}

static void write_path(struct gput__buf *out, const struct gput__run_series *s,
                       const struct gput__line *line, const struct frame *f, bool is_filled,
                       struct still *t)
{
    make_still(s, line, f, t);
    if (t->n < s->n) {
        gput__buf_printf(out, "<path class=\"line range c%d\" d=\"", line->colour);
        write_band(out, t, line->scale, f);
        gput__buf_puts(out, "\"/>");
    }
    if (is_filled) {
        gput__buf_printf(out, "<path class=\"area c%d\" d=\"", line->colour);
        write_area(out, t, line->scale, f);
        gput__buf_puts(out, "\"/>");
    }
    gput__buf_printf(out, "<path class=\"line c%d\" d=\"", line->colour);
    write_line(out, t, t->mean, line->scale, f);
    gput__buf_puts(out, "\"/>");
}

static void write_svg(struct gput__buf *out, const struct gput__html *h,
                      const struct gput__chart *c, const struct frame *f)
{
    struct still t;
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out,
                     "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
                     "aria-label=\"%s over time.",
                     WIDTH, HEIGHT, c->title);
    for (size_t i = 0; i < c->n_lines; i++) {
        gput__buf_putc(out, ' ');
        gput__html_text(out, c->line[i].label);
        gput__buf_printf(out, ": at most %s.", gput__chart_value(c->unit, c->line[i].max, text));
    }
    gput__buf_puts(out, "\"><path class=\"grid\" d=\"");
    for (int i = 0; i <= f->n_steps; i++)
        gput__buf_printf(out, "M0 %dH%d", HEIGHT - i * HEIGHT / f->n_steps, WIDTH);
    gput__buf_puts(out, "\"/>");
    for (size_t i = c->n_lines; i-- > 0;) /* the job's own on top */
        if (!c->line[i].is_hidden)
            write_path(out, &h->run->series, &c->line[i], f, c->is_stacked, &t);
    if (c->limit <= f->top && c->limit_label)
        gput__buf_printf(out, "<path class=\"limit\" d=\"M0 %dH%d\"/>", y_of(f, c->limit), WIDTH);
    gput__buf_puts(out, "</svg>");
}

static void write_still(struct gput__buf *out, const struct gput__html *h,
                        const struct gput__chart *c)
{
    struct frame f;
    char text[GPUT__AMOUNT_SIZE];

    gput__html_span(h, &f.from, &f.to);
    set_steps(&f, gput__chart_top(c) / 1.05);
    gput__buf_puts(out, "<div class=\"still\"><div class=\"ys\" aria-hidden=\"true\">");
    for (int i = f.n_steps; i >= 0; i--)
        gput__buf_printf(out, "<span>%s</span>",
                         c->unit == GPUT__CHART_CORES || c->unit == GPUT__CHART_COUNT
                             ? gput__amount_number(f.top * i / f.n_steps, text)
                             : gput__chart_value(c->unit, f.top * i / f.n_steps, text));
    gput__buf_puts(out, "</div>");
    write_svg(out, h, c, &f);
    gput__buf_puts(out, "<div class=\"xs\" aria-hidden=\"true\">");
    for (int i = 0; i < TIME_LABELS; i++)
        gput__buf_printf(out, "<span>%s</span>",
                         i ? gput__amount_seconds((f.to - f.from) * i / (TIME_LABELS - 1), text)
                           : "0");
    gput__buf_puts(out, "</div></div>");
}

/* The peak that is known of a line, which polls may have seen between its points; NAN: none. */
static double known_peak(const struct gput__run *run, const struct gput__line *line)
{
    const double *const *value = (const double *const *)run->series.value;
    const struct {
        const double *line;
        struct gput_figure peak;
    } known[] = {
        { value[GPUT__MAIN_RAM], run->usage.max_ram.main.total_rss },
        { value[GPUT__MAIN_RAM + GPUT__DESCENDANTS], run->usage.max_ram.descendants.total_rss },
        { value[GPUT__COMBINED_RAM], run->usage.max_ram.combined.total_rss },
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (known[i].line == line->value)
            return gput__figure_value(known[i].peak);
    return NAN;
}

static void write_keys(struct gput__buf *out, const struct gput__html *h,
                       const struct gput__chart *c)
{
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, "<ul class=\"keys\">");
    for (size_t i = 0; i < c->n_lines; i++) {
        const struct gput__line *line = &c->line[i];

        gput__buf_printf(out,
                         "<li class=\"key%s\" data-line=\"%zu\"><i class=\"swatch c%d\"></i>"
                         "<span class=\"name\">",
                         line->is_hidden ? " off" : "", i, line->colour);
        gput__html_isolated(out, line->label);
        gput__buf_printf(out, "</span><span class=\"peak\"><span class=\"word\">peak </span>%s",
                         gput__chart_value(c->unit, line->max, text));
        if (known_peak(h->run, line) > BETWEEN * line->max)
            gput__buf_printf(out, ", %s between records",
                             gput__chart_value(c->unit, known_peak(h->run, line), text));
        gput__buf_puts(out, "</span></li>");
    }
    if (!isnan(c->limit) && c->limit_label)
        gput__buf_printf(out,
                         "<li class=\"key static\"><i class=\"swatch limit\"></i><span "
                         "class=\"name\">%s</span><span class=\"peak\">%s</span></li>",
                         c->unit == GPUT__CHART_CORES ? "available" : c->limit_label,
                         gput__chart_value(c->unit, c->limit, text));
    gput__buf_puts(out, "</ul>");
}

static const char *unit_of(enum gput__chart_unit unit)
{
    return unit == GPUT__CHART_CORES ? "cores in use" : unit == GPUT__CHART_PERCENT ? "in use" : "";
}

/* Shares on top of each other; what is above them all is rest. */
static const char *what_of(const struct gput__chart *c)
{
    return c->is_stacked ? "of the time; above it: idle" : unit_of(c->unit);
}

static void write_chart(struct gput__buf *out, const struct gput__html *h,
                        const struct gput__chart *c, size_t i)
{
    gput__buf_printf(out,
                     "<figure class=\"chart\" id=\"chart-%s\" data-chart=\"%zu\">"
                     "<figcaption><h3>%s</h3><span class=\"what\">%s</span>",
                     c->id, i, c->title, what_of(c));
    write_keys(out, h, c);
    gput__buf_puts(out, "</figcaption><div class=\"plot\">");
    write_still(out, h, c);
    gput__buf_puts(out, "</div></figure>\n");
}

static void write_quiet(const struct gput__charts *c, struct gput__buf *out)
{
    if (c->n_quiet == 0)
        return;
    gput__buf_puts(out, "<p class=\"note\" id=\"quiet\">");
    for (size_t i = 0; i < c->n_quiet; i++)
        gput__buf_printf(out, "%s%s", i ? " " : "", c->quiet[i]);
    gput__buf_puts(out, "</p>\n");
}

/* A result alone has no records, and need not say so. */
static void write_too_short(const struct gput__html *h, struct gput__buf *out)
{
    const char *kind = h->run->kind;

    if (h->run->n_records > 1 || (kind && !strcmp(kind, "result of a run")))
        return;
    gput__buf_puts(out,
                   "<section aria-labelledby=\"no-records\">\n<h2 id=\"no-records\">Over "
                   "time</h2>\n<p>There are no charts: the run ended before a second record was "
                   "made. For a short job let it be recorded more often (<code>--st=0.1"
                   "</code>).</p>\n</section>\n");
}

void gput__html_charts(const struct gput__html *h, const struct gput__charts *c,
                       struct gput__buf *out)
{
    if (h->run->series.n <= 1)
        write_too_short(h, out);
    if (c->n == 0 && c->n_quiet == 0 && h->n_blocks == 0)
        return;
    gput__buf_puts(out,
                   "<section id=\"charts\" aria-labelledby=\"over-time\">\n<div "
                   "class=\"toolbar\"><h2 id=\"over-time\">Over time</h2><p id=\"range\"></p>"
                   "<div class=\"buttons\" id=\"controls\" role=\"group\" aria-label=\"Zoom\" "
                   "hidden><button type=\"button\" class=\"button\" id=\"zoom-in\" "
                   "aria-label=\"Zoom in\">+</button><button type=\"button\" class=\"button\" "
                   "id=\"zoom-out\" aria-label=\"Zoom out\">&minus;</button><button "
                   "type=\"button\" class=\"button\" id=\"reset\">Reset zoom</button></div></div>"
                   "\n<p class=\"sr\" id=\"reading\" role=\"status\" aria-live=\"polite\"></p>\n");
    if (!gput__assets_have_uplot)
        gput__buf_puts(out,
                       "<p class=\"hint\">This gpu-tracker was built without uPlot: the charts "
                       "stand still.</p>\n");
    else
        gput__buf_puts(
            out, "<p class=\"hint\" id=\"hint\" hidden><span class=\"fine\">Drag to zoom, or turn "
                 "the wheel with Ctrl; Shift and dragging moves; double-click resets. Keys on a "
                 "chart: arrows, +, &minus;, 0.</span><span class=\"coarse\">Pinch to zoom, "
                 "drag sideways to read or move.</span></p>\n");
    for (size_t i = 0; i < c->n; i++)
        write_chart(out, h, &c->chart[i], i);
    write_quiet(c, out);
    gput__html_lanes(h, out);
    gput__buf_puts(out, "</section>\n");
}

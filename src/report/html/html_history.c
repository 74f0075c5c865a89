/* html_history.c - the history of runs as a page: how the figures of each job moved. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/spread.h"
#include "analysis/trend.h"
#include "report/history.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/html/overlay.h"
#include "report/run_comparison.h"

enum { MOST_DRAWN = GPUT__N_COLOURS }; /* more jobs are no chart to read */

static double value_of(const struct gput__history_series *s, size_t run, int figure)
{
    return s->figure[run * GPUT__N_NAMED_FIGURES + (size_t)figure];
}

static void write_cell(struct gput__buf *out, int figure, double value)
{
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out, "<td>%s</td>",
                     gput__compared_amount(gput__named_figures[figure].unit, value, text));
}

static void write_figure(const struct gput__history_series *s, int figure, double *values,
                         struct gput__buf *out)
{
    struct gput__spread spread;
    struct gput__trend trend;
    char step[GPUT__AMOUNT_SIZE];

    for (size_t i = 0; i < s->n; i++)
        values[i] = value_of(s, i, figure);
    gput__spread_of(values, s->n, &spread);
    gput__trend_of(values, s->n, &trend);
    if (!(spread.high > 0))
        return;
    gput__buf_printf(out, "<tr><th scope=\"row\">%s</th>", gput__named_figures[figure].label);
    write_cell(out, figure, spread.median);
    write_cell(out, figure, spread.low);
    write_cell(out, figure, spread.high);
    write_cell(out, figure, values[s->n - 1]);
    if (trend.per_run == 0)
        gput__buf_puts(out, "<td>none</td></tr>\n");
    else
        gput__buf_printf(
            out, "<td><strong>%s by %s a run</strong></td></tr>\n",
            trend.per_run > 0 ? "grows" : "falls",
            gput__compared_amount(gput__named_figures[figure].unit, fabs(trend.per_run), step));
}

static void write_job(const struct gput__history_series *s, size_t i, struct gput__buf *out)
{
    double *values = malloc((s->n + 1) * sizeof(*values));

    gput__buf_printf(out, "<section aria-labelledby=\"job-%zu\">\n<h2 id=\"job-%zu\">", i, i);
    gput__html_isolated(out, s->name);
    gput__buf_printf(out,
                     "</h2>\n<div class=\"scroll\" role=\"region\" aria-labelledby=\"job-%zu\" "
                     "tabindex=\"0\"><table><caption>%zu run%s</caption><thead><tr><th "
                     "scope=\"col\">Figure</th><th scope=\"col\">Median</th><th scope=\"col\">"
                     "Least</th><th scope=\"col\">Most</th><th scope=\"col\">Last</th><th "
                     "scope=\"col\">Trend</th></tr></thead><tbody>\n",
                     i, s->n, s->n == 1 ? "" : "s");
    for (int f = 0; values && f < GPUT__N_NAMED_FIGURES; f++)
        write_figure(s, f, values, out);
    gput__buf_puts(out, "</tbody></table></div></section>\n");
    free(values);
}

/* --- charts ----------------------------------------------------------------------------------- */

/* The runs of a job as moments of one: peaks of memory, cores on average. */
static int make_run(const struct gput__history_series *s, double from, struct gput__run *ret)
{
    static const enum gput__metric metrics[] = { GPUT__COMBINED_RAM, GPUT__COMBINED_CPU,
                                                 GPUT__COMBINED_GPU_RAM };
    struct gput__run_series *series = &ret->series;

    *ret = (struct gput__run){ .start = from, .end = NAN, .interval = NAN };
    series->time = malloc((s->n + 1) * sizeof(*series->time));
    for (size_t m = 0; m < sizeof(metrics) / sizeof(*metrics); m++) {
        series->value[metrics[m]] = malloc((s->n + 1) * sizeof(double));
        if (!series->value[metrics[m]] || !series->time)
            return -ENOMEM;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (isnan(s->start[i]))
            continue;
        series->time[series->n] = s->start[i];
        series->value[GPUT__COMBINED_RAM][series->n] = value_of(s, i, GPUT__NAMED_RAM);
        series->value[GPUT__COMBINED_GPU_RAM][series->n] = value_of(s, i, GPUT__NAMED_GPU_RAM);
        series->value[GPUT__COMBINED_CPU][series->n++] =
            100 * value_of(s, i, GPUT__NAMED_CPU_TIME) / value_of(s, i, GPUT__NAMED_WALL_TIME);
    }
    gput__run_times_rise(series->time, series->n);
    return 0;
}

static void free_run(struct gput__run *run)
{
    gput__run_series_free(&run->series);
}

static int make_overlay(const struct gput__history_series *jobs, size_t n,
                        struct gput__overlay *ret)
{
    struct gput__run runs[MOST_DRAWN] = { { .start = NAN } };
    const struct gput__run *list[MOST_DRAWN] = { NULL };
    const char *names[MOST_DRAWN] = { NULL };
    double from = NAN;
    int r = 0;

    n = n < MOST_DRAWN ? n : MOST_DRAWN;
    for (size_t i = 0; i < n; i++)
        from = fmin(from, jobs[i].first);
    for (size_t i = 0; i < n; i++) {
        r = r < 0 ? r : make_run(&jobs[i], from, &runs[i]);
        list[i] = &runs[i];
        names[i] = jobs[i].name;
    }
    r = r < 0 ? r : gput__overlay_make(list, names, n, ret);
    for (size_t i = 0; i < n; i++)
        free_run(&runs[i]);
    return r;
}

int gput__html_history(const struct gput__history_series *jobs, size_t n, struct gput__buf *out)
{
    struct gput__overlay *o = calloc(1, sizeof(*o));
    struct gput__html h = { .run = o ? &o->run : NULL };
    int r = o ? make_overlay(jobs, n, o) : -ENOMEM;

    if (r == 0 || r == -ENODATA) {
        gput__html_begin("The history of runs", out);
        gput__buf_puts(out, "<h1>The history of runs</h1>\n");
        for (size_t i = 0; i < n; i++)
            write_job(&jobs[i], i, out);
        if (o->charts.n > 0) {
            gput__html_charts(&h, &o->charts, out);
            gput__buf_puts(out,
                           "<p class=\"note\">Each moment is a run: its peak of memory, and the "
                           "cores that it used on average.</p>\n");
        }
        gput__html_end_charts(&h, &o->charts, out);
        r = out->err;
    }
    if (o)
        gput__overlay_free(o);
    free(o);
    return r;
}

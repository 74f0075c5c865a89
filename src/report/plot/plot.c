/* plot.c - a run as a picture of text: a summary, and charts over one time axis. */
#include "report/plot/plot.h"

#include <math.h>
#include <string.h>

#include "report/plot/plot_parts.h"

enum { FEWEST_COLUMNS = 10 };

/* Charts of wide pictures are higher, or all would look flat. */
static int rows_for(int width)
{
    return width < 60 ? 3 : width < 120 ? 4 : width < 200 ? 5 : 6;
}

/* What was never used is left out, but not the idle one of several GPUs. */
static bool is_shown(const struct gput__plot_series *s)
{
    return !gput__amount_is_nothing(s->bins.max, s->kind) || s->slot == GPUT__PLOT_GPU;
}

static double known_peak(const struct gput_usage *u, const struct gput__plot_series *s)
{
    const struct gput_figure *peak = s->slot == GPUT__PLOT_RAM ? &u->max_ram.combined.total_rss
                                     : s->slot == GPUT__PLOT_GPU_RAM ? &u->max_gpu_ram.combined
                                                                     : NULL;

    return peak && peak->source != GPUT_UNAVAILABLE && !*s->whose ? peak->value : NAN;
}

static int gutter_of(const struct gput__plot_series *series, size_t n)
{
    int gutter = 0;

    for (size_t i = 0; i < n; i++)
        if (is_shown(&series[i]) && gput__plot_label_width(&series[i]) > gutter)
            gutter = gput__plot_label_width(&series[i]);
    return gutter;
}

static void free_series(struct gput__plot_series *series, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gput__bins_free(&series[i].bins);
}

/* A run ends a little after its last record. */
static double end_of(const struct gput__run *run)
{
    const struct gput_figure *time = &run->usage.compute_time.time;
    double end = time->source == GPUT_UNAVAILABLE ? NAN : run->start + time->value;

    return end > run->end ? end : run->end;
}

/* The labels tell how many columns are left for the charts, and are the same whatever their number:
 * the first look is at one column. */
static int lay_out(const struct gput__run *run, int width, struct gput__plot_frame *ret)
{
    struct gput__plot_series series[GPUT__PLOT_MOST_SERIES];
    const struct gput__run_series *s = &run->series;
    struct gput__plot_frame f = { .width = width, .rows = rows_for(width) };
    size_t n;
    int r;

    f.axis = gput__bins_axis(s->time, s->n, run->start, end_of(run), 1);
    r = gput__plot_series(run, &f.axis, series, &n);
    if (r == 0) {
        f.gutter = gutter_of(series, n);
        f.axis.n_columns = width - f.gutter - 2; /* the blank and the axis behind the labels */
        f.axis.n_columns = f.axis.n_columns < FEWEST_COLUMNS ? FEWEST_COLUMNS : f.axis.n_columns;
        *ret = f;
    }
    free_series(series, n);
    return r;
}

/* Large ones first, then each of several GPUs, then the small ones. */
static bool draw_charts(struct gput__pen *pen, const struct gput__run *run,
                        const struct gput__plot_frame *f, const struct gput__plot_series *series,
                        size_t n)
{
    static const struct {
        enum gput__plot_slot first, last;
    } turns[] = {
        { GPUT__PLOT_RAM, GPUT__PLOT_GPU_RAM },
        { GPUT__PLOT_GPU, GPUT__PLOT_GPU },
        { GPUT__PLOT_READ, GPUT__PLOT_OWN },
    };
    bool has_any = false;

    for (size_t turn = 0; turn < sizeof(turns) / sizeof(*turns); turn++) {
        for (size_t i = 0; i < n; i++) {
            const struct gput__plot_series *s = &series[i];

            if (s->slot < turns[turn].first || s->slot > turns[turn].last || !is_shown(s))
                continue;
            gput__plot_chart(pen, f, s, known_peak(&run->usage, s));
            has_any = true;
        }
    }
    return has_any;
}

/* A GPU that is there and did nothing is worth a word; other idle things are not. */
static void draw_idle(struct gput__pen *pen, const struct gput__run *run,
                      const struct gput__plot_series *series, size_t n)
{
    const struct gput_figure *n_gpus = &run->usage.gpu_utilization.system_gpu_count;
    const char *between = "0 throughout: ";

    for (size_t i = 0; i < n && n_gpus->source != GPUT_UNAVAILABLE && n_gpus->value > 0; i++) {
        const struct gput__plot_series *s = &series[i];

        if ((s->slot != GPUT__PLOT_GPU_USE && s->slot != GPUT__PLOT_GPU_RAM) || is_shown(s))
            continue;
        gput__pen_text(pen, GPUT__PEN_DIM, between);
        gput__pen_text(pen, GPUT__PEN_DIM, s->name);
        between = ", ";
    }
    if (pen->column > 0)
        gput__pen_end_line(pen);
}

static void draw_line(struct gput__pen *pen, const char *text)
{
    gput__pen_text(pen, GPUT__PEN_DIM, text);
    gput__pen_end_line(pen);
}

static void draw_why_empty(struct gput__pen *pen, const struct gput__run *run)
{
    bool is_result = !run->kind || !strcmp(run->kind, "result of a run");

    if (run->series.n > 0) {
        draw_line(pen, "Nothing was used at any record.");
    } else if (is_result) {
        draw_line(pen, "There are no records to draw here;");
        draw_line(pen, "a tracking file (--tf) has them.");
    } else {
        draw_line(pen, "There is no record in it:");
        draw_line(pen, "the run ended before the first one.");
    }
}

static void draw_picture(struct gput__pen *pen, const struct gput__run *run,
                         const struct gput__plot_frame *f, const struct gput__plot_series *series,
                         size_t n)
{
    gput__plot_head(pen, run, series, n, f);
    gput__pen_end_line(pen);
    if (draw_charts(pen, run, f, series, n)) {
        gput__plot_time_axis(pen, f);
    } else {
        draw_why_empty(pen, run);
    }
    draw_idle(pen, run, series, n);
}

int gput__plot(const struct gput__run *run, const struct gput__plot_style *style,
               struct gput__buf *out)
{
    struct gput__plot_series series[GPUT__PLOT_MOST_SERIES];
    struct gput__pen pen = { .out = out,
                             .use_unicode = style->use_unicode,
                             .use_colour = style->use_colour };
    struct gput__plot_frame f;
    int width = style->width, r;
    size_t n = 0;

    width = width < GPUT__PLOT_NARROWEST ? GPUT__PLOT_NARROWEST
            : width > GPUT__PLOT_WIDEST  ? GPUT__PLOT_WIDEST
                                         : width;
    r = lay_out(run, width, &f);
    if (r < 0)
        return r;
    f.title = style->title;
    r = gput__plot_series(run, &f.axis, series, &n);
    if (r == 0)
        draw_picture(&pen, run, &f, series, n);
    free_series(series, n);
    return r < 0 ? r : out->err;
}

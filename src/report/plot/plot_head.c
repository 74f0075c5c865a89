/* plot_head.c - the lines above the charts: the command, how it ended, its main figures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/bottlenecks.h"
#include "report/plot/plot_parts.h"
#include "report/text/ending.h"

enum { ITEM_SIZE = 120 };

/* Items with a dot between them, on as many lines as they take. */
struct flow {
    struct gput__pen *pen;
    int width;
};

static double duration_of(const struct gput__run *run)
{
    const struct gput_figure *time = &run->usage.compute_time.time;

    if (time->source != GPUT_UNAVAILABLE)
        return time->value;
    if (run->end > run->start)
        return run->end - run->start;
    if (run->series.n > 1)
        return run->series.time[run->series.n - 1] - run->series.time[0];
    return NAN;
}

/* --- figures -------------------------------------------------------------------------------- */

static void draw_item(struct flow *f, const char *colour, const char *text)
{
    const char *dot = gput__pen_choice(f->pen, "·", "-");

    if (!*text)
        return;
    if (f->pen->column > 0 && f->pen->column + 3 + (int)strlen(text) > f->width)
        gput__pen_end_line(f->pen);
    if (f->pen->column > 0) {
        gput__pen_cell(f->pen, NULL, " ");
        gput__pen_cell(f->pen, GPUT__PEN_DIM, dot);
        gput__pen_cell(f->pen, NULL, " ");
    }
    gput__pen_text(f->pen, colour, text);
}

static const struct gput__plot_series *series_in(const struct gput__plot_series *series, size_t n,
                                                 enum gput__plot_slot slot)
{
    for (size_t i = 0; i < n; i++)
        if (series[i].slot == slot)
            return &series[i];
    return NULL;
}

/* "peak RAM 1.24 GB": the run's own figure, or what its records tell.  What is 0 is not worth it. */
static void draw_figure(struct flow *f, const char *name, const struct gput_figure *known,
                        const struct gput__plot_series *s, bool is_peak,
                        enum gput__amount_kind kind)
{
    char item[ITEM_SIZE], amount[GPUT__AMOUNT_SIZE];
    bool is_known = known->source != GPUT_UNAVAILABLE && !(s && *s->whose);
    double value = is_known ? known->value : !s ? 0 : is_peak ? s->bins.max : s->bins.mean;

    if (gput__amount_is_nothing(value, kind))
        return;
    gput__amount(value, kind, amount);
    snprintf(item, sizeof(item), "%s%s %s", name, s ? s->whose : "", amount);
    draw_item(f, GPUT__PEN_PLAIN, item);
}

static void draw_figures(struct flow *f, const struct gput_usage *u,
                         const struct gput__plot_series *series, size_t n)
{
    draw_figure(f, "peak RAM", &u->max_ram.combined.total_rss, series_in(series, n, GPUT__PLOT_RAM),
                true, GPUT__AMOUNT_BYTES);
    draw_figure(f, "peak GPU RAM", &u->max_gpu_ram.combined,
                series_in(series, n, GPUT__PLOT_GPU_RAM), true, GPUT__AMOUNT_BYTES);
    draw_figure(f, "mean CPU", &u->cpu_utilization.combined.mean_sum_percent,
                series_in(series, n, GPUT__PLOT_CPU), false, GPUT__AMOUNT_CORES);
    draw_figure(f, "mean GPU use", &u->gpu_utilization.gpu_percentages.mean_hardware_percent,
                series_in(series, n, GPUT__PLOT_GPU_USE), false, GPUT__AMOUNT_PERCENT);
}

/* The heaviest of what limited it, on a line of its own, unless how it ended says it. */
static void draw_bottleneck(struct gput__pen *pen, const struct gput_usage *u, int width)
{
    struct gput_bottleneck list[GPUT_MOST_BOTTLENECKS];
    char words[GPUT__BOTTLENECK_SIZE];

    if (u->job.oom != GPUT_OOM_NO || gput_bottlenecks(u, list) == 0)
        return;
    gput__pen_foreign(pen, GPUT__PEN_PLAIN, gput_bottleneck_words(&list[0], words, sizeof(words)),
                      width);
    gput__pen_end_line(pen);
}

void gput__plot_head(struct gput__pen *pen, const struct gput__run *run,
                     const struct gput__plot_series *series, size_t n,
                     const struct gput__plot_frame *frame)
{
    const char *command = run->usage.job.command;
    const char *title = frame->title ? frame->title : command ? command : run->source;
    struct flow f = { pen, frame->width };
    char ending[GPUT__ENDING_SIZE], item[GPUT__ENDING_SIZE + GPUT__AMOUNT_SIZE + 8],
        time[GPUT__AMOUNT_SIZE];
    double seconds = duration_of(run);

    if (title) {
        gput__pen_foreign(pen, GPUT__PEN_BOLD, title, frame->width);
        gput__pen_end_line(pen);
    }
    gput__ending_in_short(&run->usage, ending);
    gput__amount_time(seconds, time);
    if (isnan(seconds))
        snprintf(item, sizeof(item), "%s", ending);
    else
        snprintf(item, sizeof(item), "%s%s%s", ending, *ending ? " after " : "", time);
    draw_item(&f, GPUT__PEN_PLAIN, item);
    draw_figures(&f, &run->usage, series, n);
    if (pen->column > 0)
        gput__pen_end_line(pen);
    draw_bottleneck(pen, &run->usage, frame->width);
}

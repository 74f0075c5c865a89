/* plot_axis.c - the time axis under the charts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/plot_parts.h"

enum {
    BETWEEN_LABELS = 4, /* blanks */
    NARROWEST_STEP = 9, /* columns: more ticks than these nobody reads */
};

/* Steps that people count time in, up to a day. */
static const double steps[] = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05,  0.1,   0.2,   0.5,
                                1,     2,     5,     10,   15,   30,    60,    120,   300,
                                600,   900,   1800,  3600, 7200, 10800, 21600, 43200, 86400 };

static bool labels_fit(double step, double span, int n_columns)
{
    double room = step / span * n_columns;
    char when[GPUT__AMOUNT_SIZE];

    if (room < NARROWEST_STEP)
        return false;
    for (int i = 1; step * i < span; i++) {
        gput__amount_time(step * i, when);
        if ((double)(strlen(when) + BETWEEN_LABELS) > room)
            return false;
    }
    return true;
}

double gput__plot_tick_step(double span, int n_columns)
{
    double days = 86400;

    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        if (labels_fit(steps[i], span, n_columns))
            return steps[i];
    /* 2, 5, 10 ... days */
    for (int i = 0; days < span && !labels_fit(days, span, n_columns); i++)
        days *= i % 3 == 1 ? 2.5 : 2;
    return days;
}

static int column_of(const struct gput__plot_frame *f, double seconds)
{
    int column = (int)(seconds / f->axis.span * f->axis.n_columns);

    return column < f->axis.n_columns ? column : f->axis.n_columns - 1;
}

/* A label under its tick, as far to the left as it must be to fit. */
static int place(const struct gput__plot_frame *f, double seconds, char when[GPUT__AMOUNT_SIZE])
{
    int length, at;

    gput__amount_time(seconds, when);
    length = (int)strlen(when);
    at = column_of(f, seconds) - length / 2;
    if (at + length > f->axis.n_columns)
        at = f->axis.n_columns - length;
    return at < 0 ? 0 : at;
}

/* The end has a label of its own: no tick whose label would touch it. */
static int count_ticks(const struct gput__plot_frame *f, double step)
{
    char end[GPUT__AMOUNT_SIZE], when[GPUT__AMOUNT_SIZE];
    int limit = place(f, f->axis.span, end) - 2, n = 0;

    while (step * n < f->axis.span && place(f, step * n, when) + (int)strlen(when) <= limit)
        n++;
    return n;
}

static void draw_line(struct gput__pen *pen, const struct gput__plot_frame *f, double step, int n)
{
    gput__pen_to(pen, f->gutter + 1);
    gput__pen_cell(pen, GPUT__PEN_DIM, gput__pen_choice(pen, "└", "+"));
    for (int c = 0, tick = 0; c < f->axis.n_columns; c++) {
        bool is_tick = (tick < n && c == column_of(f, step * tick)) || c + 1 == f->axis.n_columns;

        gput__pen_cell(pen, GPUT__PEN_DIM,
                       is_tick ? gput__pen_choice(pen, "┬", "+") : gput__pen_choice(pen, "─", "-"));
        tick += tick < n && is_tick;
    }
    gput__pen_end_line(pen);
}

void gput__plot_time_axis(struct gput__pen *pen, const struct gput__plot_frame *f)
{
    double step = gput__plot_tick_step(f->axis.span, f->axis.n_columns);
    int n = f->axis.span > 0 ? count_ticks(f, step) : 0;
    char when[GPUT__AMOUNT_SIZE];

    draw_line(pen, f, step, n);
    for (int i = 0; i < n; i++) {
        gput__pen_to(pen, f->gutter + 2 + place(f, step * i, when));
        gput__pen_text(pen, GPUT__PEN_DIM, i ? when : "0");
    }
    gput__pen_to(pen, f->gutter + 2 + (f->axis.span > 0 ? place(f, f->axis.span, when) : 0));
    gput__pen_text(pen, GPUT__PEN_DIM, f->axis.span > 0 ? when : "one moment");
    gput__pen_end_line(pen);
}

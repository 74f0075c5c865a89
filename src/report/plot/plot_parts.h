/* plot_parts.h - the parts of the picture of a run, for the files that draw it. */
#ifndef GPUT_REPORT_PLOT_PARTS_H
#define GPUT_REPORT_PLOT_PARTS_H

#include "model/gpus.h"
#include "model/run.h"
#include "report/plot/bins.h"
#include "report/plot/pen.h"
#include "report/text/amount.h"

enum { GPUT__PLOT_MOST_SERIES = GPUT__N_METRICS + GPUT__MOST_GPUS };

/* What is drawn of a run. */
struct gput__plot_series {
    enum gput__plot_slot slot;
    char name[16];
    const char *whose; /* " of the machine", or "" */
    enum gput__amount_kind kind;
    const char *colour;
    const double *values;
    double full; /* what the top of the chart stands for */
    bool is_rate;
    struct gput__bins bins; /* in what is shown */
};

/* The series that are known, each in the columns of `axis`; those that are 0 throughout too.
 * `ret_n` counts those that are to be freed, on failure too.  -ENOMEM. */
int gput__plot_series(const struct gput__run *run, const struct gput__bins_axis *axis,
                      struct gput__plot_series ret[GPUT__PLOT_MOST_SERIES], size_t *ret_n);

/* Where things stand on a line. */
struct gput__plot_frame {
    int width;
    int gutter; /* columns of the labels; a blank and the axis follow */
    int rows;   /* of a large chart */
    struct gput__bins_axis axis;
    const char *title; /* NULL: the command, else the file */
};

/* The title, how it ended and its main figures. */
void gput__plot_head(struct gput__pen *pen, const struct gput__run *run,
                     const struct gput__plot_series *series, size_t n,
                     const struct gput__plot_frame *f);

/* A label of the gutter; the pen is then at the axis. */
void gput__plot_label(struct gput__pen *pen, const struct gput__plot_frame *f, const char *colour,
                      const char *text);
/* Words above the chart, from that column of it on; nothing where there is no room. */
void gput__plot_note(struct gput__pen *pen, const struct gput__plot_frame *f, const char *note,
                     int from);
/* The line above a chart: its name, the mark of its peak and a note, which may be empty. */
void gput__plot_title(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, const char *note);
/* The widest label of the chart. */
int gput__plot_label_width(const struct gput__plot_series *s);
/* `peak` is what is known to have been reached between two records; NAN: nothing. */
void gput__plot_chart(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, double peak);
/* The cells of one row of a chart that has so many, from the top. */
void gput__plot_cells(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, int row, int rows);
void gput__plot_time_axis(struct gput__pen *pen, const struct gput__plot_frame *f);

/* Seconds from one label of the axis to the next: the least with which they do not crowd. */
double gput__plot_tick_step(double span, int n_columns);

#endif

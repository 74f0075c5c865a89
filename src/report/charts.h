/* charts.h - which charts a run gives, and the lines in each. */
#ifndef GPUT_REPORT_CHARTS_H
#define GPUT_REPORT_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/gpus.h"
#include "model/run.h"

enum gput__chart_unit {
    GPUT__CHART_CORES,
    GPUT__CHART_BYTES,
    GPUT__CHART_PERCENT,
    GPUT__CHART_RATE, /* bytes per second */
    GPUT__CHART_COUNT,
};

enum {
    GPUT__MOST_LINES = GPUT__MOST_GPUS + 16,
    GPUT__MOST_CHARTS = GPUT__N_CHARTS,
    GPUT__N_COLOURS = 8
};

struct gput__line {
    char label[80];
    const double *value; /* the run's; times `scale` it is in the chart's unit */
    double scale;
    double max;     /* the highest, in the chart's unit */
    int colour;     /* 0 ... GPUT__N_COLOURS - 1; -1: what stands behind, e.g. the machine */
    bool is_hidden; /* until somebody asks for it */
};

struct gput__chart {
    const char *id, *title;
    enum gput__chart_unit unit;
    bool is_stacked;         /* each line holds those before it: filled down to the ground */
    double limit;            /* what there is at most; NAN: not known */
    const char *limit_label; /* what sets it */
    struct gput__line line[GPUT__MOST_LINES];
    size_t n_lines;
};

struct gput__charts {
    struct gput__chart chart[GPUT__MOST_CHARTS];
    size_t n;
    /* Those in which nothing ever moved: a sentence on each is enough. */
    const char *quiet[GPUT__MOST_CHARTS];
    size_t n_quiet;
};

/* Only lines of which something is known, and charts that have one.  It borrows from the run. */
void gput__charts_make(const struct gput__run *run, struct gput__charts *ret);

/* The top of the vertical axis: what is shown, and the limit where that is not far above. */
double gput__chart_top(const struct gput__chart *c);

/* A value in the unit; `ret` holds GPUT__AMOUNT_SIZE. */
const char *gput__chart_value(enum gput__chart_unit unit, double value, char *ret);

#endif

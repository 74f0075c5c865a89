/* cells.h - the value of one row of a result. */
#ifndef GPUT_REPORT_CELLS_H
#define GPUT_REPORT_CELLS_H

#include "model/usage_rows.h"

/* A row of one struct: `base` is where that begins, `u` tells the units. */
struct gput__cell {
    const struct gput__row *row;
    const void *base;
    const struct gput_usage *u;
};

const struct gput_figure *gput__cell_figure(struct gput__cell c);
/* The figure's value in the unit that the row asks for. */
double gput__cell_value(struct gput__cell c);
/* The words of ROW_TEXT, ROW_PAIRS, ROW_ENDING and ROW_OOM; NULL is unknown. */
const char *gput__cell_words(struct gput__cell c);
/* Whether a whole number applies: a job that was killed has no exit code. */
bool gput__cell_applies(struct gput__cell c);
/* The whole number of ROW_INT, ROW_EXIT, ROW_SIGNAL, ROW_PID and ROW_BOOL. */
long gput__cell_long(struct gput__cell c);

#endif

/* layout.h - what a result shows, in its order: one table for text, JSON and the list of sources. */
#ifndef GPUT_REPORT_LAYOUT_H
#define GPUT_REPORT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"

enum gput__row_kind {
    GPUT__ROW_OPEN,  /* a group begins */
    GPUT__ROW_CLOSE, /* it ends */
    GPUT__ROW_TEXT,  /* a string of the usage; NULL is unknown */
    GPUT__ROW_RAM,   /* figures: bytes in the chosen unit, */
    GPUT__ROW_GPU_RAM,
    GPUT__ROW_TIME,   /* seconds in the chosen unit, */
    GPUT__ROW_NUMBER, /* as it is, */
    GPUT__ROW_COUNT,  /* a whole number */
    GPUT__ROW_INT,    /* an int of the usage */
    GPUT__ROW_EXIT,   /* the code of a job that exited, */
    GPUT__ROW_SIGNAL, /* the signal of one that was killed */
    GPUT__ROW_PID,
    GPUT__ROW_ENDING, /* words for enumerations */
    GPUT__ROW_OOM,
    GPUT__ROW_BOOL,
};

struct gput__row {
    enum gput__row_kind kind;
    const char *key, *label; /* in JSON, in text */
    size_t offset;           /* in struct gput_usage, gput_gpu or gput_gpu_process */
};

struct gput__rows {
    const struct gput__row *row;
    size_t n;
};

extern const struct gput__rows gput__default_rows, gput__full_rows, gput__gpu_rows,
    gput__gpu_process_rows;

/* A row of one struct: `base` is where that begins, `u` tells the units. */
struct gput__cell {
    const struct gput__row *row;
    const void *base;
    const struct gput_usage *u;
};

/* Whether the row holds a struct gput_figure. */
bool gput__row_is_figure(const struct gput__row *row);
const struct gput_figure *gput__cell_figure(struct gput__cell c);
/* The figure's value in the unit that the row asks for. */
double gput__cell_value(struct gput__cell c);
/* The words of ROW_TEXT, ROW_ENDING and ROW_OOM; NULL is unknown. */
const char *gput__cell_words(struct gput__cell c);
/* Whether a whole number applies: a job that was killed has no exit code. */
bool gput__cell_applies(struct gput__cell c);
/* The whole number of ROW_INT, ROW_EXIT, ROW_SIGNAL, ROW_PID and ROW_BOOL. */
long gput__cell_long(struct gput__cell c);

const char *gput__source_name(enum gput_source source);

#endif

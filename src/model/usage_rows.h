/* usage_rows.h - what a result shows, in its order: one table for text, JSON, the list of sources and
 * the reader of such JSON. */
#ifndef GPUT_MODEL_USAGE_ROWS_H
#define GPUT_MODEL_USAGE_ROWS_H

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
    GPUT__ROW_SOME,   /* likewise; 0 is none */
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

/* Whether the row holds a struct gput_figure. */
bool gput__row_is_figure(const struct gput__row *row);

/* The words for enumerations, and back; -1: no such words. */
const char *gput__ending_name(enum gput_ending ending);
const char *gput__oom_name(enum gput_oom oom);
const char *gput__source_name(enum gput_source source);
int gput__ending_of(const char *name);
int gput__oom_of(const char *name);
int gput__source_of(const char *name);

#endif

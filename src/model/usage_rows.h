/* usage_rows.h - what a result shows, in its order: one table for text, JSON, the list of sources and
 * the reader of such JSON.
 *
 * Rows of metrics are not listed here: where a group of them stands the table of metrics is asked
 * (model/metric.h), so that a new metric appears by its own row. */
#ifndef GPUT_MODEL_USAGE_ROWS_H
#define GPUT_MODEL_USAGE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"

enum gput__row_kind {
    GPUT__ROW_OPEN,    /* a group begins */
    GPUT__ROW_CLOSE,   /* it ends */
    GPUT__ROW_METRICS, /* here stand the figures of metrics of `group` */
    GPUT__ROW_TEXT,    /* a string of the usage; NULL is unknown */
    GPUT__ROW_RAM,     /* figures: bytes in the chosen unit, */
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
    GPUT__ROW_PAIRS, /* a string of lines of "key=value"; NULL is none */
};

/* Where figures of metrics stand in a result. */
enum gput__row_group {
    GPUT__NO_GROUP,
    GPUT__MAX_RAM,
    GPUT__MAX_RAM_MAIN,
    GPUT__MAX_RAM_DESCENDANTS,
    GPUT__MAX_RAM_COMBINED,
    GPUT__MAX_GPU_RAM_SYSTEM,
    GPUT__MAX_GPU_RAM,
    GPUT__CPU_SYSTEM,
    GPUT__CPU_MAIN,
    GPUT__CPU_DESCENDANTS,
    GPUT__CPU_COMBINED,
    GPUT__CPU_UTILIZATION,
    GPUT__GPU_UTILIZATION_PERCENTAGES,
    GPUT__TOTALS_MODES,
    GPUT__TOTALS_CPU,
    GPUT__TOTALS_PROCESSES,
    GPUT__TOTALS_DISK,
    GPUT__TOTALS, /* new ones */
    GPUT__WAITING,
    GPUT__MACHINE,
    GPUT__N_ROW_GROUPS,
};

struct gput__row {
    enum gput__row_kind kind;
    const char *key, *label;    /* in JSON, in text */
    size_t offset;              /* in struct gput_usage, gput_gpu or another of the lists in it */
    enum gput__row_group group; /* of GPUT__ROW_METRICS */
};

struct gput__rows {
    const struct gput__row *row;
    size_t n;
};

/* The form of a result, its files and exports: one more where a reader would misread it. */
#define GPUT__RESULT_SCHEMA 1

/* Those of a run come in two lists: what is always shown, and what --full adds. */
enum gput__rows_of { GPUT__DEFAULT_ROWS, GPUT__FULL_ROWS };
enum { GPUT__MOST_ROWS = 256 };
/* Fills `room`, which the rows are in; no GPUT__ROW_METRICS is among them. */
struct gput__rows gput__usage_rows(enum gput__rows_of which,
                                   struct gput__row room[GPUT__MOST_ROWS]);

extern const struct gput__rows gput__gpu_rows, gput__gpu_work_rows, gput__gpu_process_rows,
    gput__process_group_rows;

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

/* stream.h - the columns of the two streams: a row per interval, of the machine or of the job. */
#ifndef GPUT_MODEL_STREAM_H
#define GPUT_MODEL_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"
#include "model/metric.h"
#include "model/sample.h"

struct gput__stream_column {
    const char *name;
    enum gput__stream_form {
        GPUT__STREAM_NONE, /* there is no such column */
        GPUT__STREAM_TIME, /* the end of the interval, seconds since 1970 */
        GPUT__STREAM_PID,
        GPUT__STREAM_LEVEL, /* as it was then */
        GPUT__STREAM_GAIN,  /* what a counter gained over the interval */
        GPUT__STREAM_RATE,  /* the same per second */
    } form;
    enum gput__metric metric; /* of the last three */
    double unit;              /* one of the column's, in the metric's; GPUT__STREAM_TICKS */
    int decimals;             /* that are printed; GPUT__STREAM_WHOLE: it is a whole number */
    bool none_is_zero;        /* without a GPU: nothing was used */
};
#define GPUT__STREAM_WHOLE (-1)
#define GPUT__STREAM_TICKS (-1.0) /* clock ticks of the kernel's: known at run time */
#define GPUT__STREAM_ALL 17       /* decimals: every digit that there is */
#define GPUT__STREAM_MOST_COLUMNS (GPUT__N_METRICS + 2)

struct gput__stream_columns {
    size_t n;
    struct gput__stream_column column[GPUT__STREAM_MOST_COLUMNS];
};
/* Those of the older tools in their order, then with GPUT_COLUMNS_ALL the other metrics of the stream
 * under their own names: bytes, percent, counts and seconds. */
void gput__stream_columns(enum gput_stream s, enum gput_columns names,
                          struct gput__stream_columns *ret);

/* The column of that name of any kind; false: there is none.  `ret_is_newer`: only GPUT_COLUMNS_MIB
 * has it under this name. */
bool gput__stream_find(enum gput_stream s, const char *name, struct gput__stream_column *ret,
                       bool *ret_is_newer);

/* One of the column's units in those of the metric. */
double gput__stream_unit(const struct gput__stream_column *c);

/* A value in the metric's unit, in the column's unit; NAN stays. */
double gput__stream_value(const struct gput__stream_column *c, double value);

/* The same without rounding. */
double gput__stream_exact(const struct gput__stream_column *c, double value);

/* The kernel counts CPU time in ticks, and in a short interval there may be more of them than the cores
 * have time for: the rest of such a rate counts in the next interval. */
void gput__sample_hold_back(const struct gput__sample *from, struct gput__sample *to,
                            double n_cores);

#endif

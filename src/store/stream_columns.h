/* stream_columns.h - the columns of streams and snapshots: how each is called, and what it is here. */
#ifndef GPUT_STORE_STREAM_COLUMNS_H
#define GPUT_STORE_STREAM_COLUMNS_H

#include <stdbool.h>

#include "store/run_series.h"

enum gput__stream_of { GPUT__OF_SYSTEM, GPUT__OF_PROCESS };

struct gput__stream_column {
    const char *name;
    enum gput__stream_of of;
    enum gput__metric metric;
    enum {
        GPUT__LEVEL,     /* times `factor` */
        GPUT__CPU_TIME,  /* of the interval: clock ticks, or seconds beside names in MiB */
        GPUT__TRANSFERS, /* of the interval: bytes */
    } kind;
    double factor;
    bool is_newer; /* a name of the releases that count in MiB and seconds */
};

/* NULL: not one that is kept. */
const struct gput__stream_column *gput__stream_column(enum gput__stream_of of, const char *name);
/* What was read becomes levels and rates.  `is_newer`: one of the columns was. */
void gput__stream_convert(struct gput__run_series *s, bool is_newer, double interval);

#endif

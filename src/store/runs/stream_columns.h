/* stream_columns.h - the columns of streams and snapshots that were written: what becomes of each. */
#ifndef GPUT_STORE_STREAM_COLUMNS_H
#define GPUT_STORE_STREAM_COLUMNS_H

#include <stdbool.h>

#include "model/stream.h"
#include "store/runs/run_series.h"

/* A column of a file. */
struct gput__stream_target {
    const char *name;
    enum gput__metric metric;
    double factor; /* makes it a level; 1 for what was counted: see gput__stream_convert() */
    bool is_newer; /* a name of the releases that count in MiB and seconds */
};

/* false: not one that is kept. */
bool gput__stream_target(enum gput_stream s, const char *name, struct gput__stream_target *ret);
/* What was read becomes levels and rates.  `is_newer`: one of the columns was. */
void gput__stream_convert(struct gput__run_series *series, bool is_newer, double interval);

#endif

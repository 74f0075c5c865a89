/* stream.h - the rows of a stream as CSV or JSON, a line each. */
#ifndef GPUT_REPORT_STREAM_H
#define GPUT_REPORT_STREAM_H

#include "base/buf.h"
#include "gput.h"
#include "model/stream.h"

void gput__stream_print_header(enum gput_stream s, enum gput_columns names, struct gput__buf *out);
/* `values` has one for each column, as gput__stream_value() gives it; NAN: not known. */
void gput__stream_print_row(const struct gput__stream_columns *c, enum gput_line format,
                            const double *values, struct gput__buf *out);

/* A row of the table for people: aligned, with units, as many columns as `width` has room for (0: all),
 * under a line of heads where they are wanted.  `values` are in the units of the metrics.  Columns of GPUs
 * are left out where there are none. */
struct gput__stream_table {
    int width;
    bool has_gpus, with_heads;
};
void gput__stream_print_table(const struct gput__stream_columns *c,
                              const struct gput__stream_table *table, const double *values,
                              struct gput__buf *out);

#endif

/* grid.h - a table of numbers as text, with the decimal points below each other. */
#ifndef GPUT_REPORT_GRID_H
#define GPUT_REPORT_GRID_H

#include "base/buf.h"

/* Six decimals of a small number, fewer of a large one, no zeros at the end but the first decimal:
 * "12.5", "0.000012", "63088.23"; "-" for what is not there. */
void gput__grid_number(double value, char ret[48]);

/* A line of heads and one line for each row.  `labels` NULL: the rows have none.  Row i, column k is
 * values[i * n_columns + k]. */
void gput__grid_write(struct gput__buf *out, int indent, const char *const *labels, size_t n_rows,
                      const char *const *heads, size_t n_columns, const double *values);

#endif

/* rows.h - figures as rows: CSV, and JSON a line each. */
#ifndef GPUT_EXPORT_ROWS_H
#define GPUT_EXPORT_ROWS_H

#include "export/exposition.h"

/* A header, then a row for each figure of each run. */
void gput__export_csv(const struct gput__exposed *runs, size_t n, struct gput__buf *out);
/* An object on a line for each of them. */
void gput__export_jsonl(const struct gput__exposed *runs, size_t n, struct gput__buf *out);

#endif

/* csv.h - the tracking file as CSV: a block of static data, then one row per record. */
#ifndef GPUT_STORE_CSV_H
#define GPUT_STORE_CSV_H

#include "store/records/columns.h"

struct gput__csv {
    int fd;
    bool is_new;   /* it was not there before */
    bool has_head; /* gput__csv_begin() has been called */
};

/* Opens or creates the file and changes nothing in it yet.  -EEXIST: it is there and `overwrite` is
 * not set. */
int gput__csv_open(struct gput__csv *csv, const char *path, bool overwrite);
/* Empties it and writes its head. */
int gput__csv_begin(struct gput__csv *csv, const struct gput__static_data *data,
                    const struct gput__record_columns *columns);
/* Hands one whole row to the kernel. */
int gput__csv_write(struct gput__csv *csv, const struct gput__record_columns *columns,
                    const double *values);
void gput__csv_close(struct gput__csv *csv);

#endif

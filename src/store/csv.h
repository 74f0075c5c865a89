/* csv.h - the tracking file as CSV: a block of static data, then one row per record. */
#ifndef GPUT_STORE_CSV_H
#define GPUT_STORE_CSV_H

#include "store/columns.h"

struct gput__csv {
    int fd;
    bool is_new;   /* it was not there before */
    bool has_head; /* gput__csv_begin() has been called */
    struct gput__static_data data;
};

/* Opens or creates the file and changes nothing in it yet.  -EEXIST: it is there and `overwrite` is
 * not set. */
int gput__csv_open(struct gput__csv *csv, const char *path, bool overwrite,
                   const struct gput__static_data *data);
/* Empties it and writes its head. */
int gput__csv_begin(struct gput__csv *csv);
/* Hands one whole row to the kernel; rates are over the interval since `before`. */
int gput__csv_write(struct gput__csv *csv, const struct gput__sample *before,
                    const struct gput__sample *sample);
void gput__csv_close(struct gput__csv *csv);

#endif

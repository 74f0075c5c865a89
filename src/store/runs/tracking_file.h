/* tracking_file.h - reads a tracking file: static data, then one row for each record. */
#ifndef GPUT_STORE_TRACKING_FILE_H
#define GPUT_STORE_TRACKING_FILE_H

#include "store/files/table.h"
#include "store/records/columns.h"

struct gput__tracking_file {
    struct gput__table *table;
    struct gput__static_value statics[GPUT__N_STATIC_COLUMNS]; /* as in the file */
    double ram_unit_size, gpu_ram_unit_size;
    bool has_records;                    /* the file goes on behind the static data */
    struct gput__record_columns records; /* that are read, where they are there */
    const char *static_names[GPUT__N_STATIC_COLUMNS], *names[GPUT__MOST_COLUMNS];
    struct gput__columns static_columns, columns;
};

/* Opens it, reads the static data and goes to the records.  *f must stay where it is.  Close it in
 * any case. */
int gput__tracking_file_open(struct gput__tracking_file *f, const char *path,
                             const struct gput_callbacks *on, struct gput_error *ret_err);
/* The same with a table that is open; it becomes the file's.  `with_further`: not only the columns that
 * every file has are read. */
int gput__tracking_file_begin(struct gput__tracking_file *f, struct gput__table *table,
                              bool with_further, struct gput_error *ret_err);
/* Whether a column of f->records is there. */
bool gput__tracking_file_has(const struct gput__tracking_file *f, size_t i);
/* 1: a record, in the order of f->records; 0: no more. */
int gput__tracking_file_next(struct gput__tracking_file *f, double *ret,
                             struct gput_error *ret_err);
void gput__tracking_file_close(struct gput__tracking_file *f);

#endif

/* records_sqlite.h - the tracking file as SQLite: tables static_data and data. */
#ifndef GPUT_STORE_RECORDS_SQLITE_H
#define GPUT_STORE_RECORDS_SQLITE_H

#include "store/files/db.h"
#include "store/records/columns.h"

struct gput__records_sqlite {
    char *path; /* NULL: not open */
    int fd;     /* from the opening until SQLite has it: whatever lies there by then */
    bool is_new;
    struct gput__db db;
    sqlite3_stmt *insert;
    const struct gput__record_columns *columns;
    double *waiting; /* values of records that a reader's lock kept out, oldest first */
    size_t n_waiting, cap_waiting;
};

/* As gput__records_... in records.h, which choose between this and CSV. */
int gput__records_sqlite_open(struct gput__records_sqlite *s, const char *path, bool overwrite);
int gput__records_sqlite_begin(struct gput__records_sqlite *s, const struct gput__static_data *d,
                               const struct gput__record_columns *columns);
int gput__records_sqlite_write(struct gput__records_sqlite *s, const double *values);
int gput__records_sqlite_retry(struct gput__records_sqlite *s);
int gput__records_sqlite_close(struct gput__records_sqlite *s);

#endif

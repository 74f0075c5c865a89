/* records.c - the tracking file: CSV or SQLite, by the end of its name. */
#include "store/records/records.h"

#include <errno.h>
#include <string.h>

enum gput__file_format gput__file_format(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (dot && !strcmp(dot, ".csv"))
        return GPUT__FILE_CSV;
    if (dot && !strcmp(dot, ".sqlite") && GPUT__HAS_SQLITE)
        return GPUT__FILE_SQLITE;
    return GPUT__FILE_OTHER;
}

int gput__records_open(struct gput__records *r, const char *path, bool overwrite,
                       const struct gput__static_data *data)
{
    struct gput__records opened = { .format = gput__file_format(path), .data = *data };
    int e = -EINVAL;

    if (opened.format == GPUT__FILE_CSV) {
        e = gput__csv_open(&opened.csv, path, overwrite);
        opened.is_new = opened.csv.is_new;
    } else if (opened.format == GPUT__FILE_SQLITE) {
        e = gput__records_sqlite_open(&opened.sqlite, path, overwrite);
        opened.is_new = opened.sqlite.is_new;
    }
    if (e == 0)
        *r = opened;
    return e;
}

int gput__records_begin(struct gput__records *r)
{
    r->has_head = true;
    gput__record_columns(r->data.has_all_columns, &r->columns);
    if (r->format == GPUT__FILE_SQLITE)
        return gput__records_sqlite_begin(&r->sqlite, &r->data, &r->columns);
    return gput__csv_begin(&r->csv, &r->data, &r->columns);
}

int gput__records_write(struct gput__records *r, const struct gput__sample *before,
                        const struct gput__sample *sample)
{
    double values[GPUT__MOST_COLUMNS];

    gput__record_values(&r->columns, &r->data, before, sample, values);
    if (r->format == GPUT__FILE_CSV)
        return gput__csv_write(&r->csv, &r->columns, values);
    return gput__records_sqlite_write(&r->sqlite, values);
}

bool gput__records_wait(const struct gput__records *r)
{
    return r->format == GPUT__FILE_SQLITE && r->sqlite.n_waiting > 0;
}

int gput__records_retry(struct gput__records *r)
{
    return r->format == GPUT__FILE_SQLITE ? gput__records_sqlite_retry(&r->sqlite) : 0;
}

int gput__records_close(struct gput__records *r)
{
    int e = 0;

    if (r->format == GPUT__FILE_CSV)
        gput__csv_close(&r->csv);
    else if (r->format == GPUT__FILE_SQLITE)
        e = gput__records_sqlite_close(&r->sqlite);
    r->format = GPUT__FILE_OTHER;
    return e;
}

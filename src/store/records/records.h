/* records.h - the tracking file: CSV or SQLite, by the end of its name. */
#ifndef GPUT_STORE_RECORDS_H
#define GPUT_STORE_RECORDS_H

#include "store/records/csv.h"
#include "store/records/records_sqlite.h"

#ifdef GPUT_WITHOUT_SQLITE
#define GPUT__HAS_SQLITE 0
#define GPUT__FILE_NAMES ".csv (this build is without SQLite)"
#else
#define GPUT__HAS_SQLITE 1
#define GPUT__FILE_NAMES ".csv or .sqlite"
#endif

/* The formats of tracking and sub-tracking files. */
enum gput__file_format { GPUT__FILE_OTHER, GPUT__FILE_CSV, GPUT__FILE_SQLITE };
/* By the end of the name: .csv or .sqlite. */
enum gput__file_format gput__file_format(const char *path);

struct gput__records {
    enum gput__file_format format; /* GPUT__FILE_OTHER: not open */
    bool is_new;                   /* the file was not there before */
    bool has_head;                 /* gput__records_begin() has been called */
    struct gput__static_data data; /* may be completed until then */
    struct gput__record_columns columns;
    struct gput__csv csv;
    struct gput__records_sqlite sqlite;
};
#define GPUT__RECORDS_NONE ((struct gput__records){ 0 })

static inline bool gput__records_is_open(const struct gput__records *r)
{
    return r->format != GPUT__FILE_OTHER;
}

/* Opens or creates the file and changes nothing in it yet; `r` must stay where it is.  -EEXIST: it
 * is there and `overwrite` is not set; -EINVAL: no such format. */
int gput__records_open(struct gput__records *r, const char *path, bool overwrite,
                       const struct gput__static_data *data);
/* Replaces what the file held by the head of a new one. */
int gput__records_begin(struct gput__records *r);
/* Hands one whole record to the kernel; rates are over the interval since `before`.  Where a reader
 * holds the file the record is kept and goes in later; -EBUSY: it has been held for too long. */
int gput__records_write(struct gput__records *r, const struct gput__sample *before,
                        const struct gput__sample *sample);
/* Whether records are kept back, and another try with them; costs nothing if there are none. */
bool gput__records_wait(const struct gput__records *r);
int gput__records_retry(struct gput__records *r);
/* A last try.  Closed twice is fine.  -EBUSY: the last records are lost, a reader held the file. */
int gput__records_close(struct gput__records *r);

#endif

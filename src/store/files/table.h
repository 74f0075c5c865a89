/* table.h - rows of a .csv or .sqlite file, one after the other, in the order in which they were
 * written.
 *
 * A fault is told in one line that names the file and the place: "FILE: line 12: ..." or "FILE:
 * table data, row 12: ...".  What a writer has not finished (a last line without its newline, an
 * open transaction) is left out, with one warning. */
#ifndef GPUT_STORE_TABLE_H
#define GPUT_STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input.h"
#include "gput.h"

struct gput__table;

struct gput__table_cell {
    enum gput__table_cell_kind { GPUT__CELL_NONE, GPUT__CELL_TEXT, GPUT__CELL_NUMBER } kind;
    const char *text; /* of a text: ends in NUL, good until the next row */
    size_t len;
    double number; /* of a number */
};

/* What a table must have: `n_needed` columns, then `n_further` that are all there or none of them, then
 * `n_optional` that may be there.  The file may have them in any order. */
struct gput__columns {
    const char *const *names;
    unsigned n_needed, n_further, n_optional;
    bool may_have_others; /* that nobody reads */
};

/* What differs between the kinds of files.  Each starts with a struct gput__table. */
struct gput__table_ops {
    /* The names of the columns of the table `name` (a .csv has no names of tables: the next line).
     * 0: the file ends here. */
    int (*begin)(struct gput__table *t, const char *name, struct gput_error *ret_err);
    int (*next)(struct gput__table *t, struct gput_error *ret_err); /* 1, 0 at the end, or errno */
    struct gput__table_cell (*cell)(const struct gput__table *t, unsigned i);
    /* A whole row of numbers; 0: next() is to be asked, whatever comes. */
    int (*numbers)(struct gput__table *t, double *ret);
    void (*place)(const struct gput__table *t, char *ret, size_t size);
    void (*close)(struct gput__table *t);
    bool is_csv; /* a spreadsheet opens it too */
};

struct gput__table {
    const struct gput__table_ops *ops;
    const struct gput_callbacks *on; /* may be NULL */
    char *path;
    bool has_told;      /* that something is unfinished */
    bool in_rows;       /* the place is a row, not the header */
    uint64_t row;       /* the line or rowid */
    unsigned n_cells;   /* of this row, or of the header */
    unsigned n_columns; /* of the header */
    unsigned *at;       /* where column i of struct gput__columns stands */
    bool has_further;
    bool is_in_order; /* column i stands at i */
    const struct gput__columns *columns;
    double *spare;            /* room for a row */
    char **own_names;         /* of gput__table_begin_any() */
    struct gput__columns own; /* likewise */
};

/* The end of the name decides on the kind.  -EINVAL: it is neither; or the errno of opening it. */
int gput__table_open(const char *path, const struct gput_callbacks *on, struct gput__table **ret,
                     struct gput_error *ret_err);
/* The same for a file that is known to be SQLite, whatever its name, or a CSV file; the input becomes
 * the table's, on failure too. */
int gput__table_open_database(const char *path, const struct gput_callbacks *on,
                              struct gput__table **ret, struct gput_error *ret_err);
int gput__table_open_text(struct gput__input *in, const char *path, const struct gput_callbacks *on,
                          struct gput__table **ret, struct gput_error *ret_err);
struct gput__table *gput__table_close(struct gput__table *t);

/* Goes to a table and checks its columns.  1, or 0: the file ends before it.  `columns` must live
 * as long as the table is read. */
int gput__table_begin(struct gput__table *t, const char *name, const struct gput__columns *columns,
                      struct gput_error *ret_err);
/* Goes to a table with whatever columns it has; they are then in t->columns, in their order. */
int gput__table_begin_any(struct gput__table *t, const char *name, struct gput_error *ret_err);
/* 1: there is a row; 0: the end. */
int gput__table_next(struct gput__table *t, struct gput_error *ret_err);
/* The same, with all needed columns as numbers, and then the optional ones if any is there: NAN where
 * a cell is empty or the column is missing. */
int gput__table_next_numbers(struct gput__table *t, double *ret, struct gput_error *ret_err);

/* Whether an optional column, counted from 0, is there. */
bool gput__table_has_optional(const struct gput__table *t, unsigned i);

/* Column i of the row, as struct gput__columns counts. */
int gput__table_number(struct gput__table *t, unsigned i, double *ret, struct gput_error *ret_err);
/* A whole number that a double counts exactly. */
int gput__table_whole(struct gput__table *t, unsigned i, int64_t *ret, struct gput_error *ret_err);
int gput__table_text(struct gput__table *t, unsigned i, const char **ret, size_t *ret_len,
                     struct gput_error *ret_err);
/* NAN where the cell is empty. */
int gput__table_number_or_none(struct gput__table *t, unsigned i, double *ret,
                               struct gput_error *ret_err);

/* "FILE: PLACE: ..." into *ret_err; returns -EBADMSG. */
__attribute__((format(printf, 3, 4))) int gput__table_fail(const struct gput__table *t,
                                                           struct gput_error *ret_err,
                                                           const char *format, ...);
/* "FILE: ..." to the warn callback, once for each table. */
void gput__table_tell_unfinished(struct gput__table *t, const char *what);

/* table_csv.c, table_sqlite.c: for table.c.  The input becomes the table's, on failure too. */
int gput__table_open_csv(struct gput__input *in, struct gput__table **ret);
int gput__table_open_sqlite(const char *path, struct gput__table **ret, const char **ret_why);

/* "FILE: ..." into *ret_err; returns r. */
__attribute__((format(printf, 4, 5))) int gput__file_fail(int r, const char *path,
                                                          struct gput_error *ret_err,
                                                          const char *format, ...);
/* What gput__input_... returned, in words. */
const char *gput__why_unread(int r);
/* Whether the name ends so. */
bool gput__path_ends_in(const char *path, const char *extension);

#endif

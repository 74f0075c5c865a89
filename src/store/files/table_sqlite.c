/* table_sqlite.c - rows of a table of an SQLite file.
 *
 * The file may be written while we read: rows are asked for in portions, so that the writer waits
 * for a moment only, and by rowid, which is the order in which they were written. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/files/table.h"

enum {
    PORTION = 20000, /* rows */
    PATIENCE_MS = 10000,
};

struct database {
    struct gput__table t;
    sqlite3 *db;
    sqlite3_stmt *rows;
    const char *table;
    bool is_writable;
    int n_of_portion;
    int held; /* what step() came to, for next(); 0: it is to be asked */
};

/* A rollback journal begins so while a transaction is open, see "Database File Format". */
static bool has_open_journal(const char *path)
{
    static const unsigned char magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
    unsigned char head[8] = { 0 };
    char *name;
    int fd;

    if (asprintf(&name, "%s-journal", path) < 0)
        return false;
    fd = open(name, O_RDONLY | O_CLOEXEC);
    free(name);
    if (fd < 0)
        return false;
    if (read(fd, head, sizeof(head)) != sizeof(head))
        head[0] = 0;
    close(fd);
    return memcmp(head, magic, sizeof(magic)) == 0;
}

/* A writer that lives ends its transaction within a moment; one that was killed never does. */
static bool stays_unfinished(const char *path)
{
    const struct timespec moment = { .tv_nsec = 10 * GPUT__NS_PER_MS };

    for (int i = 0; i < 3; i++) {
        if (!has_open_journal(path))
            return false;
        (void)nanosleep(&moment, NULL);
    }
    return has_open_journal(path);
}

static int open_database(struct database *d, const char *path, int flags)
{
    sqlite3_close(d->db);
    d->db = NULL;
    if (sqlite3_open_v2(path, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_busy_timeout(d->db, PATIENCE_MS);
    return 0;
}

static int prepare(struct database *d)
{
    char *sql = sqlite3_mprintf("SELECT rowid, * FROM \"%w\" WHERE rowid > ?1 "
                                "ORDER BY rowid LIMIT %d",
                                d->table, PORTION);
    int r;

    sqlite3_finalize(d->rows);
    d->rows = NULL;
    if (!sql)
        return SQLITE_NOMEM;
    r = sqlite3_prepare_v2(d->db, sql, -1, &d->rows, NULL);
    sqlite3_free(sql);
    if (r == SQLITE_OK)
        r = sqlite3_bind_int64(d->rows, 1, INT64_MIN);
    return r;
}

/* Looks at the file for the first time.  After a writer that was killed within a transaction
 * somebody must take back what is half written; only one who may write can. */
static int prepare_or_recover(struct database *d)
{
    int r = prepare(d);

    if (r == SQLITE_OK || d->is_writable || !has_open_journal(d->t.path))
        return r;
    d->is_writable = true;
    sqlite3_finalize(d->rows);
    d->rows = NULL;
    if (open_database(d, d->t.path, SQLITE_OPEN_READWRITE) < 0)
        return SQLITE_CANTOPEN;
    return prepare(d);
}

static int fail(const struct database *d, struct gput_error *ret_err)
{
    return gput__file_fail(-EBADMSG, d->t.path, ret_err, "%s", sqlite3_errmsg(d->db));
}

static int begin(struct gput__table *t, const char *name, struct gput_error *ret_err)
{
    struct database *d = (struct database *)t;

    if (stays_unfinished(t->path))
        gput__table_tell_unfinished(t, "a transaction is unfinished and was left out");
    d->table = name;
    d->n_of_portion = 0;
    d->held = 0;
    if (prepare_or_recover(d) != SQLITE_OK)
        return fail(d, ret_err);
    t->n_cells = (unsigned)sqlite3_column_count(d->rows) - 1;
    return 1;
}

/* SQLITE_ROW, SQLITE_DONE or a fault. */
static int step(struct database *d)
{
    int r = sqlite3_step(d->rows);

    if (r == SQLITE_DONE && d->n_of_portion == PORTION) {
        d->n_of_portion = 0;
        sqlite3_reset(d->rows);
        sqlite3_bind_int64(d->rows, 1, (sqlite3_int64)d->t.row);
        r = sqlite3_step(d->rows);
    }
    if (r == SQLITE_ROW) {
        d->n_of_portion++;
        d->t.row = (uint64_t)sqlite3_column_int64(d->rows, 0);
    }
    return r;
}

static int next(struct gput__table *t, struct gput_error *ret_err)
{
    struct database *d = (struct database *)t;
    int r = d->held ? d->held : step(d);

    d->held = 0;
    if (r == SQLITE_ROW)
        return 1;
    if (r != SQLITE_DONE)
        return fail(d, ret_err);
    sqlite3_reset(d->rows);
    return 0;
}

static struct gput__table_cell header_cell(const struct database *d, unsigned i)
{
    const char *name = sqlite3_column_name(d->rows, (int)i + 1);

    if (!name)
        return (struct gput__table_cell){ .kind = GPUT__CELL_NONE, .text = "" };
    return (struct gput__table_cell){ .kind = GPUT__CELL_TEXT, .text = name, .len = strlen(name) };
}

static struct gput__table_cell cell(const struct gput__table *t, unsigned i)
{
    const struct database *d = (const struct database *)t;
    struct gput__table_cell c = { .kind = GPUT__CELL_NONE, .text = "" };

    if (!t->in_rows)
        return header_cell(d, i);
    switch (sqlite3_column_type(d->rows, (int)i + 1)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        c.kind = GPUT__CELL_NUMBER;
        c.number = sqlite3_column_double(d->rows, (int)i + 1);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        c.text = (const char *)sqlite3_column_text(d->rows, (int)i + 1);
        c.len = (size_t)sqlite3_column_bytes(d->rows, (int)i + 1);
        c.kind = c.text ? GPUT__CELL_TEXT : GPUT__CELL_NONE;
        c.text = c.text ? c.text : "";
        break;
    default:
        break;
    }
    return c;
}

/* By sqlite3_column_value(), which takes the column once: no other thread has the connection. */
static bool read_numbers(struct database *d, double *ret)
{
    for (int i = 0; i < (int)d->t.n_columns; i++) {
        sqlite3_value *value = sqlite3_column_value(d->rows, i + 1);
        int type = sqlite3_value_type(value);

        if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
            return false;
        ret[i] = sqlite3_value_double(value);
        if (!isfinite(ret[i]))
            return false;
    }
    return true;
}

static int numbers(struct gput__table *t, double *ret)
{
    struct database *d = (struct database *)t;
    int r = step(d);

    if (r == SQLITE_ROW && read_numbers(d, ret))
        return 1;
    d->held = r;
    return 0;
}

static void place(const struct gput__table *t, char *ret, size_t size)
{
    const struct database *d = (const struct database *)t;

    if (t->in_rows)
        snprintf(ret, size, "table %s, row %lld", d->table, (long long)t->row);
    else
        snprintf(ret, size, "table %s", d->table);
}

static void close_database(struct gput__table *t)
{
    struct database *d = (struct database *)t;

    sqlite3_finalize(d->rows);
    sqlite3_close(d->db);
    free(d);
}

static const struct gput__table_ops ops = {
    begin, next, cell, numbers, place, close_database, false
};

int gput__table_open_sqlite(const char *path, struct gput__table **ret, const char **ret_why)
{
    struct database *d = calloc(1, sizeof(*d));
    struct stat st;

    if (!d)
        return -ENOMEM;
    d->t.ops = &ops;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0) {
        *ret_why = "the file is empty";
        close_database(&d->t);
        return -EBADMSG;
    }
    if (open_database(d, path, SQLITE_OPEN_READONLY) < 0) {
        close_database(&d->t);
        return -EIO;
    }
    *ret = &d->t;
    return 0;
}

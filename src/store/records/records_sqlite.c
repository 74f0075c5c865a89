/* records_sqlite.c - the tracking file as SQLite: tables static_data, data and run.
 *
 * Each record is a transaction of its own.  While a reader holds the file, records wait in memory
 * and go in with the next one: neither the job nor the tracker's own rhythm waits for a reader. */
#include "store/records/records_sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "gput.h"
#include "store/files/unsafe_path.h"

/* A reader that takes a look is done by then; one that stays is not waited for. */
#define PATIENCE_NS (20 * GPUT__NS_PER_MS)
/* At the end there is no next record to go in with. */
#define LAST_PATIENCE_NS GPUT__NS_PER_S
/* 1.4 MB, at a record a second more than two hours: then the file is given up. */
#define MOST_WAITING 8192

/* As CSV files are opened: nothing is changed yet. */
int gput__records_sqlite_open(struct gput__records_sqlite *s, const char *path, bool overwrite)
{
    int flags = O_WRONLY | O_CLOEXEC;
    int fd = open(path, flags | O_CREAT | O_EXCL, 0666);
    bool is_new = fd >= 0;
    char *real = NULL;
    int r;

    if (fd < 0)
        fd = errno == EEXIST && overwrite ? gput_file_open(path, flags) : -errno;
    if (fd < 0)
        return fd;
    /* SQLite keeps its journal beside the file itself, not beside a link to it. */
    r = gput__real_name(fd, path, &real);
    if (r < 0) {
        close(fd);
        return r;
    }
    *s = (struct gput__records_sqlite){ .path = real, .fd = fd, .is_new = is_new };
    return 0;
}

/* The job runs by now, and may have put something else in its place. */
static int replace(struct gput__records_sqlite *s)
{
    int r = gput__is_at(s->fd, s->path) ? gput__db_empty(s->fd, s->path) : -ENOENT;

    close(s->fd); /* before SQLite has the file: this would end its locks */
    s->fd = -1;
    return r;
}

/* The types are those that the Python tool declares. */
static const char *type_of(bool is_text, bool is_count)
{
    return is_text ? "VARCHAR" : is_count ? "INTEGER" : "FLOAT";
}

static int run_text(struct gput__db *db, struct gput__buf *sql)
{
    int r = sql->err ? sql->err : gput__db_exec(db, sql->data);

    gput__buf_free(sql);
    return r;
}

static int create_data(struct gput__db *db, const struct gput__record_columns *columns)
{
    struct gput__buf sql = { 0 };

    for (size_t i = 0; i < columns->n; i++)
        gput__buf_printf(&sql, "%s%s %s", i ? ", " : "CREATE TABLE data (", columns->column[i].name,
                         type_of(false, columns->column[i].is_count));
    gput__buf_puts(&sql, ")");
    return run_text(db, &sql);
}

static int create_static_data(struct gput__db *db,
                              const struct gput__static_value values[GPUT__N_STATIC_COLUMNS])
{
    struct gput__buf sql = { 0 };

    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++)
        gput__buf_printf(&sql, "%s%s %s", i ? ", " : "CREATE TABLE static_data (", values[i].name,
                         type_of(values[i].text, values[i].is_count));
    gput__buf_puts(&sql, ")");
    return run_text(db, &sql);
}

static void bind_number(sqlite3_stmt *statement, size_t i, double value, bool is_count)
{
    if (isnan(value))
        (void)sqlite3_bind_null(statement, (int)i + 1);
    else if (is_count)
        (void)sqlite3_bind_int64(statement, (int)i + 1, (sqlite3_int64)value);
    else
        (void)sqlite3_bind_double(statement, (int)i + 1, value);
}

static int prepare_insert(struct gput__db *db, const char *table, size_t n, sqlite3_stmt **ret)
{
    struct gput__buf sql = { 0 };
    int r;

    gput__buf_printf(&sql, "INSERT INTO %s VALUES (?", table);
    for (size_t i = 1; i < n; i++)
        gput__buf_puts(&sql, ",?");
    gput__buf_puts(&sql, ")");
    r = sql.err ? sql.err : gput__db_prepare(db, sql.data, ret);
    gput__buf_free(&sql);
    return r;
}

static int insert_static_data(struct gput__db *db, const struct gput__static_data *d)
{
    struct gput__static_value values[GPUT__N_STATIC_COLUMNS];
    sqlite3_stmt *insert = NULL;
    int r;

    gput__static_values(d, values);
    r = create_static_data(db, values);
    if (r == 0)
        r = prepare_insert(db, "static_data", GPUT__N_STATIC_COLUMNS, &insert);
    if (r < 0)
        return r;
    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++) {
        if (values[i].text)
            (void)sqlite3_bind_text(insert, (int)i + 1, values[i].text, -1, SQLITE_STATIC);
        else
            bind_number(insert, i, values[i].number, values[i].is_count);
    }
    r = gput__db_run(db, insert);
    sqlite3_finalize(insert);
    return r;
}

/* A row, so that the file can be told from those of other runs. */
static int insert_run(struct gput__db *db, const struct gput__run_column *run)
{
    struct gput__buf sql = GPUT__BUF_INIT;
    sqlite3_stmt *insert = NULL;
    int r;

    if (!run)
        return 0;
    for (size_t i = 0; i < GPUT__N_RUN_COLUMNS; i++)
        gput__buf_printf(&sql, "%s%s %s", i ? ", " : "CREATE TABLE run (", run[i].name,
                         type_of(true, false));
    gput__buf_puts(&sql, ")");
    r = run_text(db, &sql);
    if (r == 0)
        r = prepare_insert(db, "run", GPUT__N_RUN_COLUMNS, &insert);
    if (r < 0)
        return r;
    for (size_t i = 0; i < GPUT__N_RUN_COLUMNS; i++)
        (void)sqlite3_bind_text(insert, (int)i + 1, run[i].text, -1, SQLITE_STATIC);
    r = gput__db_run(db, insert);
    sqlite3_finalize(insert);
    return r;
}

static int insert_head(struct gput__db *db, const struct gput__static_data *d,
                       const struct gput__record_columns *columns)
{
    int r = gput__db_begin(db);

    if (r < 0)
        return r;
    r = insert_static_data(db, d);
    if (r == 0)
        r = create_data(db, columns);
    if (r == 0)
        r = insert_run(db, d->run);
    if (r == 0)
        return gput__db_commit(db);
    gput__db_rollback(db);
    return r;
}

int gput__records_sqlite_begin(struct gput__records_sqlite *s, const struct gput__static_data *d,
                               const struct gput__record_columns *columns)
{
    int r = replace(s);

    if (r < 0)
        return r;
    s->columns = columns;
    s->db.patience_ns = LAST_PATIENCE_NS;
    r = gput__db_open(&s->db, s->path);
    if (r == 0)
        r = insert_head(&s->db, d, columns);
    if (r == 0)
        r = prepare_insert(&s->db, "data", columns->n, &s->insert);
    s->db.patience_ns = PATIENCE_NS;
    return r;
}

static int insert_row(struct gput__records_sqlite *s, const double *values)
{
    for (size_t i = 0; i < s->columns->n; i++)
        bind_number(s->insert, i, values[i], s->columns->column[i].is_count);
    return gput__db_run(&s->db, s->insert);
}

static int insert_waiting(struct gput__records_sqlite *s)
{
    int r = gput__db_begin(&s->db);

    for (size_t i = 0; r == 0 && i < s->n_waiting; i++)
        r = insert_row(s, s->waiting + i * s->columns->n);
    if (r == 0)
        r = gput__db_commit(&s->db);
    else
        gput__db_rollback(&s->db);
    if (r == 0)
        s->n_waiting = 0;
    return r;
}

int gput__records_sqlite_retry(struct gput__records_sqlite *s)
{
    int r = s->n_waiting && s->insert ? insert_waiting(s) : 0;

    return r == -EBUSY && s->n_waiting < MOST_WAITING ? 0 : r;
}

static int let_wait(struct gput__records_sqlite *s, const double *values)
{
    size_t n = s->columns->n;

    if (s->n_waiting == s->cap_waiting) {
        size_t cap = s->cap_waiting ? 2 * s->cap_waiting : 4;
        double *rows = realloc(s->waiting, cap * n * sizeof(*rows));

        if (!rows)
            return -ENOMEM;
        s->waiting = rows;
        s->cap_waiting = cap;
    }
    memcpy(s->waiting + s->n_waiting++ * n, values, n * sizeof(*values));
    return 0;
}

int gput__records_sqlite_write(struct gput__records_sqlite *s, const double *values)
{
    int r = let_wait(s, values);

    /* Known to be held by someone: one try, no waiting. */
    s->db.patience_ns = s->n_waiting > 1 ? 0 : PATIENCE_NS;
    return r < 0 ? r : gput__records_sqlite_retry(s);
}

int gput__records_sqlite_close(struct gput__records_sqlite *s)
{
    int r = 0;

    s->db.patience_ns = LAST_PATIENCE_NS;
    if (s->n_waiting && s->insert)
        r = insert_waiting(s);
    sqlite3_finalize(s->insert);
    gput__db_close(&s->db);
    if (s->path && s->fd >= 0)
        close(s->fd);
    free(s->waiting);
    free(s->path);
    *s = (struct gput__records_sqlite){ 0 };
    return r;
}

/* marks_sqlite.c - marks as rows of an SQLite table, each a transaction of its own.
 *
 * A connection of SQLite's must not be used, and not even closed, on the other side of a fork(): the
 * child leaves it alone and opens its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/forks.h"
#include "base/grow.h"
#include "store/marks/marks.h"
#include "store/marks/sub_tracking_file.h"

/* Other writers are done in microseconds and readers seldom take longer: a mark waits so long, and
 * while the file stays locked no further one does. */
#define PATIENCE_NS GPUT__NS_PER_S
/* At the end there is no next mark to go in with. */
#define LAST_PATIENCE_NS (10 * GPUT__NS_PER_S)
#define MOST_WAITING 100000

struct gput__marks_db {
    struct gput__fork_guard guard; /* its lock is held around everything here */
    struct gput__db db;
    sqlite3_stmt *insert;
    struct gput__mark_row *waiting; /* the names are ours */
    size_t n_waiting, cap_waiting;
};

/* --- the table ------------------------------------------------------------------------------ */

/* The types that the Python tool declares; process and block, 0 or 1, then time and figures. */
static const char *const types[] = { "INTEGER", "VARCHAR", "INTEGER", "FLOAT", "FLOAT", "INTEGER" };

static unsigned n_columns(bool is_exact)
{
    return gput__mark_columns.n_needed + (is_exact ? gput__mark_columns.n_further : 0);
}

static void write_names(struct gput__buf *sql, bool is_exact, bool with_types)
{
    for (unsigned i = 0; i < n_columns(is_exact); i++)
        gput__buf_printf(sql, "%s%s%s%s", i ? ", " : "", gput__mark_columns.names[i],
                         with_types ? " " : "", with_types ? types[i] : "");
}

static int prepare(struct gput__marks_db *d, struct gput__buf *sql, sqlite3_stmt **ret)
{
    int r = sql->err ? sql->err : gput__db_prepare(&d->db, sql->data, ret);

    gput__buf_free(sql);
    return r;
}

static int prepare_insert(struct gput__marks_db *d, bool is_exact)
{
    struct gput__buf sql = { 0 };

    gput__buf_puts(&sql, "INSERT INTO data (");
    write_names(&sql, is_exact, false);
    gput__buf_puts(&sql, ") VALUES (?");
    for (unsigned i = 1; i < n_columns(is_exact); i++)
        gput__buf_puts(&sql, ",?");
    gput__buf_puts(&sql, ")");
    return prepare(d, &sql, &d->insert);
}

/* If there were no locks somebody else may have made it meanwhile. */
static int create_table(struct gput__marks_db *d, bool is_exact)
{
    struct gput__buf sql = { 0 };
    int r;

    gput__buf_puts(&sql, "CREATE TABLE IF NOT EXISTS data (");
    write_names(&sql, is_exact, true);
    gput__buf_puts(&sql, ")");
    r = sql.err ? sql.err : gput__db_exec(&d->db, sql.data);
    gput__buf_free(&sql);
    return r;
}

static int has_columns(struct gput__marks_db *d, bool is_exact)
{
    struct gput__buf sql = { 0 };
    sqlite3_stmt *select = NULL;
    int r;

    gput__buf_puts(&sql, "SELECT ");
    write_names(&sql, is_exact, false);
    gput__buf_puts(&sql, " FROM data");
    r = prepare(d, &sql, &select);
    sqlite3_finalize(select);
    return r;
}

/* --- opening -------------------------------------------------------------------------------- */

static int open_db(struct gput_marks *m)
{
    struct gput__marks_db *d = calloc(1, sizeof(*d));
    int r;

    if (!d)
        return -ENOMEM;
    r = gput__fork_guard_begin(&d->guard);
    if (r < 0) {
        free(d);
        return r;
    }
    m->db = d;
    d->db.patience_ns = LAST_PATIENCE_NS;
    return gput__db_open(&d->db, m->path);
}

int gput__marks_sqlite_begin(struct gput_marks *m)
{
    int r = open_db(m);

    if (r == 0)
        r = create_table(m->db, m->is_exact);
    if (r == 0)
        r = prepare_insert(m->db, m->is_exact);
    return r;
}

int gput__marks_sqlite_join(struct gput_marks *m)
{
    int r = open_db(m);

    if (r == 0)
        m->is_exact = has_columns(m->db, true) == 0;
    if (r == 0 && !m->is_exact)
        r = has_columns(m->db, false);
    if (r == 0)
        r = prepare_insert(m->db, m->is_exact);
    return r;
}

static void forget_waiting(struct gput__marks_db *d)
{
    for (size_t i = 0; i < d->n_waiting; i++)
        free((char *)d->waiting[i].name);
    d->n_waiting = 0;
}

/* In the child of a fork: the connection and the marks that wait are the parent's. */
static void leave_parents(struct gput__marks_db *d)
{
    gput__fork_leave(d->db.db);
    d->db = (struct gput__db){ 0 };
    d->insert = NULL;
    forget_waiting(d);
    d->guard.is_child = false;
}

/* A child's own connection: while somebody holds the file there is none yet, and its marks wait. */
static int be_ready(struct gput_marks *m, int64_t patience_ns)
{
    struct gput__marks_db *d = m->db;
    int r = 0;

    if (d->guard.is_child)
        leave_parents(d);
    d->db.patience_ns = patience_ns;
    if (d->insert)
        return 0;
    if (!d->db.db)
        r = gput__db_open(&d->db, m->path);
    d->db.patience_ns = patience_ns;
    if (r == 0)
        r = prepare_insert(d, m->is_exact);
    if (r < 0)
        gput__db_close(&d->db);
    return r;
}

/* --- marks ---------------------------------------------------------------------------------- */

static int insert_row(struct gput__marks_db *d, const struct gput__mark_row *row, bool is_exact)
{
    sqlite3_stmt *s = d->insert;

    (void)sqlite3_bind_int64(s, 1, row->process_id);
    (void)sqlite3_bind_text(s, 2, row->name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(s, 3, row->is_end);
    (void)sqlite3_bind_double(s, 4, (double)row->real_us / 1e6); /* as the text of a CSV reads */
    if (is_exact) {
        (void)sqlite3_bind_double(s, 5, row->cpu_seconds);
        (void)sqlite3_bind_int64(s, 6, (sqlite3_int64)row->peak_rss_bytes);
    }
    return gput__db_run(&d->db, s);
}

/* All that waits, and `last` unless it is NULL. */
static int insert_all(struct gput__marks_db *d, const struct gput__mark_row *last, bool is_exact)
{
    int r = gput__db_begin(&d->db);

    for (size_t i = 0; r == 0 && i < d->n_waiting; i++)
        r = insert_row(d, &d->waiting[i], is_exact);
    if (r == 0 && last)
        r = insert_row(d, last, is_exact);
    if (r == 0)
        r = gput__db_commit(&d->db);
    else
        gput__db_rollback(&d->db);
    if (r == 0)
        forget_waiting(d);
    return r;
}

static int let_wait(struct gput__marks_db *d, const struct gput__mark_row *row)
{
    struct gput__mark_row kept = *row;

    if (d->n_waiting == MOST_WAITING)
        return -EBUSY;
    if (GPUT__GROW(d->waiting, d->cap_waiting, d->n_waiting + 1) < 0)
        return -ENOMEM;
    kept.name = strdup(row->name);
    if (!kept.name)
        return -ENOMEM;
    d->waiting[d->n_waiting++] = kept;
    return 0;
}

int gput__marks_sqlite_add(struct gput_marks *m, const struct gput__mark_row *row)
{
    struct gput__marks_db *d = m->db;
    int r;

    pthread_mutex_lock(&d->guard.lock);
    r = be_ready(m, d->n_waiting && !d->guard.is_child ? 0 : PATIENCE_NS);
    if (r == 0)
        r = insert_all(d, row, m->is_exact);
    if (r == -EBUSY)
        r = let_wait(d, row);
    pthread_mutex_unlock(&d->guard.lock);
    return r;
}

/* Closing any descriptor of a file ends the locks that the process has on it, also those of another
 * connection of ours.  While we hold the lock of writers there are none that matter. */
static void close_fd(struct gput_marks *m)
{
    struct gput__marks_db *d = m->db;
    bool has_lock = d->db.db && gput__db_begin(&d->db) == 0;

    close(m->fd);
    m->fd = -1;
    if (has_lock)
        gput__db_rollback(&d->db);
}

int gput__marks_sqlite_close(struct gput_marks *m)
{
    struct gput__marks_db *d = m->db;
    int r = 0;

    pthread_mutex_lock(&d->guard.lock);
    if (d->guard.is_child)
        leave_parents(d);
    if (d->n_waiting)
        r = be_ready(m, LAST_PATIENCE_NS);
    if (d->n_waiting && r == 0)
        r = insert_all(d, NULL, m->is_exact);
    d->db.patience_ns = PATIENCE_NS;
    close_fd(m);
    sqlite3_finalize(d->insert);
    gput__db_close(&d->db);
    forget_waiting(d);
    pthread_mutex_unlock(&d->guard.lock);
    gput__fork_guard_end(&d->guard);
    free(d->waiting);
    free(d);
    m->db = NULL;
    return r;
}

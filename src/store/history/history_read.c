/* history_read.c - the runs of a history, the newest first. */
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/files/table.h"
#include "store/history/history_schema.h"
#include "store/records/records.h"

enum { PATIENCE_MS = 10000, NUMBER = 0, DEMAND = 1, FIRST = 2 };

struct reader {
    sqlite3 *db;
    sqlite3_stmt *rows;
    int column[GPUT__N_HISTORY_COLUMNS]; /* its place in a row; -1: an older file without it */
};

/* A writer that was killed leaves a journal, which only who may write can roll back. */
static int open_database(struct reader *rd, const char *path)
{
    static const int flags[] = { SQLITE_OPEN_READWRITE, SQLITE_OPEN_READONLY };

    for (int i = 0; i < 2; i++) {
        int flag = flags[i] | SQLITE_OPEN_NOMUTEX;

        (void)flag;
        if (sqlite3_open_v2(path, &rd->db, flag, NULL) == SQLITE_OK) {
            (void)sqlite3_busy_timeout(rd->db, PATIENCE_MS);
            return 0;
        }
        (void)sqlite3_close(rd->db);
        rd->db = NULL;
    }
    return -EIO;
}

static bool is_a_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

/* Its conditions, in the order in which bind() gives their values. */
static void write_query(const struct gput__history_filter *f, struct gput__buf *sql)
{
    gput__buf_printf(sql, "SELECT runs.number, %s, runs.* FROM runs%s WHERE 1",
                     f->wants_demand ? "demands.demand" : "NULL",
                     f->wants_demand ? " LEFT JOIN demands ON demands.number = runs.number" : "");
    if (f->job_name)
        gput__buf_puts(sql, " AND job_name = ?1");
    if (f->command)
        gput__buf_puts(sql, " AND instr(command, ?2)");
    if (f->tag)
        gput__buf_puts(sql, " AND instr(char(10) || tags, char(10) || ?3 || char(10))");
    if (f->run && is_a_number(f->run))
        gput__buf_puts(sql, " AND runs.number = ?4");
    else if (f->run)
        gput__buf_puts(sql, " AND substr(run_id, 1, length(?4)) = ?4");
    if (f->since > 0)
        gput__buf_puts(sql, " AND start_time >= ?5");
    gput__buf_puts(sql, " ORDER BY runs.number DESC");
    if (f->limit > 0)
        gput__buf_puts(sql, " LIMIT ?6");
}

static void bind(sqlite3_stmt *s, const struct gput__history_filter *f)
{
    (void)s;
    if (f->job_name)
        (void)sqlite3_bind_text(s, 1, f->job_name, -1, SQLITE_STATIC);
    if (f->command)
        (void)sqlite3_bind_text(s, 2, f->command, -1, SQLITE_STATIC);
    if (f->tag)
        (void)sqlite3_bind_text(s, 3, f->tag, -1, SQLITE_STATIC);
    if (f->run)
        (void)sqlite3_bind_text(s, 4, f->run, -1, SQLITE_STATIC);
    if (f->since > 0)
        (void)sqlite3_bind_double(s, 5, f->since);
    if (f->limit > 0)
        (void)sqlite3_bind_int64(s, 6, f->limit);
}

/* By name: a file may have been brought up by a version with more of them. */
static bool find_columns(struct reader *rd)
{
    for (int i = 0; i < GPUT__N_HISTORY_COLUMNS; i++) {
        rd->column[i] = -1;
        for (int k = FIRST; k < sqlite3_column_count(rd->rows); k++)
            if (strcmp(sqlite3_column_name(rd->rows, k), gput__history_column(i)) == 0)
                rd->column[i] = k;
    }
    return rd->column[GPUT__HISTORY_RUN_ID] >= 0;
}

static const char *text_of(const struct reader *rd, int i)
{
    return rd->column[i] < 0 ? NULL : (const char *)sqlite3_column_text(rd->rows, rd->column[i]);
}

static double number_of(const struct reader *rd, int i)
{
    int type = rd->column[i] < 0 ? SQLITE_BLOB : sqlite3_column_type(rd->rows, rd->column[i]);

    return type == SQLITE_FLOAT || type == SQLITE_INTEGER
               ? sqlite3_column_double(rd->rows, rd->column[i])
               : NAN;
}

static int whole_of(const struct reader *rd, int i)
{
    return rd->column[i] < 0 ? 0 : (int)sqlite3_column_int64(rd->rows, rd->column[i]);
}

static void read_row(const struct reader *rd, struct gput__history_run *ret)
{
    *ret = (struct gput__history_run){
        .number = sqlite3_column_int64(rd->rows, NUMBER),
        .demand = (const char *)sqlite3_column_text(rd->rows, DEMAND),
        .run_id = text_of(rd, GPUT__HISTORY_RUN_ID),
        .job_name = text_of(rd, GPUT__HISTORY_JOB_NAME),
        .command = text_of(rd, GPUT__HISTORY_COMMAND),
        .folder = text_of(rd, GPUT__HISTORY_FOLDER),
        .host = text_of(rd, GPUT__HISTORY_HOST),
        .version = text_of(rd, GPUT__HISTORY_VERSION),
        .tags = text_of(rd, GPUT__HISTORY_TAGS),
        .ending = text_of(rd, GPUT__HISTORY_ENDING),
        .oom = text_of(rd, GPUT__HISTORY_OOM),
        .start = number_of(rd, GPUT__HISTORY_START),
        .code = whole_of(rd, GPUT__HISTORY_CODE),
        .timed_out = whole_of(rd, GPUT__HISTORY_TIMED_OUT),
    };
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        ret->figure[i] = number_of(rd, GPUT__HISTORY_FIGURES + i);
}

static int read_rows(struct reader *rd, int (*add)(void *, const struct gput__history_run *),
                     void *ctx)
{
    struct gput__history_run run;
    int code, r = 0;

    while (r == 0 && (code = sqlite3_step(rd->rows)) == SQLITE_ROW) {
        read_row(rd, &run);
        r = add(ctx, &run);
    }
    return r ? r : code == SQLITE_DONE ? 0 : -EIO;
}

static int read_all(struct reader *rd, const char *path, const struct gput__history_filter *filter,
                    int (*add)(void *, const struct gput__history_run *), void *ctx,
                    struct gput_error *ret_err)
{
    struct gput__buf sql = GPUT__BUF_INIT;
    int r;

    write_query(filter, &sql);
    r = sql.err ? SQLITE_NOMEM : sqlite3_prepare_v2(rd->db, sql.data, -1, &rd->rows, NULL);
    gput__buf_free(&sql);
    if (r != SQLITE_OK || !find_columns(rd))
        return gput__file_fail(-EBADMSG, path, ret_err, "it is no history of gpu-tracker: %s",
                               r == SQLITE_OK ? "other columns" : sqlite3_errmsg(rd->db));
    bind(rd->rows, filter);
    r = read_rows(rd, add, ctx);
    if (r == -EIO)
        return gput__file_fail(r, path, ret_err, "%s", sqlite3_errmsg(rd->db));
    return r;
}

int gput__history_read(const char *path, const struct gput__history_filter *filter,
                       int (*add)(void *ctx, const struct gput__history_run *run), void *ctx,
                       struct gput_error *ret_err)
{
    struct reader rd = { .db = NULL };
    int r;

    if (!GPUT__HAS_SQLITE)
        return gput__file_fail(-ENOSYS, path, ret_err, "this program was built without SQLite");
    if (access(path, R_OK) < 0) {
        r = -errno;
        return gput__file_fail(r, path, ret_err, "%s", strerror(-r));
    }
    r = open_database(&rd, path);
    if (r < 0)
        r = gput__file_fail(r, path, ret_err, "%s", strerror(-r));
    else
        r = read_all(&rd, path, filter, add, ctx, ret_err);
    (void)sqlite3_finalize(rd.rows);
    (void)sqlite3_close(rd.db);
    return r;
}

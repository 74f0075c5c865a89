/* history_schema.c - the tables of a history.
 *
 * PRAGMA user_version is the version of the form.  A file without tables has 0.  A column more is no new
 * version: it is added to files that have it not, and its old rows are null. */
#include "store/history/history_schema.h"

#include <errno.h>
#include <string.h>

enum { VERSION = 1 };

static const struct column {
    const char *name, *type;
} own[] = {
    [GPUT__HISTORY_RUN_ID] = { "run_id", "TEXT UNIQUE" },
    [GPUT__HISTORY_START] = { "start_time", "REAL" },
    [GPUT__HISTORY_JOB_NAME] = { "job_name", "TEXT" },
    [GPUT__HISTORY_COMMAND] = { "command", "TEXT" },
    [GPUT__HISTORY_FOLDER] = { "folder", "TEXT" },
    [GPUT__HISTORY_HOST] = { "host", "TEXT" },
    [GPUT__HISTORY_VERSION] = { "version", "TEXT" },
    [GPUT__HISTORY_TAGS] = { "tags", "TEXT" },
    [GPUT__HISTORY_ENDING] = { "ending", "TEXT" },
    [GPUT__HISTORY_CODE] = { "code", "INTEGER" },
    [GPUT__HISTORY_TIMED_OUT] = { "timed_out", "INTEGER" },
    [GPUT__HISTORY_OOM] = { "oom", "TEXT" },
};

const char *gput__history_column(int i)
{
    return i < GPUT__HISTORY_FIGURES ? own[i].name
                                     : gput__named_figures[i - GPUT__HISTORY_FIGURES].name;
}

static const char *type_of(int i)
{
    return i < GPUT__HISTORY_FIGURES ? own[i].type : "REAL";
}

void gput__history_columns(struct gput__buf *out)
{
    for (int i = 0; i < GPUT__N_HISTORY_COLUMNS; i++)
        gput__buf_printf(out, "%s%s", i ? ", " : "", gput__history_column(i));
}

static int exec(struct gput__db *d, struct gput__buf *sql)
{
    int r = sql->err ? sql->err : gput__db_exec(d, sql->data);

    gput__buf_free(sql);
    return r;
}

static int ask_number(struct gput__db *d, const char *sql, int64_t *ret)
{
    sqlite3_stmt *s = NULL;
    int r = gput__db_prepare(d, sql, &s);

    if (r == 0 && sqlite3_step(s) == SQLITE_ROW)
        *ret = sqlite3_column_int64(s, 0);
    (void)sqlite3_finalize(s);
    return r;
}

static int create(struct gput__db *d)
{
    struct gput__buf sql = GPUT__BUF_INIT;

    gput__buf_puts(&sql, "CREATE TABLE runs (number INTEGER PRIMARY KEY AUTOINCREMENT");
    for (int i = 0; i < GPUT__N_HISTORY_COLUMNS; i++)
        gput__buf_printf(&sql, ", %s %s", gput__history_column(i), type_of(i));
    gput__buf_printf(&sql,
                     "); CREATE TABLE demands (number INTEGER PRIMARY KEY, demand TEXT);"
                     "PRAGMA user_version=%d",
                     VERSION);
    return exec(d, &sql);
}

/* Which of our columns the table has. */
static int find_columns(struct gput__db *d, bool has[GPUT__N_HISTORY_COLUMNS])
{
    sqlite3_stmt *s = NULL;
    int r = gput__db_prepare(d, "PRAGMA table_info(runs)", &s);

    while (r == 0 && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 1);

        for (int i = 0; name && i < GPUT__N_HISTORY_COLUMNS; i++)
            has[i] |= strcmp(name, gput__history_column(i)) == 0;
    }
    (void)sqlite3_finalize(s);
    return r;
}

static int add_columns(struct gput__db *d)
{
    bool has[GPUT__N_HISTORY_COLUMNS] = { false };
    int r = find_columns(d, has);

    if (r == 0 && !has[GPUT__HISTORY_RUN_ID])
        return -EINVAL; /* tables of something else */
    for (int i = 0; i < GPUT__N_HISTORY_COLUMNS && r == 0; i++) {
        struct gput__buf sql = GPUT__BUF_INIT;

        if (has[i])
            continue;
        gput__buf_printf(&sql, "ALTER TABLE runs ADD COLUMN %s %s", gput__history_column(i),
                         type_of(i));
        r = exec(d, &sql);
    }
    return r;
}

int gput__history_bring_up(struct gput__db *d)
{
    int64_t version = 0, n_tables = 0;
    int r = ask_number(d, "PRAGMA user_version", &version);

    if (r == 0)
        r = ask_number(d, "SELECT count(*) FROM sqlite_master", &n_tables);
    if (r < 0)
        return r;
    if (version > VERSION)
        return -EPROTO;
    if (version == 0)
        return n_tables ? -EINVAL : create(d);
    return add_columns(d);
}

/* history.c - adds runs to the file of all runs, and removes old ones.
 *
 * Each run is one transaction, so a killed writer leaves the whole run or nothing of it.  Here, unlike for
 * tracking files, the disk is waited for: a history outlives the machine's power. */
#include "store/history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/netfs.h"
#include "store/files/table.h"
#include "store/files/unsafe_path.h"
#include "store/files/user_file.h"
#include "store/history/history_schema.h"
#include "store/records/records.h"

/* Each of a hundred that end at once has its turn by then. */
#define PATIENCE_NS (30 * GPUT__NS_PER_S)

static const char *why_not(int r)
{
    switch (r) {
    case -EREMOTE:
        return "it is on a file system of a network, where locks cannot be trusted; name a local file";
    case -EBUSY:
        return "another program has held it for too long";
    case -EPROTO:
        return "a newer version of gpu-tracker made it";
    case -EINVAL:
    case -EBADMSG:
        return "it is no history of gpu-tracker";
    case -ENOSYS:
        return "this program was built without SQLite";
    default:
        return gput__why_unwritten(r);
    }
}

static int fail(int r, const char *path, struct gput_error *ret_err)
{
    return r < 0 ? gput__file_fail(r, path, ret_err, "%s", why_not(r)) : 0;
}

/* Its name without links, whether it was there or has just been made; 0 or a negative errno. */
static int open_file(const char *path, char **ret_real)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0600), r;

    if (fd < 0)
        fd = errno == EEXIST ? gput_file_open(path, O_RDWR | O_CLOEXEC) : -errno;
    if (fd < 0)
        return fd;
    r = gput__netfs_has(fd) ? -EREMOTE : gput__real_name(fd, path, ret_real);
    close(fd); /* before SQLite has the file: this would end its locks */
    return r;
}

static int open_database(struct gput__db *d, const char *path)
{
    char *real = NULL;
    int r = GPUT__HAS_SQLITE ? open_file(path, &real) : -ENOSYS;

    if (r < 0)
        return r;
    d->patience_ns = PATIENCE_NS; /* opening meets those who write, too */
    r = gput__db_open(d, real);
    free(real);
    if (r < 0)
        return r;
    r = gput__db_exec(d, "PRAGMA synchronous=NORMAL");
    if (r == 0)
        r = gput__db_begin(d);
    if (r == 0)
        r = gput__history_bring_up(d);
    if (r < 0) {
        gput__db_rollback(d);
        gput__db_close(d);
    }
    return r;
}

/* What was begun when it was opened is committed if all went well. */
static int close_database(struct gput__db *d, int r)
{
    if (r == 0)
        r = gput__db_commit(d);
    else
        gput__db_rollback(d);
    gput__db_close(d);
    return r;
}

/* --- adding ----------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    (void)s; /* a build without SQLite has no use for them */
    (void)at;
    if (text)
        (void)sqlite3_bind_text(s, at, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *s, int at, double value)
{
    (void)s;
    (void)at;
    if (!isnan(value))
        (void)sqlite3_bind_double(s, at, value);
}

/* What is not bound is null. */
static void bind_run(sqlite3_stmt *s, const struct gput__history_run *run)
{
    bind_text(s, GPUT__HISTORY_RUN_ID + 1, run->run_id);
    bind_number(s, GPUT__HISTORY_START + 1, run->start);
    bind_text(s, GPUT__HISTORY_JOB_NAME + 1, run->job_name);
    bind_text(s, GPUT__HISTORY_COMMAND + 1, run->command);
    bind_text(s, GPUT__HISTORY_FOLDER + 1, run->folder);
    bind_text(s, GPUT__HISTORY_HOST + 1, run->host);
    bind_text(s, GPUT__HISTORY_VERSION + 1, run->version);
    bind_text(s, GPUT__HISTORY_TAGS + 1, run->tags);
    bind_text(s, GPUT__HISTORY_ENDING + 1, run->ending);
    (void)sqlite3_bind_int(s, GPUT__HISTORY_CODE + 1, run->code);
    (void)sqlite3_bind_int(s, GPUT__HISTORY_TIMED_OUT + 1, run->timed_out);
    bind_text(s, GPUT__HISTORY_OOM + 1, run->oom);
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        bind_number(s, GPUT__HISTORY_FIGURES + 1 + i, run->figure[i]);
}

static int insert_run(struct gput__db *d, const struct gput__history_run *run)
{
    struct gput__buf sql = GPUT__BUF_INIT;
    sqlite3_stmt *s = NULL;
    int r;

    /* One that is there already (collected twice) stays as it is. */
    gput__buf_puts(&sql, "INSERT OR IGNORE INTO runs (");
    gput__history_columns(&sql);
    gput__buf_puts(&sql, ") VALUES (?");
    for (int i = 1; i < GPUT__N_HISTORY_COLUMNS; i++)
        gput__buf_puts(&sql, ", ?");
    gput__buf_puts(&sql, ")");
    r = sql.err ? sql.err : gput__db_prepare(d, sql.data, &s);
    gput__buf_free(&sql);
    if (r == 0) {
        bind_run(s, run);
        r = gput__db_run(d, s);
    }
    (void)sqlite3_finalize(s);
    return r;
}

static int insert_demand(struct gput__db *d, const struct gput__history_run *run)
{
    sqlite3_stmt *s = NULL;
    int r = gput__db_prepare(d,
                             "INSERT OR IGNORE INTO demands "
                             "SELECT number, ?1 FROM runs WHERE run_id = ?2",
                             &s);

    if (r == 0) {
        bind_text(s, 1, run->demand);
        bind_text(s, 2, run->run_id);
        r = gput__db_run(d, s);
    }
    (void)sqlite3_finalize(s);
    return r;
}

int gput__history_add(const char *path, const struct gput__history_run *run,
                      struct gput_error *ret_err)
{
    struct gput__db d = { .db = NULL };
    int r = gput__make_folders(path);

    if (r == 0)
        r = open_database(&d, path);
    if (r < 0)
        return fail(r, path, ret_err);
    r = insert_run(&d, run);
    if (r == 0 && run->demand)
        r = insert_demand(&d, run);
    return fail(close_database(&d, r), path, ret_err);
}

/* The nearest folder above that is there, if files may be made in it; a negative errno. */
static int open_folder_above(const char *path)
{
    char *copy = strdup(path), *slash = NULL;
    int fd = -ENOENT;

    while (copy && fd == -ENOENT && (slash = strrchr(copy, '/'))) {
        *slash = '\0';
        fd = open(*copy ? copy : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        fd = fd < 0 ? -errno : fd;
    }
    if (copy && !slash) {
        fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        fd = fd < 0 ? -errno : fd;
    }
    free(copy);
    if (fd >= 0 && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0) {
        close(fd);
        return -EACCES;
    }
    return fd;
}

int gput__history_check(const char *path, struct gput_error *ret_err)
{
    int fd, r = GPUT__HAS_SQLITE ? 0 : -ENOSYS;
    struct stat st;

    if (r < 0)
        return fail(r, path, ret_err);
    fd = stat(path, &st) == 0 ? gput_file_open(path, O_RDWR | O_CLOEXEC) : open_folder_above(path);
    if (fd < 0)
        return fail(fd, path, ret_err);
    r = gput__netfs_has(fd) ? -EREMOTE : 0;
    close(fd);
    return fail(r, path, ret_err);
}

/* --- pruning ---------------------------------------------------------------------------------- */

static int delete_runs(struct gput__db *d, double before, int64_t keep)
{
    sqlite3_stmt *s = NULL;
    int r =
        gput__db_prepare(d,
                         "DELETE FROM runs WHERE start_time < ?1 OR (?2 > 0 AND number NOT IN "
                         "(SELECT number FROM runs WHERE start_time IS NULL OR start_time >= ?1 "
                         "ORDER BY number DESC LIMIT ?2))",
                         &s);

    if (r == 0) {
        (void)sqlite3_bind_double(s, 1, before);
        (void)sqlite3_bind_int64(s, 2, keep);
        r = gput__db_run(d, s);
    }
    (void)sqlite3_finalize(s);
    return r;
}

static int64_t count_runs(struct gput__db *d)
{
    sqlite3_stmt *s = NULL;
    int64_t n = 0;

    if (gput__db_prepare(d, "SELECT count(*) FROM runs", &s) == 0 && sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int64(s, 0);
    (void)sqlite3_finalize(s);
    return n;
}

int gput__history_prune(const char *path, double before, int64_t keep, int64_t *ret_n,
                        struct gput_error *ret_err)
{
    struct gput__db d = { .db = NULL };
    int64_t n;
    int r = access(path, F_OK) < 0 ? -errno : open_database(&d, path);

    if (r < 0)
        return fail(r, path, ret_err);
    n = count_runs(&d);
    r = delete_runs(&d, before, keep);
    if (r == 0)
        r = gput__db_exec(&d, "DELETE FROM demands WHERE number NOT IN (SELECT number FROM runs)");
    n -= count_runs(&d);
    r = fail(close_database(&d, r), path, ret_err);
    if (r == 0)
        *ret_n = n;
    return r;
}

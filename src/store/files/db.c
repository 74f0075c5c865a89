/* db.c - an SQLite file that we write: how it is opened, waited for, and what its errors mean. */
#include "store/files/db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* Between two tries for a lock; a transaction of ours takes a twentieth of it. */
#define STEP_NS GPUT__NS_PER_MS

/* SQLite's own handler sleeps whole seconds where it was built without usleep(). */
static int wait_a_little(void *ctx, int n_tries)
{
    struct gput__db *d = ctx;
    struct timespec step = { .tv_nsec = STEP_NS };
    int64_t now = gput__now();

    if (n_tries == 0)
        d->until_ns = now + d->patience_ns;
    if (now >= d->until_ns)
        return 0;
    nanosleep(&step, NULL);
    return 1;
}

static int error_of(const struct gput__db *d, int code)
{
    int extended = sqlite3_extended_errcode(d->db);
    int system_errno = sqlite3_system_errno(d->db);

    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
        return 0;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return -EBUSY;
    case SQLITE_FULL:
        return -ENOSPC;
    case SQLITE_NOMEM:
        return -ENOMEM;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return -EBADMSG;
    case SQLITE_READONLY: /* someone has moved or removed the file */
        return extended == SQLITE_READONLY_DBMOVED ? -ENOENT : -EROFS;
    case SQLITE_ERROR: /* the file has other tables than we expect */
        return -EINVAL;
    default:
        return system_errno > 0 ? -system_errno : -EIO;
    }
}

int gput__db_exec(struct gput__db *d, const char *sql)
{
    return error_of(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}

int gput__db_prepare(struct gput__db *d, const char *sql, sqlite3_stmt **ret)
{
    return error_of(d, sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL));
}

int gput__db_run(struct gput__db *d, sqlite3_stmt *statement)
{
    int r = error_of(d, sqlite3_step(statement));

    (void)sqlite3_reset(statement); /* says what the step said */
    return r;
}

#ifndef SQLITE_OPEN_NOFOLLOW /* before 3.31 */
#define SQLITE_OPEN_NOFOLLOW 0
#endif

int gput__db_open(struct gput__db *d, const char *path)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    int r = sqlite3_open_v2(path, &d->db, flags, NULL);

    if (r != SQLITE_OK) {
        r = d->db ? error_of(d, r) : -ENOMEM;
        gput__db_close(d);
        return r;
    }
    (void)sqlite3_busy_handler(d->db, wait_a_little, d);
    r = gput__db_exec(d, "PRAGMA synchronous=OFF");
    if (r == 0) /* some distributions build it with automatic vacuum, which costs two pages a row */
        r = gput__db_exec(d, "PRAGMA auto_vacuum=NONE");
    if (r == 0)
        r = gput__db_exec(d, "PRAGMA journal_mode=PERSIST");
    if (r == 0) /* not IMMEDIATE: a reader would be met at the end only, with all the work done */
        r = gput__db_prepare(d, "BEGIN EXCLUSIVE", &d->begin);
    if (r == 0)
        r = gput__db_prepare(d, "COMMIT", &d->commit);
    if (r == 0)
        r = gput__db_prepare(d, "ROLLBACK", &d->rollback);
    if (r < 0)
        gput__db_close(d);
    return r;
}

void gput__db_close(struct gput__db *d)
{
    if (!d->db)
        return;
    sqlite3_finalize(d->begin);
    sqlite3_finalize(d->commit);
    sqlite3_finalize(d->rollback);
    d->begin = d->commit = d->rollback = NULL;
    d->patience_ns = 0;
    (void)gput__db_exec(d, "PRAGMA journal_mode=DELETE"); /* does not leave the journal behind */
    sqlite3_close_v2(d->db);
    d->db = NULL;
}

int gput__db_begin(struct gput__db *d)
{
    return gput__db_run(d, d->begin);
}

int gput__db_commit(struct gput__db *d)
{
    int r = gput__db_run(d, d->commit);

    if (r < 0)
        gput__db_rollback(d);
    return r;
}

void gput__db_rollback(struct gput__db *d)
{
    if (!sqlite3_get_autocommit(d->db)) /* some failures have rolled back already */
        (void)gput__db_run(d, d->rollback);
}

int gput__db_empty(int fd, const char *path)
{
    static const char *const companions[] = { "-journal", "-wal", "-shm" };
    size_t size = strlen(path) + sizeof("-journal");
    char *name = malloc(size);
    int r = 0;

    if (!name)
        return -ENOMEM;
    for (size_t i = 0; i < sizeof(companions) / sizeof(*companions); i++) {
        snprintf(name, size, "%s%s", path, companions[i]);
        if (unlink(name) < 0 && errno != ENOENT && r == 0)
            r = -errno; /* SQLite would take it for a part of the file */
    }
    free(name);
    if (r < 0)
        return r;
    return ftruncate(fd, 0) < 0 && errno != EINVAL ? -errno : 0; /* EINVAL: a pipe or device */
}

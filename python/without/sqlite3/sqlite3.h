/* sqlite3.h - in the place of SQLite's where a build must do without it: nothing can be opened.
 *
 * Names that end in .sqlite are refused before any of this is reached (GPUT_WITHOUT_SQLITE). */
#ifndef WITHOUT_SQLITE3_H
#define WITHOUT_SQLITE3_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef int64_t sqlite3_int64;
typedef uint64_t sqlite3_uint64;

enum {
    SQLITE_OK = 0,
    SQLITE_ERROR = 1,
    SQLITE_BUSY = 5,
    SQLITE_LOCKED = 6,
    SQLITE_NOMEM = 7,
    SQLITE_READONLY = 8,
    SQLITE_CORRUPT = 11,
    SQLITE_FULL = 13,
    SQLITE_CANTOPEN = 14,
    SQLITE_NOTADB = 26,
    SQLITE_ROW = 100,
    SQLITE_DONE = 101,
    SQLITE_READONLY_DBMOVED = 1032,
    SQLITE_INTEGER = 1,
    SQLITE_FLOAT = 2,
    SQLITE_TEXT = 3,
    SQLITE_BLOB = 4,
    SQLITE_UTF8 = 1,
    SQLITE_OPEN_READONLY = 1,
    SQLITE_OPEN_READWRITE = 2,
    SQLITE_OPEN_NOMUTEX = 0x8000,
    SQLITE_PREPARE_PERSISTENT = 1,
};
#define SQLITE_STATIC NULL

/* The arguments are looked at, so that no variable is unused, and nothing is done. */
#define sqlite3_open_v2(path, db, flags, vfs) (*(db) = NULL, (void)(path), SQLITE_CANTOPEN)
#define sqlite3_close(db) ((void)(db), SQLITE_OK)
#define sqlite3_close_v2(db) ((void)(db), SQLITE_OK)
#define sqlite3_busy_handler(db, handler, ctx) ((void)(handler), (void)(ctx), SQLITE_OK)
#define sqlite3_busy_timeout(db, ms) ((void)(db), SQLITE_OK)
#define sqlite3_exec(db, sql, f, ctx, err) ((void)(db), (void)(sql), SQLITE_CANTOPEN)
#define sqlite3_prepare_v2(db, sql, n, s, tail) (*(s) = NULL, (void)(sql), SQLITE_CANTOPEN)
#define sqlite3_prepare_v3(db, sql, n, fl, s, tail) (*(s) = NULL, (void)(sql), SQLITE_CANTOPEN)
#define sqlite3_step(s) ((void)(s), SQLITE_CANTOPEN)
#define sqlite3_reset(s) ((void)(s), SQLITE_OK)
#define sqlite3_finalize(s) ((void)(s), SQLITE_OK)
#define sqlite3_bind_int(s, i, v) ((void)(v), SQLITE_OK)
#define sqlite3_bind_int64(s, i, v) ((void)(v), SQLITE_OK)
#define sqlite3_bind_double(s, i, v) ((void)(v), SQLITE_OK)
#define sqlite3_bind_text(s, i, v, n, f) ((void)(v), SQLITE_OK)
#define sqlite3_bind_text64(s, i, v, n, f, e) ((void)(v), (void)(n), SQLITE_OK)
#define sqlite3_column_count(s) ((void)(s), 0)
#define sqlite3_column_name(s, i) ((void)(s), (void)(i), (const char *)NULL)
#define sqlite3_column_type(s, i) ((void)(s), (void)(i), SQLITE_BLOB)
#define sqlite3_column_text(s, i) ((void)(s), (void)(i), (const unsigned char *)NULL)
#define sqlite3_column_bytes(s, i) ((void)(s), (void)(i), 0)
#define sqlite3_column_int64(s, i) ((void)(s), (void)(i), (sqlite3_int64)0)
#define sqlite3_column_double(s, i) ((void)(s), (void)(i), 0.0)
#define sqlite3_errmsg(db) ((void)(db), "this program was built without SQLite")
#define sqlite3_extended_errcode(db) ((void)(db), SQLITE_CANTOPEN)
#define sqlite3_system_errno(db) ((void)(db), ENOTSUP)
#define sqlite3_get_autocommit(db) ((void)(db), 1)
#define sqlite3_mprintf(...) ((char *)NULL)
#define sqlite3_free(p) ((void)(p))

#endif

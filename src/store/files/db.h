/* db.h - an SQLite file that we write: how it is opened, waited for, and what its errors mean.
 *
 * No WAL, which does not work over a network; a rollback journal that stays beside the file while
 * we write (the cheapest kind: 40 us for a row against 60 where it is removed each time).  Nothing
 * is synced: a killed process loses no committed row, a machine without power may. */
#ifndef GPUT_STORE_DB_H
#define GPUT_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct gput__db {
    sqlite3 *db; /* NULL: not open */
    sqlite3_stmt *begin, *commit, *rollback;
    int64_t patience_ns; /* how long a statement waits for other processes */
    int64_t until_ns;    /* of the present one */
};

/* Opens a file that exists, which may be empty; by a name without links in it: none are followed.  `d` must stay where it is.  Nothing is read or
 * locked yet. */
int gput__db_open(struct gput__db *d, const char *path);
/* A failed close of the journal leaves it there, to no harm.  Closed twice is fine. */
void gput__db_close(struct gput__db *d);

/* Each returns 0 or a negative errno; -EBUSY: others had it locked for all of our patience. */
int gput__db_exec(struct gput__db *d, const char *sql);
int gput__db_prepare(struct gput__db *d, const char *sql, sqlite3_stmt **ret);
/* Runs a statement that gives no rows, and makes it ready for the next time. */
int gput__db_run(struct gput__db *d, sqlite3_stmt *statement);

/* One transaction; after a failure it is as if nothing had been done. */
int gput__db_begin(struct gput__db *d);
int gput__db_commit(struct gput__db *d);
void gput__db_rollback(struct gput__db *d);

/* Empties a file, whatever it was, and removes what SQLite left beside it: an old journal would be
 * played back into the new file.  `fd` is open for writing, `path` its real path. */
int gput__db_empty(int fd, const char *path);

#endif

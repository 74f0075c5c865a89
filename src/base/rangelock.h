/* rangelock.h - locks between processes that belong to an open file, not to a process: closing
 * another descriptor does not end them, and two handles in one process keep each other out. */
#ifndef GPUT_BASE_RANGELOCK_H
#define GPUT_BASE_RANGELOCK_H

#include <stdint.h>

/* Single bytes far behind any data; SQLite's own are at 1 GiB. */
enum gput__rangelock {
    GPUT__LOCK_ALIVE, /* held shared by each writer, exclusively by the one that makes the file */
    GPUT__LOCK_WRITE, /* held alone during a write */
};

/* `kind` is F_RDLCK, F_WRLCK or F_UNLCK; an own lock is changed without a gap.  Waits at most so
 * long.  -EAGAIN: another process has it; anything else: there are no locks here. */
int gput__rangelock(int fd, enum gput__rangelock which, int kind, int64_t patience_ns);

#endif

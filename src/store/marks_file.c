/* marks_file.c - opens or makes a sub-tracking file, so that exactly one of many writes its head.
 *
 * Everybody who has the file open for marks holds GPUT__LOCK_ALIVE on it, shared.  Who gets it alone
 * knows that no living process writes, and may make, replace or mend the file.  The lock goes with
 * the process, however that ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rangelock.h"
#include "base/root.h"
#include "source/proc_stat.h"
#include "store/marks.h"
#include "store/table.h"

/* Making a file takes less than a millisecond; who holds the lock longer is stopped. */
#define PATIENCE_NS (10 * GPUT__NS_PER_S)

/* When the leader of our process group began, or else we, on the clock of gput__now(). */
static int job_start(int64_t *ret_ns)
{
    struct gput__proc_stat st;
    struct gput__root proc;
    char name[32], text[1024];
    int r = gput__root_open(NULL, "/proc", &proc);

    if (r < 0)
        return r;
    snprintf(name, sizeof(name), "%d/stat", (int)getpgrp());
    if (gput__root_read(&proc, name, text, sizeof(text)) < 0 &&
        gput__root_read(&proc, "self/stat", text, sizeof(text)) < 0)
        r = -ESRCH;
    gput__root_close(&proc);
    if (r == 0)
        r = gput__proc_stat_parse(text, &st);
    if (r == 0)
        *ret_ns = (int64_t)st.starttime * (GPUT__NS_PER_S / sysconf(_SC_CLK_TCK));
    return r;
}

/* Whether a file was last written since this job began. */
static bool is_of_this_job(const struct stat *st)
{
    int64_t age = gput__clock_ns(CLOCK_REALTIME) -
                  (st->st_mtim.tv_sec * GPUT__NS_PER_S + st->st_mtim.tv_nsec);
    int64_t start;

    return job_start(&start) == 0 && gput__now() - age >= start;
}

/* 1: nobody else has it; 0: it is shared with others, who are done with making it; -EAGAIN: ask
 * again.  Where there are no locks we are taken to be alone. */
static int enter(int fd)
{
    struct stat st;
    int r = gput__rangelock(fd, GPUT__LOCK_ALIVE, F_WRLCK, 0);

    if (r != -EAGAIN)
        return 1;
    if (gput__rangelock(fd, GPUT__LOCK_ALIVE, F_RDLCK, PATIENCE_NS) < 0)
        return -ETIMEDOUT;
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        return 0;
    /* Who was making it has been killed. */
    (void)gput__rangelock(fd, GPUT__LOCK_ALIVE, F_UNLCK, 0);
    return -EAGAIN;
}

static int begin(struct gput_marks *m, uint32_t flags, bool is_empty)
{
    int r = 0;

    m->is_exact = flags & GPUT_MARKS_EXACT;
    if (m->format == GPUT__FILE_SQLITE)
        r = gput__db_empty(m->fd, m->path); /* a journal may lie beside an empty file too */
    else if (!is_empty && ftruncate(m->fd, 0) < 0)
        r = -errno;
    if (r < 0)
        return r;
    return m->format == GPUT__FILE_CSV ? gput__marks_csv_begin(m) : gput__marks_sqlite_begin(m);
}

static int join(struct gput_marks *m, uint32_t flags, bool is_alone, struct gput_error *ret_err)
{
    int r = m->format == GPUT__FILE_CSV ? gput__marks_csv_join(m, is_alone)
                                        : gput__marks_sqlite_join(m);

    if (r == -EINVAL || r == -EBADMSG)
        return gput__file_fail(-EINVAL, m->path, ret_err,
                               "is not a sub-tracking file; name another one or let it be "
                               "overwritten");
    if (r == 0 && (flags & GPUT_MARKS_EXACT) && !m->is_exact)
        return gput__file_fail(-EINVAL, m->path, ret_err,
                               "has no columns for exact figures; name another file");
    return r < 0 ? gput__file_fail(r, m->path, ret_err, "%s", strerror(-r)) : 0;
}

static int settle(struct gput_marks *m, uint32_t flags, bool is_alone, struct gput_error *ret_err)
{
    struct stat st;
    int r;

    if (fstat(m->fd, &st) < 0)
        return gput__file_fail(-errno, m->path, ret_err, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return gput__file_fail(-EINVAL, m->path, ret_err, "is not a file");
    if (is_alone && (st.st_size == 0 || (flags & GPUT_MARKS_OVERWRITE))) {
        r = begin(m, flags, st.st_size == 0);
        return r < 0 ? gput__file_fail(r, m->path, ret_err, "%s", strerror(-r)) : 0;
    }
    if (is_alone && !(flags & GPUT_MARKS_APPEND) && !is_of_this_job(&st))
        return gput__file_fail(-EEXIST, m->path, ret_err,
                               "exists; name another file or let it be overwritten");
    return join(m, flags, is_alone, ret_err);
}

int gput__marks_file_open(struct gput_marks *m, const char *path, uint32_t flags,
                          struct gput_error *ret_err)
{
    int r;

    m->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (m->fd < 0)
        return gput__file_fail(-errno, path, ret_err, "cannot be written: %s", strerror(errno));
    m->path = realpath(path, NULL);
    if (!m->path)
        return gput__file_fail(-errno, path, ret_err, "%s", strerror(errno));
    do
        r = enter(m->fd);
    while (r == -EAGAIN);
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "another process has been opening it for long");
    r = settle(m, flags, r == 1, ret_err);
    if (r == 0)
        (void)gput__rangelock(m->fd, GPUT__LOCK_ALIVE, F_RDLCK, 0);
    return r;
}

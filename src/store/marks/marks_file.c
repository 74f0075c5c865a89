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
#include "source/proc/proc_stat.h"
#include "store/files/table.h"
#include "store/files/unsafe_path.h"
#include "store/marks/marks.h"

/* Making a file takes less than a millisecond; who holds the lock longer is stopped. */
#define PATIENCE_NS (10 * GPUT__NS_PER_S)
#define HEAD_PATIENCE_NS GPUT__NS_PER_S

/* In whose company a file is opened. */
enum company {
    IN_COMPANY, /* a living process writes to it */
    ALONE,
    UNKNOWN, /* there are no locks here */
};

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

/* Whether a file was last written since this program began, or this job if that is not told.  The
 * clocks are asked in this order so that a pause between them makes the file younger, not older. */
static bool is_of_this_run(const struct stat *st, int64_t since_ns)
{
    int64_t age = gput__clock_ns(CLOCK_REALTIME) -
                  (st->st_mtim.tv_sec * GPUT__NS_PER_S + st->st_mtim.tv_nsec);
    int64_t written = gput__now() - age;

    if (!since_ns && job_start(&since_ns) < 0)
        return false;
    return written >= since_ns;
}

/* Where there are no locks: who made the file writes its head, others wait for it a while. */
static void wait_for_head(int fd, bool is_maker)
{
    struct timespec step = { .tv_nsec = GPUT__NS_PER_MS };
    int64_t until = gput__now() + HEAD_PATIENCE_NS;
    struct stat st;

    while (!is_maker && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 &&
           gput__now() < until)
        nanosleep(&step, NULL);
}

/* An enum company; those who are there are done with making the file.  -EAGAIN: ask again. */
static int enter(int fd, bool is_maker)
{
    struct stat st;
    int r = gput__rangelock(fd, GPUT__LOCK_ALIVE, F_WRLCK, 0);

    if (r == 0)
        return ALONE;
    if (r != -EAGAIN) {
        wait_for_head(fd, is_maker);
        return UNKNOWN;
    }
    if (gput__rangelock(fd, GPUT__LOCK_ALIVE, F_RDLCK, PATIENCE_NS) < 0)
        return -ETIMEDOUT;
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        return IN_COMPANY;
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
                               flags & GPUT_MARKS_OVERWRITE
                                   ? "is in use or of this run, and not a sub-tracking file; "
                                     "name another one"
                                   : "is not a sub-tracking file; name another one or let it be "
                                     "overwritten");
    if (r == 0 && (flags & GPUT_MARKS_EXACT) && !m->is_exact)
        return gput__file_fail(-EINVAL, m->path, ret_err,
                               "has no columns for exact figures; name another file");
    return r < 0 ? gput__file_fail(r, m->path, ret_err, "%s", strerror(-r)) : 0;
}

/* Whether it is to be begun anew.  A worker that asks for it must not lose what an earlier one of
 * its program wrote, nor, as far as can be told without locks, what one writes that lives. */
static bool is_to_be_begun(const struct stat *st, uint32_t flags, int64_t since_ns,
                           enum company company)
{
    if (company == IN_COMPANY)
        return false;
    if (st->st_size == 0)
        return true;
    if (!(flags & GPUT_MARKS_OVERWRITE))
        return false;
    return (!since_ns && company == ALONE) || !is_of_this_run(st, since_ns);
}

static int begin_or_join(struct gput_marks *m, uint32_t flags, int64_t since_ns,
                         enum company company, struct gput_error *ret_err)
{
    struct stat st;
    int r;

    if (fstat(m->fd, &st) < 0)
        return gput__file_fail(-errno, m->path, ret_err, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return gput__file_fail(-EINVAL, m->path, ret_err, "is not a file");
    if (is_to_be_begun(&st, flags, since_ns, company)) {
        r = begin(m, flags, st.st_size == 0);
        return r < 0 ? gput__file_fail(r, m->path, ret_err, "%s", strerror(-r)) : 0;
    }
    if (company != IN_COMPANY && !(flags & (GPUT_MARKS_APPEND | GPUT_MARKS_OVERWRITE)) &&
        !is_of_this_run(&st, since_ns))
        return gput__file_fail(-EEXIST, m->path, ret_err,
                               "exists; name another file or let it be overwritten");
    return join(m, flags, company == ALONE, ret_err);
}

int gput__marks_file_open(struct gput_marks *m, const char *path, uint32_t flags, int64_t since_ns,
                          struct gput_error *ret_err)
{
    int how = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    bool is_maker;
    int r;

    m->fd = open(path, how | O_EXCL, 0666);
    is_maker = m->fd >= 0;
    if (!is_maker)
        m->fd = gput_file_open(path, how);
    if (m->fd < 0)
        return gput__file_fail(m->fd, path, ret_err, "cannot be written: %s",
                               gput__why_unwritten(m->fd));
    r = gput__real_name(m->fd, path, &m->path);
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", gput__why_unwritten(r));
    do
        r = enter(m->fd, is_maker);
    while (r == -EAGAIN);
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "another process has been opening it for long");
    r = begin_or_join(m, flags, since_ns, (enum company)r, ret_err);
    if (r == 0)
        (void)gput__rangelock(m->fd, GPUT__LOCK_ALIVE, F_RDLCK, 0);
    return r;
}

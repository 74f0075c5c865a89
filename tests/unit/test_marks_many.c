/* test_marks_many.c - marks of many processes and threads in one file: forks, races, locks. */
#include <pthread.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/netfs.h"
#include "base/rangelock.h"
#include "marks_fixture.h"
#include "tap.h"

/* --- threads and forks ---------------------------------------------------------------------- */

static void *in_a_thread(void *m)
{
    mark_twice(m);
    return (void *)(intptr_t)gettid();
}

static void threads(void)
{
    struct gput_marks *m = opened("m.csv", 0);
    char text[1024], first[32], other[32];
    pthread_t thread;
    void *tid;

    mark_twice(m);
    pthread_create(&thread, NULL, in_a_thread, m);
    pthread_join(thread, &tid);
    gput_marks_close(m);
    gput__root_read(&f.root, "m.csv", text, sizeof(text));
    snprintf(first, sizeof(first), "\n%d,block,1,", (int)getpid());
    snprintf(other, sizeof(other), "\n%d,block,1,", (int)(intptr_t)tid);
    OK(strstr(text, first) && strstr(text, other) && (intptr_t)tid != getpid(),
       "the first thread marks as its process, another one as itself");
    fixture_remove(&f, "m.csv");
}

/* Parent and child go on with one handle, and a grandchild with the child's. */
static void forks(const char *name)
{
    struct gput_marks *m = opened(name, GPUT_MARKS_EXACT);
    pid_t pid;

    mark_twice(m);
    pid = fork();
    if (pid == 0) {
        mark_twice(m);
        pid = fork();
        if (pid)
            _exit(ended(pid) != 0 || gput_marks_close(m) != 0);
        mark_twice(m);
        _exit(gput_marks_close(m) != 0);
    }
    mark_twice(m);
    OK(ended(pid) == 0, "%s: a handle goes on in the children of a fork", name);
    mark_twice(m);
    gput_marks_close(m);
    OK(count(name) == 10, "%s: all marks are there", name);
    fixture_remove(&f, name);
}

static void unused_after_fork(const char *name)
{
    struct gput_marks *m = opened(name, 0);
    pid_t pid;

    mark_twice(m);
    pid = fork();
    if (pid == 0)
        _exit(gput_marks_close(m) != 0);
    OK(ended(pid) == 0, "%s: a child may close what it did not use", name);
    mark_twice(m);
    gput_marks_close(m);
    OK(count(name) == 4, "%s: to no harm of its parent", name);
    fixture_remove(&f, name);
}

static void *mark_for_a_while(void *m)
{
    for (int i = 0; i < 300; i++)
        mark_twice(m);
    return NULL;
}

static void forks_among_threads(const char *name)
{
    struct gput_marks *m = opened(name, 0);
    pthread_t busy[4];
    int failed = 0;

    for (int i = 0; i < 4; i++)
        pthread_create(&busy[i], NULL, mark_for_a_while, m);
    for (int i = 0; i < 30; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            alarm(20);
            mark_twice(m);
            _exit(gput_marks_close(m) != 0);
        }
        failed += ended(pid) != 0;
    }
    for (int i = 0; i < 4; i++)
        pthread_join(busy[i], NULL);
    gput_marks_close(m);
    OK(failed == 0 && count(name) == 4 * 600 + 60,
       "%s: forks in the middle of other threads' marks", name);
    fixture_remove(&f, name);
}

/* All open a file that is not there, at the same time. */
static void a_race_for_the_header(const char *name)
{
    int failed = 0, wrong = 0;

    for (int round = 0; round < 20; round++) {
        pid_t pids[16];

        for (int i = 0; i < 16; i++) {
            pids[i] = fork();
            if (pids[i] == 0) {
                struct gput_marks *m = opened(name, i % 2 ? GPUT_MARKS_OVERWRITE : 0);

                mark_twice(m);
                usleep(50000); /* it lives until all have come */
                _exit(gput_marks_close(m) != 0);
            }
        }
        for (int i = 0; i < 16; i++)
            failed += ended(pids[i]) != 0;
        wrong += count(name) != 32;
        fixture_remove(&f, name);
    }
    OK(!failed && !wrong, "%s: one header, and nobody replaces what another has begun", name);
}

/* --- locks ---------------------------------------------------------------------------------- */

static bool is_remote(int fd)
{
    (void)fd;
    return true;
}

static double seconds_to_mark(bool (*where)(int fd), int lock_fd)
{
    struct gput_marks *m;
    int64_t since;
    pid_t pid = 0;

    fixture_need(gput__marks_open(path_of("m.csv"), 0, where, &m, NULL) == 0, "open");
    if (lock_fd >= 0) {
        gput__rangelock(lock_fd, GPUT__LOCK_WRITE, F_WRLCK, 0);
        pid = fork();
        if (pid == 0) {
            usleep(200000);
            gput__rangelock(lock_fd, GPUT__LOCK_WRITE, F_UNLCK, 0);
            _exit(0);
        }
    }
    since = gput__now();
    mark_twice(m);
    since = gput__now() - since;
    if (pid)
        ended(pid);
    gput_marks_close(m);
    return (double)since / 1e9;
}

static void network_locks(void)
{
    struct gput_marks *m = opened("m.csv", 0);
    int fd = open(path_of("m.csv"), O_RDWR | O_CLOEXEC);

    OK(seconds_to_mark(is_local, fd) < 0.1, "a local file needs no lock");
    OK(seconds_to_mark(is_remote, fd) > 0.1, "a file on a network takes one for each mark");
    OK(seconds_to_mark(is_remote, -1) < 0.1, "and gives it back");
    OK(count("m.csv") == 6, "the marks are there");
    close(fd);
    gput_marks_close(m);
    OK(gput__netfs_has_type(0x6969) && gput__netfs_has_type(0xff534d42) &&
           gput__netfs_has_type(0x65735546) && gput__netfs_has_type(0xffffffffff534d42),
       "NFS, CIFS and FUSE are networks");
    OK(!gput__netfs_has_type(0xef53) && !gput__netfs_has_type(0x01021994) &&
           !gput__netfs_has_type(0x794c7630) && !gput__netfs_has_type(0x58465342),
       "ext4, tmpfs, overlay and XFS are not");
    fixture_remove(&f, "m.csv");
}

static void a_reader_of_sqlite(void)
{
    struct gput_marks *m = opened("m.sqlite", 0);
    int64_t since;
    sqlite3 *db;

    mark_twice(m);
    sqlite3_open_v2(path_of("m.sqlite"), &db, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_exec(db, "BEGIN; SELECT * FROM data", NULL, NULL, NULL);
    since = gput__now();
    for (int i = 0; i < 100; i++)
        mark_twice(m);
    OK(gput__now() - since < 3 * GPUT__NS_PER_S, "a reader that stays is waited for once");
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
    mark_twice(m);
    OK(count("m.sqlite") == 204, "no mark is lost");
    gput_marks_close(m);
    fixture_remove(&f, "m.sqlite");
}

int main(void)
{
    fixture_begin(&f);
    threads();
    for (int i = 0; i < 2; i++) {
        forks(formats[i]);
        unused_after_fork(formats[i]);
        forks_among_threads(formats[i]);
        a_race_for_the_header(formats[i]);
    }
    network_locks();
    a_reader_of_sqlite();
    fixture_end(&f);
    return DONE();
}

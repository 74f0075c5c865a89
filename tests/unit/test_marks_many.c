/* test_marks_many.c - marks of many processes and threads in one file: forks, races, locks. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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

/* All open a file that is not there, at the same time; each lives until all have come. */
static void a_race_for_the_header(const char *name)
{
    int failed = 0, wrong = 0;

    for (int round = 0; round < 20; round++) {
        int come[2], go[2];
        pid_t pids[16];
        char byte = 0;

        failed += pipe(come) < 0 || pipe(go) < 0;
        for (int i = 0; i < 16; i++) {
            pids[i] = fork();
            if (pids[i] == 0) {
                struct gput_marks *m = opened(name, i % 2 ? GPUT_MARKS_OVERWRITE : 0);

                close(go[1]);
                mark_twice(m);
                (void)!write(come[1], &byte, 1);
                (void)!read(go[0], &byte, 1); /* ends when the parent closes its end */
                _exit(gput_marks_close(m) != 0);
            }
        }
        close(come[1]);
        for (int i = 0; i < 16; i++)
            failed += read(come[0], &byte, 1) != 1;
        close(come[0]);
        close(go[0]);
        close(go[1]);
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

static double seconds_to_mark(bool (*where)(int fd))
{
    struct gput_marks *m;
    int64_t since;

    fixture_need(gput__marks_open(path_of("m.csv"), 0, where, &m, NULL) == 0, "open");
    since = gput__now();
    mark_twice(m);
    since = gput__now() - since;
    gput_marks_close(m);
    return (double)since / 1e9;
}

/* Who waits for a lock in vain does so for ten seconds. */
static void network_locks(void)
{
    struct gput_marks *m = opened("m.csv", 0);
    int fd = open(path_of("m.csv"), O_RDWR | O_CLOEXEC);
    pid_t pid;

    gput__rangelock(fd, GPUT__LOCK_WRITE, F_WRLCK, 0);
    OK(seconds_to_mark(is_local) < 5, "a local file needs no lock");
    pid = fork();
    if (pid == 0)
        _exit(seconds_to_mark(is_remote) < 0);
    usleep(200000);
    OK(waitpid(pid, NULL, WNOHANG) == 0 && count("m.csv") == 2,
       "a file on a network takes one for each mark");
    gput__rangelock(fd, GPUT__LOCK_WRITE, F_UNLCK, 0);
    OK(ended(pid) == 0 && count("m.csv") == 4, "when it is free");
    OK(seconds_to_mark(is_remote) < 5, "and gives it back");
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

/* As where the kernel or the file system has none of this kind. */
static void forbid_locks(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_OFD_SETLK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

    fixture_need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
                 "seccomp");
}

/* Exits with 0, or the number of the first thing that is wrong. */
static void write_without_locks(const char *name)
{
    struct gput_marks *m, *second = NULL;
    int fd;

    forbid_locks();
    m = opened(name, 0);
    fd = m->fd;
    if (gput__rangelock(fd, GPUT__LOCK_ALIVE, F_RDLCK, 0) != -EINVAL)
        _exit(1);
    mark_twice(m);
    second = opened(name, GPUT_MARKS_OVERWRITE);
    if (count(name) != 2)
        _exit(2);
    mark_twice(second);
    mark_twice(m);
    gput_marks_close(second);
    gput_marks_close(m);
    if (count(name) != 6)
        _exit(3);
    make_old(name);
    if (open_marks(name, 0, &m) != -EEXIST)
        _exit(4);
    m = opened(name, GPUT_MARKS_OVERWRITE);
    if (count(name) != 0)
        _exit(5);
    gput_marks_close(m);
    _exit(0);
}

static void without_locks(const char *name)
{
    pid_t pid = fork();
    int status;

    if (pid == 0)
        write_without_locks(name);
    status = ended(pid);
    OK(status == 0, "%s: without locks a file of this job is never replaced (%d)", name,
       WEXITSTATUS(status));
    fixture_remove(&f, name);
}

static void an_unfinished_line_without_locks(void)
{
    static const char text[] = "process_id,code_block_name,position,timestamp\r\n1,a,0,";
    pid_t pid;

    fixture_write(&f, "m.csv", text);
    pid = fork();
    if (pid == 0) {
        forbid_locks();
        gput_marks_close(opened("m.csv", GPUT_MARKS_APPEND));
        _exit(!holds("m.csv", text));
    }
    OK(ended(pid) == 0, "without locks a last line that somebody may be writing is not cut");
    fixture_remove(&f, "m.csv");
}

static void a_race_without_locks(void)
{
    int failed = 0, wrong = 0;

    for (int round = 0; round < 20; round++) {
        pid_t pids[8];

        for (int i = 0; i < 8; i++) {
            pids[i] = fork();
            if (pids[i] == 0) {
                struct gput_marks *m;

                forbid_locks();
                m = opened("m.csv", GPUT_MARKS_OVERWRITE);
                mark_twice(m);
                _exit(gput_marks_close(m) != 0);
            }
        }
        for (int i = 0; i < 8; i++)
            failed += ended(pids[i]) != 0;
        wrong += count("m.csv") != 16;
        fixture_remove(&f, "m.csv");
    }
    OK(!failed && !wrong, "without locks too there is one header (%d, %d)", failed, wrong);
}

/* Whether this process has the lock of writers, as another one sees it: "Locking bytes" in SQLite's
 * os.h. */
static bool is_reserved(const char *name)
{
    struct flock lock = { .l_type = F_WRLCK, .l_start = 0x40000001, .l_len = 1 };
    pid_t pid = fork();

    if (pid == 0) {
        int fd = open(path_of(name), O_RDWR | O_CLOEXEC);

        _exit(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    }
    return ended(pid) == 0;
}

/* SQLite's locks are the process's: whoever closes the file in it ends them. */
static void an_analysis_of_sqlite(void)
{
    struct gput_marks *m = opened("m.sqlite", 0);
    struct gput_analysis *a = NULL;
    struct gput_error e;
    sqlite3 *db;

    mark_twice(m);
    sqlite3_open_v2(path_of("m.sqlite"), &db, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    OK(is_reserved("m.sqlite"), "a transaction of ours keeps others out");
    OK(gput_sub_analyze(NULL, path_of("m.sqlite"), NULL, &a, &e) == 0, "an analysis meanwhile");
    gput_analysis_close(a);
    OK(is_reserved("m.sqlite"), "leaves the locks of this process alone");
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    gput_marks_close(m);
    fixture_remove(&f, "m.sqlite");
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
    for (int i = 0; i < 2; i++)
        without_locks(formats[i]);
    an_unfinished_line_without_locks();
    a_race_without_locks();
    a_reader_of_sqlite();
    an_analysis_of_sqlite();
    fixture_end(&f);
    return DONE();
}

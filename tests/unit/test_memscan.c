/* test_memscan.c - memory scans over smaps files written by hand: the sums are checked by hand. */
#include "sample/memory/memscan.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture.h"
#include "tap.h"

#define KB UINT64_C(1024)

/* Fields in kB: Rss Pss Pss_Dirty Shared_Clean Private_Clean Private_Dirty Anonymous */
#define MAPPING(head, rss, pss, pd, sc, prc, prd, anon)                                            \
    head "\nRss: " #rss " kB\nPss: " #pss " kB\nPss_Dirty: " #pd " kB\nShared_Clean: " #sc         \
         " kB\nPrivate_Clean: " #prc " kB\nPrivate_Dirty: " #prd " kB\nAnonymous: " #anon " kB\n"
#define HEAP "10000-90000 rw-p 00000000 00:00 0 [heap]"
#define LIBRARY "a0000-b0000 r-xp 00000000 08:01 5 /lib/l.so"
#define DATA "b0000-c0000 rw-p 00010000 08:01 5 /lib/l.so"
#define SHM "d0000-f0000 rw-s 00000000 00:01 9 /dev/shm/s"

static struct gput__memscan_task task(pid_t pid, bool is_main, uint64_t known_kb)
{
    return (struct gput__memscan_task){
        .pid = pid, .is_main = is_main, .counts = true, .known_rss = known_kb * KB
    };
}

static struct gput__memscan scan_over(const struct fixture *f, struct gput__memscan_task *tasks,
                                      uint32_t n)
{
    struct gput__memscan scan = {
        .proc = f->root, .tasks = tasks, .n = n, .cap = n, .is_full = true, .with_files = n > 1
    };

    gput__memscan_run(&scan);
    return scan;
}

static bool rss_is(const struct gput__rss *r, uint64_t total, uint64_t own, uint64_t shared)
{
    return r->total == total * KB && r->private_rss == own * KB && r->shared_rss == shared * KB;
}

/* main and a worker share 60 kB of heap copy-on-write and a library; each has heap of its own. */
static void copy_on_write(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__memscan p;

    fixture_write(f, "10/smaps",
                  MAPPING(HEAP, 100, 70, 70, 60, 0, 40, 100)
                      MAPPING(LIBRARY, 50, 25, 0, 50, 0, 0, 0)
                          MAPPING(DATA, 10, 10, 10, 0, 2, 8, 8));
    fixture_write(f, "11/smaps",
                  MAPPING(HEAP, 80, 50, 50, 60, 0, 20, 80)
                      MAPPING(LIBRARY, 30, 15, 0, 30, 0, 0, 0));
    p = scan_over(f, tasks, 2);
    OK(p.complete && p.hidden == 0, "all was seen");
    OK(rss_is(&p.main, 160, 50, 110), "main: what it has mapped");
    /* anonymous 70 + 8 + 50, files 50 (the larger of the library) + 2 (clean data) */
    OK(rss_is(&p.combined, 180, 70, 110), "both: shared pages once");
    /* anonymous of all less main's own (40 + 8) + the worker's part of the library */
    OK(rss_is(&p.descendants, 110, 20, 90), "the worker with what it shares");
    OK(tasks[1].anon == 80 * KB && tasks[1].private_rss == 20 * KB && tasks[1].error == 0,
       "and each by itself");
}

static void shared_memory(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0),
                                          task(12, false, 0) };
    struct gput__memscan p;

    fixture_write(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    fixture_write(f, "11/smaps",
                  MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10) MAPPING(SHM, 100, 60, 0, 100, 0, 0, 0));
    fixture_write(f, "12/smaps",
                  MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10) MAPPING(SHM, 80, 40, 0, 80, 0, 0, 0));
    p = scan_over(f, tasks, 3);
    OK(rss_is(&p.combined, 130, 30, 100), "shared memory once");
    OK(rss_is(&p.descendants, 120, 20, 100), "main has none of it");
}

static void bounds(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__memscan p;

    /* Half of the pages are a stranger's too: Pss says less than one process has. */
    fixture_write(f, "10/smaps", MAPPING(HEAP, 100, 10, 10, 100, 0, 0, 100));
    fixture_write(f, "11/smaps", MAPPING(HEAP, 100, 10, 10, 100, 0, 0, 100));
    p = scan_over(f, tasks, 2);
    OK(p.combined.total == 100 * KB && p.descendants.total == 100 * KB,
       "never below the largest process");
    /* Read a moment apart: Pss may add up to more than there is. */
    fixture_write(f, "10/smaps", MAPPING(HEAP, 100, 150, 10, 0, 0, 100, 100));
    fixture_write(f, "11/smaps", MAPPING(HEAP, 100, 150, 10, 0, 0, 100, 100));
    tasks[0] = task(10, true, 0);
    tasks[1] = task(11, false, 0);
    p = scan_over(f, tasks, 2);
    OK(p.combined.total == 200 * KB && p.descendants.total == 100 * KB, "nor above the sum");
}

static void old_kernels(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__memscan p;

    fixture_write(f, "10/smaps",
                  DATA "\nRss: 20 kB\nPss: 15 kB\nShared_Clean: 8 kB\n"
                       "Private_Dirty: 12 kB\nAnonymous: 12 kB\n");
    fixture_write(f, "11/smaps",
                  DATA "\nRss: 10 kB\nPss: 5 kB\nShared_Clean: 8 kB\n"
                       "Private_Dirty: 2 kB\nAnonymous: 2 kB\n");
    p = scan_over(f, tasks, 2);
    OK(rss_is(&p.combined, 22, 14, 8),
       "without Pss_Dirty written pages are the private dirty ones");
}

static void alone(struct fixture *f)
{
    struct gput__memscan_task t = task(20, true, 0);
    struct gput__memscan p;

    fixture_write(f, "20/smaps_rollup",
                  MAPPING("1000-f000 ---p 00000000 00:00 0 [rollup]", 100, 60, 40, 50, 5, 45, 40));
    fixture_write(f, "20/smaps", MAPPING(HEAP, 1, 1, 1, 0, 0, 1, 1));
    p = scan_over(f, &t, 1);
    OK(rss_is(&p.main, 100, 50, 50) && rss_is(&p.combined, 100, 50, 50), "one alone: its rollup");
    OK(rss_is(&p.descendants, 0, 0, 0) && p.complete, "and no descendants");
    fixture_remove(f, "20/smaps_rollup");
    t = task(20, true, 0);
    p = scan_over(f, &t, 1);
    OK(rss_is(&p.combined, 1, 1, 0), "before Linux 4.14: smaps");
    t = task(20, false, 0);
    p = scan_over(f, &t, 1);
    OK(rss_is(&p.descendants, 1, 1, 0) && rss_is(&p.combined, 1, 1, 0) && rss_is(&p.main, 0, 0, 0),
       "a descendant that outlives main");
}

static void vanished(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(99, false, 5) };
    struct gput__memscan p;

    fixture_write(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    p = scan_over(f, tasks, 2);
    OK(!p.complete && tasks[1].error == -ESRCH && p.combined.total == 10 * KB,
       "one that vanished makes it incomplete");
    fixture_write(f, "99/smaps", "");
    tasks[0] = task(10, true, 0);
    tasks[1] = task(99, false, 5);
    p = scan_over(f, tasks, 2);
    OK(!p.complete && tasks[1].error == -ESRCH, "so does one without memory: it is about to go");
    fixture_remove(f, "99");
    tasks[0] = task(98, true, 5);
    p = scan_over(f, tasks, 1);
    OK(!p.complete && p.combined.total == 0, "main itself");
}

static void hidden(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(30, false, 70) };
    struct gput__memscan p;
    char path[64];

    fixture_write(f, "30/smaps", MAPPING(HEAP, 9, 9, 9, 0, 0, 9, 9));
    fixture_path(f, "30/smaps", path, sizeof(path));
    chmod(path, 0);
    if (geteuid() == 0) /* root may read all; a file that is no smaps is as little use */
        fixture_write(f, "30/smaps", "not for you\n");
    p = scan_over(f, tasks, 2);
    OK(p.complete && p.hidden == 1 && rss_is(&p.combined, 80, 80, 0) &&
           rss_is(&p.descendants, 70, 70, 0),
       "one that may not be read counts with what the poll knew");
    fixture_remove(f, "30");
}

static void young(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__memscan p;

    /* A child between fork and exec: main's pages, half of each Pss */
    fixture_write(f, "10/smaps", MAPPING(HEAP, 100, 50, 50, 100, 0, 0, 100));
    fixture_write(f, "11/smaps", MAPPING(HEAP, 100, 50, 50, 100, 0, 0, 100));
    tasks[1].counts = false;
    p = scan_over(f, tasks, 2);
    OK(p.complete && p.combined.total == 100 * KB, "its share of main's pages is main's");
    OK(p.descendants.total == 0 && p.descendants.private_rss == 0, "it has nothing of its own");
    fixture_write(f, "11/smaps", MAPPING(HEAP, 130, 80, 80, 100, 0, 30, 130));
    tasks[0] = task(10, true, 0);
    tasks[1] = task(11, false, 0);
    tasks[1].counts = false;
    p = scan_over(f, tasks, 2);
    OK(p.combined.total == 130 * KB && rss_is(&p.descendants, 30, 30, 0),
       "but what it took is, from its first page on");
}

/* Each of four has touched another quarter of what they share. */
static void slices(struct fixture *f)
{
    struct gput__memscan_task tasks[] = { task(10, true, 0), task(11, false, 0), task(12, false, 0),
                                          task(13, false, 0) };
    struct gput__memscan p;

    for (int pid = 10; pid < 14; pid++) {
        char name[16];

        snprintf(name, sizeof(name), "%d/smaps", pid);
        fixture_write(f, name, MAPPING(SHM, 32, 32, 0, 0, 0, 32, 0));
    }
    p = scan_over(f, tasks, 4);
    OK(rss_is(&p.combined, 128, 128, 0), "slices of shared memory are added up");
    OK(rss_is(&p.descendants, 96, 96, 0), "and private is not less than what was read");
}

static bool is_finished(struct gput__memscanner *s)
{
    struct pollfd wait = { .fd = gput__memscanner_fd(s), .events = POLLIN };

    return poll(&wait, 1, 10000) == 1 && gput__memscanner_done(s);
}

static void ask_for(struct gput__memscanner *s, pid_t pid)
{
    struct gput__memscan *scan = gput__memscanner_scan(s);

    if (!scan->tasks)
        scan->tasks = calloc(1, sizeof(*scan->tasks));
    scan->tasks[0] = task(pid, true, 0);
    scan->n = 1;
    scan->cap = 1;
    fixture_need(gput__memscanner_ask(s) == 0, "ask");
}

static void on_a_thread(struct fixture *f)
{
    struct gput__memscanner *s = gput__memscanner_open(&f->root);
    int again = 0;

    fixture_write(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    OK(!gput__memscanner_done(s), "nothing is done before it is asked for");
    for (int i = 0; i < 500; i++) {
        ask_for(s, 10);
        again += is_finished(s) && !gput__memscanner_done(s) &&
                 gput__memscanner_scan(s)->combined.total == 10 * KB;
    }
    OK(again == 500, "500 scans, one after the other");
    ask_for(s, 10);
    gput__memscanner_close(s);
    OK(1, "one that nobody takes does not keep it from closing");
    gput__memscanner_close(gput__memscanner_open(&f->root));
    gput__memscanner_close(NULL);
    OK(1, "nor does it take a scan to close");
}

/* A pipe that nobody writes to is as silent as a process that holds the lock of its memory map. */
static void one_that_hangs(struct fixture *f)
{
    struct gput__memscanner *s = gput__memscanner_open(&f->root);
    char path[64];
    int64_t begin;
    int fd;

    fixture_path(f, "10/smaps_rollup", path, sizeof(path));
    fixture_need(mkfifo(path, 0600) == 0, "mkfifo");
    ask_for(s, 10);
    fd = open(path, O_WRONLY); /* waits until the other end is open */
    begin = gput__clock_ns(CLOCK_MONOTONIC);
    gput__memscanner_close(s);
    OK(gput__clock_ns(CLOCK_MONOTONIC) - begin < 5 * GPUT__NS_PER_S,
       "a read that hangs is left behind");
    close(fd); /* it ends, and the thread cleans up */
    fixture_remove(f, "10/smaps_rollup");
    usleep(20000); /* so that a leak checker finds it so */
}

int main(void)
{
    struct fixture f;

    fixture_begin(&f);
    copy_on_write(&f);
    shared_memory(&f);
    bounds(&f);
    old_kernels(&f);
    alone(&f);
    vanished(&f);
    hidden(&f);
    young(&f);
    slices(&f);
    on_a_thread(&f);
    one_that_hangs(&f);
    fixture_end(&f);
    return DONE();
}

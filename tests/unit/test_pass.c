/* test_pass.c - memory passes over smaps files written by hand: the sums are checked by hand. */
#include "sample/pass.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

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

static struct gput__pass_task task(pid_t pid, bool is_main, uint64_t known_kb)
{
    return (struct gput__pass_task){
        .pid = pid, .is_main = is_main, .counts = true, .known_rss = known_kb * KB
    };
}

static struct gput__pass pass_over(const struct fixture *f, struct gput__pass_task *tasks,
                                   uint32_t n)
{
    struct gput__pass pass = { .proc = &f->root, .tasks = tasks, .n = n, .cap = n };

    gput__pass_run(&pass);
    return pass;
}

static bool rss_is(const struct gput__rss *r, uint64_t total, uint64_t own, uint64_t shared)
{
    return r->total == total * KB && r->private_rss == own * KB && r->shared_rss == shared * KB;
}

/* main and a worker share 60 kB of heap copy-on-write and a library; each has heap of its own. */
static void copy_on_write(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__pass p;

    fixture_put(f, "10/smaps",
                MAPPING(HEAP, 100, 70, 70, 60, 0, 40, 100) MAPPING(LIBRARY, 50, 25, 0, 50, 0, 0, 0)
                    MAPPING(DATA, 10, 10, 10, 0, 2, 8, 8));
    fixture_put(f, "11/smaps",
                MAPPING(HEAP, 80, 50, 50, 60, 0, 20, 80) MAPPING(LIBRARY, 30, 15, 0, 30, 0, 0, 0));
    p = pass_over(f, tasks, 2);
    OK(p.complete && !p.has_young && p.hidden == 0, "all was seen");
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
    struct gput__pass_task tasks[] = { task(10, true, 0), task(11, false, 0), task(12, false, 0) };
    struct gput__pass p;

    fixture_put(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    fixture_put(f, "11/smaps",
                MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10) MAPPING(SHM, 100, 60, 0, 100, 0, 0, 0));
    fixture_put(f, "12/smaps",
                MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10) MAPPING(SHM, 80, 40, 0, 80, 0, 0, 0));
    p = pass_over(f, tasks, 3);
    OK(rss_is(&p.combined, 130, 30, 100), "shared memory once");
    OK(rss_is(&p.descendants, 120, 20, 100), "main has none of it");
}

static void bounds(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__pass p;

    /* Half of the pages are a stranger's too: Pss says less than one process has. */
    fixture_put(f, "10/smaps", MAPPING(HEAP, 100, 10, 10, 100, 0, 0, 100));
    fixture_put(f, "11/smaps", MAPPING(HEAP, 100, 10, 10, 100, 0, 0, 100));
    p = pass_over(f, tasks, 2);
    OK(p.combined.total == 100 * KB && p.descendants.total == 100 * KB,
       "never below the largest process");
    /* Read a moment apart: Pss may add up to more than there is. */
    fixture_put(f, "10/smaps", MAPPING(HEAP, 100, 150, 10, 0, 0, 100, 100));
    fixture_put(f, "11/smaps", MAPPING(HEAP, 100, 150, 10, 0, 0, 100, 100));
    tasks[0] = task(10, true, 0);
    tasks[1] = task(11, false, 0);
    p = pass_over(f, tasks, 2);
    OK(p.combined.total == 200 * KB && p.descendants.total == 100 * KB, "nor above the sum");
}

static void old_kernels(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__pass p;

    fixture_put(f, "10/smaps",
                DATA "\nRss: 20 kB\nPss: 15 kB\nShared_Clean: 8 kB\n"
                     "Private_Dirty: 12 kB\nAnonymous: 12 kB\n");
    fixture_put(f, "11/smaps",
                DATA "\nRss: 10 kB\nPss: 5 kB\nShared_Clean: 8 kB\n"
                     "Private_Dirty: 2 kB\nAnonymous: 2 kB\n");
    p = pass_over(f, tasks, 2);
    OK(rss_is(&p.combined, 22, 14, 8),
       "without Pss_Dirty written pages are the private dirty ones");
}

static void alone(struct fixture *f)
{
    struct gput__pass_task t = task(20, true, 0);
    struct gput__pass p;

    fixture_put(f, "20/smaps_rollup",
                MAPPING("1000-f000 ---p 00000000 00:00 0 [rollup]", 100, 60, 40, 50, 5, 45, 40));
    fixture_put(f, "20/smaps", MAPPING(HEAP, 1, 1, 1, 0, 0, 1, 1));
    p = pass_over(f, &t, 1);
    OK(rss_is(&p.main, 100, 50, 50) && rss_is(&p.combined, 100, 50, 50), "one alone: its rollup");
    OK(rss_is(&p.descendants, 0, 0, 0) && p.complete, "and no descendants");
    fixture_remove(f, "20/smaps_rollup");
    t = task(20, true, 0);
    p = pass_over(f, &t, 1);
    OK(rss_is(&p.combined, 1, 1, 0), "before Linux 4.14: smaps");
    t = task(20, false, 0);
    p = pass_over(f, &t, 1);
    OK(rss_is(&p.descendants, 1, 1, 0) && rss_is(&p.combined, 1, 1, 0) && rss_is(&p.main, 0, 0, 0),
       "a descendant that outlives main");
}

static void vanished(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(99, false, 5) };
    struct gput__pass p;

    fixture_put(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    p = pass_over(f, tasks, 2);
    OK(!p.complete && tasks[1].error == -ESRCH && p.combined.total == 10 * KB,
       "one that vanished makes it incomplete");
    fixture_put(f, "99/smaps", "");
    tasks[0] = task(10, true, 0);
    tasks[1] = task(99, false, 5);
    p = pass_over(f, tasks, 2);
    OK(!p.complete && tasks[1].error == -ESRCH, "so does one without memory: it is about to go");
    fixture_remove(f, "99");
    tasks[0] = task(98, true, 5);
    p = pass_over(f, tasks, 1);
    OK(!p.complete && p.combined.total == 0, "main itself");
}

static void hidden(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(30, false, 70) };
    struct gput__pass p;
    char path[64];

    fixture_put(f, "30/smaps", MAPPING(HEAP, 9, 9, 9, 0, 0, 9, 9));
    fixture_path(f, "30/smaps", path, sizeof(path));
    chmod(path, 0);
    if (geteuid() == 0) /* root may read all; a file that is no smaps is as little use */
        fixture_put(f, "30/smaps", "not for you\n");
    p = pass_over(f, tasks, 2);
    OK(p.complete && p.hidden == 1 && rss_is(&p.combined, 80, 80, 0) &&
           rss_is(&p.descendants, 70, 70, 0),
       "one that may not be read counts with what the look knew");
    fixture_remove(f, "30");
}

static void young(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0), task(11, false, 0) };
    struct gput__pass p;

    /* A child between fork and exec: main's pages, half of each Pss */
    fixture_put(f, "10/smaps", MAPPING(HEAP, 100, 50, 50, 100, 0, 0, 100));
    fixture_put(f, "11/smaps", MAPPING(HEAP, 100, 50, 50, 100, 0, 0, 100));
    tasks[1].counts = false;
    p = pass_over(f, tasks, 2);
    OK(p.has_young && p.complete, "a child that was just forked is told");
    OK(p.combined.total == 100 * KB, "its share of main's pages is main's");
    OK(p.descendants.total == 0 && p.descendants.private_rss == 0, "it has nothing of its own");
}

static int finished(struct gput__passer *passer)
{
    struct pollfd wait = { .fd = passer->done, .events = POLLIN };

    return poll(&wait, 1, 10000) == 1;
}

/* Nobody is woken then, but who asks gets it. */
static void without_a_descriptor(struct gput__pass *pass)
{
    struct gput__passer passer;
    struct gput__pass *taken = NULL;

    gput__passer_open(&passer);
    close(passer.done);
    passer.done = -1;
    pass->tasks[0] = task(10, true, 0);
    OK(gput__passer_ask(&passer, pass) == 0, "no eventfd: it can be asked");
    for (int i = 0; i < 10000 && !taken; i++) {
        usleep(1000);
        taken = gput__passer_take(&passer);
    }
    OK(taken == pass && pass->combined.total == 10 * KB, "and the pass can be taken");
    gput__passer_close(&passer);
}

static void on_a_thread(struct fixture *f)
{
    struct gput__pass_task tasks[] = { task(10, true, 0) };
    struct gput__pass pass = { .proc = &f->root, .tasks = tasks, .n = 1 };
    struct gput__passer passer;
    int again = 0;

    fixture_put(f, "10/smaps", MAPPING(HEAP, 10, 10, 10, 0, 0, 10, 10));
    gput__passer_open(&passer);
    OK(!gput__passer_take(&passer), "nothing to take before it is asked");
    for (int i = 0; i < 500; i++) {
        tasks[0] = task(10, true, 0);
        again += gput__passer_ask(&passer, &pass) == 0 &&
                 gput__passer_ask(&passer, &pass) == -EBUSY && finished(&passer) &&
                 gput__passer_take(&passer) == &pass && !gput__passer_take(&passer) &&
                 pass.combined.total == 10 * KB;
    }
    OK(again == 500, "500 passes, one after the other");
    tasks[0] = task(10, true, 0);
    OK(gput__passer_ask(&passer, &pass) == 0, "one that nobody takes");
    gput__passer_close(&passer);
    OK(passer.done == -1, "closing waits for it");
    gput__passer_close(&passer);
    without_a_descriptor(&pass);
    gput__passer_open(&passer);
    gput__passer_close(&passer);
    OK(!passer.started, "a passer that was never asked");
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
    on_a_thread(&f);
    fixture_end(&f);
    return DONE();
}

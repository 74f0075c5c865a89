/* test_space.c - the space of file systems, some of which never answer. */
#include "sample/machine/space.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fixture.h"
#include "tap.h"

static const char mounts[] = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
                             "2 1 8:2 / /stuck rw - ext4 /dev/sdb1 rw\n"
                             "3 1 8:3 / /data rw - ext4 /dev/sdc1 rw\n"
                             "4 1 8:4 / /stuck2 rw - ext4 /dev/sdd1 rw\n";

/* --- file systems that answer, or do not ---------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_stuck;    /* those whose name says so do not answer */
static unsigned n_stuck; /* questions that hang now */
static unsigned n_asked;
static pthread_t asked_by; /* the last one who asked */
static unsigned long blocks;

static int tell(const char *path, struct statvfs *ret)
{
    pthread_mutex_lock(&lock);
    n_asked++;
    asked_by = pthread_self();
    if (!strncmp(path, "/stuck", 6) && is_stuck) {
        n_stuck++;
        pthread_cond_broadcast(&changed);
        while (is_stuck)
            pthread_cond_wait(&changed, &lock);
        n_stuck--;
        pthread_cond_broadcast(&changed);
    }
    *ret = (struct statvfs){ .f_frsize = 10, .f_blocks = blocks, .f_bfree = 4, .f_bavail = 3 };
    pthread_mutex_unlock(&lock);
    return 0;
}

static void set_stuck(bool stuck)
{
    pthread_mutex_lock(&lock);
    is_stuck = stuck;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void set_blocks(unsigned long n)
{
    pthread_mutex_lock(&lock);
    blocks = n;
    pthread_mutex_unlock(&lock);
}

static void wait_for_stuck(unsigned n)
{
    pthread_mutex_lock(&lock);
    while (n_stuck != n)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

/* The thread takes as long as it takes: a test that waits for ever is ended by its runner. */
static void read_until_total(struct gput__space *s, uint64_t total)
{
    while (!gput__space_wait(s, GPUT__NS_PER_S) || s->sum.total != total)
        sched_yield();
}

static void begin(struct fixture *f, struct gput__space *s)
{
    fixture_begin(f);
    fixture_write(f, "self/mountinfo", mounts);
    gput__space_open(s, &f->root, tell);
    set_blocks(10);
    n_asked = 0;
}

/* --- on the calling thread ------------------------------------------------------------------ */

static void at_once(void)
{
    struct gput__space s;
    struct fixture f;
    size_t n = 77;

    begin(&f, &s);
    OK(!s.has_thread && !gput__space_volumes(&s, &n) && n_asked == 0,
       "files in the place of /proc: no thread, and nobody is asked before the first read");
    gput__space_read(&s);
    OK(s.is_known && s.sum.total == 400 && s.sum.used == 240 && s.sum.free == 120 && n_asked == 4,
       "four file systems, added up");
    set_blocks(20);
    gput__space_read(&s);
    OK(s.sum.total == 800 && n_asked == 8, "and again at the next read");
    fixture_write(&f, "self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
    gput__space_read(&s);
    OK(s.sum.total == 200 && n_asked == 9, "what was unmounted is gone");
    fixture_remove(&f, "self/mountinfo");
    gput__space_read(&s);
    OK(!s.is_known, "no list of mounts: not known, not zero");
    gput__space_close(&s);
    fixture_end(&f);
}

/* --- on a thread of its own ----------------------------------------------------------------- */

static void on_a_thread(void)
{
    struct gput__sys_volume *volumes;
    struct gput__space s;
    struct fixture f;
    size_t n = 0;

    begin(&f, &s);
    s.has_thread = true;
    read_until_total(&s, 400);
    volumes = gput__space_volumes(&s, &n);
    OK(n == 4 && volumes && !strcmp(volumes[2].name, "/data") && volumes[2].space.used == 60,
       "a thread tells the same");
    free(volumes);
    OK(!s.why[0], "nothing is left out");
    gput__space_close(&s);
    fixture_end(&f);
}

/* Who answers from memory is asked at once, but for the first time: what is mounted is not known. */
static void prompt(void)
{
    struct gput__space s;
    struct fixture f;

    begin(&f, &s);
    f.root.live = true;
    s.has_thread = true;
    read_until_total(&s, 400);
    OK(!pthread_equal(asked_by, pthread_self()), "the first round runs on the thread");
    set_blocks(20);
    OK(gput__space_wait(&s, 0) && s.sum.total == 800 && pthread_equal(asked_by, pthread_self()),
       "the next ones do not wake it");
    s.asked_ns = 0; /* long ago */
    set_blocks(30);
    gput__space_read(&s);
    OK(s.sum.total == 1200, "and a read has what is so now");
    gput__space_close(&s);
    fixture_end(&f);
}

static void not_prompt(const char *what, uint64_t total, const char *mountinfo)
{
    struct gput__space s;
    struct fixture f;

    begin(&f, &s);
    fixture_write(&f, "self/mountinfo", mountinfo);
    f.root.live = true;
    s.has_thread = true;
    for (int i = 0; i < 3; i++)
        read_until_total(&s, total);
    OK(!pthread_equal(asked_by, pthread_self()), "%s: never on the calling thread", what);
    gput__space_close(&s);
    fixture_end(&f);
}

/* Two of four never answer: each read returns all the same, and those that do answer count. */
static void some_hang(void)
{
    struct gput__space s;
    struct fixture f;

    begin(&f, &s);
    s.has_thread = true;
    s.patience_ns = 0; /* whom we find waiting hangs */
    set_stuck(true);
    gput__space_read(&s);
    wait_for_stuck(1);
    OK(!s.is_known && s.n_hung == 0, "the read is back while the question hangs");
    gput__space_read(&s);
    OK(s.n_hung == 1 && !strcmp(s.why, "/stuck does not answer: its space is left out"),
       "the next one gives it up, and says so: %s", s.why);
    wait_for_stuck(2);
    gput__space_read(&s);
    OK(s.n_hung == 2 && strstr(s.why, "/stuck2"), "another one hangs: %s", s.why);
    s.patience_ns = INT64_MAX;
    read_until_total(&s, 200);
    OK(s.is_known && s.sum.used == 120, "those that answer count");
    set_blocks(20);
    read_until_total(&s, 400);
    wait_for_stuck(2);
    OK(s.n_hung == 2, "and go on to count, while two threads are left behind");
    gput__space_close(&s);
    set_stuck(false); /* they end when they get their answer, long after we have closed */
    wait_for_stuck(0);
    fixture_end(&f);
}

/* It was known before it hung: what was told then stays until the others have told again. */
static void hangs_later(void)
{
    struct gput__space s;
    struct fixture f;

    begin(&f, &s);
    s.has_thread = true;
    read_until_total(&s, 400);
    set_stuck(true);
    OK(!gput__space_wait(&s, 1) && s.is_known && s.is_late && s.sum.total == 400,
       "whoever waits waits no longer than it said, and has the figures of the last round");
    wait_for_stuck(1);
    OK(!gput__space_wait(&s, 1) && !strcmp(s.why, "/stuck does not answer"),
       "and knows who it is: %s", s.why);
    set_blocks(20);
    set_stuck(false);
    read_until_total(&s, 800);
    OK(!s.is_late && !s.why[0], "when it answers again that is forgotten");
    gput__space_close(&s);
    fixture_end(&f);
}

/* A thread each: at some point there are enough. */
static void too_many_hang(void)
{
    struct gput__buf text = GPUT__BUF_INIT;
    struct gput__space s;
    struct fixture f;

    begin(&f, &s);
    for (unsigned i = 0; i < GPUT__MOST_HUNG + 2; i++)
        gput__buf_printf(&text, "%u 0 8:%u / /stuck%u rw - ext4 /dev/sd rw\n", i, i, i);
    fixture_write(&f, "self/mountinfo", gput__buf_text(&text));
    s.has_thread = true;
    s.patience_ns = 0;
    set_stuck(true);
    for (unsigned i = 1; i <= GPUT__MOST_HUNG; i++) {
        gput__space_read(&s);
        wait_for_stuck(i);
    }
    gput__space_read(&s);
    gput__space_read(&s);
    OK(s.n_hung == GPUT__MOST_HUNG && !s.worker && !s.is_known && s.why[0],
       "after %d of them nobody is asked any more", GPUT__MOST_HUNG);
    OK(!gput__space_wait(&s, 1), "nor waited for");
    gput__space_close(&s);
    set_stuck(false);
    wait_for_stuck(0);
    gput__buf_free(&text);
    fixture_end(&f);
}

int main(void)
{
    at_once();
    on_a_thread();
    prompt();
    not_prompt("a disk that may have to be read", 200,
               "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /data rw - btrfs /dev/sdb1 rw\n");
    not_prompt("a container's layers", 100, "1 0 0:30 / / rw - overlay overlay rw\n");
    not_prompt("a way that leads over another file system", 200,
               "1 0 8:1 / / rw - xfs /dev/sda1 rw\n2 1 0:9 / /net rw - nfs far:/ rw\n"
               "3 2 8:2 / /net/data rw - ext4 /dev/sdb1 rw\n");
    not_prompt("a root on a network", 100,
               "1 0 0:9 / / rw - nfs far:/ rw\n2 1 8:2 / /data rw - ext4 /dev/sdb1 rw\n");
    some_hang();
    hangs_later();
    too_many_hang();
    return DONE();
}

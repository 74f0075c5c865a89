/* test_mapped.c - the job's memory, from what all processes around it have mapped. */
#include "sample/memory/mapped.h"

#include <errno.h>

#include "base/clock.h"
#include "fixture.h"
#include "tap.h"

#define MB ((uint64_t)1000 * 1000)

static struct fixture f;

static void machine_has(uint64_t anon, uint64_t files)
{
    char text[256];

    snprintf(
        text, sizeof(text),
        "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\nAnonPages: %llu kB\nMapped: %llu kB\n",
        (unsigned long long)anon, (unsigned long long)files);
    fixture_write(&f, "meminfo", text);
}

/* A count of 900 MB, of which the job has 100. */
static void begin(struct gput__mapped *m)
{
    *m = (struct gput__mapped){ .all = 900 * MB };
    gput__mapped_follow(m, 0, &(struct gput__moves){ 0 });
    gput__mapped_learn(m, 1, 100 * MB);
}

/* The count moves, and the job may have gained and lost so much. */
static uint64_t at(struct gput__mapped *m, int64_t now, uint64_t all, uint64_t up, uint64_t down)
{
    uint64_t job = 0;

    m->all = all;
    gput__mapped_follow(m, now, &(struct gput__moves){ up, down, 0 });
    return gput__mapped_job(m, 0, 2000 * MB, &job) == 0 ? job : 0;
}

static uint64_t then(struct gput__mapped *m, uint64_t all, uint64_t up, uint64_t down)
{
    return at(m, 0, all, up, down);
}

static void of_the_machine(void)
{
    struct gput__mapped m;
    uint64_t job;

    machine_has(1000, 500);
    gput__mapped_open(&m, &f.root, &f.root, 1);
    gput__mapped_read(&m);
    OK(m.all == 1500 * 1024, "anonymous pages and those of files");
    OK(gput__mapped_job(&m, 0, 1, &job) == -ENODATA, "nothing is known of the others");
    fixture_write(&f, "meminfo", "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n");
    gput__mapped_read(&m);
    OK(m.all == 0, "an older kernel does not tell");
    gput__mapped_learn(&m, 1, 7);
    OK(!m.has_others, "and nothing follows from it");
    gput__mapped_close(&m);
}

static void of_a_group(void)
{
    struct gput__mapped m;

    machine_has(1000, 500);
    fixture_write(&f, "7/cgroup", "0::/job\n");
    fixture_write(&f, "8/cgroup", "0::/\n");
    fixture_write(&f, "fs/cgroup/cgroup.controllers", "memory\n");
    fixture_write(&f, "fs/cgroup/job/cgroup.procs", "7\n");
    fixture_write(&f, "fs/cgroup/cgroup.procs", "8\n");
    fixture_write(&f, "fs/cgroup/job/memory.stat", "anon 4096\nfile 9999\nfile_mapped 8192\n");
    fixture_write(&f, "fs/cgroup/memory.stat", "anon 1\nfile_mapped 1\n");
    gput__mapped_open(&m, &f.root, &f.root, 7);
    gput__mapped_read(&m);
    OK(m.all == 12288, "the group around the job, without its page cache");
    gput__mapped_close(&m);
    gput__mapped_open(&m, &f.root, &f.root, 8);
    gput__mapped_read(&m);
    OK(m.all == 1500 * 1024, "the first group is the machine");
    gput__mapped_close(&m);
}

static void others_that_rest(void)
{
    struct gput__mapped m;

    begin(&m);
    OK(then(&m, 950 * MB, 80 * MB, 0) == 150 * MB, "the job has grown by what the count has");
    OK(then(&m, 870 * MB, 0, 90 * MB) == 70 * MB, "and shrunk");
    OK(then(&m, 870 * MB, 50 * MB, 50 * MB) == 70 * MB,
       "what it could have done besides is nothing");
}

static void others_that_move(void)
{
    struct gput__mapped m;

    begin(&m);
    OK(then(&m, 930 * MB, 10 * MB, 0) == 110 * MB,
       "more than the job can have gained is the others'");
    OK(then(&m, 900 * MB, 0, 10 * MB) == 100 * MB, "likewise what it cannot have lost");
    begin(&m);
    (void)then(&m, 913 * MB, 10 * MB, 0);
    OK(then(&m, 913 * MB, 20 * MB, 0) == 113 * MB,
       "unless it is seen a moment later that it was the job");
    for (int i = 0; i < 8; i++)
        (void)then(&m, (uint64_t)(i % 2 ? 900 : 1500) * MB, 0, 0);
    OK(then(&m, 900 * MB, 0, 0) == 0, "others that move much tell nothing of the job");
}

/* A poll that had to wait for a core between a process and the count. */
static uint64_t after_wait(struct gput__mapped *m, int64_t delay_ns)
{
    uint64_t job = 0;

    begin(m);
    m->all = 940 * MB;
    gput__mapped_follow(m, 0, &(struct gput__moves){ .delay_ns = delay_ns });
    gput__mapped_follow(m, 0, &(struct gput__moves){ .up = 60 * MB });
    return gput__mapped_job(m, 0, 2000 * MB, &job) == 0 ? job : 0;
}

static void polls_that_wait(void)
{
    struct gput__mapped m;

    OK(after_wait(&m, GPUT__NS_PER_MS) < 110 * MB, "growth of others is not the job's");
    OK(after_wait(&m, 16 * GPUT__NS_PER_MS) == 140 * MB,
       "unless the poll was held up for so long that it can be");
    OK(then(&m, 940 * MB, 60 * MB, 0) == 140 * MB, "once");
}

static void others_that_end(void)
{
    struct gput__mapped m;
    int64_t second = GPUT__NS_PER_S;

    begin(&m);
    OK(at(&m, 1, 1200 * MB, 400 * MB, 0) == 400 * MB, "others grow while the job may have");
    OK(at(&m, 2, 900 * MB, 0, 0) == 0, "they give it back at once: nothing is known of the job");
    (void)at(&m, second / 4, 910 * MB, 10 * MB, 0);
    OK(at(&m, second / 4, 910 * MB, 0, 0) == 0, "nor a moment later");
    (void)at(&m, 2 * second, 910 * MB, 0, 0);
    OK(at(&m, 2 * second, 920 * MB, 10 * MB, 0) > 0, "but once they have been at rest for a while");
}

static void scans(void)
{
    struct gput__mapped m;

    begin(&m);
    gput__mapped_check(&m, 2, 60 * MB, false);
    OK(then(&m, 900 * MB, 0, 0) == 100 * MB,
       "a scan that finds less, while processes come and go, is believed no more than the count");
    gput__mapped_check(&m, 3, 60 * MB, true);
    OK(then(&m, 900 * MB, 0, 0) == 60 * MB, "one that nobody disturbed is");
    gput__mapped_check(&m, 4, 62 * MB, true);
    OK(then(&m, 900 * MB, 0, 0) < 61 * MB, "of small differences a part");
    gput__mapped_check(&m, 5, 200 * MB, false);
    OK(m.others == (int64_t)(700 * MB), "where it finds much more, the others have less");
    m = (struct gput__mapped){ .all = 900 * MB };
    gput__mapped_check(&m, 1, 300 * MB, false);
    OK(then(&m, 900 * MB, 0, 0) == 300 * MB, "the first one is all there is");
}

int main(void)
{
    fixture_begin(&f);
    of_the_machine();
    of_a_group();
    others_that_rest();
    others_that_move();
    polls_that_wait();
    others_that_end();
    scans();
    fixture_end(&f);
    return tap_done();
}

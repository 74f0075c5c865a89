/* test_job.c - the memory of a job as a stream shows it, and when it is worth reading anew. */
#include "sample/job.h"

#include "memory_fixture.h"
#include "sample/memory/memory.h"
#include "tap.h"

struct scene {
    struct gput__tree tree;
    struct gput__memory memory;
    struct gput__job job;
    int64_t now;
};

/* Main of 100 MB and two workers that share 90 MB of it. */
static void begin(struct scene *s)
{
    *s = (struct scene){ .now = SINCE + S };
    fixture_begin(&f);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .rss = 100, .own = 10, .pss = 40 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 95, .own = 5, .pss = 35 });
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .rss = 95, .own = 5, .pss = 35 });
    gput__tree_open(&s->tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(&s->tree, MAIN, false) == 0, "set_main");
    gput__memory_open(&s->memory, &f.root, &f.root, s->now);
    gput__memory_be_frugal(&s->memory, s->now);
}

static void end(struct scene *s)
{
    gput__memory_close(&s->memory);
    gput__tree_close(&s->tree);
    fixture_end(&f);
}

/* Megabytes of the job after a poll; with a scan or without. */
static double poll_once(struct scene *s, bool with_scan)
{
    struct gput__sample sample = { 0 };

    s->now += S;
    gput__tree_poll(&s->tree, s->now);
    if (with_scan)
        gput__memory_scan_now(&s->memory, &s->tree);
    gput__job_measure_memory(&s->job, &s->memory, &s->tree, &sample);
    return sample.value[GPUT__JOB_PSS] / MB;
}

static void sums(void)
{
    struct gput__sample sample = { 0 };
    struct scene s;

    begin(&s);
    OK(is(poll_once(&s, true), 110), "what they share counts once");
    gput__memory_measure(&s.memory, &s.tree, &sample);
    OK(is(sample.value[GPUT__COMBINED_RAM] / MB, 110), "also in the total of the job");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 115, .own = 5, .pss = 35 });
    OK(is(poll_once(&s, false), 130), "what one gains is its own");
    s.job.main_only = true;
    OK(is(poll_once(&s, false), 40), "main alone has its share");
    end(&s);
}

static void one_dies(void)
{
    struct scene s;

    begin(&s);
    (void)poll_once(&s, true);
    drop(102);
    OK(is(poll_once(&s, false), 105), "one that dies takes what was its own, no more");
    drop(101);
    OK(is(poll_once(&s, false), 100), "nor does the last that shared");
    end(&s);
}

static void one_is_forked(void)
{
    struct scene s;

    begin(&s);
    (void)poll_once(&s, true);
    write_process((struct proc){ .pid = 103, .ppid = MAIN, .faults = 768, .rss = 100 });
    OK(is(poll_once(&s, false), 110), "what a new worker has written to is not known");
    write_process((struct proc){ .pid = 103, .ppid = MAIN, .faults = 7680, .rss = 110 });
    OK(is(poll_once(&s, false), 120), "but what it has gained is");
    write_process((struct proc){
        .pid = 103, .ppid = MAIN, .faults = 7680, .rss = 110, .own = 30, .pss = 50 });
    OK(is(poll_once(&s, true), 140), "it alone is read then");
    write_process((struct proc){ .pid = 104, .ppid = MAIN, .stack = 7, .rss = 20 });
    OK(is(poll_once(&s, false), 160), "another program has what it has");
    end(&s);
}

static void one_vanishes_under_it(void)
{
    struct scene s;

    begin(&s);
    fixture_remove(&f, "102/smaps_rollup");
    fixture_remove(&f, "102/status");
    (void)poll_once(&s, false);
    fixture_remove(&f, "102/stat");
    gput__memory_scan_now(&s.memory, &s.tree);
    OK(is(gput__memory_pss(&s.memory, &s.tree, false) / MB, 100),
       "its part of what is shared is made up for");
    end(&s);
}

/* It was dead before the others were read: what they share is theirs alone by then. */
static void one_had_left(void)
{
    struct scene s;

    begin(&s);
    (void)poll_once(&s, true);
    write_process((struct proc){
        .pid = MAIN, .ppid = TRACKER, .faults = 900, .rss = 100, .own = 10, .pss = 55 });
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .faults = 900, .rss = 95, .own = 5, .pss = 50 });
    fixture_remove(&f, "102/smaps_rollup");
    (void)poll_once(&s, false);
    fixture_remove(&f, "102/stat");
    gput__memory_scan_now(&s.memory, &s.tree);
    OK(is(gput__memory_pss(&s.memory, &s.tree, false) / MB, 105),
       "no death makes what is shared more than it was");
    end(&s);
}

/* A scan of so much memory has its price. */
static bool is_read_after(struct scene *s, int64_t seconds)
{
    s->now += seconds * S;
    gput__memory_consider_scan(&s->memory, &s->tree, s->now);
    return s->memory.under_way;
}

static void paid_for_before(void)
{
    struct scene s;

    begin(&s);
    (void)poll_once(&s, false);
    s.memory.plan.no_watch = true; /* no waiting for calm */
    OK(is_read_after(&s, 0), "a small job is read at once");
    end(&s);
    begin(&s);
    write_process(
        (struct proc){ .pid = MAIN, .ppid = TRACKER, .rss = 20000, .own = 10, .pss = 40 });
    (void)poll_once(&s, false);
    s.memory.plan.no_watch = true;
    OK(!is_read_after(&s, 0) && !is_read_after(&s, 10), "one of 20 GB is not");
    OK(is_read_after(&s, 200), "until it has been tracked for long enough");
    end(&s);
}

int main(void)
{
    sums();
    one_dies();
    one_is_forked();
    one_vanishes_under_it();
    one_had_left();
    paid_for_before();
    return DONE();
}

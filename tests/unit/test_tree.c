/* test_tree.c - the job's processes, found and read below a /proc that the test writes. */
#include "sample/tree/tree.h"

#include <errno.h>
#include <string.h>

#include "tap.h"
#include "tree_fixture.h"

static bool parents_first(const struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *parent = gput__tree_find(tree, tree->tasks[i].life.ppid);

        if ((parent && parent >= &tree->tasks[i]) ||
            gput__tree_find(tree, tree->tasks[i].pid) != &tree->tasks[i])
            return false;
    }
    return true;
}

static void who_belongs(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN });
    write_process(
        (struct proc){ .pid = 50, .ppid = 101 }); /* pids began anew: a child before its parent */
    write_process((struct proc){ .pid = 20, .ppid = 50 });
    write_process((struct proc){ .pid = 102, .ppid = TRACKER }); /* an orphan of the job */
    write_process((struct proc){ .pid = 200, .ppid = 1 });
    write_process((struct proc){ .pid = 201, .ppid = 200 });
    fixture_write(&f, "self/stat", "1 (x) S 100 1 1\n");
    fixture_write(&f, "103x/stat", "103 (x) S 100 1 1\n");
    fixture_write(&f, "104/stat", "garbage\n");
    poll_once(&tree);
    OK(tree.n == 5 && gput__tree_find(&tree, 101) && gput__tree_find(&tree, 50) &&
           gput__tree_find(&tree, 20) && gput__tree_find(&tree, 102),
       "children, their children and orphans");
    OK(!gput__tree_find(&tree, 200) && !gput__tree_find(&tree, 201) &&
           !gput__tree_find(&tree, TRACKER) && !gput__tree_find(&tree, 1),
       "not strangers, nor the tracker");
    OK(parents_first(&tree), "parents stand before their children");
    OK(gput__tree_main(&tree) == &tree.tasks[0] && tree.tasks[0].is_main && !tree.tasks[1].is_main,
       "main is the first");
    OK(tree.births.had_descendants && tree.poll.moved, "births are told");
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 5 && !tree.poll.moved, "nobody joins twice");
    end(&tree);
}

static void no_main(void)
{
    struct gput__tree tree;

    begin(&tree);
    gput__tree_close(&tree);
    gput__tree_open(&tree, &f.root, TRACKER, SINCE);
    OK(gput__tree_set_main(&tree, 12345, false) == -ESRCH && !gput__tree_main(&tree),
       "no such process");
    write_process((struct proc){ .pid = 5, .ppid = 1 });
    fixture_write(&f, "6/stat", "6 (cut) S 1");
    OK(gput__tree_set_main(&tree, 6, false) == -EBADMSG, "a line that is none");
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 0), "a poll without anybody");
    end(&tree);
}

/* Attached to the shell that started the tracker itself. */
static void the_tracker_below_main(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = TRACKER, .ppid = MAIN, .utime = 1000 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 4 });
    poll_once(&tree);
    OK(tree.n == 2 && !gput__tree_find(&tree, TRACKER) && cpu_is(&tree, 0, 4),
       "the tracker is never of the job");
    end(&tree);
}

static void a_long_chain(void)
{
    struct gput__tree tree;

    begin(&tree);
    for (int i = 0; i < 300; i++)
        write_process((struct proc){ .pid = 2000 - i, .ppid = i ? 2001 - i : MAIN, .utime = 1 });
    poll_once(&tree);
    OK(tree.n == 301 && parents_first(&tree), "a chain of 300, each pid below its parent's");
    OK(cpu_is(&tree, 0, 300), "all counted");
    for (int i = 0; i < 300; i += 2)
        drop(2000 - i);
    poll_once(&tree);
    OK(tree.n == 151 && parents_first(&tree) && gput__tree_find(&tree, 1999) &&
           !gput__tree_find(&tree, 2000),
       "every other one gone");
    end(&tree);
}

/* Its parent came and went between two polls; the kernel is about to give it to the tracker. */
static void orphans(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_last_pid(500);
    write_process((struct proc){ .pid = 60, .ppid = 55 });
    write_process((struct proc){ .pid = 70, .ppid = 1 });
    poll_once(&tree);
    OK(tree.n == 1, "an orphan of somebody unknown is nobody's yet");
    OK(!gput__pidmap_get(&tree.births.foreign, 60) && gput__pidmap_get(&tree.births.foreign, 70),
       "and polled again, while a stranger is not");
    write_process((struct proc){ .pid = 60, .ppid = TRACKER });
    write_process((struct proc){ .pid = 70, .ppid = TRACKER });
    write_last_pid(501);
    poll_once(&tree);
    OK(gput__tree_find(&tree, 60), "when it is the tracker's it is the job's");
    OK(!gput__tree_find(&tree, 70), "a stranger stays one");
    end(&tree);
}

/* A daemon whose parent died while /proc was searched: nobody is born any more that would
 * have us poll again. */
static void an_orphan_between_two_parents(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_last_pid(102);
    write_process((struct proc){ .pid = 102, .ppid = 101 }); /* 101 is gone */
    poll_once(&tree);
    OK(tree.n == 1, "nobody knows its parent");
    write_process((struct proc){ .pid = 102, .ppid = TRACKER });
    poll_once(&tree);
    OK(tree.n == 2 && gput__tree_find(&tree, 102), "it is polled again, and is the job's");
    write_process((struct proc){ .pid = 104, .ppid = 103 });
    write_last_pid(104);
    for (int i = 0; i < 10; i++)
        poll_once(&tree);
    OK(!tree.births.rescan, "where a parent stays hidden the polling ends");
    end(&tree);
}

static void nobody_was_born(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_last_pid(500);
    write_process((struct proc){ .pid = 200, .ppid = 1 });
    poll_once(&tree);
    write_process((struct proc){ .pid = 300, .ppid = MAIN });
    poll_once(&tree);
    OK(tree.n == 1, "while the youngest pid stands /proc is not searched");
    write_last_pid(501);
    poll_once(&tree);
    OK(tree.n == 2, "when it moves it is");
    write_process((struct proc){ .pid = 200, .ppid = MAIN, .start = 10300 });
    write_last_pid(201);
    poll_once(&tree);
    OK(gput__tree_find(&tree, 200), "pids began anew: a stranger's pid may be one of ours");
    end(&tree);
}

static void births_elsewhere_all_the_time(void)
{
    struct gput__tree tree;
    int64_t now = SINCE + 2 * S, scanned;

    begin(&tree);
    write_last_pid(500);
    gput__tree_poll(&tree, now);
    gput__tree_scan_sparingly(&tree, now, 400);
    tree.births.scans.credit_ns = -10 * MS; /* the one before was expensive: 4 s */
    scanned = tree.births.scanned_ns;
    write_process((struct proc){ .pid = 501, .ppid = MAIN });
    write_last_pid(501);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 7 });
    gput__tree_poll(&tree, now += 20 * MS);
    OK(tree.births.scanned_ns == scanned && tree.n == 1 && tree.births.scan_cost_ns == 0,
       "a search of /proc that is too expensive waits");
    OK(cpu_is(&tree, 7, 0), "who is known is read all the same");
    gput__tree_poll(&tree, now += 5 * S);
    OK(tree.births.scanned_ns == now && tree.n == 2, "it is made up for when it can be afforded");
    OK(tree.births.scan_cost_ns > 0 && tree.births.scans.credit_ns < 2 * MS,
       "and told apart from the poll");
    tree.births.scans.credit_ns = -S;
    tree.births.rescan = true;
    gput__tree_scan_freely(&tree);
    write_process((struct proc){ .pid = 502, .ppid = MAIN });
    gput__tree_poll(&tree, now += MS);
    OK(tree.n == 3, "for a record it is not asked what it costs");
    end(&tree);
}

static void a_second_life(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 40 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 40), "the first life");
    write_process((struct proc){ .pid = 101, .ppid = 1, .utime = 5000, .start = 10300 });
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 40 });
    poll_once(&tree);
    OK(!gput__tree_find(&tree, 101) && cpu_is(&tree, 0, 40), "a stranger with its pid is no heir");
    poll_once(&tree);
    OK(!gput__tree_find(&tree, 101) && cpu_is(&tree, 0, 40), "nor later");
    end(&tree);

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 40 });
    poll_once(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 3, .start = 10300 });
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 40 });
    poll_once(&tree);
    poll_once(&tree);
    OK(gput__tree_find(&tree, 101) && gput__tree_find(&tree, 101)->start == 10300 &&
           cpu_is(&tree, 0, 43),
       "another child with its pid counts anew");
    end(&tree);
}

/* The youngest pid moves once, at its birth: that poll still has the dead one in its table. */
static void a_second_life_without_further_births(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_last_pid(101);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 40 });
    poll_once(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 3, .start = 10300 });
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 40 });
    write_last_pid(102);
    poll_once(&tree);
    poll_once(&tree);
    OK(gput__tree_find(&tree, 101) && cpu_is(&tree, 0, 43), "is seen at the next poll");
    end(&tree);
}

/* A machine with many processes: they are read once, not at each poll. */
static void many_strangers(void)
{
    struct gput__tree tree;
    char name[32];

    begin(&tree);
    for (int pid = 10000; pid < 15000; pid++)
        write_process((struct proc){ .pid = pid, .ppid = 1 });
    write_last_pid(15000);
    poll_once(&tree);
    OK(tree.births.foreign.n >= 5000, "5000 strangers are remembered");
    for (int pid = 10000; pid < 15000; pid++) {
        snprintf(name, sizeof(name), "%d", pid);
        fixture_remove(&f, name);
    }
    write_last_pid(15001);
    poll_once(&tree);
    OK(tree.births.foreign.n < 100, "and forgotten when most of them are dead");
    end(&tree);
}

static void a_child_that_was_waited_for(void)
{
    struct gput__tree tree;
    uint64_t version;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 5 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 20, .stime = 10 });
    poll_once(&tree);
    OK(cpu_is(&tree, 5, 30), "alive");
    version = tree.version;
    drop(101);
    write_process(
        (struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 6, .cutime = 22, .cstime = 11 });
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 6, 33), "dead: by its parent's count, once");
    OK(tree.poll.moved && tree.version > version, "and told");
    write_process(
        (struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 7, .cutime = 50, .cstime = 11 });
    poll_once(&tree);
    OK(cpu_is(&tree, 7, 61), "a child that came and went unseen");
    end(&tree);
}

/* Each of the parent's counts is cut to a whole tick. */
static void rounding(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 20, .stime = 10 });
    poll_once(&tree);
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 19, .cstime = 9 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 30), "two ticks less are rounding: the child's own time holds");
    end(&tree);
}

/* Parents are read first: one may have waited for a child by then that was not yet known to be dead. */
static void inherited_before_it_was_known(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 5, .cutime = 30 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 30 });
    poll_once(&tree);
    drop(101);
    drop(102);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER });
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 35), "dies with its parent, which had its time: once");
    end(&tree);
}

static void a_parent_that_ignores_its_children(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 30 });
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 7 });
    poll_once(&tree);
    drop(101);
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 37), "what was last seen stands in");
    drop(102);
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 37), "for each of them, once");
    end(&tree);

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 30 });
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 40 });
    poll_once(&tree);
    drop(101);
    drop(102);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 30 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 70), "one waited for, one not: both once");
    end(&tree);
}

static void a_branch_that_loses_time(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 1 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 100 });
    poll_once(&tree);
    drop(102); /* 101 ignores it */
    poll_once(&tree);
    drop(101);
    write_process(
        (struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 500 }); /* others, and 101 */
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 600) && tree.dead.lost_ns,
       "what a dead parent has not inherited is not hidden by what another has");
    end(&tree);
}

static void older_children_that_die(void)
{
    struct gput__tree tree;

    begin(&tree);
    gput__tree_close(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = 1, .start = 100 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .start = 200, .utime = 4000 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .start = 300, .utime = 1000 });
    gput__tree_open(&tree, &f.root, 0, SINCE);
    gput__tree_set_main(&tree, MAIN, true);
    poll_once(&tree);
    write_process((struct proc){ .pid = 102, .ppid = 101, .start = 300, .utime = 1010 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 10), "counts from the start of the tracking on");
    drop(102);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .start = 200, .utime = 4000, .cutime = 1010 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 10), "and so it does in its parent's count");
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = 1, .start = 100, .cutime = 5010 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 10), "and in that of its parent's parent");
    end(&tree);
}

static void a_whole_branch(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 10, .cutime = 5 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 20 });
    write_process((struct proc){ .pid = 103, .ppid = 102, .utime = 40 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 75), "alive");
    drop(101);
    drop(102);
    drop(103);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 75 });
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 75), "all dead at once, each waited for by its parent");
    end(&tree);

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 10 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 20 });
    poll_once(&tree);
    drop(101);
    drop(102);
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 30), "and waited for by nobody");
    end(&tree);

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 10 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 20 });
    poll_once(&tree);
    drop(101); /* 102 goes to init: no subreaper */
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 10 });
    write_process((struct proc){ .pid = 102, .ppid = 1, .utime = 25 });
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 35), "one that outlives its parent stays in the job");
    drop(102);
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 35), "and its time too, though a stranger waited for it");
    end(&tree);
}

static void reaped_by_the_tracker(void)
{
    struct gput__tree tree;
    struct rusage usage = { .ru_utime = { 0, 310000 }, .ru_stime = { 1, 0 }, .ru_maxrss = 5000 };

    begin(&tree);
    write_process(
        (struct proc){ .pid = 102, .ppid = TRACKER, .utime = 30, .stime = 99, .cutime = 7 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 136), "an orphan");
    drop(102);
    gput__tree_reaped(&tree, 102, &usage);
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 131), "reaped: its exact usage, once");
    OK(tree.dead.largest_rss == 5000 * 1024, "and its peak");
    usage.ru_maxrss = 10;
    gput__tree_reaped(&tree, 777, &usage);
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 262) && tree.dead.largest_rss == 5000 * 1024,
       "one that was never seen counts too");
    OK(tree.dead.usage.ru_stime.tv_sec == 2 && tree.dead.usage.ru_utime.tv_usec == 620000,
       "all in all");
    end(&tree);
}

static void zombies(void)
{
    struct gput__tree tree;
    const struct gput__task *t;

    begin(&tree);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .utime = 8, .pages = 9, .rss = 36, .anon = 20 });
    poll_once(&tree);
    t = gput__tree_find(&tree, 101);
    OK(t && gput__task_has_memory(t) && t->ram.rss == 36 * 1024, "alive");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .state = 'Z', .utime = 9 });
    poll_once(&tree);
    t = gput__tree_find(&tree, 101);
    OK(t && !gput__task_is_alive(t) && !gput__task_has_memory(t) && t->ram.rss == 0 &&
           t->ram.anon == 0,
       "a zombie has no memory");
    OK(cpu_is(&tree, 0, 9), "but its time");
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .state = 'Z', .threads = 3 });
    poll_once(&tree);
    t = gput__tree_find(&tree, 102);
    OK(t && gput__task_is_alive(t) && t->life.threads == 3,
       "its leader is gone, its threads run on");
    fixture_write(&f, "102/task/102/status", "Name:\ta\n");
    fixture_write(&f, "102/task/107/status", "Name:\ta\nVmHWM:\t90 kB\nVmRSS:\t80 kB\n");
    poll_once(&tree);
    OK(t->ram.rss == 80 * 1024 && t->ram.hwm == 90 * 1024 && t->life.via == 107,
       "and have its memory");
    end(&tree);
}

/* Main ran before: only what it uses from now on counts. */
static void older_processes(void)
{
    struct gput__tree tree;
    struct proc p = { .pid = MAIN,
                      .ppid = 1,
                      .start = 100,
                      .utime = 500,
                      .stime = 50,
                      .cutime = 70,
                      .minflt = 1000,
                      .hwm = 900,
                      .rss = 300,
                      .anon = 200 };

    begin(&tree);
    gput__tree_close(&tree);
    write_process(p);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .start = 200, .utime = 40 });
    gput__tree_open(&tree, &f.root, 0, SINCE);
    OK(gput__tree_set_main(&tree, MAIN, true) == 0, "attached");
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 0), "nothing used yet");
    OK(gput__tree_main(&tree)->ram.hwm == 300 * 1024, "a peak from before is not ours");
    p.utime += 3;
    p.cutime += 4;
    p.minflt += 1;
    p.hwm = 950;
    write_process(p);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .start = 200, .utime = 45 });
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 6 });
    poll_once(&tree);
    OK(cpu_is(&tree, 3, 4 + 5 + 6), "only what came since; all of whoever was born since");
    OK(gput__tree_main(&tree)->ram.hwm == 950 * 1024, "one that rose is");
    drop(101);
    p.cutime += 46;
    write_process(p);
    poll_once(&tree);
    OK(tree.n == 2, "the older child is gone");
    end(&tree);
}

/* It is seen in the midst of it, when the old stack is gone and the new one not yet there. */
static void an_older_process_that_calls_exec(void)
{
    struct gput__tree tree;
    struct proc p = {
        .pid = MAIN, .ppid = 1, .start = 100, .minflt = 1000, .hwm = 900, .rss = 300, .anon = 200
    };

    begin(&tree);
    gput__tree_close(&tree);
    write_process(p);
    gput__tree_open(&tree, &f.root, 0, SINCE);
    fixture_need(gput__tree_set_main(&tree, MAIN, true) == 0, "set_main");
    poll_once(&tree);
    p.stack = NO_STACK;
    p.minflt++;
    p.hwm = p.rss = p.anon = 4;
    write_process(p);
    poll_once(&tree);
    p.stack = 2000;
    p.minflt++;
    p.hwm = 500;
    p.rss = p.anon = 40;
    write_process(p);
    poll_once(&tree);
    OK(gput__tree_main(&tree)->ram.hwm == 500 * 1024,
       "after exec a peak below an earlier one is ours");
    end(&tree);
}

static void between_fork_and_exec(void)
{
    struct gput__tree tree;
    int64_t birth = SINCE + 500 * MS;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .stack = 1000 });
    gput__tree_poll(&tree, birth - 10 * MS);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .stack = 1000, .pages = 5, .rss = 20, .anon = 9 });
    write_process(
        (struct proc){ .pid = 102, .ppid = MAIN, .stack = 2000, .pages = 5, .rss = 20, .anon = 9 });
    gput__tree_poll(&tree, birth + 10 * MS);
    OK(!gput__task_has_memory(gput__tree_find(&tree, 101)), "just forked: its parent's memory");
    OK(gput__task_has_memory(gput__tree_find(&tree, 102)) &&
           !gput__tree_find(&tree, 102)->account.is_forked,
       "exec gives it its own at once");
    gput__tree_poll(&tree, birth + 100 * MS);
    OK(gput__task_has_memory(gput__tree_find(&tree, 101)) &&
           gput__tree_find(&tree, 101)->account.is_forked,
       "one that does not call exec is a worker after a while");
    OK(gput__tree_find(&tree, 101)->account.fork_anon == 9 * 1024, "with what it had at first");
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .stack = 3000, .pages = 5, .rss = 20, .anon = 9 });
    gput__tree_poll(&tree, birth + 200 * MS);
    OK(!gput__tree_find(&tree, 101)->account.is_forked, "until it calls exec after all");
    end(&tree);
}

static void memory_is_read_after_faults(void)
{
    struct gput__tree tree;
    struct proc p = {
        .pid = MAIN, .ppid = TRACKER, .minflt = 10, .hwm = 90, .rss = 80, .anon = 70
    };
    const struct gput__task *t;

    begin(&tree);
    write_process(p);
    poll_once(&tree);
    t = gput__tree_main(&tree);
    OK(t->ram.rss == 80 * 1024 && t->ram.anon == 70 * 1024 && t->ram.hwm == 90 * 1024,
       "what status says");
    OK(tree.poll.moved, "and told");
    p.hwm = p.rss = 200;
    write_process(p);
    poll_once(&tree);
    OK(t->ram.hwm == 90 * 1024 && !tree.poll.moved, "without a fault nothing is read");
    p.minflt++;
    write_process(p);
    poll_once(&tree);
    OK(t->ram.rss == 200 * 1024 && t->ram.hwm == 200 * 1024 && tree.poll.moved, "with one it is");
    fixture_remove(&f, "100/status");
    p = (struct proc){ .pid = MAIN, .ppid = TRACKER, .minflt = 12, .pages = 3 };
    write_process(p);
    poll_once(&tree);
    OK(t->ram.rss == 3 * tree.page && !t->life.gone, "a status that cannot be read: stat's figure");
    end(&tree);
}

static void main_stays(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 12, .cutime = 5 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 3 });
    poll_once(&tree);
    drop(MAIN);
    poll_once(&tree);
    OK(gput__tree_main(&tree) && gput__tree_main(&tree)->life.gone && cpu_is(&tree, 12, 8),
       "main's figures stay when it is gone");
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 12, 8), "for good");
    end(&tree);
}

int main(void)
{
    who_belongs();
    no_main();
    the_tracker_below_main();
    a_long_chain();
    orphans();
    an_orphan_between_two_parents();
    nobody_was_born();
    births_elsewhere_all_the_time();
    a_second_life();
    a_second_life_without_further_births();
    many_strangers();
    a_child_that_was_waited_for();
    rounding();
    inherited_before_it_was_known();
    a_parent_that_ignores_its_children();
    a_branch_that_loses_time();
    older_children_that_die();
    a_whole_branch();
    reaped_by_the_tracker();
    zombies();
    older_processes();
    an_older_process_that_calls_exec();
    between_fork_and_exec();
    memory_is_read_after_faults();
    main_stays();
    return DONE();
}

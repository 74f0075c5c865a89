/* test_account.c - what stands to the account of each process, poll by poll and scan by scan. */
#include "sample/memory/account.h"

#include "sample/memory/memscan.h"
#include "tap.h"
#include "tree_fixture.h"

#define MB 1024u /* kB, as the fixture has it */
#define BYTES(mb) ((uint64_t)(mb)*1024 * 1024)
#define PAGES(mb) ((mb)*256u)

static struct gput__tree tree;

static void write_forked(pid_t pid, pid_t ppid, unsigned mb, unsigned faulted_mb,
                         unsigned long stack)
{
    static unsigned long ticks;

    write_process((struct proc){ .pid = pid,
                                 .ppid = ppid,
                                 .utime = ++ticks, /* it has moved */
                                 .minflt = PAGES(faulted_mb),
                                 .pages = PAGES(mb),
                                 .stack = stack,
                                 .hwm = mb * MB,
                                 .rss = mb * MB,
                                 .anon = mb * MB });
}

static bool is(pid_t pid, unsigned low, unsigned high)
{
    const struct gput__task *t = gput__tree_find(&tree, pid);
    struct gput__span s = gput__account_now(&tree, t);

    if (s.low != BYTES(low) || s.high != BYTES(high))
        printf("# %d: %g to %g MB\n", pid, (double)s.low / 1048576, (double)s.high / 1048576);
    return s.low == BYTES(low) && s.high == BYTES(high);
}

static uint64_t sum(void)
{
    uint64_t all = tree.left.shared;

    for (uint32_t i = 0; i < tree.n; i++)
        all += gput__account_now(&tree, &tree.tasks[i]).low;
    return all;
}

static void begin_with_main(unsigned mb)
{
    begin(&tree);
    write_forked(MAIN, TRACKER, mb, mb, 1000);
    poll_once(&tree);
}

static void fill(pid_t pid, unsigned rss, unsigned pss, unsigned own, bool is_full)
{
    struct gput__task *t = gput__tree_find(&tree, pid);
    struct gput__memscan_task read = { .pid = pid,
                                       .rss = BYTES(rss),
                                       .anon = BYTES(rss),
                                       .pss = BYTES(pss),
                                       .pss_anon = BYTES(pss),
                                       .private_rss = BYTES(own),
                                       .private_anon = BYTES(own),
                                       .known_faults = t->ram.faults };

    gput__account_fill(&tree, t, &read, is_full);
}

static void a_worker_from_its_first_page(void)
{
    begin_with_main(100);
    write_forked(101, MAIN, 100, 0, 1000);
    poll_once(&tree);
    OK(is(MAIN, 100, 100) && is(101, 0, 0), "a child that was just forked has nothing of its own");
    write_forked(101, MAIN, 120, 20, 1000);
    poll_once(&tree);
    OK(is(101, 20, 20), "what it took is its own, and faults say so too");
    write_forked(101, MAIN, 120, 50, 1000);
    poll_once(&tree);
    OK(is(101, 20, 50), "what it may have rewritten besides is open");
    fill(101, 120, 60, 50, false);
    OK(is(101, 50, 50), "until it is read");
    write_forked(101, MAIN, 110, 50, 1000);
    poll_once(&tree);
    OK(is(101, 40, 50), "it gives back 10 MB: its own, or shared ones");
    end(&tree);
}

/* It was found late: all that it has faulted in is its own. */
static void a_worker_that_is_found_late(void)
{
    begin_with_main(100);
    write_forked(101, MAIN, 130, 30, 1000);
    poll_once(&tree);
    OK(is(101, 30, 30), "what it took before it was seen is not lost");
    end(&tree);
}

static void exec_begins_anew(void)
{
    begin_with_main(100);
    write_forked(101, MAIN, 100, 0, 1000);
    poll_once(&tree);
    write_forked(101, MAIN, 7, 9, 2000);
    poll_once(&tree);
    OK(is(101, 7, 7), "another program has what it has");
    end(&tree);
}

static void a_scan_of_all(void)
{
    begin_with_main(100);
    write_forked(101, MAIN, 120, 20, 1000);
    write_forked(102, MAIN, 100, 0, 1000);
    poll_once(&tree);
    fill(MAIN, 100, 34, 0, true);
    fill(101, 120, 53, 20, true);
    fill(102, 100, 33, 0, true);
    OK(sum() == BYTES(120), "shares add up to the job");
    drop(102);
    poll_once(&tree);
    OK(sum() == BYTES(120), "what one shared that dies stays with the others");
    drop(101);
    poll_once(&tree);
    OK(sum() == BYTES(100), "what was its own goes with it");
    end(&tree);
}

/* A worker takes 50 MB, forks a child and ends: the child holds them. */
static void heirs(void)
{
    begin_with_main(100);
    write_forked(101, MAIN, 150, 50, 1000);
    poll_once(&tree);
    write_forked(102, 101, 150, 0, 1000);
    write_forked(103, 101, 150, 0, 1000);
    poll_once(&tree);
    OK(is(101, 50, 50) && is(102, 0, 0) && sum() == BYTES(150), "children of a worker's");
    drop(101);
    write_forked(102, TRACKER, 150, 0, 1000);
    write_forked(103, TRACKER, 150, 0, 1000);
    poll_once(&tree);
    OK(sum() == BYTES(150), "its pages are on the account of one of them");
    drop(102);
    poll_once(&tree);
    OK(sum() == BYTES(150), "then of the other");
    drop(103);
    poll_once(&tree);
    OK(sum() == BYTES(100), "and gone with the last");
    end(&tree);
}

static void one_that_may_not_be_read(void)
{
    struct gput__memscan_task read = { .pid = 101, .error = -13 };

    begin_with_main(100);
    write_forked(101, MAIN, 30, 9, 2000);
    poll_once(&tree);
    gput__account_fill(&tree, gput__tree_find(&tree, 101), &read, true);
    OK(is(101, 30, 30), "one whose map may not be read counts in full");
    end(&tree);
}

int main(void)
{
    a_worker_from_its_first_page();
    a_worker_that_is_found_late();
    exec_begins_anew();
    a_scan_of_all();
    heirs();
    one_that_may_not_be_read();
    return DONE();
}

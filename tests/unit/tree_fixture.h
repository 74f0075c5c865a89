/* tree_fixture.h - a job of processes below a /proc that the test writes.
 *
 * Each poll sees the files as they are at that moment: one moment after the other. */
#ifndef TREE_FIXTURE_H
#define TREE_FIXTURE_H

#include <stdio.h>

#include "fixture.h"
#include "sample/tree/cpu.h"
#include "sample/tree/discover.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)
#define SINCE (100 * S)
#define TRACKER 99
#define MAIN 100
#define NO_STACK (~0UL)

/* What a test says of a process; times in clock ticks of 10 ms, memory in kB. */
struct proc {
    pid_t pid, ppid;
    char state; /* 0: S */
    unsigned long utime, stime, cutime, cstime, minflt;
    unsigned threads;             /* 0: 1 */
    unsigned long start;          /* 0: 10050, half a second after tracking began */
    unsigned long pages, stack;   /* stack 0: 1000 */
    unsigned long hwm, rss, anon; /* 0: no status file */
    const char *name;             /* NULL: one with a bracket */
};

static struct fixture f;
static uint64_t tick;

static inline void write_process(struct proc p)
{
    char name[32], text[600];

    snprintf(text, sizeof(text),
             "%d (%s) %c %d 1 1 0 -1 0 %lu 0 0 0 %lu %lu %lu %lu 20 0 %u 0 %lu 0 %lu 0 0 0 %lu\n",
             p.pid, p.name ? p.name : "a) b", p.state ? p.state : 'S', p.ppid, p.minflt, p.utime,
             p.stime, p.cutime, p.cstime, p.threads ? p.threads : 1, p.start ? p.start : 10050,
             p.pages,
             p.stack == NO_STACK ? 0
             : p.stack           ? p.stack
                                 : 1000);
    snprintf(name, sizeof(name), "%d/stat", p.pid);
    fixture_write(&f, name, text);
    snprintf(name, sizeof(name), "%d/status", p.pid);
    if (!p.rss)
        return;
    snprintf(text, sizeof(text), "Name:\ta\nVmHWM:\t%lu kB\nVmRSS:\t%lu kB\nRssAnon:\t%lu kB\n",
             p.hwm, p.rss, p.anon);
    fixture_write(&f, name, text);
}

static inline void drop(pid_t pid)
{
    char name[32];

    snprintf(name, sizeof(name), "%d", pid);
    fixture_remove(&f, name);
}

static inline void write_last_pid(int pid)
{
    char text[64];

    snprintf(text, sizeof(text), "0.10 0.20 0.30 1/50 %d\n", pid);
    fixture_write(&f, "loadavg", text);
}

/* A tree of a main that was started by the tracker. */
static inline void begin(struct gput__tree *tree)
{
    fixture_begin(&f);
    write_process((struct proc){ .pid = 1 });
    write_process((struct proc){ .pid = TRACKER, .ppid = 1, .utime = 1000 });
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER });
    gput__tree_open(tree, &f.root, TRACKER, SINCE);
    tick = (uint64_t)tree->tick_ns;
    fixture_need(gput__tree_set_main(tree, MAIN, false) == 0, "set_main");
}

static inline void end(struct gput__tree *tree)
{
    gput__tree_close(tree);
    gput__tree_close(tree);
    fixture_end(&f);
}

static inline void poll_once(struct gput__tree *tree)
{
    static int64_t now = SINCE + 2 * S;

    now += S;
    gput__tree_poll(tree, now);
}

/* Ticks of main and of its descendants. */
static inline bool cpu_is(const struct gput__tree *tree, uint64_t main_ticks, uint64_t descendants)
{
    uint64_t m, d;

    gput__tree_cpu(tree, &m, &d);
    if (m != main_ticks * tick || d != descendants * tick)
        printf("# %g and %g ticks\n", (double)m / (double)tick, (double)d / (double)tick);
    return m == main_ticks * tick && d == descendants * tick;
}

#endif

/* memory_fixture.h - processes below a /proc that the test writes, with what memory each has of its own
 * and what it shares. */
#ifndef MEMORY_FIXTURE_H
#define MEMORY_FIXTURE_H

#include <math.h>
#include <stdio.h>

#include "fixture.h"

#define S INT64_C(1000000000)
#define SINCE (100 * S)
#define MB 1048576.0
#define TRACKER 99
#define MAIN 100

static struct fixture f;
static bool has_smaps; /* not only smaps_rollup */

struct proc {
    pid_t pid, ppid;
    unsigned long faults, stack; /* stack 0: as its parent's, so it has not called exec */
    unsigned long rss, own, pss; /* MB; pss 0: no smaps_rollup */
};

static inline void write_maps(struct proc p, const char *file, const char *range)
{
    char name[32], text[600];

    snprintf(name, sizeof(name), "%d/%s", p.pid, file);
    fixture_remove(&f, name);
    if (!p.pss)
        return;
    snprintf(
        text, sizeof(text),
        "%s\nRss: %lu kB\nPss: %lu kB\nPss_Anon: %lu kB\nShared_Clean: 0 kB\n"
        "Shared_Dirty: %lu kB\nPrivate_Clean: 0 kB\nPrivate_Dirty: %lu kB\nAnonymous: %lu kB\n",
        range, p.rss * 1024, p.pss * 1024, p.pss * 1024, (p.rss - p.own) * 1024, p.own * 1024,
        p.rss * 1024);
    fixture_write(&f, name, text);
}

static inline void write_process(struct proc p)
{
    static unsigned long n_polls;
    char name[32], text[600];

    n_polls++; /* CPU time: it has moved */
    snprintf(text, sizeof(text),
             "%d (a) S %d 1 1 0 -1 0 %lu 0 0 0 %lu 0 0 0 20 0 1 0 10050 0 %lu 0 0 0 %lu\n", p.pid,
             p.ppid, p.faults, n_polls, p.rss * 256, p.stack ? p.stack : 1000);
    snprintf(name, sizeof(name), "%d/stat", p.pid);
    fixture_write(&f, name, text);
    snprintf(text, sizeof(text), "Name:\ta\nVmHWM:\t%lu kB\nVmRSS:\t%lu kB\nRssAnon:\t%lu kB\n",
             p.rss * 1024, p.rss * 1024, p.rss * 1024);
    snprintf(name, sizeof(name), "%d/status", p.pid);
    fixture_write(&f, name, text);
    write_maps(p, "smaps_rollup", "00400000-7ffd00000000 ---p 00000000 00:00 0 [rollup]");
    if (has_smaps)
        write_maps(p, "smaps", "00400000-7ffd00000000 rw-p 00000000 00:00 0 ");
}

static inline void drop(pid_t pid)
{
    char name[32];

    snprintf(name, sizeof(name), "%d", pid);
    fixture_remove(&f, name);
}

/* Megabytes. */
static inline bool is(double value, double wanted)
{
    if (fabs(value - wanted) > 0.01)
        printf("# %g MB\n", value);
    return fabs(value - wanted) <= 0.01;
}

#endif

/* ledger.h - what a tree of processes really holds, entered by the processes themselves.
 *
 * One small mapping that all processes of a job share.  Memory is entered in units of 512 KiB:
 * growth when a unit has been touched, release right before it is given back, so that a process
 * that is preempted in between makes the ledger wrong by one unit only.  Each change is logged
 * with its time.  CPU time is entered by each process at its very end. */
#ifndef LEDGER_H
#define LEDGER_H

#include "../workloads/appetite.h"
#include <sched.h>
#include <stdatomic.h>

#define UNIT_PAGES 128u
#define UNIT_BYTES (UNIT_PAGES * PAGE)

enum {
    LEDGER_UNITS = 4096,    /* anonymous units at one time: 2 GiB */
    LEDGER_SHARED = 4096,   /* units of all shared regions */
    LEDGER_LOG = 64 * 1024, /* entries */
    HELD_MS = 50,           /* "held" means for so long */
};

struct ledger_entry {
    uint32_t at;    /* units of 10 us since the start */
    uint32_t pages; /* of the whole job, from then on */
};

struct ledger {
    atomic_flag lock;
    int64_t start_ns;
    uint32_t pages, most_pages;
    uint32_t n_log;
    uint32_t n_processes, n_alive, most_alive;
    _Atomic uint32_t n_ready; /* of those who wait for each other */
    uint32_t n_shared;        /* units of `shared` that are given out */
    uint32_t n_free;
    uint32_t fork_pages, exec_pages; /* that a new process has for itself before it takes any */
    double fork_tail, exec_tail;     /* seconds of CPU that a process needs to end */
    double cpu_seconds;
    _Alignas(16) char own[128];  /* of the program */
    int failed;                  /* errno of the first failure, which makes the figures worthless */
    uint16_t free[LEDGER_UNITS]; /* a stack of the anonymous units that nobody has */
    uint16_t refs[LEDGER_UNITS]; /* processes that have the unit in their page tables */
    uint16_t shared[LEDGER_SHARED];
    struct ledger_entry log[LEDGER_LOG];
};

static inline int64_t ledger_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline struct ledger *ledger_map(int fd)
{
    struct ledger *l = mmap(NULL, sizeof(*l), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (l == MAP_FAILED)
        die("ledger");
    return l;
}

/* The descriptor is inherited through exec.  All of it is touched here: from now on it is a part
 * of what the first process holds. */
static inline struct ledger *ledger_create(int *ret_fd)
{
    int fd = memfd_create("ledger", 0);
    struct ledger *l;

    if (fd < 0 || ftruncate(fd, sizeof(*l)) < 0)
        die("ledger");
    l = ledger_map(fd);
    memset(l, 0, sizeof(*l));
    atomic_flag_clear(&l->lock);
    l->start_ns = ledger_ns();
    for (unsigned i = 0; i < LEDGER_UNITS; i++)
        l->free[i] = (uint16_t)(LEDGER_UNITS - 1 - i);
    l->n_free = LEDGER_UNITS;
    *ret_fd = fd;
    return l;
}

static inline void ledger_lock(struct ledger *l)
{
    while (atomic_flag_test_and_set_explicit(&l->lock, memory_order_acquire))
        sched_yield();
}

static inline void ledger_unlock(struct ledger *l)
{
    atomic_flag_clear_explicit(&l->lock, memory_order_release);
}

static inline void ledger_fail(struct ledger *l, int error)
{
    if (!l->failed)
        l->failed = error;
}

/* With the lock held.  `pages` may be negative. */
static inline void ledger_change(struct ledger *l, int64_t pages)
{
    uint32_t at = (uint32_t)((ledger_ns() - l->start_ns) / 10000);

    l->pages = (uint32_t)((int64_t)l->pages + pages);
    if (l->pages > l->most_pages)
        l->most_pages = l->pages;
    if (l->n_log == LEDGER_LOG)
        ledger_fail(l, ENOSPC);
    else
        l->log[l->n_log++] = (struct ledger_entry){ at, l->pages };
}

static inline void ledger_add(struct ledger *l, int64_t pages)
{
    ledger_lock(l);
    ledger_change(l, pages);
    ledger_unlock(l);
}

static inline void ledger_enter(struct ledger *l, uint32_t pages)
{
    ledger_lock(l);
    l->n_processes++;
    if (l->n_alive > l->most_alive)
        l->most_alive = l->n_alive;
    ledger_change(l, pages);
    ledger_unlock(l);
}

/* The last entry of a process: what it had from its start, and its CPU time. */
static inline void ledger_leave(struct ledger *l, uint32_t pages, double tail)
{
    ledger_lock(l);
    l->n_alive--;
    ledger_change(l, -(int64_t)pages);
    l->cpu_seconds += clock_s(CLOCK_PROCESS_CPUTIME_ID) + tail;
    ledger_unlock(l);
}

/* The largest level that was not left for HELD_MS.  The best span begins at an entry, so the
 * minimum over [entry, entry + HELD_MS) is asked for each: a sliding minimum. */
static inline uint32_t ledger_most_held(const struct ledger *l)
{
    static uint32_t queue[LEDGER_LOG]; /* entries of ascending pages; the first is the minimum */
    const struct ledger_entry *log = l->log;
    uint32_t head = 0, tail = 0, next = 0, best = 0;
    uint32_t end = (uint32_t)((ledger_ns() - l->start_ns) / 10000);

    for (uint32_t i = 0; i < l->n_log && log[i].at + HELD_MS * 100 <= end; i++) {
        while (next < l->n_log && log[next].at < log[i].at + HELD_MS * 100) {
            while (tail > head && log[queue[tail - 1]].pages >= log[next].pages)
                tail--;
            queue[tail++] = next++;
        }
        while (queue[head] < i)
            head++;
        if (log[queue[head]].pages > best)
            best = log[queue[head]].pages;
    }
    return best;
}

/* $LEDGER_LOG: a file for all entries, "seconds of CLOCK_MONOTONIC, bytes". */
static inline void ledger_write_log(const struct ledger *l)
{
    const char *path = getenv("LEDGER_LOG");
    FILE *f = path ? fopen(path, "we") : NULL;

    for (uint32_t i = 0; f && i < l->n_log; i++)
        fprintf(f, "%.5f %zu\n", (double)l->start_ns * 1e-9 + l->log[i].at * 1e-5,
                l->log[i].pages * PAGE);
    if (f)
        fclose(f);
}

/* The last thing the first process does, when all others are over.  Returns its exit status. */
static inline int ledger_finish(struct ledger *l, const char *path, const char *extra)
{
    uint32_t held = ledger_most_held(l);
    FILE *f = fopen(path, "we");

    if (!f)
        die(path);
    ledger_write_log(l);
    fprintf(f,
            "{\"most_ever\": %zu, \"most_held_50ms\": %zu, \"cpu_seconds\": %.6f, "
            "\"n_processes\": %u, \"most_alive\": %u, \"wall\": %.6f, \"failed\": %d%s}\n",
            l->most_pages * PAGE, held * PAGE, l->cpu_seconds + clock_s(CLOCK_PROCESS_CPUTIME_ID),
            l->n_processes, l->most_alive, (double)(ledger_ns() - l->start_ns) * 1e-9, l->failed,
            extra);
    if (fclose(f) != 0)
        die(path);
    return l->failed ? 99 : 0;
}

#endif

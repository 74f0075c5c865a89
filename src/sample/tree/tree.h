/* tree.h - the processes of the job: which belong to it, and what was last read of each.
 *
 * Polling is cheap by one observation: a process whose CPU clock stands still has done nothing, so
 * its memory, threads and children waited for are what they were.  Only processes that moved are read. */
#ifndef GPUT_SAMPLE_TREE_H
#define GPUT_SAMPLE_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#include "base/pidmap.h"
#include "base/root.h"
#include "sample/allowance.h"
#include "sample/tree/task.h"
#include "source/machine/sys_cpu.h"
#include "source/proc/proc_stat.h"

/* --- the parts of a tree --------------------------------------------------------------------- */

/* Whose processes these are; written by tree.c alone. */
struct gput__tree_of {
    pid_t tracker; /* orphans of the job become its children; 0: they go elsewhere */
    pid_t self;    /* ours: never of the job, unless it is main; 0: a dump */
    pid_t main_pid;
    bool main_is_older; /* than the tracking, be it by a moment */
    int64_t since_ns;   /* when tracking began */
};

/* All that is read of a process that has stood still, packed: for a job of hundreds of idle
 * processes the time goes into fetching this.  Written by task_poll.c alone. */
struct gput__cached_clock {
    clockid_t clock;
    bool can_stand_still; /* it has a clock, and nothing of it waits to be read */
    uint64_t ns;
};

/* The last poll; written by tree.c alone. */
struct gput__poll {
    uint64_t n;
    int64_t at_ns;    /* when it read the processes: rates are over the time between two reads */
    uint64_t n_reads; /* of single processes so far: if it is the same, nothing moved */
    bool moved;       /* it saw new or exited processes or page faults */
    bool is_record;   /* it is for a record: all that costs little is read */
};

/* How new processes are found; written by discover.c alone. */
struct gput__births {
    int events;          /* descriptor of the process events, or -1 */
    bool are_heard;      /* since the last search of our own they told of some */
    uint64_t n;          /* somewhere on the machine: how often there were some */
    bool lists_children; /* the kernel lists the children of a process */
    bool list_all;       /* the next poll reads the lists of all, whether they have moved or not */
    bool rescan;         /* events were lost, or there are none and a process forked */
    int fd_loadavg;
    uint64_t last_pid; /* the youngest pid of the system at the last scan of /proc */
    int64_t scanned_ns;
    int64_t forked_ns; /* when the process that is being added was, by its event; 0: not known */
    struct gput__allowance scans; /* share 0: as many as are called for */
    int64_t scan_cost_ns;         /* what the last poll took for one */
    int n_orphan_scans;           /* in turn, that met a process with an unknown parent */
    uint64_t n_foreign;
    struct gput__pidmap foreign; /* pids that were read and are not the job's */
    struct gput__pidmap unseen;  /* pids of the job's that had exited before they were read */
    uint64_t n_missed;           /* how many these were */
    bool had_descendants;
    bool others_died; /* a process that was no helper exited, or may have */
};

/* Bytes of exited processes to and from disks, which no parent inherited; written by io.c alone. */
struct gput__dead_io {
    uint64_t read, written;
};

/* What exited processes used that no living ancestor in the job has in its counts; written by cpu.c
 * alone. */
struct gput__dead {
    uint64_t reaped_ns, lost_ns;
    uint64_t guessed_ns;  /* of what counts, estimated: of processes without a waiting parent */
    struct rusage usage;  /* of those that the tracker waited for */
    uint64_t largest_rss; /* the largest peak of one of them */
    struct gput__dead_io io;
};

/* How the kernel names a helper: the name of its mode as well. */
#define GPUT__HELPER_NAME "gput-helper"

/* A helper process of another tracker's, beside the job. */
struct gput__helper {
    pid_t pid, ppid;
    uint64_t start;
    clockid_t clock;
    bool has_clock;
    struct gput__cpu_counts used; /* so far */
    uint64_t startstack;          /* moves with exec */
    bool is_exposed;              /* as one of the job's, in which it counts from then on */
};

/* Finds the program that the tracker would start as a helper; the path is to be freed. */
struct gput__finder {
    char *(*find)(const void *ctx); /* NULL: only the running program */
    const void *ctx;
};

/* Helpers of other trackers; written by helpers.c alone. */
struct gput__helpers {
    struct gput__helper *list;
    uint32_t n;
    struct gput__finder program;
    struct gput__cpu_counts used; /* by exited ones, whose parents were the job's */
};

/* CPU time of processes without a waiting parent; written by unwaited.c alone. */
struct gput__unwaited {
    int64_t moved_ns;  /* when one of them was last seen to move */
    bool no_counters;  /* the kernel allows none that outlive a process */
    uint64_t brief_ns; /* what one uses that lives for a moment only, on average */
    int *counters;     /* of all that lived when the first was met, with their later children; */
    uint32_t n_counters;
    uint64_t before_ns;           /* and what the job had used until then */
    struct gput__sys_cpu machine; /* then */
    int64_t opened_ns;            /* the last of them */
    int n_begins;
    bool is_wanted, is_incomplete;
};

/* Alarms of a job without running processes; written by asleep.c alone. */
struct gput__asleep {
    int *alarms;
    uint32_t n, cap;
    bool is_impossible; /* the kernel allows none */
    uint64_t reads;     /* of the tree, up to the last poll, */
    uint64_t tried;     /* and when they were last set: not again while nothing moves */
    int64_t moved_ns;   /* when a poll last saw something move */
    int64_t cost_ns;    /* CPU time of the last time that they were set */
};

/* Memory of exited processes that others still hold, bytes; written by account.c alone. */
struct gput__left {
    uint64_t shared;  /* on the accounts of exited processes, */
    uint64_t at_most; /* and may be besides, of their parents */
};

/* How many more descriptors may be kept open. */
struct gput__fd_allowance {
    int left;
};

static inline void gput__fds_use(struct gput__fd_allowance *fds, int n)
{
    fds->left -= n;
}

static inline void gput__fds_return(struct gput__fd_allowance *fds, int n)
{
    fds->left += n;
}

/* --- the tree -------------------------------------------------------------------------------- */

struct gput__tree {
    const struct gput__root *proc;
    int64_t tick_ns; /* a clock tick of the kernel's */
    uint64_t page;
    struct gput__tree_of who;

    struct gput__task *tasks;          /* parents before children; the table is tree.c's */
    struct gput__cached_clock *clocks; /* of the same places */
    uint32_t n, cap;
    struct gput__pidmap index; /* pid -> place in tasks */
    uint64_t version;          /* moves with every new and every exited process */

    struct gput__poll poll;
    struct gput__births births;
    struct gput__dead dead;
    struct gput__helpers helpers;
    struct gput__unwaited unwaited;
    struct gput__asleep asleep;
    struct gput__left left;
    struct gput__commands commands;
    bool has_huge_pages; /* one fault was seen to bring many pages; written by rss.c */
    struct gput__fd_allowance fds;
};

void gput__tree_open(struct gput__tree *tree, const struct gput__root *proc, pid_t tracker,
                     int64_t now);
void gput__tree_close(struct gput__tree *tree);

/* Makes `pid` the main process.  `older`: it ran before tracking began, and so may descendants
 * of it.  -ESRCH: no such process. */
int gput__tree_set_main(struct gput__tree *tree, pid_t pid, bool older);

/* NULL: not one of the job's. */
struct gput__task *gput__tree_find(const struct gput__tree *tree, pid_t pid);
struct gput__task *gput__tree_main(const struct gput__tree *tree);

/* Discovers, then reads every process that moved. */
void gput__tree_poll(struct gput__tree *tree, int64_t now);
/* The same, and all that costs little is read. */
void gput__tree_poll_for_record(struct gput__tree *tree, int64_t now);
/* A moment that is no poll: clocks that are read now are read at it. */
void gput__tree_set_moment(struct gput__tree *tree);

/* The tracker waited for `pid`, an orphan of the job: its usage is exact now. */
void gput__tree_reaped(struct gput__tree *tree, pid_t pid, const struct rusage *usage);

/* Only main is left: the table forgets the others.  Main's counts have the time of those that it
 * waited for. */
void gput__tree_drop_descendants(struct gput__tree *tree);

/* --- for the files that fill it --------------------------------------------------------------- */

/* Adds a process to the job; `parent` may be NULL.  -ESRCH: it is gone again. */
int gput__tree_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st,
                   const struct gput__task *parent);
int gput__tree_read_stat(const struct gput__tree *tree, pid_t pid, struct gput__proc_stat *ret);
/* Something of the job has moved. */
void gput__tree_stir(struct gput__tree *tree);
/* One has come or gone. */
void gput__tree_change(struct gput__tree *tree);

#endif

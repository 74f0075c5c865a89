/* tree.h - the processes of the job: who belongs to it, and what was last read of each.
 *
 * Looking is cheap by one observation: a process whose CPU clock stands still has done nothing, so
 * its memory, threads and children waited for are what they were.  Only who moved is read. */
#ifndef GPUT_SAMPLE_TREE_H
#define GPUT_SAMPLE_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#include "base/pidmap.h"
#include "base/root.h"
#include "sample/account.h"
#include "sample/budget.h"
#include "source/proc_stat.h"

/* How the kernel names a helper: the name of its mode as well. */
#define GPUT__HELPER_NAME "gput-helper"

/* The four times of /proc/PID/stat are each cut to a clock tick: below this a difference between
 * what a parent inherited and what its children had is rounding. */
#define GPUT__ROUNDING_TICKS 2

/* A counter of the process itself or of the children that it waited for, and what it stood at when
 * tracking began: 0 for a process that was born later. */
struct gput__count {
    uint64_t now, base;
};

static inline uint64_t gput__count_used(const struct gput__count *c)
{
    return c->now > c->base ? c->now - c->base : 0;
}

/* Bytes that a process and the children it waited for have moved. */
struct gput__moved {
    struct gput__count count;
    uint64_t seen;          /* what was read since `count` was settled */
    struct gput__count due; /* of children that died since then: should be in what is read next */
};

/* What a task's counts hold of helpers that died, and should not. */
struct gput__debt {
    uint64_t waited_ns, user_ticks, system_ticks, minor, major;
};

/* A helper process of another tracker's, beside the job. */
struct gput__helper {
    pid_t pid, ppid;
    uint64_t start;
    clockid_t clock;
    bool has_clock;
    struct gput__debt used; /* so far */
    uint64_t startstack;    /* moves with exec */
    bool is_exposed;        /* as one of the job's, in which it counts from then on */
};

/* Finds the program that we would start as a helper; the path is to be freed. */
struct gput__finder {
    char *(*find)(const void *ctx); /* NULL: there is only what we run ourselves */
    const void *ctx;
};

struct gput__task {
    pid_t pid, ppid;
    uint64_t start;  /* clock ticks since boot; with the pid the identity */
    int64_t born_ns; /* the same on the boot clock */
    clockid_t clock;
    bool has_clock;
    bool is_main;
    bool is_older;    /* than the tracking: its marks and counters count from then on */
    bool own_image;   /* it has called exec, or is old enough to be a worker of its own */
    bool must_read;   /* something happened that its CPU clock may not show */
    bool is_exiting;  /* its pages may be going while others are read */
    bool is_starting; /* between vfork and the end of exec: who it will be is not known yet */
    bool is_helper;   /* of another tracker's: leaves the table, and is followed beside it */
    bool gone;        /* dead and waited for; leaves the table at the end of the look */
    bool is_settled;  /* ... and all that it used and inherited is in a sum of the kernel's */
    char state;
    int fd_stat, fd_statm, fd_children; /* kept open, or -1 */
    int fd_clock; /* of one whose end nobody waits for: a counter that outlives it; or -1 */
    pid_t twin;   /* another that runs in the same memory, where that counts; 0 */
    pid_t via;    /* its leader has exited: the thread through which memory is seen; 0 */

    struct gput__count cpu_ns;    /* own threads, living and dead */
    struct gput__count waited_ns; /* children that it waited for, with theirs */
    uint64_t vanished_ns;         /* what its children had when last seen, of those now gone */
    uint64_t inherited_ns;        /* likewise, of those that died with it */
    int64_t cpu_read_ns;          /* when its CPU clock was last read */
    int64_t missed_ns;            /* when it was first found to have none any more; 0: it has one */
    uint64_t counted_from_ns;     /* what `fd_clock` does not count */
    double cpu_rate;              /* cores that it kept busy between the last two reads */
    bool ignores_children;        /* it does not wait for them: nobody inherits their time */
    bool was_asked;               /* its own status tells so, not that of who forked it */
    bool lost_a_child;            /* or that was seen */
    int64_t asked_ns;             /* when it was last asked whether it does */
    uint64_t births_listed;       /* `tree->births` when its children were last listed */
    struct gput__count user_ticks, system_ticks, minor, major; /* own and waited for */
    struct gput__debt owed;
    bool had_helpers; /* that died */
    uint64_t faults;  /* own, minor and major: moves with every page that it takes */
    uint64_t waited_faults;
    uint32_t threads;
    uint64_t startstack, parent_startstack;

    uint64_t rss, anon;     /* bytes, at the last look that found it changed */
    uint64_t hwm;           /* the kernel's mark of the current image; 0: none that counts */
    uint64_t base_hwm;      /* an older process's mark when tracking began */
    uint64_t prior_anon;    /* at the look before, if it was read at both: */
    uint64_t read_at;       /* the number of the look that last read its memory, 0 none */
    uint64_t memory_faults; /* `faults` + 1 and what stat said then */
    uint64_t memory_rss;
    bool was_measured;
    uint64_t status_faults; /* `faults` + 1 when status was last read, 0 never */
    uint64_t status_rss;    /* what it said */

    struct gput__account account;           /* of memory */
    uint64_t followed_rss, followed_faults; /* when the pages around the job were last counted */
    bool is_counted;                        /* when counters were opened it was there */
    bool is_followed;

    bool has_io;
    bool io_is_told;   /* it has vanished, and its parent was told of its bytes */
    uint64_t io_at_ns; /* its CPU time + 1 when /proc/PID/io was last read, 0 never */
    struct gput__moved read, written; /* from and to disks */
};

/* All that is looked at of a process that has stood still, packed: for a job of hundreds of idle
 * processes the time goes into fetching what is looked at. */
struct gput__pulse {
    clockid_t clock;
    bool can_stand_still; /* it has a clock, and nothing of it waits to be read */
    uint64_t ns;
};

/* CPU time of processes whose end nobody waits for; written by unwaited.c alone. */
struct gput__unwaited {
    int64_t moved_ns;  /* when one of them was last seen to move */
    bool no_counters;  /* the kernel has none for us that outlive a process */
    uint64_t brief_ns; /* what one uses that lives for a moment only, on average */
    int *counters;     /* of all who lived when the first was met, with what they fork since; */
    uint32_t n_counters;
    uint64_t before_ns; /* and what the job had used until then */
    int64_t begun_ns;
    int n_begins;
    bool is_wanted, is_incomplete;
};

/* Alarms of a job of which nobody runs; written by asleep.c alone. */
struct gput__asleep {
    int *alarms;
    uint32_t n, cap;
    bool is_impossible; /* the kernel has none for us */
    uint64_t reads;     /* of the tree, up to the last look, */
    uint64_t tried;     /* and when they were last set: not again while nobody moves */
};

struct gput__tree {
    const struct gput__root *proc;
    pid_t tracker; /* orphans of the job become its children; 0: they go elsewhere */
    pid_t self;    /* ours: never of the job, unless it is main; 0: a dump */
    pid_t main_pid;
    bool main_is_older; /* than the tracking, be it by a moment */
    int64_t since_ns;   /* when tracking began */
    int64_t tick_ns;    /* a clock tick of the kernel's */
    uint64_t page;

    struct gput__task *tasks;   /* parents before children */
    struct gput__pulse *pulses; /* of the same places */
    uint64_t n_reads;           /* of single processes so far: if it stands, nobody has moved */
    uint32_t n, cap;
    struct gput__pidmap index;   /* pid -> place in tasks */
    struct gput__pidmap foreign; /* pids that were looked at and are not the job's */
    struct gput__pidmap ghosts;  /* pids of the job's that were dead before they were looked at */
    uint64_t version;            /* moves with every birth and death */
    struct gput__helper *helpers;
    uint32_t n_helpers;
    struct gput__finder helper_program;
    struct gput__debt helpers_used; /* by dead ones, whose parents were the job's */

    int events;          /* descriptor of the process events, or -1 */
    uint64_t births;     /* somewhere on the machine: how often there were some */
    bool lists_children; /* the kernel lists the children of a process */
    bool list_all;       /* the next look reads the lists of all, whether they have moved or not */
    struct gput__unwaited unwaited;
    struct gput__asleep asleep;
    bool is_record;      /* the look is for a record: all that costs little is read */
    bool has_huge_pages; /* one fault was seen to bring many pages */
    bool rescan;         /* events were lost, or there are none and somebody forked */
    int fd_loadavg;
    uint64_t last_pid; /* the youngest pid of the system at the last scan */
    int64_t scanned_ns;
    struct gput__budget scans; /* share 0: as many as are called for */
    int64_t scan_cost_ns;      /* what the last look took for one */
    int n_orphan_scans;        /* in turn, that met somebody whose parent nobody knows */
    uint64_t foreign_births;
    int fds_left; /* how many more descriptors may be kept */

    /* What the dead have used that no living ancestor of the job carries. */
    uint64_t reaped_ns, lost_ns;
    uint64_t guessed_ns; /* of what counts, what nobody saw: of processes that nobody waited for */
    uint64_t lost_read, lost_written; /* bytes */
    struct rusage reaped;
    uint64_t reaped_rss; /* the largest mark of a reaped orphan */
    bool had_descendants;
    bool others_died; /* who were no helpers, or may have: of some births nobody heard */

    uint64_t left_shared;  /* bytes on the accounts of the dead that others still hold, */
    uint64_t left_at_most; /* and may hold besides, of those who forked them */
    uint64_t n_missed;     /* processes that were over before anybody looked at them */
    bool is_rough;         /* of some dead it is not known what they left: so since the last scan */
    bool moved;            /* the last look saw births, deaths or page faults */
    uint64_t n_looks;
    int64_t looked_ns; /* when it read the processes: rates are over the time between two reads */
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

/* Finds who was born since the last time. */
void gput__tree_discover(struct gput__tree *tree, int64_t now);
/* Only those whom the process events tell of. */
void gput__tree_hear(struct gput__tree *tree);
/* Births may have been missed: the next look finds them. */
void gput__tree_recheck(struct gput__tree *tree);

/* From now on looks through /proc take no more than one part in `share` of the time. */
void gput__tree_scan_sparingly(struct gput__tree *tree, int64_t now, int64_t share);
/* The next look may go through /proc if that is called for, whatever it costs. */
void gput__tree_scan_freely(struct gput__tree *tree);

/* Discovers, then reads everybody who moved. */
void gput__tree_look(struct gput__tree *tree, int64_t now);

/* The next look reads its stat, whatever its clock says: that of one that runs lags behind. */
void gput__tree_must_read(struct gput__tree *tree, pid_t pid);

/* The tracker has waited for `pid`, an orphan of the job: its usage is exact now. */
void gput__tree_reaped(struct gput__tree *tree, pid_t pid, const struct rusage *usage);

/* Nobody but main is left: the table forgets them.  The time of those who were waited for is main's
 * to tell. */
void gput__tree_drop_descendants(struct gput__tree *tree);

/* Whether its memory counts as its own: not between fork or vfork and exec. */
bool gput__task_has_memory(const struct gput__task *t);
bool gput__task_is_alive(const struct gput__task *t);
/* Whether it runs in the memory of its parent, between vfork and exec. */
bool gput__task_shares_memory(const struct gput__tree *tree, const struct gput__task *t);

/* CPU time of the job so far, dead children included. */
void gput__tree_cpu(const struct gput__tree *tree, uint64_t *ret_main_ns,
                    uint64_t *ret_descendants_ns);

/* --- between tree.c, discover.c, children.c and look.c ----------------------------------------- */

/* Takes a process into the job; `parent` may be NULL.  -ESRCH: it is gone again. */
int gput__tree_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st,
                   const struct gput__task *parent);
int gput__tree_read_stat(const struct gput__tree *tree, pid_t pid, struct gput__proc_stat *ret);
/* Takes in the children of a process as the kernel lists them. */
void gput__tree_list_children(struct gput__tree *tree, uint32_t place);
/* Likewise the tracker's, which orphans of the job become. */
void gput__tree_list_orphans(struct gput__tree *tree);
bool gput__tree_can_list_children(const struct gput__tree *tree);
/* Takes in a process if it is the job's and not known yet. */
void gput__tree_meet(struct gput__tree *tree, pid_t pid);
bool gput__tree_is_older(const struct gput__tree *tree, uint64_t starttime);

#endif

/* task.h - one process of the job: what is known of it.
 *
 * A process is made of parts.  Each part is written by one file, named here; the others read it, and
 * change it by that file's functions (tools/check-writers). */
#ifndef GPUT_SAMPLE_TASK_H
#define GPUT_SAMPLE_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "sample/commands/commands.h"
#include "sample/memory/account.h"

/* A counter of the process itself or of the children that it waited for. */
struct gput__count {
    uint64_t now;  /* as the kernel counts */
    uint64_t base; /* what of that is not the job's: used before tracking began, by helpers of other
                      trackers, or inherited from older children */
};

static inline uint64_t gput__count_used(const struct gput__count *c)
{
    return c->now > c->base ? c->now - c->base : 0;
}

/* What it does, and as which program; written by task_poll.c alone. */
struct gput__life {
    pid_t ppid;
    char state;
    uint32_t threads;
    uint64_t startstack; /* moves with exec */
    bool is_past_exec;   /* it has called exec, or is so old that it will not */
    bool must_read;      /* something happened that its CPU clock may not show */
    bool is_exiting;     /* its pages may be going while others are read */
    bool is_starting;    /* between vfork and the end of exec: its program is not known yet */
    bool is_helper;      /* of another tracker's: leaves the table, and is followed beside it */
    bool gone;           /* dead and waited for; leaves the table at the end of the poll */
    pid_t twin;          /* another that runs in the same memory, where that counts; 0 */
    pid_t via;           /* its leader has exited: the thread through which memory is seen; 0 */
};

/* Files of /proc/PID that are kept open, or -1; written by task_poll.c alone. */
struct gput__task_files {
    int stat, statm, children;
};

/* Counts of CPU time and faults: used by helpers, or to be subtracted from a task's counts for them. */
struct gput__cpu_counts {
    uint64_t waited_ns, user_ticks, system_ticks, minor, major;
};

/* CPU time, and page faults, which parents inherit in the same way; written by cpu.c alone. */
struct gput__task_cpu {
    clockid_t clock;
    bool has_clock;
    struct gput__count own_ns;    /* own threads, exited ones included */
    struct gput__count waited_ns; /* children that it waited for, with theirs */
    uint64_t vanished_ns;         /* what its children had when last seen, of those now gone */
    uint64_t inherited_ns;        /* likewise, of those that exited with it */
    int64_t read_ns;              /* when its CPU clock was last read */
    int64_t missed_ns;            /* when it was first found to have none any more; 0: it has one */
    double rate;                  /* cores that it kept busy between the last two reads */
    struct gput__count user_ticks, system_ticks, minor, major; /* own and waited for */
    bool
        is_accounted; /* it exited, and all that it used and inherited is in a sum of the kernel's */
    struct gput__cpu_counts owed;
    bool had_helpers; /* that exited */
};

/* Whether it waits for its children, and what counts its time if its parent does not wait; written by
 * unwaited.c alone. */
struct gput__task_waiting {
    bool ignores_children; /* it does not wait for them and does not inherit their time */
    bool was_asked;        /* from its own status, not that of its parent */
    bool lost_a_child;     /* or that was seen */
    int64_t asked_ns;      /* when it was last asked whether it does */
    int fd;                /* of one without a waiting parent: a counter that outlives it; or -1 */
    uint64_t counted_from_ns; /* what that does not count */
    bool is_counted;          /* by a counter for all of the job, opened for it or inherited */
    bool may_be_counted;      /* it was being forked when its parent's was opened */
    int64_t opened_ns;        /* when one was opened for it; 0: it has inherited one, or has none */
};

/* Its memory as polls read it, bytes; written by rss.c alone. */
struct gput__task_ram {
    uint64_t rss, anon;  /* at the last poll that found it changed */
    uint64_t hwm;        /* the high-water mark of the current program; 0: none that counts */
    uint64_t base_hwm;   /* an older process's high-water mark when tracking, or the lap, began */
    uint64_t prior_anon; /* `anon` at the read before the last one */
    uint64_t read_at;    /* the number of the poll that last read its memory, 0 none */
    uint64_t faults;     /* own, minor and major: moves with every page that it takes */
    uint64_t waited_faults; /* of the children that it waited for */
    uint64_t memory_faults; /* `faults` + 1 at the last read of its memory, 0: never */
    uint64_t memory_rss;    /* its RSS by stat then */
    bool was_measured;
    uint64_t status_faults; /* `faults` + 1 when status was last read, 0 never */
    uint64_t status_rss;    /* what it said */
};

/* What it had when the pages around the job were last counted; written by memory_count.c alone. */
struct gput__followed {
    bool is_known;
    uint64_t rss, faults;
};

/* Bytes that a process and the children it waited for have moved. */
struct gput__moved {
    struct gput__count count;
    uint64_t seen;          /* what was read since `count` was brought up to date */
    struct gput__count due; /* of children that exited since then: should be in what is read next */
};

/* Bytes to and from disks; written by io.c alone. */
struct gput__task_io {
    bool is_known;
    bool is_told;   /* it has vanished, and its bytes are noted at its parent */
    uint64_t at_ns; /* its CPU time + 1 when /proc/PID/io was last read, 0 never */
    struct gput__moved read, written;
};

/* Its open files; written by extras.c alone. */
struct gput__task_open_files {
    uint64_t at_ns; /* its CPU time + 1 when they were last counted, 0 never */
    uint32_t n;
};

/* One thread, as the kernel counts. */
struct gput__thread_delays {
    pid_t tid;
    uint64_t ran_ns, run_queue_ns; /* it had a CPU; it waited for one */
    uint64_t io_ticks;             /* it waited for a disk; 0 without delay accounting */
};

/* What its threads had waited when they were last read; written by delays.c alone. */
struct gput__task_delays {
    bool is_known;
    uint64_t at_ns; /* its CPU time + 1 then */
    struct gput__thread_delays *threads;
    uint32_t n;
};

struct gput__task {
    /* Its identity, which never changes; written by tree.c. */
    pid_t pid;
    uint64_t start;  /* clock ticks since boot; with the pid the identity */
    int64_t born_ns; /* the same on the boot clock */
    bool is_main;
    bool is_older;              /* than the tracking: its peak and counters count from then on */
    uint64_t parent_startstack; /* when it was found: its own is another one after exec */

    /* `births.n` when its children were last listed; written by children.c */
    uint64_t births_listed;

    struct gput__life life;
    struct gput__task_files files;
    struct gput__task_cpu cpu;
    struct gput__task_waiting waiting;
    struct gput__task_ram ram;
    struct gput__account account;
    struct gput__followed followed;
    struct gput__task_io io;
    struct gput__task_open_files open_files;
    struct gput__task_delays delays;
    struct gput__task_command command;
};

/* A leader that has exited while other threads run on shows as a zombie too. */
static inline bool gput__task_is_alive(const struct gput__task *t)
{
    return !t->life.gone && (t->life.threads > 1 || (t->life.state != 'Z' && t->life.state != 'X'));
}

/* Its pages are the job's; but of a process between fork and exec only what it took itself. */
static inline bool gput__task_has_pages(const struct gput__task *t)
{
    return gput__task_is_alive(t) && !t->life.is_starting && !t->life.twin;
}

/* Whether its memory counts as its own: not between fork or vfork and exec. */
static inline bool gput__task_has_memory(const struct gput__task *t)
{
    return t->life.is_past_exec && gput__task_has_pages(t);
}

/* Since its parent forked it: after exec the stack lies elsewhere. */
static inline bool gput__task_has_called_exec(const struct gput__task *t)
{
    return t->life.startstack && t->parent_startstack && t->life.startstack != t->parent_startstack;
}

#endif

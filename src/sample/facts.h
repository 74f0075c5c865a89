/* facts.h - what a sampler knows of the job beside its samples.  All of it is read only: the owner of
 * a sampler asks here, and does not reach into the table of processes. */
#ifndef GPUT_SAMPLE_FACTS_H
#define GPUT_SAMPLE_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "sample/sampler.h"

/* --- processes ------------------------------------------------------------------------------- */

bool gput__sampler_main_is_alive(const struct gput__sampler *s);
/* Whether it is known as one of the job's. */
bool gput__sampler_has(const struct gput__sampler *s, pid_t pid);
/* The same, also of a process too young to have been polled: one above it is of the job, or is
 * the tracker.  One that has just ended counts as the job's. */
bool gput__sampler_owns(const struct gput__sampler *s, pid_t pid);
/* The living ones but main; returns how many there are, of which at most `max` are stored. */
int gput__sampler_descendants(const struct gput__sampler *s, pid_t *ret_pids, int max);

/* The living ones, parents before children, at the last poll; returns how many there are, of which at
 * most `max` are stored. */
int gput__sampler_processes(const struct gput__sampler *s, struct gput_live_process *ret, int max);

/* --- watching -------------------------------------------------------------------------------- */

struct gput__last_poll {
    int64_t at_ns;        /* when it read the processes */
    int64_t scan_cost_ns; /* what of its time went into searching /proc */
    bool moved;           /* it saw new or exited processes or page faults */
    bool wants_more;      /* how forked processes share memory is only known from frequent polls */
};
struct gput__last_poll gput__sampler_last_poll(const struct gput__sampler *s);

struct gput__effort {
    uint64_t n_polls;
    uint32_t n_scans;  /* of memory */
    uint32_t n_hidden; /* processes whose memory map cannot be read */
    bool has_events;   /* the kernel reports new processes */
};
struct gput__effort gput__sampler_effort(const struct gput__sampler *s);

/* Readable when the memory scan under way is finished; -1: there is none. */
int gput__sampler_scan_fd(const struct gput__sampler *s);

/* --- memory, bytes --------------------------------------------------------------------------- */

struct gput__peaks {
    uint64_t main, descendants; /* the largest high-water mark of a single process */
    uint64_t orphan;            /* likewise of those that the tracker waited for */
    uint64_t probed;      /* the most that the whole job held between polls, confirmed by one */
    uint64_t uncertainty; /* by how much a high-water mark may be off */
};
struct gput__peaks gput__sampler_peaks(const struct gput__sampler *s);

/* What the kernel says of the lap: see gput__sampler_begin_lap(). */
struct gput__lap_facts {
    uint64_t main_rss;      /* at the last poll */
    uint64_t main_mark;     /* the high-water mark of main, where it has risen; else 0 */
    uint64_t main_before;   /* the one that it had when the lap began */
    uint64_t probed;        /* as above */
    uint64_t waited_faults; /* of children that main has waited for: it moves with each of them */
};
struct gput__lap_facts gput__sampler_lap(const struct gput__sampler *s);

/* The largest at a poll: what was certain, what was reported, what was possible. */
struct gput__ram_bounds {
    uint64_t at_least, told, at_most;
};
struct gput__ram_bounds gput__sampler_ram_bounds(const struct gput__sampler *s,
                                                 enum gput__group group);

/* What its processes map of files, pages that several map counted for each. */
uint64_t gput__sampler_mapped_files(const struct gput__sampler *s);

/* --- CPU time and what goes with it ---------------------------------------------------------- */

struct gput__cpu_doubts {
    uint64_t guessed_ns; /* of what counts, the part that was not seen */
    bool may_guess;   /* there is such time, or may be: a process does not wait for its children */
    bool has_losses;  /* processes vanished whose time no parent inherited */
    bool has_helpers; /* of other trackers, now or before: they are not the job's */
};
struct gput__cpu_doubts gput__sampler_cpu_doubts(const struct gput__sampler *s);

/* Of the whole job, exited processes included. */
struct gput__totals {
    double user_s, system_s, minor_faults, major_faults;
    /* What only wait4 has: of main and of orphans, with all that they waited for. */
    double voluntary_switches, involuntary_switches, blocks_read, blocks_written;
    bool has_living; /* of some processes only the last reading is known */
};
/* `main_usage`: what wait4 returned of main; NULL: nothing yet. */
void gput__sampler_totals(const struct gput__sampler *s, const struct rusage *main_usage,
                          struct gput__totals *ret);

/* --- who used it ---------------------------------------------------------------------------- */

/* See gput__commands_now(). */
size_t gput__sampler_commands(const struct gput__sampler *s, struct gput__command *ret, size_t most,
                              struct gput__command *ret_others);

/* --- the machine ----------------------------------------------------------------------------- */

/* Whether figures of the job were requested that cost more than the others. */
bool gput__sampler_wants_extras(const struct gput__sampler *s);
/* NULL: not requested. */
const struct gput__machine *gput__sampler_machine(const struct gput__sampler *s);

#endif

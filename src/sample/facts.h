/* facts.h - what a sampler knows of the job beside its samples.  All of it is read only: whoever drives
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
/* The same, also of a process so young that nobody has looked at it: one above it is of the job, or is
 * the tracker.  One that has just ended counts as the job's. */
bool gput__sampler_owns(const struct gput__sampler *s, pid_t pid);
/* The living ones but main; returns how many there are, of which `max` are told. */
int gput__sampler_descendants(const struct gput__sampler *s, pid_t *ret_pids, int max);

/* --- watching -------------------------------------------------------------------------------- */

struct gput__last_look {
    int64_t at_ns;        /* when it read the processes */
    int64_t scan_cost_ns; /* what of its time went into looking through /proc */
    bool moved;           /* it saw births, deaths or page faults */
    bool wants_more;      /* how forked processes share memory is only known from frequent looks */
};
struct gput__last_look gput__sampler_last_look(const struct gput__sampler *s);

struct gput__effort {
    uint64_t n_looks;
    uint32_t n_scans;  /* of memory */
    uint32_t n_hidden; /* processes whose memory map cannot be read */
    bool has_events;   /* the kernel tells of births */
};
struct gput__effort gput__sampler_effort(const struct gput__sampler *s);

/* Readable when the memory scan under way is finished; -1: there is none. */
int gput__sampler_scan_fd(const struct gput__sampler *s);

/* --- memory, bytes --------------------------------------------------------------------------- */

struct gput__peaks {
    uint64_t main, descendants; /* the largest high-water mark of a single process */
    uint64_t orphan;            /* likewise of those that we waited for */
    uint64_t polled;      /* the most that the whole job held between looks, confirmed by one */
    uint64_t uncertainty; /* a mark may be off by so much */
};
struct gput__peaks gput__sampler_peaks(const struct gput__sampler *s);

/* The largest at a look: what was certain, what was told, what was possible. */
struct gput__ram_bounds {
    uint64_t at_least, told, at_most;
};
struct gput__ram_bounds gput__sampler_ram_bounds(const struct gput__sampler *s,
                                                 enum gput__group group);

/* What its processes map of files, pages that several map counted for each. */
uint64_t gput__sampler_mapped_files(const struct gput__sampler *s);

/* --- CPU time and what goes with it ---------------------------------------------------------- */

struct gput__cpu_doubts {
    uint64_t guessed_ns; /* of what counts, what nobody saw */
    bool may_guess;   /* there is such time, or may be: somebody does not wait for its children */
    bool has_losses;  /* processes vanished whose time nobody inherited */
    bool has_helpers; /* of other trackers, now or before: they are not the job's */
};
struct gput__cpu_doubts gput__sampler_cpu_doubts(const struct gput__sampler *s);

/* Of the whole job, the dead included. */
struct gput__totals {
    double user_s, system_s, minor_faults, major_faults;
    /* What only wait4 tells: of main and of orphans, with all that they waited for. */
    double voluntary_switches, involuntary_switches, blocks_read, blocks_written;
    bool has_living; /* of some who have used CPU time it is only known what was last seen */
};
/* `main_usage`: what wait4 has told of main; NULL: it has not. */
void gput__sampler_totals(const struct gput__sampler *s, const struct rusage *main_usage,
                          struct gput__totals *ret);

/* --- the machine ----------------------------------------------------------------------------- */

/* Whether somebody asked for figures of the job that cost more than the others. */
bool gput__sampler_wants_extras(const struct gput__sampler *s);
/* NULL: nobody asked for it. */
const struct gput__machine *gput__sampler_machine(const struct gput__sampler *s);

#endif

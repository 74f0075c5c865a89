/* memory.h - the memory of main, of its descendants and of both, shared pages counted once.
 *
 * Three sources: the accounts of the processes (account.h), which add up to it; memory scans, which
 * fill them, are expensive and are made when they leave too much open; and the kernel's count of mapped
 * pages (mapped.h), which is used first where it is known. */
#ifndef GPUT_SAMPLE_MEMORY_H
#define GPUT_SAMPLE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/sample.h"
#include "sample/allowance.h"
#include "sample/memory/mapped.h"
#include "sample/memory/memscan.h"
#include "sample/tree/tree.h"

/* When to scan, and which processes; written by memory_plan.c alone. */
struct gput__scan_plan {
    bool no_watch;  /* no polls between records: waiting for calm would be waiting for ever */
    bool is_frugal; /* only rows are shown */
    struct gput__allowance allowance;
    uint64_t rss;         /* of all, at the last poll */
    double ns_per_kib[2]; /* what a scan takes of it; with files */
    int64_t not_before_ns, wanted_ns;
    int64_t files_after_ns;
    int64_t full_after_ns; /* what is only known of all together may be asked for from then on */
    uint64_t gap_seen;
    uint64_t version_seen; /* of the tree, at the last poll */
    uint64_t files_seen;   /* mapped bytes of files when these were last read separately */
};

/* Files and libraries that processes outside of the job map too: the shares leave a part of them out.
 * Bytes, at the last scan that had them. */
struct gput__files {
    uint64_t all, descendants; /* each page once */
    double outside;            /* how many map them outside of the job, on average */
};

/* The results of scans; written by memory_scan.c alone. */
struct gput__scanned {
    uint32_t n_scans, n_hidden;
    bool has_full;        /* all were read together once; and what held then: */
    uint64_t main_shared; /* on main's account, of pages that descendants map too */
    uint64_t shared[GPUT__N_GROUPS];
    struct gput__files files;
    uint64_t beyond[GPUT__N_GROUPS]; /* what the shares leave out of them */
    double real_part;                /* of what accounts leave open, as scans have shown: 0 to 1 */
    bool is_fresh, is_exact; /* a scan of all was just applied; no process came or went meanwhile */
};

/* The kernel's count of mapped pages; written by memory_count.c alone. */
struct gput__mapped_count {
    const struct gput__root *sys;
    struct gput__mapped mapped;
    uint64_t followed_rss; /* of all when they were last followed */
    /* What the job held at the last poll beyond the lower ends, most likely; below 0 where these are not
     * all of one moment. */
    int64_t extra;
    bool is_counted;      /* it is from the kernel's count */
    int64_t probed_ns;    /* when that was last asked for */
    uint64_t probed;      /* the most by the count since the last poll, not yet confirmed */
    uint64_t peak;        /* the most that a poll has confirmed, */
    uint64_t lap_peak;    /* and since the lap began */
    uint64_t most;        /* what was possible at the last poll, with a margin, */
    uint64_t missed_seen; /* and how many processes had gone unseen by then */
};

struct gput__memory {
    struct gput__memscanner *scanner;
    bool under_way; /* a scan is; written by memory_scan.c */
    bool is_ready;  /* it was over before the last poll began, and can be applied; likewise */
    struct gput__scan_plan plan;
    struct gput__scanned scanned;
    struct gput__mapped_count count;
    uint32_t n_forked; /* processes at the last poll that share pages with their parents */
    uint64_t peak[GPUT__N_GROUPS];     /* the largest high-water mark of a process in each group, */
    uint64_t lap_peak[GPUT__N_GROUPS]; /* and since the lap began */
    /* The largest at a poll: what was certain, what was reported, what was possible. */
    uint64_t at_least[GPUT__N_GROUPS], told[GPUT__N_GROUPS], at_most[GPUT__N_GROUPS];
};

void gput__memory_open(struct gput__memory *m, const struct gput__root *proc,
                       const struct gput__root *sys, int64_t now);
void gput__memory_close(struct gput__memory *m);

/* Sets the memory metrics from what the last poll found. */
void gput__memory_measure(struct gput__memory *m, struct gput__tree *tree,
                          struct gput__sample *ret);
/* The shares (Pss) of all added up, of main alone or of the whole job. */
double gput__memory_pss(const struct gput__memory *m, const struct gput__tree *tree,
                        bool main_only);
/* The kernel reports a higher high-water mark of a single process. */
void gput__memory_raise_peak(struct gput__memory *m, enum gput__group group, uint64_t peak);
/* A lap begins, after a poll: peaks of the lap count from here. */
void gput__memory_begin_lap(struct gput__memory *m);
/* How forked processes share memory is only known from polls: more of them. */
bool gput__memory_wants_polls(const struct gput__memory *m);

/* --- memory_count.c: between polls ------------------------------------------------------------ */

/* Reads the kernel's count alone, where it shows what the job holds; and whether that is worth while. */
void gput__memory_probe(struct gput__memory *m, int64_t now);
bool gput__memory_wants_probes(const struct gput__memory *m);

/* --- memory_plan.c ---------------------------------------------------------------------------- */

/* For a stream, which shows its rows and no more: a scan is paid for before it is made. */
void gput__memory_be_frugal(struct gput__memory *m, int64_t now);
/* There are no polls between records. */
void gput__memory_set_unwatched(struct gput__memory *m, bool no_watch);
/* No scan but those that are asked for. */
void gput__memory_leave_scans(struct gput__memory *m);

/* --- memory_scan.c: scans --------------------------------------------------------------------- */

/* Starts one if it would find something new and is due. */
void gput__memory_consider_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* Before a poll: whether a scan is finished.  That poll finds the processes that exited meanwhile. */
void gput__memory_check_scan(struct gput__memory *m, struct gput__tree *tree);
/* After it: applies such a scan.  True: there was one. */
bool gput__memory_apply_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* The first one, whatever moves, for a caller that cannot wait for a better time: it is waited for, but
 * only for a moment and not of a large job. */
void gput__memory_first_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* For roots that are no live kernel: a scan at once, on this thread. */
void gput__memory_scan_now(struct gput__memory *m, struct gput__tree *tree);

#endif

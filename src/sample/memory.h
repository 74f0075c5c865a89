/* memory.h - the memory of main, of its descendants and of both, shared pages counted once.
 *
 * A memory pass says it exactly but is dear.  Between two passes the figures of the last one move
 * with what the looks see for free: anonymous pages that a process gained are new pages of the
 * job's, whatever it shares with others. */
#ifndef GPUT_SAMPLE_MEMORY_H
#define GPUT_SAMPLE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/sample.h"
#include "sample/pass.h"
#include "sample/tree.h"

struct gput__memory {
    struct gput__pass pass; /* under way, or the last one */
    struct gput__passer passer;
    bool under_way;
    bool no_watch; /* nobody looks between records: waiting for calm would be waiting for ever */

    uint32_t good; /* id of the last pass that counts, 0 none */
    struct gput__rss at_pass[GPUT__N_GROUPS];

    bool is_frugal;
    int64_t credit_ns; /* CPU time that passes may still take */
    uint64_t rss;      /* of all, at the last look */
    double ns_per_kib; /* what a pass takes of it */
    int64_t credited_ns, not_before_ns, wanted_ns;
    int64_t quick; /* passes that may still follow each other closely, x QUICK_EVERY_NS */
    uint64_t faults_seen;
    uint64_t version_seen; /* of the tree, then */
    uint32_t n_passes, n_hidden, tries;
    uint64_t mark[GPUT__N_GROUPS]; /* the largest single mark of the kernel's in each group */
};

void gput__memory_open(struct gput__memory *m, const struct gput__root *proc, int64_t now);
void gput__memory_close(struct gput__memory *m);

/* For a stream, which tells its rows and no more: a pass is paid for before it is made. */
void gput__memory_be_frugal(struct gput__memory *m);

/* Sets the memory metrics from what the last look found. */
void gput__memory_measure(struct gput__memory *m, const struct gput__tree *tree,
                          struct gput__sample *ret);

/* Starts a pass if one would tell something new and its time has come. */
void gput__memory_consider_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* Takes over a finished pass, if the tree, just looked at, is still the one that it was asked for.
 * True: there was one. */
bool gput__memory_take_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* The first one, whatever moves, for whoever cannot wait for a better time: one under way is waited for
 * a moment, else a small job is read at once, on this thread. */
void gput__memory_first_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now);

/* For roots that are no live kernel: a pass at once, on this thread. */
void gput__memory_pass_now(struct gput__memory *m, struct gput__tree *tree, int64_t now);

#endif

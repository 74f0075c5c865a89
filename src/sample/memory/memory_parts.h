/* memory_parts.h - what the files of the job's memory share. */
#ifndef GPUT_SAMPLE_MEMORY_PARTS_H
#define GPUT_SAMPLE_MEMORY_PARTS_H

#include "sample/memory/memory.h"

/* What is open and below this cannot move a figure by a hundredth. */
#define GPUT__LEAST_GAP (256 * 1024)
#define GPUT__LEAST_PART 100

/* --- memory.c: adding up --------------------------------------------------------------------- */

struct gput__level { /* of one group, bytes */
    uint64_t low, high, own, copied;
    uint64_t sum;     /* of RSS */
    uint64_t files;   /* of that, what is of files or shared memory */
    uint64_t shared;  /* of those that were read together, besides their accounts */
    uint64_t certain; /* of the lower ends: without what is of files, or only reckoned */
    const struct gput__task *largest;
    uint32_t n;
};

/* What the group held at the least and at the most; what is certain, whatever they share. */
struct gput__span gput__level_bounds(const struct gput__level *l);
uint64_t gput__level_least(const struct gput__level *l);
/* The accounts of all, with the pages that exited processes left to others. */
uint64_t gput__memory_sum_accounts(const struct gput__tree *tree);

/* Of the copies that may have been made a part is real: the one that scans of this job have found. */
static inline uint64_t gput__memory_likely(const struct gput__memory *m,
                                           const struct gput__level *l)
{
    return (uint64_t)(m->scanned.real_part * (double)l->copied);
}

/* A forked process that was not in a scan of all: it alone can be read. */
static inline bool gput__task_is_young(const struct gput__task *t)
{
    return t->account.is_forked && !t->account.is_in_full;
}

/* --- memory_count.c --------------------------------------------------------------------------- */

/* At a poll: works out what the whole job held beyond the lower ends, as the kernel counts mapped
 * pages, else as scans have found it. */
void gput__memory_count(struct gput__memory *m, struct gput__tree *tree,
                        const struct gput__level *l);
void gput__memory_count_open(struct gput__memory *m, const struct gput__root *sys);
void gput__memory_count_close(struct gput__memory *m);
void gput__memory_count_begin_lap(struct gput__memory *m);

/* --- memory_plan.c: when to scan, and what ---------------------------------------------------- */

struct gput__wish {
    uint64_t gap;       /* bytes that the accounts leave open: of those that were read together, */
    uint64_t young_gap; /* and of forked ones since */
    uint64_t unsplit;   /* what these have at all: how much of it is shared is not known */
    uint64_t sum, files;
};

void gput__plan_open(struct gput__memory *m, int64_t now);
/* What a scan could find. */
struct gput__wish gput__plan_wish(const struct gput__tree *tree);
/* Whether it would be worth while at all. */
bool gput__plan_is_worth(const struct gput__wish *w);
/* Whether it is time for one.  Notes what is wished for, too. */
bool gput__plan_is_due(struct gput__memory *m, const struct gput__tree *tree,
                       const struct gput__wish *w, int64_t now);
/* Lists the processes of the next one.  -ENODATA: none. */
int gput__plan_list(struct gput__memory *m, const struct gput__tree *tree,
                    const struct gput__wish *w, int64_t now);
/* It was made: it costs what it took, and a pause. */
void gput__plan_pay(struct gput__memory *m, int64_t now);
/* It found what was wanted; but files once more, when they stand still. */
void gput__plan_fulfilled(struct gput__memory *m);
void gput__plan_files_again(struct gput__memory *m);

/* --- memory_scan.c ---------------------------------------------------------------------------- */

/* A poll has used the result of the last scan. */
void gput__scanned_was_used(struct gput__memory *m);

#endif

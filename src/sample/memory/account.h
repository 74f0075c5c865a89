/* account.h - the part of the job's memory that is on the account of one process.
 *
 * Each page of the job is on one account, so that the accounts add up to the memory of the job.  A
 * memory scan fills them: each process gets its proportional share (Pss).  Between scans they move
 * with what every poll reads: anonymous pages that a process gained are new pages of the job.  What a
 * forked process copied, and which pages of files it shares, only a scan can tell: so an account is a
 * span, from what is certain to what is possible. */
#ifndef GPUT_SAMPLE_ACCOUNT_H
#define GPUT_SAMPLE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct gput__tree;
struct gput__task;
struct gput__memscan_task;

/* Part of a task; written by account.c alone.  Bytes. */
struct gput__account {
    bool is_open;    /* its memory was read once */
    bool is_forked;  /* it began with the pages of another process and has not called exec */
    bool is_read;    /* a scan has read it since */
    bool is_in_full; /* ... together with all others: `anon` and `other` are shares of the whole */
    uint64_t fork_anon;   /* what it began with */
    pid_t origin;         /* the process with these pages on its account; 0: none of the job */
    uint64_t estate;      /* what `origin` had on its account then */
    bool has_forked;      /* since the last scan of all: others began with its pages */
    uint64_t anon, other; /* on this account at the last scan: anonymous pages, and of files */
    uint64_t own;         /* of both, what no other process maps */
    uint64_t shared_anon; /* what others map too: a write to it makes a copy */
    uint64_t at_rss, at_anon, at_faults; /* what the process had at the last scan */
};

struct gput__span {
    uint64_t low, high;
    uint64_t anon;   /* of `low`, anonymous pages */
    uint64_t copied; /* of what is possible besides, copies of pages that were shared */
};

/* What exited processes left to others, by a scan. */
void gput__accounts_set_left(struct gput__tree *tree, uint64_t bytes);
/* An undisturbed scan, or a job of one process: nothing of exited processes is unknown. */
void gput__accounts_forget_dead(struct gput__tree *tree);

/* After each read of a process's memory. */
void gput__account_open(struct gput__tree *tree, struct gput__task *t);
/* It runs another program now: the pages are gone, or its children keep them. */
void gput__account_exec(struct gput__tree *tree, struct gput__task *t);
/* It has ended: likewise. */
void gput__account_close(struct gput__tree *tree, struct gput__task *t);

/* What a scan read of it, alone or together with all others. */
void gput__account_fill(struct gput__tree *tree, struct gput__task *t,
                        const struct gput__memscan_task *read, bool is_full);

/* What is on it now. */
struct gput__span gput__account_now(const struct gput__tree *tree, const struct gput__task *t);
/* The part that no other process maps, as far as is known, without pages from before a fork. */
uint64_t gput__account_own(const struct gput__tree *tree, const struct gput__task *t);

#endif

/* commands.h - who used it: the job's processes by the command that they run.
 *
 * A command is kept for as long as the run if it is heavy: of a fixed number the lightest one of which
 * no process is left gives way to a new one, and goes to the others. */
#ifndef GPUT_SAMPLE_COMMANDS_COMMANDS_H
#define GPUT_SAMPLE_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "source/proc/proc_stat.h"

struct gput__tree;
struct gput__task;

/* With the names, 34 KiB at most. */
#define GPUT__MOST_COMMANDS 255

struct gput__command {
    char name[48];
    uint32_t n_alive;          /* of its processes, those in the table of processes */
    uint64_t count;            /* processes that ran it at their end, or run it */
    uint64_t cpu_ns;           /* of the exited ones */
    uint64_t max_rss, gpu_ram; /* bytes, of the largest process */
    int64_t first_ns, last_ns; /* seen, on the boot clock */
};

/* Written by commands.c alone. */
struct gput__commands {
    struct gput__command *list;
    uint32_t n, cap;
    /* Of each in the list, close together: 400 new names a second are looked for and find a place. */
    uint32_t hash[GPUT__MOST_COMMANDS];
    float weight[GPUT__MOST_COMMANDS]; /* INFINITY: one of its processes is left */
    struct gput__command others;       /* who gave way */
    int64_t may_ask_ns;                /* a script's name costs a read: not before then */
};

/* Part of a task; written by commands.c alone. */
struct gput__task_command {
    char comm[16];
    bool is_open, wants_script;
    uint32_t slot;        /* the command's place in the list, from 1 on; 0: the others */
    uint64_t image;       /* the startstack that its name was read with */
    uint64_t children_ns; /* CPU time of its exited children, as far as it was looked for */
    uint64_t kept_ns;     /* what it had before its time went into a sum of the kernel's */
    int64_t kept_at_ns;
    /* While the exits that one poll found are shared out: */
    uint64_t gone_ns; /* seen of its children that have exited */
    double unseen_ns; /* at most, of itself and them since they were last read */
    double extra_ns;  /* what its parent's or the kernel's count says that was */
    bool is_reaped, has_kept;
};

void gput__commands_close(struct gput__tree *tree);

/* Its stat was read: it may run another command now. */
void gput__command_apply_stat(struct gput__tree *tree, struct gput__task *t,
                              const struct gput__proc_stat *st);
/* Its memory was read. */
void gput__command_see_memory(struct gput__tree *tree, const struct gput__task *t);
/* So much GPU memory is known of a process. */
void gput__command_see_gpu(struct gput__tree *tree, pid_t pid, uint64_t bytes);

/* Its CPU time goes into a sum of the kernel's: `usage` is all of it with that of children that it
 * waited for; NULL: not known. */
void gput__command_keep_counts(struct gput__tree *tree, struct gput__task *t,
                               const struct rusage *usage);
/* Some are gone: what they used since they were last read is told by their parents' counts. */
void gput__commands_share_out(struct gput__tree *tree);
/* One leaves the table. */
void gput__command_account_for_exit(struct gput__tree *tree, struct gput__task *t);

/* The heaviest first, with what the living have used so far; at most `most` of them.  What is in no
 * row is added up in `ret_others`.  `main_rss`: main's high-water mark. */
size_t gput__commands_now(const struct gput__tree *tree, uint64_t main_rss,
                          struct gput__command *ret, size_t most, struct gput__command *ret_others);

#endif

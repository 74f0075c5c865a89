/* statvfs_worker.h - asks file systems for their space, on a thread that may never return. */
#ifndef GPUT_SAMPLE_STATVFS_WORKER_H
#define GPUT_SAMPLE_STATVFS_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/root.h"
#include "source/machine/sys_space.h"

/* Each mount that hangs costs a thread. */
#define GPUT__MOST_HUNG 8

/* Volumes with their names, in one block of memory; written by statvfs_worker.c alone. */
struct gput__volumes {
    struct gput__sys_volume *volumes;
    size_t n;
};

/* What a round works with: the thread's alone while one runs; written by statvfs_worker.c alone. */
struct gput__statvfs_worker_round {
    const struct gput__root *proc;
    struct gput__root own_proc; /* it may outlive the sampler's */
    int fd_mountinfo;
    struct gput__buf text;
    struct gput__sys_mounts mounts;
    bool has_mounts;
    bool is_prompt;                 /* none of them can block the caller */
    struct gput__sys_space *spaces; /* one for each mount */
    bool *answered;
    uint64_t hung[GPUT__MOST_HUNG];
    size_t n_hung;
};

/* What the thread and the sampler exchange, under the lock; written by statvfs_worker.c alone. */
struct gput__statvfs_worker_talk {
    unsigned n_asked, n_told; /* rounds */
    bool is_ending, is_left;  /* it is to end; nothing waits for it any more */
    bool is_lent;             /* the round is not the thread's: another one runs it */
    int64_t since_ns;         /* when the request under way began; 0: none is */
    uint64_t device;          /* of the mount that it asks, and its name */
    char point[160];
    struct gput__volumes answer; /* of the last round */
};

/* Written by statvfs_worker.c alone. */
struct gput__statvfs_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked, told;
    bool has_thread;
    gput__statvfs *ask;
    struct gput__statvfs_worker_round round;
    struct gput__statvfs_worker_talk talk;
};

/* With `has_thread` rounds run on a thread of its own.  The devices in `hung` are not asked.  NULL: no
 * memory, or no thread could be started. */
struct gput__statvfs_worker *gput__statvfs_worker_new(gput__statvfs *ask,
                                                      const struct gput__root *proc,
                                                      bool has_thread, const uint64_t *hung,
                                                      size_t n_hung);
/* With its lock: another round.  It runs on the thread; where there is none, or the round cannot hang,
 * on the calling one, and the lock is given up meanwhile. */
void gput__statvfs_worker_ask(struct gput__statvfs_worker *w);
/* With its lock, which it gives up: the thread may take any time, and then frees it. */
void gput__statvfs_worker_leave(struct gput__statvfs_worker *w);
/* NULL is fine.  One that is at work is left. */
void gput__statvfs_worker_end(struct gput__statvfs_worker *w);

/* In one block of memory, which outlives the text that the names were in. */
struct gput__volumes gput__volumes_copy(const struct gput__sys_volume *volumes, size_t n);

#endif

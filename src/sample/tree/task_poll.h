/* task_poll.h - what is read of one process at a poll. */
#ifndef GPUT_SAMPLE_TASK_POLL_H
#define GPUT_SAMPLE_TASK_POLL_H

#include <dirent.h>

#include "sample/tree/tree.h"

/* Reads what has changed of one process; sets t->life.gone when it is no more. */
void gput__task_poll(struct gput__tree *tree, struct gput__task *t, int64_t now);

/* Applies what /proc/PID/stat says to all parts. */
void gput__task_apply_stat(struct gput__tree *tree, struct gput__task *t,
                           const struct gput__proc_stat *st);

/* It has just been found. */
void gput__task_open(struct gput__task *t);
/* Closes its files. */
void gput__task_close(struct gput__tree *tree, struct gput__task *t);
/* It is not a fork that has yet to call exec. */
void gput__task_set_past_exec(struct gput__task *t);
/* It leaves the table at the end of the poll. */
void gput__task_set_gone(struct gput__task *t);
/* The next poll reads its stat, whatever its clock says: that of one that runs lags behind. */
void gput__task_must_read(struct gput__tree *tree, struct gput__task *t);

/* Whether its CPU clock is where it was when it was last polled; and notes where it is. */
static inline bool gput__task_has_stood_still(const struct gput__cached_clock *c)
{
    struct timespec ts;

    return c->can_stand_still && clock_gettime(c->clock, &ts) == 0 &&
           c->ns == (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}
void gput__task_cache_clock(struct gput__tree *tree, const struct gput__task *t);

/* A place of the table is new; another process has moved there. */
void gput__task_forget_clock(struct gput__tree *tree, uint32_t place);
void gput__task_move_clock(struct gput__tree *tree, uint32_t from, uint32_t to);

/* Whether it runs in the memory of its parent, between vfork and exec. */
bool gput__task_shares_memory(const struct gput__tree *tree, const struct gput__task *t);

/* The file of /proc/PID by a descriptor that is kept in *fd; -ENFILE: there are too many of them. */
ssize_t gput__task_read(struct gput__tree *tree, struct gput__task *t, int *fd, const char *file,
                        char *buf, size_t cap);

/* The name below /proc of a file about its memory. */
void gput__task_path(pid_t pid, pid_t via, const char *file, char *ret_name, size_t cap);

/* The folder of its threads; NULL: it is gone. */
DIR *gput__task_threads(const struct gput__tree *tree, pid_t pid);
/* Calls `each` for all of them. */
void gput__task_each_thread(struct gput__tree *tree, pid_t pid,
                            void (*each)(struct gput__tree *tree, pid_t pid, pid_t tid));
/* A process whose first thread has exited shows as a zombie without memory, but its other threads
 * still have it: one of them; 0: there is none. */
pid_t gput__task_other_thread(const struct gput__tree *tree, pid_t pid);

#endif

/* look.h - what is read of one process at a look. */
#ifndef GPUT_SAMPLE_LOOK_H
#define GPUT_SAMPLE_LOOK_H

#include <dirent.h>

#include "sample/tree.h"

/* Reads what has changed of one process; sets t->gone when it is no more. */
void gput__look_at(struct gput__tree *tree, struct gput__task *t, int64_t now);

/* Takes over what /proc/PID/stat says. */
void gput__task_take_stat(struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st);

/* Reads its CPU clock.  1: it has moved; 0: it stands; -ESRCH: it is gone. */
int gput__task_read_clock(const struct gput__tree *tree, struct gput__task *t);

/* Since its parent forked it. */
bool gput__task_has_called_exec(const struct gput__task *t);

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

/* forks.h - things that must be at rest while the process forks, and made anew in the child. */
#ifndef GPUT_BASE_FORKS_H
#define GPUT_BASE_FORKS_H

#include <pthread.h>
#include <stdbool.h>

struct gput__fork_guard {
    pthread_mutex_t lock; /* held around each use: fork() waits for it */
    bool is_child;        /* set in the child: what is guarded is the parent's */
    struct gput__fork_guard *next;
};

int gput__fork_guard_begin(struct gput__fork_guard *g);
/* Not while it is in use. */
void gput__fork_guard_end(struct gput__fork_guard *g);

/* Keeps for good what belongs to the parent and may not even be closed. */
void gput__fork_leave(void *thing);

#endif

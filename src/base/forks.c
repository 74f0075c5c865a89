/* forks.c - things that must be at rest while the process forks.
 *
 * The one place with variables of its own: fork() calls its handlers without an argument. */
#include "base/forks.h"

#include <stdatomic.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gput__fork_guard *guards;

struct left {
    void *thing;
    struct left *next;
};
static struct left *_Atomic all_left;

static void before_fork(void)
{
    pthread_mutex_lock(&list_lock);
    for (struct gput__fork_guard *g = guards; g; g = g->next)
        pthread_mutex_lock(&g->lock);
}

static void after_fork_in_parent(void)
{
    for (struct gput__fork_guard *g = guards; g; g = g->next)
        pthread_mutex_unlock(&g->lock);
    pthread_mutex_unlock(&list_lock);
}

static void after_fork_in_child(void)
{
    for (struct gput__fork_guard *g = guards; g; g = g->next) {
        g->is_child = true;
        pthread_mutex_init(&g->lock, NULL);
    }
    pthread_mutex_init(&list_lock, NULL);
}

static void set_up(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

int gput__fork_guard_begin(struct gput__fork_guard *g)
{
    int r = pthread_once(&once, set_up);

    g->is_child = false;
    if (r == 0)
        r = pthread_mutex_init(&g->lock, NULL);
    if (r)
        return -r;
    pthread_mutex_lock(&list_lock);
    g->next = guards;
    guards = g;
    pthread_mutex_unlock(&list_lock);
    return 0;
}

void gput__fork_guard_end(struct gput__fork_guard *g)
{
    struct gput__fork_guard **p = &guards;

    pthread_mutex_lock(&list_lock);
    while (*p && *p != g)
        p = &(*p)->next;
    if (*p)
        *p = g->next;
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_destroy(&g->lock);
}

/* Without the lock: fork() takes that one before the locks of the guards, one of which our caller
 * holds. */
void gput__fork_leave(void *thing)
{
    struct left *left = malloc(sizeof(*left));

    if (!left)
        return;
    *left = (struct left){ thing, atomic_load(&all_left) };
    while (!atomic_compare_exchange_weak(&all_left, &left->next, left))
        ;
}

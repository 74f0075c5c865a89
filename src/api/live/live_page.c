/* live_page.c - what a tracker shows viewers beside its shared snapshot. */
#include "api/live/live_page.h"

#include <errno.h>
#include <string.h>

/* A slot is copied faster than two are shown. */
enum { MOST_TRIES = 100 };

struct gput__live_slot *gput__live_page_next(struct gput__live_page *p)
{
    return &p->slots[(atomic_load_explicit(&p->turn, memory_order_relaxed) + 1) & 1];
}

void gput__live_page_show(struct gput__live_page *p)
{
    (void)atomic_fetch_add_explicit(&p->turn, 1, memory_order_release);
}

/* Only what is in use. */
static void copy(const struct gput__live_slot *from, struct gput__live_slot *to)
{
    int n = from->n_processes;

    memcpy(to, from, offsetof(struct gput__live_slot, processes));
    n = n < 0 ? 0 : n > GPUT__LIVE_PROCESSES ? GPUT__LIVE_PROCESSES : n;
    memcpy(to->processes, from->processes, (size_t)n * sizeof(*to->processes));
    to->n_processes = n;
    to->budget[sizeof(to->budget) - 1] = '\0';
    if (to->n_gpus > GPUT__MOST_GPUS)
        to->n_gpus = GPUT__MOST_GPUS;
    for (int i = 0; i < n; i++)
        to->processes[i].name[sizeof(to->processes[i].name) - 1] = '\0';
}

int gput__live_page_read(const struct gput__live_page *p, struct gput__live_slot *ret)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        uint64_t turn = atomic_load_explicit(&p->turn, memory_order_acquire);

        if (turn == 0)
            return -EAGAIN;
        copy(&p->slots[turn & 1], ret);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&p->turn, memory_order_relaxed) == turn)
            return 0;
    }
    return -EAGAIN;
}

/* drm_busy.h - how busy DRM clients kept the engines of one device, from their counters at several
 * polls.  The kernel has counters of clients only, so only those that are read count. */
#ifndef GPUT_SOURCE_DRM_BUSY_H
#define GPUT_SOURCE_DRM_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/gpu/drm_fdinfo.h"

struct gput__drm_busy {
    struct gput__drm_busy_client *clients; /* those of the last poll */
    size_t n, cap;
    struct gput__drm_busy_class {
        char name[GPUT__DRM_NAME];
        unsigned capacity;
        bool in_cycles, is_fresh; /* fresh: the engine's clock was first seen since the last take */
        bool is_seen;             /* in this poll */
        uint64_t busy;            /* since the last take: ns or cycles */
        uint64_t clock, clock_at_poll, clock_at_report; /* the engine's own, in cycles */
        double cycles_per_ns;                           /* of that clock; 0: not known yet */
        double percent;                                 /* at the last take */
    } classes[GPUT__DRM_ENGINES];
    unsigned n_classes;
    int64_t polled_ns, reported_ns; /* 0: never */
};
#define GPUT__DRM_BUSY_INIT ((struct gput__drm_busy){ 0 })

/* One poll: begin, each client once (also one that shows no engines just now), end.  The times are
 * the caller's clock, never 0.  A client that was not there at the poll before counts from 0, one
 * of the first poll from where it stands.  -ENOMEM: the client is left out of this poll. */
void gput__drm_busy_begin(struct gput__drm_busy *b);
int gput__drm_busy_add(struct gput__drm_busy *b, const struct gput__drm_client *c, int64_t now_ns);
void gput__drm_busy_end(struct gput__drm_busy *b, int64_t now_ns);

/* The busiest class of engines, percent of all its engines' time from the last poll before the last
 * call to the last poll; 0 without clients.  False: too few polls so far. */
bool gput__drm_busy_percent(struct gput__drm_busy *b, double *ret_percent);

/* The busiest of these classes at the last take, ended by NULL; -1: there is none of them. */
double gput__drm_busy_of(const struct gput__drm_busy *b, const char *const *names);

void gput__drm_busy_free(struct gput__drm_busy *b);

#endif

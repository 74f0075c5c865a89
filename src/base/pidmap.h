/* pidmap.h - a map from pid to a small number: open addressing, no allocation per entry. */
#ifndef GPUT_BASE_PIDMAP_H
#define GPUT_BASE_PIDMAP_H

#include <stdint.h>
#include <sys/types.h>

struct gput__pidmap {
    struct gput__pidmap_slot {
        pid_t pid; /* 0: free */
        uint32_t value;
    } * slots;
    uint32_t n, cap; /* cap is 0 or a power of two */
};

void gput__pidmap_free(struct gput__pidmap *m);
/* Empties it and keeps its room. */
void gput__pidmap_clear(struct gput__pidmap *m);
/* Replaces an earlier value.  -ENOMEM: the map is as before. */
int gput__pidmap_set(struct gput__pidmap *m, pid_t pid, uint32_t value);
/* NULL: not there.  The pointer holds until the next put or drop. */
uint32_t *gput__pidmap_get(const struct gput__pidmap *m, pid_t pid);
void gput__pidmap_drop(struct gput__pidmap *m, pid_t pid);

#endif

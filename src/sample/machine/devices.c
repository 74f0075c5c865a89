/* devices.c - byte counters of devices that come, go and begin anew: what was added to them. */
#include "sample/machine/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void gput__devices_begin(struct gput__devices *d)
{
    for (size_t i = 0; i < d->n; i++)
        d->list[i].is_here = d->list[i].is_new = false;
    d->next = 0;
    d->changed = false;
}

/* The kernel lists them in the same order each time. */
static struct gput__device *find(struct gput__devices *d, const char *name)
{
    for (size_t k = 0; k < d->n; k++) {
        size_t i = (d->next + k) % d->n;

        if (strcmp(d->list[i].name, name))
            continue;
        d->next = i + 1;
        return &d->list[i];
    }
    return NULL;
}

static struct gput__device *add(struct gput__devices *d, const char *name)
{
    struct gput__device *device;

    if (GPUT__GROW(d->list, d->cap, d->n + 1) < 0)
        return NULL;
    device = &d->list[d->n++];
    *device = (struct gput__device){ .is_new = true };
    snprintf(device->name, sizeof(device->name), "%s", name);
    d->changed = true;
    return device;
}

struct gput__device *gput__devices_see(struct gput__devices *d, const char *name, uint64_t in,
                                       uint64_t out)
{
    struct gput__device *device = find(d, name);
    bool is_added = !device;

    if (is_added)
        device = add(d, name);
    if (!device)
        return NULL;
    device->now[GPUT__BYTES_IN] = in;
    device->now[GPUT__BYTES_OUT] = out;
    for (int way = 0; way < GPUT__N_WAYS; way++) {
        if (is_added) {
            device->last[way] = device->now[way];
        } else if (device->now[way] < device->last[way]) {
            device->last[way] = 0;
            device->is_new = d->changed = true;
        }
    }
    device->is_here = true;
    return device;
}

void gput__devices_seen(struct gput__devices *d)
{
    for (size_t i = d->n; i-- > 0;) {
        if (d->list[i].is_here)
            continue;
        d->changed = true;
        d->unsteady |= d->list[i].counts;
        d->n--;
        memmove(&d->list[i], &d->list[i + 1], (d->n - i) * sizeof(*d->list));
    }
}

void gput__devices_end(struct gput__devices *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct gput__device *device = &d->list[i];

        for (int way = 0; way < GPUT__N_WAYS; way++) {
            if (device->counts)
                d->total[way] += device->now[way] - device->last[way];
            device->last[way] = device->now[way];
        }
        d->unsteady |= device->is_new && device->counts && d->n_moments > 0;
    }
    d->n_moments++;
}

const struct gput__device *gput__devices_find(const struct gput__devices *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->list[i].name, name))
            return &d->list[i];
    return NULL;
}

void gput__devices_free(struct gput__devices *d)
{
    free(d->list);
    *d = (struct gput__devices){ 0 };
}

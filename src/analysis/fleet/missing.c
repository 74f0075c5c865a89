/* missing.c - which numbers of ranks and nodes no file tells of. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/fleet/fleet_job.h"
#include "base/grow.h"

static int add_range(struct gput__fleet_missing *m, int from, int to)
{
    if (GPUT__GROW(m->range, m->cap, m->n + 1) < 0)
        return -ENOMEM;
    m->range[m->n++] = (struct gput__fleet_range){ from, to };
    m->n_missing += (size_t)(to - from) + 1;
    return 0;
}

int gput__fleet_find_missing(const int *has, size_t n, int expected,
                             struct gput__fleet_missing *ret)
{
    int next = 0, r = 0;

    for (size_t i = 0; r == 0 && i < n; i++) {
        if (has[i] < next)
            continue; /* unknown, or there twice */
        if (has[i] > next)
            r = add_range(ret, next, has[i] - 1);
        next = has[i] + 1;
    }
    if (r == 0 && expected > next)
        r = add_range(ret, next, expected - 1);
    return r;
}

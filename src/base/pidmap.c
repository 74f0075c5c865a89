/* pidmap.c - a map from pid to a small number: open addressing, no allocation per entry. */
#include "base/pidmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t home_of(const struct gput__pidmap *m, pid_t pid)
{
    return ((uint32_t)pid * 2654435769u) & (m->cap - 1);
}

/* The slot that holds pid, or the free one where it would go. */
static uint32_t find(const struct gput__pidmap *m, pid_t pid)
{
    uint32_t i = home_of(m, pid);

    while (m->slots[i].pid && m->slots[i].pid != pid)
        i = (i + 1) & (m->cap - 1);
    return i;
}

void gput__pidmap_free(struct gput__pidmap *m)
{
    free(m->slots);
    *m = (struct gput__pidmap){ 0 };
}

void gput__pidmap_clear(struct gput__pidmap *m)
{
    if (m->n)
        memset(m->slots, 0, m->cap * sizeof(*m->slots));
    m->n = 0;
}

static int grow(struct gput__pidmap *m)
{
    struct gput__pidmap bigger = { .cap = m->cap ? m->cap * 2 : 64 };

    bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
    if (!bigger.slots)
        return -ENOMEM;
    bigger.n = m->n;
    for (uint32_t i = 0; i < m->cap; i++)
        if (m->slots[i].pid)
            bigger.slots[find(&bigger, m->slots[i].pid)] = m->slots[i];
    free(m->slots);
    *m = bigger;
    return 0;
}

int gput__pidmap_set(struct gput__pidmap *m, pid_t pid, uint32_t value)
{
    uint32_t i;

    if ((m->n + 1) * 4 > m->cap * 3 && grow(m) < 0)
        return -ENOMEM;
    i = find(m, pid);
    m->n += !m->slots[i].pid;
    m->slots[i] = (struct gput__pidmap_slot){ pid, value };
    return 0;
}

uint32_t *gput__pidmap_get(const struct gput__pidmap *m, pid_t pid)
{
    uint32_t i;

    if (!m->n || pid <= 0)
        return NULL;
    i = find(m, pid);
    return m->slots[i].pid ? &m->slots[i].value : NULL;
}

void gput__pidmap_drop(struct gput__pidmap *m, pid_t pid)
{
    uint32_t hole, i;

    if (!gput__pidmap_get(m, pid))
        return;
    hole = find(m, pid);
    /* Close the gap: whatever follows in the same run and may stand in the hole moves there. */
    for (i = (hole + 1) & (m->cap - 1); m->slots[i].pid; i = (i + 1) & (m->cap - 1)) {
        uint32_t home = home_of(m, m->slots[i].pid);

        if (((i - home) & (m->cap - 1)) < ((i - hole) & (m->cap - 1)))
            continue;
        m->slots[hole] = m->slots[i];
        hole = i;
    }
    m->slots[hole].pid = 0;
    m->n--;
}

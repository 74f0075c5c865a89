/* filemaps.c - file and shared-memory pages of many processes, each page counted once. */
#include "sample/filemaps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void gput__filemaps_free(struct gput__filemaps *f)
{
    free(f->slots);
    *f = (struct gput__filemaps){ 0 };
}

static bool same_range(const struct gput__filemap *a, const struct gput__filemap *b)
{
    return a->device == b->device && a->inode == b->inode && a->from == b->from && a->to == b->to;
}

static struct gput__filemap *slot_for(const struct gput__filemaps *f, const struct gput__filemap *m)
{
    uint64_t h = (m->inode * 0x9E3779B97F4A7C15u) ^ (m->from * 0xC2B2AE3D27D4EB4Fu) ^ m->device;
    size_t i = (size_t)(h >> 20) & (f->cap - 1);

    while (f->slots[i].to && !same_range(&f->slots[i], m))
        i = (i + 1) & (f->cap - 1);
    return &f->slots[i];
}

static int grow(struct gput__filemaps *f)
{
    struct gput__filemaps bigger = { .cap = f->cap ? f->cap * 2 : 256, .n = f->n };

    bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
    if (!bigger.slots)
        return -ENOMEM;
    for (size_t i = 0; i < f->cap; i++)
        if (f->slots[i].to)
            *slot_for(&bigger, &f->slots[i]) = f->slots[i];
    free(f->slots);
    *f = bigger;
    return 0;
}

int gput__filemaps_add(struct gput__filemaps *f, uint64_t device, uint64_t inode, uint64_t from,
                       uint64_t to, uint64_t rss, bool is_main)
{
    struct gput__filemap m = { .device = device, .inode = inode, .from = from, .to = to };
    struct gput__filemap *s;

    if (to <= from || rss == 0)
        return 0;
    if ((f->n + 1) * 4 > f->cap * 3 && grow(f) < 0)
        return -ENOMEM;
    s = slot_for(f, &m);
    if (!s->to) {
        *s = m;
        f->n++;
    }
    if (rss > s->rss)
        s->rss = rss;
    if (!is_main && rss > s->descendants_rss)
        s->descendants_rss = rss;
    return 0;
}

static int compare(const void *va, const void *vb)
{
    const struct gput__filemap *a = va, *b = vb;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* How many bytes of a mapping fall on a part of its range, if they are spread evenly. */
static double share(const struct gput__filemap *m, uint64_t rss, uint64_t from, uint64_t to)
{
    if (m->from >= to || m->to <= from)
        return 0;
    return (double)rss * ((double)(to - from) / (double)(m->to - m->from));
}

struct both {
    double all, descendants;
};

static struct both largest_share(const struct gput__filemap *m, size_t n, uint64_t from,
                                 uint64_t to)
{
    struct both best = { 0 };

    for (size_t i = 0; i < n; i++) {
        double a = share(&m[i], m[i].rss, from, to);
        double d = share(&m[i], m[i].descendants_rss, from, to);

        best.all = a > best.all ? a : best.all;
        best.descendants = d > best.descendants ? d : best.descendants;
    }
    return best;
}

/* The next place after `at` where a mapping begins or ends. */
static uint64_t next_edge(const struct gput__filemap *m, size_t n, uint64_t at)
{
    uint64_t edge = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        if (m[i].from > at && m[i].from < edge)
            edge = m[i].from;
        if (m[i].to > at && m[i].to < edge)
            edge = m[i].to;
    }
    return edge;
}

/* Mappings that overlap each other in part: sum up piece by piece between their edges. */
static struct both sum_overlapping(const struct gput__filemap *m, size_t n)
{
    struct both sum = { 0 };
    uint64_t at = m[0].from, edge;

    for (; (edge = next_edge(m, n, at)) != UINT64_MAX; at = edge) {
        struct both part = largest_share(m, n, at, edge);

        sum.all += part.all;
        sum.descendants += part.descendants;
    }
    return sum;
}

/* How many mappings from the first on hang together. */
static size_t overlapping(const struct gput__filemap *m, size_t n)
{
    uint64_t end = m[0].to;
    size_t i;

    for (i = 1; i < n; i++) {
        if (m[i].device != m[0].device || m[i].inode != m[0].inode || m[i].from >= end)
            break;
        if (m[i].to > end)
            end = m[i].to;
    }
    return i;
}

void gput__filemaps_sum(struct gput__filemaps *f, uint64_t *ret_all, uint64_t *ret_descendants)
{
    struct both sum = { 0 };
    size_t n = 0, run;

    for (size_t i = 0; i < f->cap; i++)
        if (f->slots[i].to)
            f->slots[n++] = f->slots[i];
    if (n)
        qsort(f->slots, n, sizeof(*f->slots), compare);
    for (size_t i = 0; i < n; i += run) {
        struct both part = { (double)f->slots[i].rss, (double)f->slots[i].descendants_rss };

        run = overlapping(&f->slots[i], n - i);
        if (run > 1)
            part = sum_overlapping(&f->slots[i], run);
        sum.all += part.all;
        sum.descendants += part.descendants;
    }
    *ret_all = (uint64_t)sum.all;
    *ret_descendants = (uint64_t)sum.descendants;
}

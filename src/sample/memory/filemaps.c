/* filemaps.c - file and shared-memory pages of many processes, each page counted once. */
#include "sample/memory/filemaps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gput__filemaps_free(struct gput__filemaps *f)
{
    free(f->slots);
    *f = (struct gput__filemaps){ 0 };
}

static uint64_t largest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
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

int gput__filemaps_add(struct gput__filemaps *f, const struct gput__vma *v, uint64_t rss,
                       uint64_t pss, bool is_main)
{
    struct gput__filemap m = {
        .device = v->device, .inode = v->inode, .from = v->from, .to = v->to
    };
    struct gput__filemap *s;

    if (m.to <= m.from || rss == 0)
        return 0;
    if ((f->n + 1) * 4 > f->cap * 3 && grow(f) < 0)
        return -ENOMEM;
    s = slot_for(f, &m);
    if (!s->to) {
        *s = m;
        f->n++;
    }
    s->rss = largest(s->rss, rss);
    s->pss += pss;
    if (!is_main) {
        s->descendants_rss = largest(s->descendants_rss, rss);
        s->descendants_pss += pss;
    }
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

/* --- mappings that overlap ------------------------------------------------------------------ */

/* A mapping's pages are taken to be spread evenly over its range.  From left to right, the densest of
 * the mappings that are open counts between two edges: they wait in a heap, and one that has ended
 * leaves it when it gets to the top. */
struct dense {
    double density; /* bytes of pages per byte of the range */
    uint64_t to;
};

struct sweep {
    struct dense *heap; /* room for all mappings */
    uint64_t *edges;    /* where one begins or ends, in order */
    size_t n, n_edges;
};

static int by_value(const void *va, const void *vb)
{
    uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

    return a < b ? -1 : a > b;
}

static void push(struct sweep *s, struct dense d)
{
    size_t i = s->n++;

    for (; i > 0 && s->heap[(i - 1) / 2].density < d.density; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = d;
}

static void pop(struct sweep *s)
{
    struct dense last = s->heap[--s->n];
    size_t i = 0, child;

    for (; (child = 2 * i + 1) < s->n; i = child) {
        if (child + 1 < s->n && s->heap[child + 1].density > s->heap[child].density)
            child++;
        if (s->heap[child].density <= last.density)
            break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
}

static double sum_densest(struct sweep *s, const struct gput__filemap *m, size_t n,
                          bool of_descendants)
{
    size_t next = 0;
    double sum = 0;

    s->n = 0;
    for (size_t e = 0; e + 1 < s->n_edges; e++) {
        uint64_t at = s->edges[e];

        for (; next < n && m[next].from <= at; next++) {
            uint64_t rss = of_descendants ? m[next].descendants_rss : m[next].rss;

            push(s,
                 (struct dense){ (double)rss / (double)(m[next].to - m[next].from), m[next].to });
        }
        while (s->n && s->heap[0].to <= at)
            pop(s);
        if (s->n)
            sum += s->heap[0].density * (double)(s->edges[e + 1] - at);
    }
    return sum;
}

struct both {
    double all, descendants;
};

static struct both sum_overlapping(const struct gput__filemap *m, size_t n)
{
    struct sweep s = { .heap = malloc(n * sizeof(*s.heap)),
                       .edges = malloc(2 * n * sizeof(*s.edges)) };
    struct both sum = { 0 };

    if (s.heap && s.edges) { /* else the shares are all that is known */
        for (size_t i = 0; i < n; i++) {
            s.edges[s.n_edges++] = m[i].from;
            s.edges[s.n_edges++] = m[i].to;
        }
        qsort(s.edges, s.n_edges, sizeof(*s.edges), by_value);
        sum.all = sum_densest(&s, m, n, false);
        sum.descendants = sum_densest(&s, m, n, true);
    }
    free(s.heap);
    free(s.edges);
    return sum;
}

/* What the processes' shares of these add up to. */
static struct both sum_shares(const struct gput__filemap *m, size_t n)
{
    struct both sum = { 0 };

    for (size_t i = 0; i < n; i++) {
        sum.all += (double)m[i].pss;
        sum.descendants += (double)m[i].descendants_pss;
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
        struct both shares;

        run = overlapping(&f->slots[i], n - i);
        if (run > 1)
            part = sum_overlapping(&f->slots[i], run);
        shares = sum_shares(&f->slots[i], run);
        sum.all += fmax(part.all, shares.all);
        sum.descendants += fmax(part.descendants, shares.descendants);
    }
    *ret_all = (uint64_t)sum.all;
    *ret_descendants = (uint64_t)sum.descendants;
}

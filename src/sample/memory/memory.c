/* memory.c - the memory of main, of its descendants and of both, shared pages counted once. */
#include "sample/memory/memory.h"

#include "base/least.h"
#include "sample/memory/memory_parts.h"

void gput__memory_open(struct gput__memory *m, const struct gput__root *proc,
                       const struct gput__root *sys, int64_t now)
{
    *m = (struct gput__memory){ .scanner = gput__memscanner_open(proc) };
    gput__memory_count_open(m, sys);
    gput__plan_open(m, now);
}

void gput__memory_close(struct gput__memory *m)
{
    gput__memscanner_close(m->scanner);
    gput__memory_count_close(m);
    m->scanner = NULL;
}

bool gput__memory_wants_polls(const struct gput__memory *m)
{
    return m->n_forked > 0 && !m->count.is_counted;
}

void gput__memory_raise_peak(struct gput__memory *m, enum gput__group group, uint64_t peak)
{
    m->peak[group] = gput__most(m->peak[group], peak);
}

void gput__memory_begin_lap(struct gput__memory *m)
{
    for (int g = 0; g < GPUT__N_GROUPS; g++)
        m->lap_peak[g] = 0;
    gput__memory_count_begin_lap(m);
}

/* --- adding up ------------------------------------------------------------------------------ */

static void add_task(struct gput__level *l, const struct gput__tree *tree,
                     const struct gput__task *t)
{
    struct gput__span s = gput__account_now(tree, t);
    bool counts = gput__task_has_memory(t);

    l->low += s.low;
    l->high += s.high;
    l->copied += s.copied;
    l->own += gput__account_own(tree, t);
    l->sum += counts ? t->ram.rss : s.high;
    l->files += gput__minus(t->ram.rss, t->ram.anon);
    l->shared += t->account.is_in_full ? gput__minus(t->ram.rss, s.low) : 0;
    l->n++;
    if (counts && (!l->largest || t->ram.rss > l->largest->ram.rss))
        l->largest = t;
}

/* What exited processes left to others is at most what these have besides their accounts. */
static uint64_t left_shared(const struct gput__tree *tree, const struct gput__level *l)
{
    return gput__least(tree->left.shared, l->shared);
}

/* Whether `t` is, or its pages came from, one that `from` was forked from. */
static bool is_before(const struct gput__tree *tree, const struct gput__task *t,
                      const struct gput__task *from)
{
    for (int i = 0; from && i < 16; i++) {
        if (from == t)
            return true;
        from = from->account.origin ? gput__tree_find(tree, from->account.origin) : NULL;
    }
    return false;
}

/* The largest descendant, with what it shares with main, and what the others have of their own. */
static uint64_t largest_and_others(const struct gput__tree *tree, const struct gput__level *l)
{
    uint64_t sum;

    if (!l->largest)
        return 0;
    sum = l->largest->ram.rss;
    for (uint32_t i = 0; i < tree->n && l->n > 1; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!t->is_main && gput__task_has_pages(t) && !is_before(tree, t, l->largest))
            sum += gput__account_own(tree, t);
    }
    return sum;
}

/* An estimate, in whole KiB as the kernel's own figures. */
static double told(uint64_t bytes)
{
    return (double)(bytes - bytes % 1024);
}

/* What is certain, whatever they share. */
uint64_t gput__level_least(const struct gput__level *l)
{
    return gput__most(l->own, l->largest ? l->largest->ram.rss : 0);
}

/* What the group held at the least and at the most. */
struct gput__span gput__level_bounds(const struct gput__level *l)
{
    struct gput__span s = { .low = gput__most(gput__least(l->low, l->sum), gput__level_least(l)) };

    s.high = gput__most(gput__least(l->high, l->sum), s.low);
    return s;
}

uint64_t gput__memory_sum_accounts(const struct gput__tree *tree)
{
    struct gput__level l = { 0 };

    for (uint32_t i = 0; i < tree->n; i++)
        if (gput__task_has_pages(&tree->tasks[i]))
            add_task(&l, tree, &tree->tasks[i]);
    return l.low + left_shared(tree, &l);
}

/* --- figures ---------------------------------------------------------------------------------- */

/* More, or less where what was certain on its own is not all at the same time. */
static uint64_t beyond_low(const struct gput__memory *m, uint64_t low, uint64_t least,
                           uint64_t most)
{
    int64_t now = (int64_t)low + m->count.extra;

    if (now < (int64_t)least)
        return least;
    return gput__least((uint64_t)now, most);
}

static void set_group(struct gput__memory *m, enum gput__group g, const struct gput__level *l,
                      uint64_t now, struct gput__sample *ret)
{
    struct gput__span s = gput__level_bounds(l);

    m->at_least[g] = gput__most(m->at_least[g], gput__least(s.low, now));
    m->at_most[g] = gput__most(m->at_most[g], gput__most(s.high, now));
    m->told[g] = gput__most(m->told[g], now);
    gput__sample_set(ret, GPUT__MAIN_RAM + g, told(now));
    gput__sample_set(ret, GPUT__MAIN_PRIVATE_RAM + g, (double)l->own);
    /* Only a scan finds what is shared. */
    if (m->scanned.has_full)
        gput__sample_set(ret, GPUT__MAIN_SHARED_RAM + g, told(m->scanned.shared[g]));
}

/* Each group's figure: the descendants have all but what is main's alone. */
static void set_groups(struct gput__memory *m, const struct gput__level *level,
                       struct gput__sample *ret)
{
    const struct gput__level *own = &level[GPUT__MAIN], *d = &level[GPUT__DESCENDANTS],
                             *c = &level[GPUT__COMBINED];
    uint64_t all = beyond_low(m, gput__level_bounds(c).low, gput__level_least(c), c->sum);
    uint64_t others = beyond_low(m, gput__level_bounds(d).low, gput__level_least(d), d->sum);

    others = gput__most(gput__least(others, gput__minus(all, own->own)), gput__level_least(d));
    set_group(m, GPUT__MAIN, own, gput__level_bounds(own).low, ret);
    set_group(m, GPUT__DESCENDANTS, d, others, ret);
    set_group(m, GPUT__COMBINED, c, all, ret);
}

static void add_up(struct gput__memory *m, const struct gput__tree *tree, struct gput__level *level)
{
    m->n_forked = 0;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        enum gput__group g = t->is_main ? GPUT__MAIN : GPUT__DESCENDANTS;

        if (!gput__task_has_pages(t))
            continue;
        add_task(&level[g], tree, t);
        add_task(&level[GPUT__COMBINED], tree, t);
        m->n_forked += t->account.is_forked;
        if (!gput__task_has_memory(t))
            continue;
        m->peak[g] = gput__most(m->peak[g], t->ram.hwm);
        m->lap_peak[g] = gput__most(m->lap_peak[g], t->ram.hwm);
    }
}

void gput__memory_measure(struct gput__memory *m, struct gput__tree *tree, struct gput__sample *ret)
{
    struct gput__level level[GPUT__N_GROUPS] = { 0 };
    struct gput__level *d = &level[GPUT__DESCENDANTS], *c = &level[GPUT__COMBINED];
    uint64_t more;

    add_up(m, tree, level);
    /* A process that is alone has what it has, whatever was estimated. */
    level[GPUT__MAIN].low = level[GPUT__MAIN].high = level[GPUT__MAIN].sum;
    c->certain = gput__minus(c->low, c->files);
    more = left_shared(tree, c) + m->scanned.beyond[GPUT__COMBINED];
    c->low += more;
    c->high += more;
    more =
        d->n ? left_shared(tree, d) + m->scanned.main_shared + m->scanned.beyond[GPUT__DESCENDANTS]
             : 0;
    d->low = gput__most(d->low + more, largest_and_others(tree, d));
    d->high = gput__most(d->high + more, d->low);
    gput__memory_count(m, tree, c);
    gput__scanned_was_used(m);
    set_groups(m, level, ret);
    m->told[GPUT__COMBINED] = gput__most(m->told[GPUT__COMBINED], m->count.peak);
    m->at_most[GPUT__COMBINED] = gput__most(m->at_most[GPUT__COMBINED], m->count.peak);
}

double gput__memory_pss(const struct gput__memory *m, const struct gput__tree *tree, bool main_only)
{
    struct gput__level l = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (gput__task_has_pages(t) && (t->is_main || !main_only))
            add_task(&l, tree, t);
    }
    if (main_only)
        return told(l.low + gput__memory_likely(m, &l));
    return told(beyond_low(m, l.low, l.own, l.sum) + left_shared(tree, &l));
}

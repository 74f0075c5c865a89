/* memory_plan.c - when to scan the memory of the job, and which of its processes. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/least.h"
#include "sample/memory/memory_parts.h"
#include "sample/tree/task_poll.h"

/* What scans may take of one core: a little at once, so that a short job gets its figures, then a
 * small share of the time; more of it where forked processes come and go. */
#define FIRST_CREDIT_NS (100 * GPUT__NS_PER_MS)
#define SHARE 500
/* Where it must never be more than a hundredth of the time, not even at the beginning. */
#define FRUGAL_FIRST_CREDIT_NS (30 * GPUT__NS_PER_MS)
#define FRUGAL_PAUSE_NS (GPUT__NS_PER_S / 2)
/* Pages of 4 KiB, before any scan has shown what it takes here. */
#define FIRST_NS_PER_KIB 8
/* A scan is followed by a pause of this multiple of its cost: shorter while there is much credit. */
#define RICH_PAUSE_FACTOR 6
#define PAUSE_FACTOR 12
/* Where the kernel's count shows how much there is, scans only check it. */
#define COUNTED_PAUSE_FACTOR 250
#define COUNTED_PAUSE_NS GPUT__NS_PER_S
#define SHORTEST_PAUSE_NS (10 * GPUT__NS_PER_MS)
/* How processes share their pages is read this often, or at this multiple of its cost. */
#define SPLIT_EVERY_NS (250 * GPUT__NS_PER_MS)
#define SPLIT_PAUSE_FACTOR 200
/* Likewise which files they share. */
#define FILES_EVERY_NS (500 * GPUT__NS_PER_MS)
/* What still moves is waited for, but no longer than this. */
#define LONGEST_WAIT_NS (30 * GPUT__NS_PER_MS)
/* So many processes that come and go are waited for until they stand still, but no longer than so
 * many times as long as the scan will take. */
#define MANY 500
#define PRICES_TO_WAIT 20
#define FIRST_NS_PER_PROCESS (50 * 1000)

void gput__plan_open(struct gput__memory *m, int64_t now)
{
    m->plan = (struct gput__scan_plan){ .ns_per_kib = { FIRST_NS_PER_KIB, FIRST_NS_PER_KIB } };
    gput__allowance_begin(&m->plan.allowance, now, SHARE, FIRST_CREDIT_NS, 0);
}

void gput__memory_be_frugal(struct gput__memory *m, int64_t now)
{
    m->plan.is_frugal = true;
    gput__allowance_begin(&m->plan.allowance, now, SHARE, FRUGAL_FIRST_CREDIT_NS, 0);
}

void gput__memory_set_unwatched(struct gput__memory *m, bool no_watch)
{
    m->plan.no_watch = no_watch;
}

void gput__memory_leave_scans(struct gput__memory *m)
{
    m->plan.not_before_ns = INT64_MAX;
}

void gput__plan_fulfilled(struct gput__memory *m)
{
    m->plan.wanted_ns = 0;
}

void gput__plan_files_again(struct gput__memory *m)
{
    m->plan.files_seen = 0;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* --- when ----------------------------------------------------------------------------------- */

struct gput__wish gput__plan_wish(const struct gput__tree *tree)
{
    struct gput__wish w = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        struct gput__span s;

        if (!gput__task_has_pages(t))
            continue;
        s = gput__account_now(tree, t);
        w.sum += t->ram.rss;
        if (!t->account.is_forked)
            w.files += gput__minus(t->ram.rss, t->ram.anon);
        w.unsplit += gput__task_is_young(t) && t->life.is_past_exec ? t->ram.rss : 0;
        if (gput__task_is_young(t))
            w.young_gap += s.high - s.low;
        else
            w.gap += t->account.is_read ? s.high - s.low : t->ram.rss;
    }
    return w;
}

static uint64_t least_gap(const struct gput__wish *w)
{
    return gput__most(w->sum / GPUT__LEAST_PART, GPUT__LEAST_GAP);
}

static int64_t price(const struct gput__memory *m, uint64_t rss, bool with_files)
{
    return (int64_t)((double)(rss / 1024) * m->plan.ns_per_kib[with_files]);
}

/* While processes come and go a scan is in vain, and of many it is too expensive to be soon repeated. */
static bool is_astir(struct gput__memory *m, const struct gput__tree *tree)
{
    bool has_changed = tree->version != m->plan.version_seen;

    m->plan.version_seen = tree->version;
    return has_changed && tree->n >= MANY;
}

static int64_t longest_wait(const struct gput__memory *m, const struct gput__tree *tree, bool astir)
{
    if (!astir)
        return LONGEST_WAIT_NS;
    return GPUT__NS_PER_S +
           PRICES_TO_WAIT * (price(m, m->plan.rss, true) + tree->n * FIRST_NS_PER_PROCESS);
}

/* What main and its workers share is a figure of its own, but no hurry. */
static bool wants_split(const struct gput__memory *m, const struct gput__wish *w, int64_t now)
{
    return !m->plan.is_frugal && w->unsplit >= least_gap(w) && now >= m->plan.full_after_ns;
}

static bool tells_something_new(struct gput__memory *m, const struct gput__tree *tree,
                                const struct gput__wish *w, int64_t now)
{
    uint64_t gap = w->gap + w->young_gap + (wants_split(m, w, now) ? w->unsplit : 0);
    bool is_calm = gap == m->plan.gap_seen, astir = is_astir(m, tree);

    m->plan.gap_seen = gap;
    m->plan.rss = w->sum;
    if (w->sum == 0 || gap < least_gap(w)) {
        /* What is not due yet is thought of again, though nothing moves any more. */
        m->plan.wanted_ns = w->unsplit >= least_gap(w) && !m->plan.is_frugal ? now : 0;
        return false;
    }
    if (!m->plan.wanted_ns)
        m->plan.wanted_ns = now;
    return m->plan.no_watch || (is_calm && !astir) ||
           now - m->plan.wanted_ns > longest_wait(m, tree, astir);
}

static bool is_affordable(struct gput__memory *m, int64_t now)
{
    m->plan.allowance.cost_ns = m->plan.is_frugal ? price(m, m->plan.rss, false) : 1;
    gput__allowance_earn(&m->plan.allowance, now);
    return gput__allowance_wait(&m->plan.allowance) <= 0 && now >= m->plan.not_before_ns;
}

bool gput__plan_is_worth(const struct gput__wish *w)
{
    return w->gap + w->young_gap + w->unsplit >= least_gap(w);
}

bool gput__plan_is_due(struct gput__memory *m, const struct gput__tree *tree,
                       const struct gput__wish *w, int64_t now)
{
    bool is_wanted = tells_something_new(m, tree, w, now);

    return is_wanted && m->scanner && !m->under_way && is_affordable(m, now);
}

/* --- which processes -------------------------------------------------------------------------- */

/* A child that runs in its parent's memory (vfork) is left out: its pages would count twice. */
static bool is_wanted(const struct gput__memscan *scan, const struct gput__tree *tree,
                      const struct gput__task *t, uint64_t least_young)
{
    struct gput__span s;

    if (!gput__task_has_pages(t) || (!t->life.is_past_exec && gput__task_shares_memory(tree, t)))
        return false;
    if (scan->is_full)
        return true;
    s = gput__account_now(tree, t);
    return gput__task_is_young(t) && s.high - s.low >= least_young;
}

/* Which files they share is expensive to know, and changes little. */
static bool wants_files(const struct gput__memory *m, const struct gput__tree *tree,
                        const struct gput__wish *w, int64_t now)
{
    return !m->plan.files_seen || !tree->proc->live ||
           (distance(w->files, m->plan.files_seen) >= 2 * least_gap(w) &&
            now >= m->plan.files_after_ns);
}

/* Of young ones with much open only these are read, of all others everybody. */
int gput__plan_list(struct gput__memory *m, const struct gput__tree *tree,
                    const struct gput__wish *w, int64_t now)
{
    struct gput__memscan *scan = gput__memscanner_scan(m->scanner);
    uint64_t least_young = tree->n ? least_gap(w) / 2 / tree->n : 0;

    scan->is_full = !m->scanned.has_full || w->gap >= least_gap(w) || wants_split(m, w, now);
    scan->with_files =
        scan->is_full && tree->n > 1 && !m->plan.is_frugal && wants_files(m, tree, w, now);
    scan->n = 0;
    if (GPUT__GROW(scan->tasks, scan->cap, tree->n) < 0)
        return -ENOMEM;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!is_wanted(scan, tree, t, least_young))
            continue;
        scan->tasks[scan->n++] = (struct gput__memscan_task){
            .pid = t->pid,
            .via = t->life.via,
            .is_main = t->is_main,
            .is_forked = !t->is_main && !gput__task_has_called_exec(t),
            .counts = t->life.is_past_exec,
            .known_rss = t->ram.rss,
            .known_anon = t->ram.anon,
            .known_faults = t->ram.faults,
        };
    }
    if (scan->with_files)
        m->plan.files_seen = w->files;
    scan->version = tree->version;
    return scan->n ? 0 : -ENODATA;
}

/* --- what it costs -------------------------------------------------------------------------- */

void gput__plan_pay(struct gput__memory *m, int64_t now)
{
    const struct gput__memscan *scan = gput__memscanner_scan(m->scanner);
    bool is_rich = m->plan.allowance.credit_ns > m->plan.allowance.most_ns / 2;
    int64_t pause = scan->cost_ns * (is_rich ? RICH_PAUSE_FACTOR : PAUSE_FACTOR);

    int64_t shortest = m->plan.is_frugal ? FRUGAL_PAUSE_NS : SHORTEST_PAUSE_NS;
    uint64_t rss = 0;

    if (m->count.is_counted)
        pause =
            (int64_t)gput__least((uint64_t)scan->cost_ns * COUNTED_PAUSE_FACTOR, COUNTED_PAUSE_NS);
    for (uint32_t i = 0; i < scan->n; i++)
        rss += scan->tasks[i].rss;
    gput__allowance_spend(&m->plan.allowance, now, scan->cost_ns);
    m->plan.not_before_ns = now + (pause > shortest ? pause : shortest);
    if (scan->with_files)
        m->plan.files_after_ns = now + FILES_EVERY_NS + scan->cost_ns * PAUSE_FACTOR;
    if (scan->is_full)
        m->plan.full_after_ns = now + SPLIT_EVERY_NS + scan->cost_ns * SPLIT_PAUSE_FACTOR;
    if (scan->cost_ns > 0 && rss >= 1024 * 1024)
        m->plan.ns_per_kib[scan->with_files] = (double)scan->cost_ns / (double)(rss / 1024);
}

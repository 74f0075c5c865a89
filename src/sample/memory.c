/* memory.c - the memory of main, of its descendants and of both, shared pages counted once. */
#include "sample/memory.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/least.h"
#include "base/root.h"
#include "sample/look.h"

/* What scans may take of one core: a little at once, so that a short job gets its figures, then a
 * small share of the time; more of it where forked processes come and go. */
#define FIRST_CREDIT_NS (100 * GPUT__NS_PER_MS)
#define SHARE 500
/* Where it must never be more than a hundredth of the time, not even at the beginning. */
#define FRUGAL_FIRST_CREDIT_NS (30 * GPUT__NS_PER_MS)
#define FRUGAL_PAUSE_NS (GPUT__NS_PER_S / 2)
/* Pages of 4 KiB, before any scan has shown what it takes here. */
#define FIRST_NS_PER_KIB 8
/* After a scan comes a pause of so many times its cost: shorter while there is much credit. */
#define RICH_PAUSE_FACTOR 6
#define PAUSE_FACTOR 12
/* Where the kernel's count tells how much there is, scans only check it. */
#define COUNTED_PAUSE_FACTOR 250
#define COUNTED_PAUSE_NS GPUT__NS_PER_S
#define SHORTEST_PAUSE_NS (10 * GPUT__NS_PER_MS)
/* How processes share what they have is asked for so often, or so many times its cost later. */
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
/* What can be read in some milliseconds, and how long that may take. */
#define FIRST_SCAN_BYTES UINT64_C(2000000000)
#define FIRST_SCAN_MS 20
/* What is open and below this cannot move a figure by a hundredth. */
#define LEAST_GAP (256 * 1024)
#define LEAST_PART 100
/* How what a scan finds of it is weighed against what earlier ones did.  Not all of it is believed:
 * of many estimates the largest counts. */
#define LEARN_SLOWLY 4
/* When a job that is one process, as most are for good, is worth a look at what others have. */
#define ALONE_AFTER_NS (100 * GPUT__NS_PER_MS)
#define ALONE_EVERY_NS (50 * GPUT__NS_PER_MS)
#define MOST_REAL 0.4

void gput__memory_open(struct gput__memory *m, const struct gput__root *proc,
                       const struct gput__root *sys, int64_t now)
{
    *m = (struct gput__memory){
        .scanner = gput__memscanner_open(proc),
        .sys = sys,
        .ns_per_kib = { FIRST_NS_PER_KIB, FIRST_NS_PER_KIB },
    };
    gput__budget_begin(&m->budget, now, SHARE, FIRST_CREDIT_NS, 0);
}

void gput__memory_be_frugal(struct gput__memory *m, int64_t now)
{
    m->is_frugal = true;
    gput__budget_begin(&m->budget, now, SHARE, FRUGAL_FIRST_CREDIT_NS, 0);
}

void gput__memory_close(struct gput__memory *m)
{
    gput__memscanner_close(m->scanner);
    gput__mapped_close(&m->mapped);
    m->scanner = NULL;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* --- adding up ------------------------------------------------------------------------------ */

struct level { /* of one group */
    uint64_t low, high, own, copied;
    uint64_t sum;     /* of RSS */
    uint64_t files;   /* of that, what is of files or shared memory */
    uint64_t shared;  /* of those who were read together, besides their accounts */
    uint64_t certain; /* of the lower ends: without what is of files, or only reckoned */
    const struct gput__task *largest;
    uint32_t n;
};

/* Its pages are the job's; but of a process between fork and exec only what it took itself. */
static bool has_pages(const struct gput__task *t)
{
    return gput__task_is_alive(t) && !t->is_starting && !t->twin;
}

static void add_task(struct level *l, const struct gput__tree *tree, const struct gput__task *t)
{
    struct gput__span s = gput__account_now(tree, t);
    bool counts = gput__task_has_memory(t);

    l->low += s.low;
    l->high += s.high;
    l->copied += s.copied;
    l->own += gput__account_own(tree, t);
    l->sum += counts ? t->rss : s.high;
    l->files += gput__minus(t->rss, t->anon);
    l->shared += t->account.is_in_full ? gput__minus(t->rss, s.low) : 0;
    l->n++;
    if (counts && (!l->largest || t->rss > l->largest->rss))
        l->largest = t;
}

/* What the dead have left to the living cannot be more than these have besides their accounts. */
static uint64_t left_shared(const struct gput__tree *tree, const struct level *l)
{
    return gput__least(tree->left_shared, l->shared);
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
static uint64_t largest_and_others(const struct gput__tree *tree, const struct level *l)
{
    uint64_t sum;

    if (!l->largest)
        return 0;
    sum = l->largest->rss;
    for (uint32_t i = 0; i < tree->n && l->n > 1; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!t->is_main && has_pages(t) && !is_before(tree, t, l->largest))
            sum += gput__account_own(tree, t);
    }
    return sum;
}

/* Of the copies that may have been made a part is real: the one that scans of this job have found. */
static uint64_t likely(const struct gput__memory *m, const struct level *l)
{
    return (uint64_t)(m->real_part * (double)l->copied);
}

/* An estimate, in whole KiB as the kernel's own figures. */
static double told(uint64_t bytes)
{
    return (double)(bytes - bytes % 1024);
}

/* What is certain, whatever they share. */
static uint64_t least_of(const struct level *l)
{
    return gput__most(l->own, l->largest ? l->largest->rss : 0);
}

/* What the group held at the least and at the most. */
static struct gput__span bounds(const struct level *l)
{
    struct gput__span s = { .low = gput__most(gput__least(l->low, l->sum), least_of(l)) };

    s.high = gput__most(gput__least(l->high, l->sum), s.low);
    return s;
}

/* Whether the pages that are mapped around the job tell something, and were read. */
static bool read_mapped(struct gput__memory *m, const struct gput__tree *tree)
{
    if (!tree->proc->live)
        return false;
    if (!m->mapped.root)
        gput__mapped_open(&m->mapped, tree->proc, m->sys, tree->main_pid);
    gput__mapped_read(&m->mapped);
    return m->mapped.all > 0;
}

/* By how much the job can have grown and shrunk since this was last asked.  Each page that is gained
 * costs a fault, or shows in the RSS where one fault brings many.  Returns by how much it can have
 * grown. */
static uint64_t follow(struct gput__memory *m, struct gput__tree *tree)
{
    uint64_t up = 0, down = 0, before = 0, now = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        uint64_t faulted, began;

        if (!has_pages(t))
            continue;
        began = t->account.is_forked ? gput__minus(t->rss, t->faults * tree->page) : 0;
        began = t->is_followed ? t->followed_rss : began;
        faulted = gput__minus(t->faults, t->is_followed ? t->followed_faults : 0) * tree->page;
        up += gput__most(faulted, gput__minus(t->rss, began));
        down += faulted + gput__minus(began, t->rss);
        before += t->is_followed ? t->followed_rss : 0;
        now += t->rss;
        t->is_followed = true;
        t->followed_rss = t->rss;
        t->followed_faults = t->faults;
    }
    gput__mapped_follow(&m->mapped, up, down + gput__minus(m->followed_rss, before));
    m->followed_rss = now;
    return up;
}

/* What the job of one process has is known: what the others have is learned then. */
static void learn_alone(struct gput__memory *m, struct gput__tree *tree, uint64_t rss)
{
    int64_t now = tree->looked_ns;

    if ((tree->had_descendants || now - tree->since_ns > ALONE_AFTER_NS) &&
        now - m->mapped.learned_ns > ALONE_EVERY_NS && read_mapped(m, tree)) {
        (void)follow(m, tree);
        gput__mapped_learn(&m->mapped, now, rss);
    }
}

/* Whatever they left is on the accounts of the living now. */
static void forget_the_dead(struct gput__tree *tree)
{
    tree->left_at_most = 0;
    tree->is_rough = false;
}

/* Nobody came and went unseen whose pages could live on: the accounts' upper ends hold. */
static bool has_all_accounts(const struct gput__tree *tree)
{
    return !tree->is_rough && tree->events >= 0;
}

/* What the whole job held beyond the lower ends: as the kernel counts mapped pages, else as scans have
 * found it. */
static int64_t find_extra(struct gput__memory *m, struct gput__tree *tree, const struct level *l)
{
    struct gput__span s = bounds(l);
    uint64_t least = least_of(l), most = s.high + s.high / LEAST_PART, before = m->most, grown, job;

    most += tree->left_at_most;
    m->most = most;
    if (l->n < 2) {
        forget_the_dead(tree);
        if (m->mapped.noise < (int64_t)(m->polled / LEAST_PART)) /* nothing is left to confirm it */
            m->peak = gput__most(m->peak, m->polled);
    }
    /* Pages of files cost faults without any new page: then it cannot be told who has moved. */
    if (l->n < 2 || l->files > l->sum / 2 || !read_mapped(m, tree)) {
        if (l->n == 1)
            learn_alone(m, tree, s.low);
        return (int64_t)likely(m, l);
    }
    grown = follow(m, tree);
    if (m->is_fresh)
        gput__mapped_check(&m->mapped, tree->looked_ns, s.low, m->is_exact);
    /* Without forked processes the accounts leave nothing open, however much the others move; nor do
     * they after a scan that nobody moved under. */
    if (s.high - s.low <= s.low / LEAST_PART &&
        (!m->n_forked || !m->mapped.has_others || (m->is_fresh && m->is_exact))) {
        gput__mapped_learn(&m->mapped, tree->looked_ns, s.low);
        return (int64_t)likely(m, l);
    }
    /* The accounts leave out what moves too fast, but hardly half of the job. */
    m->is_counted = gput__mapped_job(&m->mapped, least, gput__least(l->sum, 2 * s.high), &job) == 0;
    if (!m->is_counted)
        return (int64_t)likely(m, l);
    job = gput__least(gput__most(job, least), l->sum);
    /* Anonymous pages on accounts are there, whatever others do. */
    job = gput__most(job, gput__least(l->certain, s.low));
    if (has_all_accounts(tree)) {
        job = gput__least(job, most);
        if (tree->n_missed == m->missed_seen)
            m->polled = gput__least(m->polled, gput__most(before, most) + grown);
    }
    m->missed_seen = tree->n_missed;
    m->peak = gput__most(m->peak, m->polled);
    return (int64_t)job - (int64_t)s.low;
}

bool gput__memory_wants_looks(const struct gput__memory *m)
{
    return m->n_forked > 0 && !m->is_counted;
}

bool gput__memory_wants_polls(const struct gput__memory *m)
{
    return m->is_counted && m->n_forked > 0;
}

void gput__memory_poll(struct gput__memory *m, int64_t now)
{
    m->polled_ns = now;
    gput__mapped_read(&m->mapped);
    if (m->mapped.all && (int64_t)m->mapped.all > m->mapped.others)
        m->polled = gput__most(m->polled, (uint64_t)((int64_t)m->mapped.all - m->mapped.others));
}

/* More, or less where what was certain on its own is not all at the same time. */
static uint64_t beyond_low(const struct gput__memory *m, uint64_t low, uint64_t least,
                           uint64_t most)
{
    int64_t now = (int64_t)low + m->extra;

    if (now < (int64_t)least)
        return least;
    return gput__least((uint64_t)now, most);
}

static void set_group(struct gput__memory *m, enum gput__group g, const struct level *l,
                      uint64_t now, struct gput__sample *ret)
{
    struct gput__span s = bounds(l);

    m->at_least[g] = gput__most(m->at_least[g], gput__least(s.low, now));
    m->at_most[g] = gput__most(m->at_most[g], gput__most(s.high, now));
    m->told[g] = gput__most(m->told[g], now);
    gput__sample_set(ret, GPUT__MAIN_RAM + g, told(now));
    gput__sample_set(ret, GPUT__MAIN_PRIVATE_RAM + g, (double)l->own);
    /* What is shared only a scan can tell. */
    if (m->has_full)
        gput__sample_set(ret, GPUT__MAIN_SHARED_RAM + g, told(m->shared[g]));
}

/* Each group's figure: the descendants have all but what is main's alone. */
static void set_groups(struct gput__memory *m, const struct level *level, struct gput__sample *ret)
{
    const struct level *own = &level[GPUT__MAIN], *d = &level[GPUT__DESCENDANTS],
                       *c = &level[GPUT__COMBINED];
    uint64_t all = beyond_low(m, bounds(c).low, least_of(c), c->sum);
    uint64_t others = beyond_low(m, bounds(d).low, least_of(d), d->sum);

    others = gput__most(gput__least(others, gput__minus(all, own->own)), least_of(d));
    set_group(m, GPUT__MAIN, own, bounds(own).low, ret);
    set_group(m, GPUT__DESCENDANTS, d, others, ret);
    set_group(m, GPUT__COMBINED, c, all, ret);
}

static void add_up(struct gput__memory *m, const struct gput__tree *tree, struct level *level)
{
    m->n_forked = 0;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        enum gput__group g = t->is_main ? GPUT__MAIN : GPUT__DESCENDANTS;

        if (!has_pages(t))
            continue;
        add_task(&level[g], tree, t);
        add_task(&level[GPUT__COMBINED], tree, t);
        m->n_forked += t->account.is_forked;
        if (gput__task_has_memory(t))
            m->mark[g] = gput__most(m->mark[g], t->hwm);
    }
}

void gput__memory_measure(struct gput__memory *m, struct gput__tree *tree, struct gput__sample *ret)
{
    struct level level[GPUT__N_GROUPS] = { 0 };
    struct level *d = &level[GPUT__DESCENDANTS], *c = &level[GPUT__COMBINED];
    uint64_t more;

    add_up(m, tree, level);
    /* A process that is alone has what it has, whatever was estimated. */
    level[GPUT__MAIN].low = level[GPUT__MAIN].high = level[GPUT__MAIN].sum;
    c->certain = gput__minus(c->low, c->files);
    more = left_shared(tree, c) + m->beyond[GPUT__COMBINED];
    c->low += more;
    c->high += more;
    more = d->n ? left_shared(tree, d) + m->main_shared + m->beyond[GPUT__DESCENDANTS] : 0;
    d->low = gput__most(d->low + more, largest_and_others(tree, d));
    d->high = gput__most(d->high + more, d->low);
    m->is_counted = false;
    m->extra = find_extra(m, tree, c);
    m->is_fresh = false;
    m->polled = 0;
    m->polled_ns = tree->looked_ns;
    set_groups(m, level, ret);
    m->told[GPUT__COMBINED] = gput__most(m->told[GPUT__COMBINED], m->peak);
    m->at_most[GPUT__COMBINED] = gput__most(m->at_most[GPUT__COMBINED], m->peak);
}

double gput__memory_pss(const struct gput__memory *m, const struct gput__tree *tree, bool main_only)
{
    struct level l = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (has_pages(t) && (t->is_main || !main_only))
            add_task(&l, tree, t);
    }
    if (main_only)
        return told(l.low + likely(m, &l));
    return told(beyond_low(m, l.low, l.own, l.sum) + left_shared(tree, &l));
}

/* --- when to scan --------------------------------------------------------------------------- */

struct wish {
    uint64_t gap;       /* bytes that the accounts leave open: of those who were read together, */
    uint64_t young_gap; /* and of forked ones since */
    uint64_t unsplit;   /* what these have at all: how much of it is shared is not known */
    uint64_t sum, files;
};

/* A forked process that was not in a scan of all: it alone can be read. */
static bool is_young(const struct gput__task *t)
{
    return t->account.is_forked && !t->account.is_in_full;
}

static struct wish add_wishes(const struct gput__tree *tree)
{
    struct wish w = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        struct gput__span s;

        if (!has_pages(t))
            continue;
        s = gput__account_now(tree, t);
        w.sum += t->rss;
        if (!t->account.is_forked)
            w.files += gput__minus(t->rss, t->anon);
        w.unsplit += is_young(t) && t->own_image ? t->rss : 0;
        if (is_young(t))
            w.young_gap += s.high - s.low;
        else
            w.gap += t->account.is_read ? s.high - s.low : t->rss;
    }
    return w;
}

static uint64_t least_gap(const struct wish *w)
{
    return gput__most(w->sum / LEAST_PART, LEAST_GAP);
}

static int64_t price(const struct gput__memory *m, uint64_t rss, bool with_files)
{
    return (int64_t)((double)(rss / 1024) * m->ns_per_kib[with_files]);
}

/* While processes come and go a scan is in vain, and of many it is too expensive to be soon repeated. */
static bool is_astir(struct gput__memory *m, const struct gput__tree *tree)
{
    bool has_changed = tree->version != m->version_seen;

    m->version_seen = tree->version;
    return has_changed && tree->n >= MANY;
}

static int64_t longest_wait(const struct gput__memory *m, const struct gput__tree *tree, bool astir)
{
    if (!astir)
        return LONGEST_WAIT_NS;
    return GPUT__NS_PER_S +
           PRICES_TO_WAIT * (price(m, m->rss, true) + tree->n * FIRST_NS_PER_PROCESS);
}

/* What main and its workers share is a figure of its own, but no hurry. */
static bool wants_split(const struct gput__memory *m, const struct wish *w, int64_t now)
{
    return !m->is_frugal && w->unsplit >= least_gap(w) && now >= m->full_after_ns;
}

static bool tells_something_new(struct gput__memory *m, const struct gput__tree *tree,
                                const struct wish *w, int64_t now)
{
    uint64_t gap = w->gap + w->young_gap + (wants_split(m, w, now) ? w->unsplit : 0);
    bool is_calm = gap == m->gap_seen, astir = is_astir(m, tree);

    m->gap_seen = gap;
    m->rss = w->sum;
    if (w->sum == 0 || gap < least_gap(w)) {
        /* What is not due yet is thought of again, though nothing moves any more. */
        m->wanted_ns = w->unsplit >= least_gap(w) && !m->is_frugal ? now : 0;
        return false;
    }
    if (!m->wanted_ns)
        m->wanted_ns = now;
    return m->no_watch || (is_calm && !astir) || now - m->wanted_ns > longest_wait(m, tree, astir);
}

static bool affordable(struct gput__memory *m, int64_t now)
{
    m->budget.cost_ns = m->is_frugal ? price(m, m->rss, false) : 1;
    gput__budget_earn(&m->budget, now);
    return gput__budget_wait(&m->budget) <= 0 && now >= m->not_before_ns;
}

/* --- what to scan --------------------------------------------------------------------------- */

static int make_room(struct gput__memscan *scan, uint32_t n)
{
    struct gput__memscan_task *bigger;

    if (n <= scan->cap)
        return 0;
    bigger = realloc(scan->tasks, n * sizeof(*bigger));
    if (!bigger)
        return -ENOMEM;
    scan->tasks = bigger;
    scan->cap = n;
    return 0;
}

/* A child that runs in its parent's memory (vfork) is left out: its pages would count twice. */
static bool is_wanted(const struct gput__memscan *scan, const struct gput__tree *tree,
                      const struct gput__task *t, uint64_t least_young)
{
    struct gput__span s;

    if (!has_pages(t) || (!t->own_image && gput__task_shares_memory(tree, t)))
        return false;
    if (scan->is_full)
        return true;
    s = gput__account_now(tree, t);
    return is_young(t) && s.high - s.low >= least_young;
}

/* Which files they share is expensive to know, and changes little. */
static bool wants_files(const struct gput__memory *m, const struct gput__tree *tree,
                        const struct wish *w, int64_t now)
{
    return !m->files_seen || !tree->proc->live ||
           (distance(w->files, m->files_seen) >= 2 * least_gap(w) && now >= m->files_after_ns);
}

/* Of young ones with much open only these are read, of all others everybody. */
static int list_tasks(struct gput__memory *m, const struct gput__tree *tree, const struct wish *w,
                      int64_t now)
{
    struct gput__memscan *scan = gput__memscanner_scan(m->scanner);
    uint64_t least_young = tree->n ? least_gap(w) / 2 / tree->n : 0;

    scan->is_full = !m->has_full || w->gap >= least_gap(w) || wants_split(m, w, now);
    scan->with_files =
        scan->is_full && tree->n > 1 && !m->is_frugal && wants_files(m, tree, w, now);
    scan->n = 0;
    if (make_room(scan, tree->n) < 0)
        return -ENOMEM;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!is_wanted(scan, tree, t, least_young))
            continue;
        scan->tasks[scan->n++] = (struct gput__memscan_task){
            .pid = t->pid,
            .via = t->via,
            .is_main = t->is_main,
            .is_forked = !t->is_main && !gput__task_has_called_exec(t),
            .counts = t->own_image,
            .known_rss = t->rss,
            .known_anon = t->anon,
            .known_faults = t->faults,
        };
    }
    if (scan->with_files)
        m->files_seen = w->files;
    scan->version = tree->version;
    return scan->n ? 0 : -ENODATA;
}

/* --- what a scan tells ---------------------------------------------------------------------- */

static uint64_t sum_of_accounts(const struct gput__tree *tree)
{
    struct level l = { 0 };

    for (uint32_t i = 0; i < tree->n; i++)
        if (has_pages(&tree->tasks[i]))
            add_task(&l, tree, &tree->tasks[i]);
    return l.low + left_shared(tree, &l);
}

/* A page that several map is divided by how many they are when each is read.  Of one that has gone
 * before it was read, or come meanwhile, as much is missing as, on average, the others have. */
static uint64_t missing(const struct gput__memscan *scan, const struct gput__tree *tree)
{
    uint64_t shared = 0;
    uint32_t n_read = 0, n_missing = 0;

    for (uint32_t i = 0; i < scan->n; i++) {
        const struct gput__memscan_task *p = &scan->tasks[i];

        n_missing += p->error == -ESRCH && p->is_forked;
        if (p->error < 0)
            continue;
        n_read += p->is_main || p->is_forked;
        shared += gput__minus(p->pss, p->private_rss);
    }
    for (uint32_t i = 0; i < tree->n; i++) /* who was not there when they were listed */
        n_missing += is_young(&tree->tasks[i]) && !tree->tasks[i].account.is_read;
    return n_read ? shared / n_read * n_missing : 0;
}

/* Its pages are about to go, or have gone, over to those who share them. */
static bool is_leaving(const struct gput__task *t)
{
    return t->is_exiting || !t->rss || !gput__task_is_alive(t);
}

static bool is_undisturbed(const struct gput__memscan *scan, const struct gput__tree *tree)
{
    if (!scan->complete || scan->version != tree->version)
        return false;
    for (uint32_t i = 0; i < scan->n; i++) {
        const struct gput__task *t = gput__tree_find(tree, scan->tasks[i].pid);

        /* Pages of a process that was ending went over to the others while these were read. */
        if (!t || is_leaving(t))
            return false;
    }
    return true;
}

static void close_vanished(const struct gput__memscan *scan, struct gput__tree *tree)
{
    for (uint32_t i = 0; i < scan->n; i++) {
        struct gput__task *t = gput__tree_find(tree, scan->tasks[i].pid);

        if (t && (scan->tasks[i].error == -ESRCH || is_leaving(t)))
            gput__account_close(tree, t);
    }
}

/* How many of the copies that were possible turned out to be there. */
static void learn_part(struct gput__memory *m, const struct gput__span *before, uint64_t after)
{
    double part;

    if (before->copied < LEAST_GAP || before->copied < before->anon / LEAST_PART)
        return;
    part = (double)gput__minus(after, before->anon) / (double)before->copied;
    part = MOST_REAL * (part < 1 ? part : 1);
    m->real_part += (part - m->real_part) / LEARN_SLOWLY;
}

static void fill_accounts(struct gput__memory *m, const struct gput__memscan *scan,
                          struct gput__tree *tree)
{
    struct gput__span before = { 0 };
    uint64_t after = 0;

    for (uint32_t i = 0; i < scan->n; i++) {
        const struct gput__memscan_task *p = &scan->tasks[i];
        struct gput__task *t = gput__tree_find(tree, p->pid);
        struct gput__span s;

        if (!t || !has_pages(t) || is_leaving(t) || p->error == -ESRCH || p->error == -ECANCELED ||
            !p->rss)
            continue;
        s = gput__account_now(tree, t);
        before.anon += s.anon;
        before.copied += s.copied;
        gput__account_fill(tree, t, p, scan->is_full);
        after += gput__account_now(tree, t).anon;
    }
    learn_part(m, &before, after);
}

/* How many processes outside of the job map what the job maps, from how much of it is its share. */
static void learn_files(struct gput__memory *m, const struct gput__memscan *scan)
{
    uint64_t shares = gput__minus(scan->pss, scan->pss_anon);

    m->files = (struct gput__files){ .all = scan->files,
                                     .descendants = gput__minus(scan->descendants.total,
                                                                scan->descendants_pss) };
    if (shares)
        m->files.outside =
            (double)scan->n * (double)gput__minus(scan->files, shares) / (double)shares;
    m->beyond[GPUT__COMBINED] = gput__minus(scan->files, shares);
    m->beyond[GPUT__DESCENDANTS] = m->files.descendants;
}

/* The more of the job's processes map them, the more of them is in its shares. */
static void adjust_files(struct gput__memory *m, const struct gput__memscan *scan)
{
    double outside = m->files.outside;

    m->beyond[GPUT__COMBINED] = (uint64_t)((double)m->files.all * outside / (outside + scan->n));
    m->beyond[GPUT__DESCENDANTS] = gput__least(m->files.descendants, m->beyond[GPUT__COMBINED]);
}

static void take_full(struct gput__memory *m, const struct gput__memscan *scan,
                      struct gput__tree *tree)
{
    uint64_t before, after;
    bool is_disturbed;

    close_vanished(scan, tree);
    before = sum_of_accounts(tree);
    tree->left_shared = 0;
    fill_accounts(m, scan, tree);
    after = sum_of_accounts(tree);
    is_disturbed = !is_undisturbed(scan, tree);
    if (is_disturbed)
        tree->left_shared = gput__least(gput__minus(before, after), missing(scan, tree));
    m->is_fresh = true;
    m->is_exact = !is_disturbed;
    if (!is_disturbed)
        forget_the_dead(tree);
    if (!scan->with_files)
        adjust_files(m, scan);
    else if (scan->has_grown)
        m->files_seen = 0; /* once more, when they stand still */
    else
        learn_files(m, scan);
    m->has_full = true;
    m->main_shared = gput__minus(scan->main_pss, scan->main.private_rss);
    m->shared[GPUT__MAIN] = scan->main.shared_rss;
    m->shared[GPUT__DESCENDANTS] = scan->descendants.shared_rss;
    m->shared[GPUT__COMBINED] = scan->combined.shared_rss;
    for (int g = GPUT__DESCENDANTS; g <= GPUT__COMBINED; g++) {
        if (!scan->with_files)
            m->shared[g] += m->beyond[g];
        if (is_disturbed) /* who died under it is in its sums */
            m->shared[g] = gput__least(m->shared[g], after);
    }
}

static void take(struct gput__memory *m, struct gput__tree *tree)
{
    const struct gput__memscan *scan = gput__memscanner_scan(m->scanner);

    m->n_hidden = scan->hidden;
    m->n_scans++;
    m->wanted_ns = 0;
    if (scan->is_full)
        take_full(m, scan, tree);
    else
        fill_accounts(m, scan, tree);
}

static void pay(struct gput__memory *m, int64_t now)
{
    const struct gput__memscan *scan = gput__memscanner_scan(m->scanner);
    bool is_rich = m->budget.credit_ns > m->budget.most_ns / 2;
    int64_t pause = scan->cost_ns * (is_rich ? RICH_PAUSE_FACTOR : PAUSE_FACTOR);

    int64_t shortest = m->is_frugal ? FRUGAL_PAUSE_NS : SHORTEST_PAUSE_NS;
    uint64_t rss = 0;

    if (m->is_counted)
        pause =
            (int64_t)gput__least((uint64_t)scan->cost_ns * COUNTED_PAUSE_FACTOR, COUNTED_PAUSE_NS);
    for (uint32_t i = 0; i < scan->n; i++)
        rss += scan->tasks[i].rss;
    gput__budget_spend(&m->budget, now, scan->cost_ns);
    m->not_before_ns = now + (pause > shortest ? pause : shortest);
    if (scan->with_files)
        m->files_after_ns = now + FILES_EVERY_NS + scan->cost_ns * PAUSE_FACTOR;
    if (scan->is_full)
        m->full_after_ns = now + SPLIT_EVERY_NS + scan->cost_ns * SPLIT_PAUSE_FACTOR;
    if (scan->cost_ns > 0 && rss >= 1024 * 1024)
        m->ns_per_kib[scan->with_files] = (double)scan->cost_ns / (double)(rss / 1024);
}

void gput__memory_consider_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    struct wish w = add_wishes(tree);
    bool wanted =
        tells_something_new(m, tree, &w, now); /* notes it, too, for when its time comes */

    if (!wanted || !m->scanner || m->under_way || !affordable(m, now))
        return;
    if (list_tasks(m, tree, &w, now) < 0)
        return;
    m->under_way = gput__memscanner_ask(m->scanner) == 0;
    if (!m->under_way) { /* no thread for it */
        gput__memscan_run(gput__memscanner_scan(m->scanner));
        take(m, tree);
        pay(m, now);
    }
}

void gput__memory_check_scan(struct gput__memory *m, struct gput__tree *tree)
{
    const struct gput__memscan *scan;

    if (!m->under_way || m->is_ready || !gput__memscanner_done(m->scanner))
        return;
    m->is_ready = true;
    scan = gput__memscanner_scan(m->scanner);
    for (uint32_t i = 0; i < scan->n; i++)
        gput__tree_must_read(tree, scan->tasks[i].pid);
}

bool gput__memory_take_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    if (!m->is_ready)
        return false;
    m->under_way = m->is_ready = false;
    take(m, tree);
    pay(m, now);
    return true;
}

void gput__memory_first_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    struct wish w = add_wishes(tree);
    struct pollfd done = { .fd = gput__memscanner_fd(m->scanner), .events = POLLIN };

    if (m->n_scans > 0 || w.sum > FIRST_SCAN_BYTES || !m->scanner)
        return;
    if (!m->under_way && list_tasks(m, tree, &w, now) == 0)
        m->under_way = gput__memscanner_ask(m->scanner) == 0;
    if (m->under_way)
        (void)poll(&done, 1, FIRST_SCAN_MS);
    gput__memory_check_scan(m, tree);
    (void)gput__memory_take_scan(m, tree, now);
}

void gput__memory_scan_now(struct gput__memory *m, struct gput__tree *tree)
{
    struct wish w = add_wishes(tree);

    m->rss = w.sum;
    if (!m->scanner || w.gap + w.young_gap + w.unsplit < least_gap(&w) ||
        list_tasks(m, tree, &w, INT64_MAX) < 0)
        return;
    gput__memscan_run(gput__memscanner_scan(m->scanner));
    take(m, tree);
}

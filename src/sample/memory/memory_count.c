/* memory_count.c - what the job holds, from the kernel's count of the pages that any process has
 * mapped. */
#include "base/clock.h"
#include "base/least.h"
#include "sample/memory/memory_parts.h"

/* When a job that is one process, as most are for good, is worth comparing with what others have. */
#define ALONE_AFTER_NS (100 * GPUT__NS_PER_MS)
#define ALONE_EVERY_NS (50 * GPUT__NS_PER_MS)

void gput__memory_count_open(struct gput__memory *m, const struct gput__root *sys)
{
    m->count = (struct gput__mapped_count){ .sys = sys };
}

void gput__memory_count_close(struct gput__memory *m)
{
    gput__mapped_close(&m->count.mapped);
}

void gput__memory_count_begin_lap(struct gput__memory *m)
{
    m->count.lap_peak = 0;
}

/* What was seen between polls is confirmed. */
static void confirm(struct gput__mapped_count *c)
{
    c->peak = gput__most(c->peak, c->probed);
    c->lap_peak = gput__most(c->lap_peak, c->probed);
}

/* Whether the pages that are mapped around the job are of use, and were read. */
static bool read_mapped(struct gput__memory *m, const struct gput__tree *tree)
{
    if (!tree->proc->live)
        return false;
    if (!m->count.mapped.root)
        gput__mapped_open(&m->count.mapped, tree->proc, m->count.sys, tree->who.main_pid);
    gput__mapped_read(&m->count.mapped);
    return m->count.mapped.all > 0;
}

/* By how much the job can have grown and shrunk since this was last asked.  Each page that is gained
 * costs a fault, or shows in the RSS where one fault brings many.  Returns by how much it can have
 * grown. */
static uint64_t follow(struct gput__memory *m, struct gput__tree *tree)
{
    struct gput__moves job = { .delay_ns = gput__now() - tree->poll.at_ns };
    uint64_t before = 0, now = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        uint64_t faulted, began;

        if (!gput__task_has_pages(t))
            continue;
        began = t->account.is_forked ? gput__minus(t->ram.rss, t->ram.faults * tree->page) : 0;
        began = t->followed.is_known ? t->followed.rss : began;
        faulted =
            gput__minus(t->ram.faults, t->followed.is_known ? t->followed.faults : 0) * tree->page;
        job.up += gput__most(faulted, gput__minus(t->ram.rss, began));
        job.down += faulted + gput__minus(began, t->ram.rss);
        before += t->followed.is_known ? t->followed.rss : 0;
        now += t->ram.rss;
        t->followed.is_known = true;
        t->followed.rss = t->ram.rss;
        t->followed.faults = t->ram.faults;
    }
    job.down += gput__minus(m->count.followed_rss, before);
    gput__mapped_follow(&m->count.mapped, tree->poll.at_ns, &job);
    m->count.followed_rss = now;
    return job.up;
}

/* What the job of one process has is known: what the others have is learned then. */
static void learn_alone(struct gput__memory *m, struct gput__tree *tree, uint64_t rss)
{
    int64_t now = tree->poll.at_ns;

    if ((tree->births.had_descendants || now - tree->who.since_ns > ALONE_AFTER_NS) &&
        now - m->count.mapped.learned_ns > ALONE_EVERY_NS && read_mapped(m, tree)) {
        (void)follow(m, tree);
        gput__mapped_learn(&m->count.mapped, now, rss);
    }
}

/* What the whole job held beyond the lower ends: as the kernel counts mapped pages, else as scans have
 * found it. */
static int64_t find_extra(struct gput__memory *m, struct gput__tree *tree,
                          const struct gput__level *l)
{
    struct gput__mapped_count *c = &m->count;
    struct gput__span s = gput__level_bounds(l);
    uint64_t least = gput__level_least(l), most = s.high + s.high / GPUT__LEAST_PART;
    uint64_t before = c->most, grown, job;

    most += tree->left.at_most;
    c->most = most;
    if (l->n < 2) {
        gput__accounts_forget_dead(tree);
        /* nothing is left to confirm it */
        if (c->mapped.noise < (int64_t)(c->probed / GPUT__LEAST_PART))
            confirm(c);
    }
    /* Pages of files cost faults without any new page: then it is not known which processes moved. */
    if (l->n < 2 || l->files > l->sum / 2 || !read_mapped(m, tree)) {
        if (l->n == 1)
            learn_alone(m, tree, s.low);
        return (int64_t)gput__memory_likely(m, l);
    }
    grown = follow(m, tree);
    if (m->scanned.is_fresh)
        gput__mapped_check(&c->mapped, tree->poll.at_ns, s.low, m->scanned.is_exact);
    /* Without forked processes the accounts leave nothing open, however much the others move; nor do
     * they after a scan during which nothing moved. */
    if (s.high - s.low <= s.low / GPUT__LEAST_PART &&
        (!m->n_forked || !c->mapped.has_others || (m->scanned.is_fresh && m->scanned.is_exact))) {
        gput__mapped_learn(&c->mapped, tree->poll.at_ns, s.low);
        return (int64_t)gput__memory_likely(m, l);
    }
    /* The accounts leave out what moves too fast, but hardly half of the job. */
    c->is_counted = gput__mapped_job(&c->mapped, least, gput__least(l->sum, 2 * s.high), &job) == 0;
    if (!c->is_counted)
        return (int64_t)gput__memory_likely(m, l);
    job = gput__least(gput__most(job, least), l->sum);
    /* Anonymous pages on accounts are there, whatever others do. */
    job = gput__most(job, gput__least(l->certain, s.low));
    job = gput__least(job, most);
    if (tree->births.n_missed == c->missed_seen)
        c->probed = gput__least(c->probed, gput__most(before, most) + grown);
    c->missed_seen = tree->births.n_missed;
    confirm(c);
    return (int64_t)job - (int64_t)s.low;
}

void gput__memory_count(struct gput__memory *m, struct gput__tree *tree,
                        const struct gput__level *l)
{
    m->count.is_counted = false;
    m->count.extra = find_extra(m, tree, l);
    m->count.probed = 0;
    m->count.probed_ns = tree->poll.at_ns;
}

bool gput__memory_wants_probes(const struct gput__memory *m)
{
    return m->count.is_counted && m->n_forked > 0;
}

void gput__memory_probe(struct gput__memory *m, int64_t now)
{
    struct gput__mapped_count *c = &m->count;
    int64_t job;

    c->probed_ns = now;
    gput__mapped_read(&c->mapped);
    job = (int64_t)c->mapped.all - c->mapped.others;
    if (c->mapped.all && job > 0)
        c->probed = gput__most(c->probed, (uint64_t)job);
}

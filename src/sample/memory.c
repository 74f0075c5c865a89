/* memory.c - the memory of main, of its descendants and of both, shared pages counted once. */
#include "sample/memory.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "sample/look.h"

/* What passes may take of one core: a little at once, so that a short job gets its figures, then a
 * five hundredth of the time. */
#define FIRST_CREDIT_NS (300 * GPUT__NS_PER_MS)
#define CREDIT_SHARE 500
/* Where it must never be more than a hundredth of the time, not even at the beginning. */
#define FRUGAL_FIRST_CREDIT_NS (30 * GPUT__NS_PER_MS)
#define FRUGAL_CREDIT_SHARE 500
#define FRUGAL_PAUSE_NS (5 * GPUT__NS_PER_S / 2)
#define FRUGAL_QUICK_PART 5 /* passes that follow each other closely are so many times fewer */
/* Pages of 4 KiB, before any pass has shown what it takes here. */
#define FIRST_NS_PER_KIB 8
/* Some passes may follow each other closely, taking a twenty-fifth of a stretch or, of a large job,
 * what the credit holds; one more for every four seconds.  A job of many small changes goes on with a
 * four hundredth. */
#define QUICK_PASSES 6
#define QUICK_EVERY_NS (4 * GPUT__NS_PER_S)
#define QUICK_PAUSE_FACTOR 25
#define LONGEST_QUICK_PAUSE_NS (GPUT__NS_PER_S / 2)
#define PAUSE_FACTOR 400
#define SHORTEST_PAUSE_NS (20 * GPUT__NS_PER_MS)
#define MOST_TRIES 3
/* Memory that still grows is waited for, but not longer than this. */
#define LONGEST_WAIT_NS GPUT__NS_PER_S
/* So many processes that come and go are waited for until they stand still, but no longer than so
 * many times as long as the pass will take. */
#define MANY 500
#define PRICES_TO_WAIT 20
#define FIRST_NS_PER_PROCESS (50 * 1000)
/* What can be read in some milliseconds, and how long one under way may take for it. */
#define FIRST_PASS_BYTES UINT64_C(2000000000)
#define FIRST_PASS_MS 20
/* A change below this cannot move a figure by a hundredth. */
#define LEAST_CHANGE (256 * 1024)
#define LEAST_SHARE 256

void gput__memory_open(struct gput__memory *m, const struct gput__root *proc, int64_t now)
{
    *m = (struct gput__memory){
        .pass.proc = proc,
        .credit_ns = FIRST_CREDIT_NS,
        .quick = QUICK_PASSES * QUICK_EVERY_NS,
        .credited_ns = now,
        .ns_per_kib = FIRST_NS_PER_KIB,
    };
    gput__passer_open(&m->passer);
}

void gput__memory_be_frugal(struct gput__memory *m)
{
    m->is_frugal = m->pass.only_sums = true;
    m->credit_ns = FRUGAL_FIRST_CREDIT_NS;
    m->quick = QUICK_PASSES * QUICK_EVERY_NS / 2;
}

void gput__memory_close(struct gput__memory *m)
{
    gput__passer_close(&m->passer);
    gput__pass_free(&m->pass);
}

/* --- between passes ------------------------------------------------------------------------- */

struct levels { /* of one group */
    int64_t total, own;
    uint64_t sum, largest;
};

/* How much the job's pages have grown by this process since the last pass. */
static int64_t growth(const struct gput__memory *m, const struct gput__task *t)
{
    if (m->good && t->pass == m->good)
        return (int64_t)t->anon - (int64_t)t->pass_anon;
    if (t->is_worker)
        return t->anon > t->first_anon ? (int64_t)(t->anon - t->first_anon) : 0;
    return (int64_t)t->anon;
}

static void add_task(struct levels *l, const struct gput__task *t, int64_t grown)
{
    l->total += grown;
    l->own += grown;
    l->sum += t->rss;
    l->largest = t->rss > l->largest ? t->rss : l->largest;
}

static void set_group(const struct gput__memory *m, enum gput__group g, const struct levels *l,
                      struct gput__sample *ret)
{
    uint64_t total = l->total > 0 ? (uint64_t)l->total : 0;
    uint64_t own = l->own > 0 ? (uint64_t)l->own : 0;

    total = total > l->sum ? l->sum : total;
    total = total < l->largest ? l->largest : total;
    own = own > total ? total : own;
    gput__sample_set(ret, GPUT__MAIN_RAM + g, (double)total);
    gput__sample_set(ret, GPUT__MAIN_PRIVATE_RAM + g, (double)own);
    /* What is shared only a pass can tell. */
    if (m->good)
        gput__sample_set(ret, GPUT__MAIN_SHARED_RAM + g, (double)m->at_pass[g].shared_rss);
}

static void begin_group(const struct gput__memory *m, const struct gput__tree *tree,
                        enum gput__group g, struct levels *l)
{
    *l = (struct levels){ 0 };
    if (!m->good)
        return;
    l->total = (int64_t)m->at_pass[g].total;
    l->own = (int64_t)m->at_pass[g].private_rss;
    if (g != GPUT__MAIN) { /* main's end is the end of the run */
        l->total -= (int64_t)tree->dead_private;
        l->own -= (int64_t)tree->dead_private;
    }
}

void gput__memory_measure(struct gput__memory *m, const struct gput__tree *tree,
                          struct gput__sample *ret)
{
    struct levels level[GPUT__N_GROUPS];

    for (int g = 0; g < GPUT__N_GROUPS; g++)
        begin_group(m, tree, (enum gput__group)g, &level[g]);
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        enum gput__group g = t->is_main ? GPUT__MAIN : GPUT__DESCENDANTS;
        int64_t grown;

        if (!gput__task_has_memory(t))
            continue;
        grown = growth(m, t);
        add_task(&level[g], t, grown);
        add_task(&level[GPUT__COMBINED], t, grown);
        if (t->hwm > m->mark[g])
            m->mark[g] = t->hwm;
    }
    /* A process that is alone has what it has, whatever was estimated. */
    if (level[GPUT__MAIN].sum)
        level[GPUT__MAIN].total = (int64_t)level[GPUT__MAIN].sum;
    for (int g = 0; g < GPUT__N_GROUPS; g++)
        set_group(m, (enum gput__group)g, &level[g], ret);
}

/* --- passes --------------------------------------------------------------------------------- */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t file_pages(uint64_t rss, uint64_t anon)
{
    return rss > anon ? rss - anon : 0;
}

/* How many bytes may lie elsewhere than at the last pass.  A write to a page that is shared moves
 * the fault count and no RSS at all. */
static uint64_t change_since_pass(const struct gput__memory *m, const struct gput__tree *tree,
                                  uint64_t *ret_sum, uint64_t *ret_faults)
{
    uint64_t change = tree->dead_rss, sum = 0, faults = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        uint64_t touched;

        if (!gput__task_has_memory(t))
            continue;
        sum += t->rss;
        faults += t->faults;
        if (!m->good || t->pass != m->good) {
            change += t->rss;
            continue;
        }
        if (tree->n == 1) { /* alone: its anonymous pages are its own, whatever becomes of them */
            change += distance(file_pages(t->rss, t->anon), t->pass_file);
            continue;
        }
        touched = (t->faults - t->pass_faults) * tree->page;
        change += distance(t->rss, t->pass_rss);
        change += touched < t->rss ? touched : t->rss;
    }
    *ret_sum = sum;
    *ret_faults = faults;
    return change;
}

/* What the next pass will take. */
static int64_t price(const struct gput__memory *m)
{
    return (int64_t)((double)(m->rss / 1024) * m->ns_per_kib);
}

/* While processes come and go a pass is in vain, and of many it is too dear to be soon repeated. */
static bool is_astir(struct gput__memory *m, const struct gput__tree *tree)
{
    bool has_changed = tree->version != m->version_seen;

    m->version_seen = tree->version;
    return has_changed && tree->n >= MANY;
}

static int64_t longest_wait(const struct gput__memory *m, const struct gput__tree *tree)
{
    return LONGEST_WAIT_NS + PRICES_TO_WAIT * (price(m) + tree->n * FIRST_NS_PER_PROCESS);
}

static bool tells_something_new(struct gput__memory *m, const struct gput__tree *tree, int64_t now)
{
    uint64_t sum, faults, least, moved;
    uint64_t change = change_since_pass(m, tree, &sum, &faults);
    bool astir;

    least = sum / LEAST_SHARE > LEAST_CHANGE ? sum / LEAST_SHARE : LEAST_CHANGE;
    moved = distance(faults, m->faults_seen) * tree->page;
    m->faults_seen = faults;
    m->rss = sum;
    astir = is_astir(m, tree);
    if (sum == 0 || change < least) {
        m->wanted_ns = 0;
        return false;
    }
    if (!m->wanted_ns)
        m->wanted_ns = now;
    return m->no_watch || (moved < least && !astir) ||
           now - m->wanted_ns > (astir ? longest_wait(m, tree) : LONGEST_WAIT_NS);
}

static bool affordable(struct gput__memory *m, int64_t now)
{
    int64_t most = m->is_frugal ? FRUGAL_FIRST_CREDIT_NS : FIRST_CREDIT_NS;
    int64_t least = m->is_frugal ? price(m) : 1;

    m->credit_ns += (now - m->credited_ns) / (m->is_frugal ? FRUGAL_CREDIT_SHARE : CREDIT_SHARE);
    m->quick += (now - m->credited_ns) / (m->is_frugal ? FRUGAL_QUICK_PART : 1);
    if (m->quick > QUICK_PASSES * QUICK_EVERY_NS)
        m->quick = QUICK_PASSES * QUICK_EVERY_NS;
    m->credited_ns = now;
    most = most > least ? most : least; /* a large job saves up for it */
    if (m->credit_ns > most)
        m->credit_ns = most;
    return m->credit_ns >= least && now >= m->not_before_ns;
}

static int make_room(struct gput__pass *pass, uint32_t n)
{
    struct gput__pass_task *bigger;

    if (n <= pass->cap)
        return 0;
    bigger = realloc(pass->tasks, n * sizeof(*bigger));
    if (!bigger)
        return -ENOMEM;
    pass->tasks = bigger;
    pass->cap = n;
    return 0;
}

/* A child that runs in its parent's memory (vfork) is left out: its pages would count twice.  One
 * that was forked a moment ago is a mapper like others. */
static int list_tasks(struct gput__pass *pass, const struct gput__tree *tree)
{
    pass->n = 0;
    if (make_room(pass, tree->n) < 0)
        return -ENOMEM;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!gput__task_is_alive(t) || (!t->own_image && gput__task_shares_memory(tree, t)))
            continue;
        pass->tasks[pass->n++] = (struct gput__pass_task){
            .pid = t->pid,
            .via = t->via,
            .is_main = t->is_main,
            .is_forked = !t->is_main && !gput__task_has_called_exec(t),
            .counts = t->own_image,
            .known_rss = t->rss,
            .known_faults = t->faults,
        };
    }
    pass->version = tree->version;
    pass->id++;
    return pass->n ? 0 : -ENODATA;
}

static void remember(struct gput__memory *m, struct gput__tree *tree)
{
    for (uint32_t i = 0; i < m->pass.n; i++) {
        const struct gput__pass_task *p = &m->pass.tasks[i];
        struct gput__task *t = gput__tree_find(tree, p->pid);

        if (!t || !p->counts)
            continue;
        t->pass = m->pass.id;
        t->pass_anon = p->error < 0 ? t->anon : p->anon; /* hidden: growth is what looks see */
        t->pass_file = file_pages(p->rss, p->anon);
        t->pass_private = p->private_rss;
        /* As they were when it was asked for: what moved under the pass is news. */
        t->pass_faults = p->known_faults;
        t->pass_rss = p->known_rss;
    }
    tree->dead_private = tree->dead_rss = 0;
}

static bool is_undisturbed(const struct gput__pass *pass, const struct gput__tree *tree)
{
    return pass->complete && pass->version == tree->version;
}

/* Pages of a process that was ending went over to the others while these were read. */
static bool is_consistent(const struct gput__pass *p, const struct gput__tree *tree)
{
    if (!is_undisturbed(p, tree) || p->has_young)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct gput__task *t = gput__tree_find(tree, p->tasks[i].pid);

        if (!t || t->is_exiting || !gput__task_is_alive(t))
            return false;
    }
    return true;
}

/* Whoever left before any other was read has left nothing out: then what the others share is whole
 * already, and no death makes it more than it was. */
static uint64_t made_up_for(uint64_t shared, uint32_t n_read, uint32_t n_missing, uint64_t before)
{
    uint64_t whole = shared / n_read * (n_read + n_missing),
             most = before > shared ? before : shared;

    return before && whole > most ? most : whole;
}

/* What one process has of its own does not depend on whether the others stood still.  What they share
 * is divided by how many they were: of those that vanished before they were read as much is missing
 * as, on average, the others have.  That is good for large changes only. */
static void remember_pss(const struct gput__pass *pass, struct gput__tree *tree)
{
    uint64_t shared = 0;
    uint32_t n_read = 0, n_missing = 0;

    for (uint32_t i = 0; i < pass->n; i++) {
        const struct gput__pass_task *p = &pass->tasks[i];
        struct gput__task *t = gput__tree_find(tree, p->pid);
        uint64_t own = p->private_rss < p->pss ? p->private_rss : p->pss;

        n_missing += p->error == -ESRCH && p->is_forked;
        if (p->error < 0 || p->rss == 0)
            continue;
        n_read += p->is_main || p->is_forked;
        shared += p->pss - own;
        if (!t)
            continue;
        t->has_pss = true;
        t->pss = p->pss;
        t->pss_own = own;
        t->pss_rss = p->rss;
    }
    if (n_read && n_missing)
        shared = made_up_for(shared, n_read, n_missing, tree->shared_pss);
    if (is_undisturbed(pass, tree) || distance(shared, tree->shared_pss) > shared / 6)
        tree->shared_pss = shared;
}

static void take(struct gput__memory *m, struct gput__tree *tree)
{
    const struct gput__pass *p = &m->pass;

    m->n_hidden = p->hidden;
    m->n_passes++;
    remember_pss(p, tree);
    if (!is_consistent(p, tree)) {
        m->tries++;
        return;
    }
    m->tries = 0;
    m->at_pass[GPUT__MAIN] = p->main;
    m->at_pass[GPUT__DESCENDANTS] = p->descendants;
    m->at_pass[GPUT__COMBINED] = p->combined;
    m->good = p->id;
    m->wanted_ns = 0;
    remember(m, tree);
}

static int64_t pause_after(struct gput__memory *m)
{
    int64_t cost = m->pass.cost_ns, pause = cost * PAUSE_FACTOR;

    if (m->quick >= QUICK_EVERY_NS) {
        m->quick -= QUICK_EVERY_NS;
        if (m->tries % MOST_TRIES) /* somebody came or went under it: once more, soon */
            return cost + GPUT__NS_PER_MS;
        pause = cost * QUICK_PAUSE_FACTOR;
        pause = pause < LONGEST_QUICK_PAUSE_NS ? pause : LONGEST_QUICK_PAUSE_NS;
    } else if (m->is_frugal && pause < FRUGAL_PAUSE_NS) {
        pause = FRUGAL_PAUSE_NS;
    }
    return pause > SHORTEST_PAUSE_NS ? pause : SHORTEST_PAUSE_NS;
}

/* On the calling thread. */
static void run_now(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    gput__pass_run(&m->pass);
    take(m, tree);
    m->credit_ns -= m->pass.cost_ns;
    m->not_before_ns = now + pause_after(m);
}

void gput__memory_consider_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    bool wanted = tells_something_new(m, tree, now); /* notes it, too, for when its time comes */

    if (!wanted || m->under_way || !affordable(m, now))
        return;
    if (list_tasks(&m->pass, tree) < 0)
        return;
    m->under_way = gput__passer_ask(&m->passer, &m->pass) == 0;
    if (!m->under_way) /* no thread for it */
        run_now(m, tree, now);
}

bool gput__memory_take_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    if (!m->under_way || !gput__passer_take(&m->passer))
        return false;
    m->under_way = false;
    take(m, tree);
    m->credit_ns -= m->pass.cost_ns;
    if (m->pass.cost_ns > 0 && m->rss >= 1024)
        m->ns_per_kib = (double)m->pass.cost_ns / (double)(m->rss / 1024);
    m->not_before_ns = now + pause_after(m);
    return true;
}

void gput__memory_first_pass(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    struct pollfd done = { .fd = m->passer.done, .events = POLLIN };
    uint64_t rss = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        rss += tree->tasks[i].rss;
    if (m->n_passes > 0 || rss > FIRST_PASS_BYTES)
        return;
    if (m->under_way) {
        (void)poll(&done, 1, FIRST_PASS_MS);
        (void)gput__memory_take_pass(m, tree, now);
    } else if (list_tasks(&m->pass, tree) == 0) {
        run_now(m, tree, now);
    }
}

void gput__memory_pass_now(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    if (!tells_something_new(m, tree, now) || list_tasks(&m->pass, tree) < 0)
        return;
    gput__pass_run(&m->pass);
    take(m, tree);
}

/* memory_scan.c - memory scans of the job: makes them, and applies the results to the accounts. */
#include <errno.h>
#include <poll.h>

#include "base/least.h"
#include "sample/memory/memory_parts.h"
#include "sample/tree/task_poll.h"

/* What can be read in some milliseconds, and how long that may take. */
#define FIRST_SCAN_BYTES UINT64_C(2000000000)
#define FIRST_SCAN_MS 20
/* How what a scan finds of it is weighed against what earlier ones did.  Not all of it is believed:
 * of many estimates the largest counts. */
#define LEARN_SLOWLY 4
#define MOST_REAL 0.4

void gput__scanned_was_used(struct gput__memory *m)
{
    m->scanned.is_fresh = false;
}

/* A page that several processes map is divided by their number when each is read.  Of one that has gone
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
    for (uint32_t i = 0; i < tree->n; i++) /* those that were not there when they were listed */
        n_missing += gput__task_is_young(&tree->tasks[i]) && !tree->tasks[i].account.is_read;
    return n_read ? shared / n_read * n_missing : 0;
}

/* Its pages are about to go, or have gone, over to those who share them. */
static bool is_leaving(const struct gput__task *t)
{
    return t->life.is_exiting || !t->ram.rss || !gput__task_is_alive(t);
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

    if (before->copied < GPUT__LEAST_GAP || before->copied < before->anon / GPUT__LEAST_PART)
        return;
    part = (double)gput__minus(after, before->anon) / (double)before->copied;
    part = MOST_REAL * (part < 1 ? part : 1);
    m->scanned.real_part += (part - m->scanned.real_part) / LEARN_SLOWLY;
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

        if (!t || !gput__task_has_pages(t) || is_leaving(t) || p->error == -ESRCH ||
            p->error == -ECANCELED || !p->rss)
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

    m->scanned.files = (struct gput__files){ .all = scan->files,
                                             .descendants = gput__minus(scan->descendants.total,
                                                                        scan->descendants_pss) };
    if (shares)
        m->scanned.files.outside =
            (double)scan->n * (double)gput__minus(scan->files, shares) / (double)shares;
    m->scanned.beyond[GPUT__COMBINED] = gput__minus(scan->files, shares);
    m->scanned.beyond[GPUT__DESCENDANTS] = m->scanned.files.descendants;
}

/* The more of the job's processes map them, the more of them is in its shares. */
static void adjust_files(struct gput__memory *m, const struct gput__memscan *scan)
{
    double outside = m->scanned.files.outside;

    m->scanned.beyond[GPUT__COMBINED] =
        (uint64_t)((double)m->scanned.files.all * outside / (outside + scan->n));
    m->scanned.beyond[GPUT__DESCENDANTS] =
        gput__least(m->scanned.files.descendants, m->scanned.beyond[GPUT__COMBINED]);
}

static void apply_full(struct gput__memory *m, const struct gput__memscan *scan,
                       struct gput__tree *tree)
{
    uint64_t before, after;
    bool is_disturbed;

    close_vanished(scan, tree);
    before = gput__memory_sum_accounts(tree);
    gput__accounts_set_left(tree, 0);
    fill_accounts(m, scan, tree);
    after = gput__memory_sum_accounts(tree);
    is_disturbed = !is_undisturbed(scan, tree);
    if (is_disturbed)
        gput__accounts_set_left(tree, gput__least(gput__minus(before, after), missing(scan, tree)));
    m->scanned.is_fresh = true;
    m->scanned.is_exact = !is_disturbed;
    if (!is_disturbed)
        gput__accounts_forget_dead(tree);
    if (!scan->with_files)
        adjust_files(m, scan);
    else if (scan->has_grown)
        gput__plan_files_again(m);
    else
        learn_files(m, scan);
    m->scanned.has_full = true;
    m->scanned.main_shared = gput__minus(scan->main_pss, scan->main.private_rss);
    m->scanned.shared[GPUT__MAIN] = scan->main.shared_rss;
    m->scanned.shared[GPUT__DESCENDANTS] = scan->descendants.shared_rss;
    m->scanned.shared[GPUT__COMBINED] = scan->combined.shared_rss;
    for (int g = GPUT__DESCENDANTS; g <= GPUT__COMBINED; g++) {
        if (!scan->with_files)
            m->scanned.shared[g] += m->scanned.beyond[g];
        if (is_disturbed) /* a process that exited meanwhile is in its sums */
            m->scanned.shared[g] = gput__least(m->scanned.shared[g], after);
    }
}

static void apply(struct gput__memory *m, struct gput__tree *tree)
{
    const struct gput__memscan *scan = gput__memscanner_scan(m->scanner);

    m->scanned.n_hidden = scan->hidden;
    m->scanned.n_scans++;
    gput__plan_fulfilled(m);
    if (scan->is_full)
        apply_full(m, scan, tree);
    else
        fill_accounts(m, scan, tree);
}

void gput__memory_consider_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    struct gput__wish w = gput__plan_wish(tree);

    if (!gput__plan_is_due(m, tree, &w, now) || gput__plan_list(m, tree, &w, now) < 0)
        return;
    m->under_way = gput__memscanner_ask(m->scanner) == 0;
    if (!m->under_way) { /* no thread for it */
        gput__memscan_run(gput__memscanner_scan(m->scanner));
        apply(m, tree);
        gput__plan_pay(m, now);
    }
}

static void must_read(struct gput__tree *tree, pid_t pid)
{
    struct gput__task *t = gput__tree_find(tree, pid);

    if (t)
        gput__task_must_read(tree, t);
}

void gput__memory_check_scan(struct gput__memory *m, struct gput__tree *tree)
{
    const struct gput__memscan *scan;

    if (!m->under_way || m->is_ready || !gput__memscanner_done(m->scanner))
        return;
    m->is_ready = true;
    scan = gput__memscanner_scan(m->scanner);
    for (uint32_t i = 0; i < scan->n; i++)
        must_read(tree, scan->tasks[i].pid);
}

bool gput__memory_apply_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    if (!m->is_ready)
        return false;
    m->under_way = m->is_ready = false;
    apply(m, tree);
    gput__plan_pay(m, now);
    return true;
}

void gput__memory_first_scan(struct gput__memory *m, struct gput__tree *tree, int64_t now)
{
    struct gput__wish w = gput__plan_wish(tree);
    struct pollfd done = { .fd = gput__memscanner_fd(m->scanner), .events = POLLIN };

    if (m->scanned.n_scans > 0 || w.sum > FIRST_SCAN_BYTES || !m->scanner)
        return;
    if (!m->under_way && gput__plan_list(m, tree, &w, now) == 0)
        m->under_way = gput__memscanner_ask(m->scanner) == 0;
    if (m->under_way)
        (void)poll(&done, 1, FIRST_SCAN_MS);
    gput__memory_check_scan(m, tree);
    (void)gput__memory_apply_scan(m, tree, now);
}

void gput__memory_scan_now(struct gput__memory *m, struct gput__tree *tree)
{
    struct gput__wish w = gput__plan_wish(tree);

    if (!m->scanner || !gput__plan_is_worth(&w) || gput__plan_list(m, tree, &w, INT64_MAX) < 0)
        return;
    gput__memscan_run(gput__memscanner_scan(m->scanner));
    apply(m, tree);
}

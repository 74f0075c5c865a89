/* account.c - the part of the job's memory that is on the account of one process. */
#include "sample/memory/account.h"

#include "base/least.h"
#include "sample/memory/memscan.h"
#include "sample/tree/task_poll.h"
#include "sample/tree/tree.h"

/* By how much stat and statm may differ from a scan of a process that does not move. */
#define LAG (512 * 1024)

void gput__accounts_set_left(struct gput__tree *tree, uint64_t bytes)
{
    tree->left.shared = bytes;
}

void gput__accounts_forget_dead(struct gput__tree *tree)
{
    tree->left.at_most = 0;
}

/* --- forks ---------------------------------------------------------------------------------- */

/* What the parent had when it forked: between what it has now and what it had one poll before. */
static uint64_t anon_at_fork(const struct gput__tree *tree, const struct gput__task *parent)
{
    return parent->ram.read_at == tree->poll.n
               ? gput__least(parent->ram.anon, parent->ram.prior_anon)
               : parent->ram.anon;
}

/* The child began with what its parent had.  Pages that it has faulted in since are its own: before
 * them it had less. */
void gput__account_open(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__account *a = &t->account;
    struct gput__task *parent = gput__tree_find(tree, t->life.ppid);

    if (a->is_open)
        return;
    *a = (struct gput__account){ .is_open = true };
    a->is_forked = !t->is_main && !t->is_older && !gput__task_has_called_exec(t);
    if (!a->is_forked)
        return;
    a->fork_anon = gput__minus(t->ram.anon, t->ram.faults * tree->page);
    if (!parent)
        parent = gput__tree_main(tree);
    if (!parent || parent == t)
        return;
    a->fork_anon = gput__least(t->ram.anon, gput__most(a->fork_anon, anon_at_fork(tree, parent)));
    a->origin = parent->pid;
    a->estate = gput__least(gput__account_now(tree, parent).low, a->fork_anon);
    parent->account.has_forked = true;
}

/* What it may still hold of the pages that it was forked with. */
static uint64_t inherited(const struct gput__tree *tree, const struct gput__task *t)
{
    return gput__minus(t->ram.anon, gput__account_now(tree, t).low);
}

static bool is_heir(const struct gput__task *t, const struct gput__task *dead)
{
    return t != dead && t->account.origin == dead->pid && t->account.is_forked && !t->life.gone;
}

/* Pages of an exited process that others were forked with live on: they move to the account of one of
 * these, and the others share them with it. */
static void hand_on(struct gput__tree *tree, const struct gput__task *dead)
{
    struct gput__task *heir = NULL;
    uint64_t gift, largest = 0, all = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        uint64_t left;

        if (!is_heir(t, dead))
            continue;
        all += inherited(tree, t);
        left = gput__least(t->account.estate, inherited(tree, t));
        if (heir && left <= largest)
            continue;
        heir = t;
        largest = left;
    }
    if (!heir)
        return;
    gift = gput__least(largest, gput__account_now(tree, dead).low);
    tree->left.at_most += gput__minus(gput__least(all, gput__account_now(tree, dead).high), gift);
    heir->account.anon += gift;
    if (!heir->account.is_read)
        heir->account.fork_anon = gput__minus(heir->account.fork_anon, gift);
    heir->account.has_forked = true;
    heir->account.origin = dead->account.origin;
    for (uint32_t i = 0; i < tree->n; i++)
        if (is_heir(&tree->tasks[i], dead))
            tree->tasks[i].account.origin = heir->pid;
    if (heir->account.origin == heir->pid)
        heir->account.origin = 0;
}

/* What it shared with others that were in the same scan stays with them. */
static void leave_shared(struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__account *a = &t->account;

    if (a->is_in_full)
        tree->left.shared += gput__minus(a->anon + a->other, a->own);
}

void gput__account_exec(struct gput__tree *tree, struct gput__task *t)
{
    gput__account_close(tree, t);
}

void gput__account_close(struct gput__tree *tree, struct gput__task *t)
{
    if (!t->account.is_open)
        return;
    leave_shared(tree, t);
    if (t->account.has_forked)
        hand_on(tree, t);
    t->account = (struct gput__account){ 0 };
}

/* --- scans ---------------------------------------------------------------------------------- */

/* Pages that it shares with those it has forked are on its account and not its own. */
static bool has_heirs(const struct gput__tree *tree, const struct gput__task *t)
{
    for (uint32_t i = 0; t->account.has_forked && i < tree->n; i++)
        if (is_heir(&tree->tasks[i], t))
            return true;
    return false;
}

void gput__account_fill(struct gput__tree *tree, struct gput__task *t,
                        const struct gput__memscan_task *read, bool is_full)
{
    struct gput__account *a = &t->account;
    uint64_t before = is_full || !has_heirs(tree, t) ? 0 : gput__account_now(tree, t).low;

    a->is_open = a->is_read = true;
    a->is_in_full = is_full;
    a->own = read->private_rss;
    a->anon = is_full ? read->pss_anon : gput__most(read->private_rss, before);
    a->other = is_full ? gput__minus(read->pss, read->pss_anon) : 0;
    a->shared_anon = gput__minus(read->anon, read->private_anon);
    a->at_rss = read->rss;
    a->at_anon = read->anon;
    a->at_faults = read->known_faults;
    /* Since Linux 6.2 stat and statm leave out what the cores have not handed in, and a scan does not:
     * the difference is no page that has gone, and would call for the next scan. */
    if (tree->proc->live && t->ram.faults == read->known_faults && t->ram.rss &&
        gput__minus(t->ram.rss, read->rss) + gput__minus(read->rss, t->ram.rss) <= LAG) {
        a->at_rss = t->ram.rss;
        a->at_anon = t->ram.anon;
    }
    if (read->error < 0) { /* it may not be read: all of it counts as its own */
        a->anon = a->own = a->at_rss = t->ram.rss;
        a->at_anon = t->ram.anon;
        a->shared_anon = a->other = 0;
    }
    if (is_full) { /* the shares show which processes share */
        a->origin = 0;
        a->has_forked = false;
    }
}

/* --- between scans -------------------------------------------------------------------------- */

static struct gput__span of_unread(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__account *a = &t->account;
    uint64_t faulted = a->anon + t->ram.faults * tree->page;
    struct gput__span s = { .low = t->ram.anon, .high = t->ram.rss, .anon = t->ram.anon };

    if (t->is_main)
        s.low = t->ram.rss;
    if (!a->is_forked)
        return s;
    s.low = s.anon = gput__minus(t->ram.anon, a->fork_anon);
    s.high = gput__most(s.low, gput__least(t->ram.rss, faulted));
    s.copied = gput__minus(gput__least(t->ram.anon, faulted), s.low);
    return s;
}

static struct gput__span of_read(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__account *a = &t->account;
    uint64_t gained = gput__minus(t->ram.anon, a->at_anon),
             lost = gput__minus(a->at_anon, t->ram.anon);
    uint64_t files = gput__minus(t->ram.rss, t->ram.anon),
             at_files = gput__minus(a->at_rss, a->at_anon);
    uint64_t faulted = gput__minus(t->ram.faults, a->at_faults) * tree->page;
    uint64_t shown = gput__minus(files, at_files), hidden = gput__minus(at_files, files);
    struct gput__span s = { .anon = gput__minus(a->anon + gained, lost) };

    s.low = s.anon + gput__minus(a->other, hidden);
    s.copied =
        gput__least(gput__minus(faulted, gained), a->has_forked ? a->at_anon : a->shared_anon);
    s.copied = gput__least(s.copied, gput__minus(t->ram.anon, s.anon));
    s.high = a->anon + a->other + gained + s.copied + shown;
    s.high = gput__least(s.high, gput__most(t->ram.rss, s.low));
    return s;
}

struct gput__span gput__account_now(const struct gput__tree *tree, const struct gput__task *t)
{
    if (!t->account.is_open)
        return (struct gput__span){ 0 };
    return t->account.is_read ? of_read(tree, t) : of_unread(tree, t);
}

uint64_t gput__account_own(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__account *a = &t->account;

    if (!a->is_open)
        return 0;
    if (!a->is_read)
        return a->is_forked ? gput__account_now(tree, t).low : t->ram.anon;
    return gput__minus(a->own + gput__minus(t->ram.anon, a->at_anon),
                       gput__minus(a->at_anon, t->ram.anon));
}

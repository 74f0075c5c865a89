/* rss.c - the memory of one process, from /proc/PID/statm and status. */
#include "sample/memory/rss.h"

#include "sample/tree/task_poll.h"
#include "sample/tree/unwaited.h"
#include "source/proc/proc_statm.h"
#include "source/proc/proc_status.h"

/* One fault on a page of a file maps up to this many of its neighbours too. */
#define FAULT_AROUND 16
/* The high-water mark of a descendant is read again when it may exceed its RSS by this much, or by
 * this part of it; at records in any case.  A forked one copies pages, which does not raise it. */
#define MARK_STEP (256 * 1024)
#define MARK_PART 64
#define FORKED_MARK_PART 8

void gput__rss_apply_stat(struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st)
{
    t->ram.faults = st->minflt + st->majflt;
    t->ram.waited_faults = st->cminflt + st->cmajflt;
    t->ram.rss = gput__task_is_alive(t) ? st->rss_pages * tree->page : 0;
    if (t->ram.rss || (t->life.state == 'Z' && t->life.threads > 1))
        return;
    gput__account_close(tree,
                        t); /* a process that is about to end has let go of its memory before */
    t->ram.anon = 0;
}

void gput__rss_exec(struct gput__task *t)
{
    t->ram.base_hwm = t->ram.hwm = 0;
    gput__rss_must_read(t);
}

void gput__rss_must_read(struct gput__task *t)
{
    t->ram.memory_faults = t->ram.status_faults = 0;
}

static void set_memory(const struct gput__tree *tree, struct gput__task_ram *ram, uint64_t rss,
                       uint64_t anon)
{
    ram->prior_anon = ram->was_measured ? ram->anon : anon;
    ram->read_at = tree->poll.n;
    ram->was_measured = true;
    ram->rss = rss;
    ram->anon = anon;
}

static void apply_status(struct gput__tree *tree, struct gput__task *t,
                         const struct gput__proc_status *st)
{
    struct gput__task_ram *ram = &t->ram;
    bool first = !ram->was_measured;

    ram->status_faults = ram->faults + 1;
    ram->status_rss = st->rss;
    gput__unwaited_apply_status(t, st->ignores_children);
    if (!st->has_memory)
        return;
    set_memory(tree, ram, st->rss, st->anon);
    if (first)
        ram->base_hwm = t->is_older ? st->hwm : 0;
    /* The high-water mark of an older process may be of a time before the tracking, until it rises. */
    ram->hwm = st->hwm > ram->base_hwm ? st->hwm : st->rss;
}

/* Only status has the high-water mark, but statm costs an eighth of it.  Faults that the growth of
 * the RSS explains have raised the high-water mark to the RSS. */
static bool wants_status(const struct gput__tree *tree, const struct gput__task *t)
{
    const struct gput__task_ram *ram = &t->ram;
    uint64_t faults = ram->faults + 1 - ram->status_faults;
    uint64_t gained = ram->rss > ram->status_rss ? ram->rss - ram->status_rss : 0;
    uint64_t step = ram->rss / (t->account.is_forked ? FORKED_MARK_PART : MARK_PART);

    if (!tree->proc->live || t->is_main || !ram->status_faults || t->life.via)
        return true;
    if (tree->poll.is_record || tree->has_huge_pages)
        return faults > 0;
    return faults * tree->page >= gained + (step > MARK_STEP ? step : MARK_STEP);
}

static bool read_statm(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_statm st;
    char text[128];

    if (gput__task_read(tree, t, &t->files.statm, "statm", text, sizeof(text)) <= 0 ||
        gput__proc_statm_parse(text, &st) < 0 || st.resident == 0)
        return false;
    set_memory(tree, &t->ram, st.resident * tree->page, (st.resident - st.shared) * tree->page);
    t->ram.hwm = t->ram.rss > t->ram.hwm ? t->ram.rss : t->ram.hwm;
    return true;
}

static bool get_status(const struct gput__tree *tree, const struct gput__task *t,
                       struct gput__proc_status *ret)
{
    char name[64], text[4096];

    gput__task_path(t->pid, t->life.via, "status", name, sizeof(name));
    return gput__root_read(tree->proc, name, text, sizeof(text)) > 0 &&
           gput__proc_status_parse(text, ret) == 0;
}

static bool read_status(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_status st;

    t->ram.status_faults = t->ram.faults + 1;
    if (!get_status(tree, t, &st))
        return false;
    apply_status(tree, t, &st);
    return st.has_memory;
}

void gput__rss_begin_lap(const struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_status st;

    if (!t->ram.was_measured || !get_status(tree, t, &st) || !st.has_memory)
        return;
    t->ram.base_hwm = st.hwm;
    t->ram.hwm = st.rss;
}

/* Pages are only gained by faults: without one the high-water mark stays, and only freed pages
 * change the rest. */
void gput__rss_poll(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task_ram *ram = &t->ram;
    uint64_t rss = ram->rss, gained = rss > ram->memory_rss ? rss - ram->memory_rss : 0;
    uint64_t faults = ram->faults + 1 - ram->memory_faults;

    tree->has_huge_pages |= ram->memory_faults && gained > (faults + 1) * FAULT_AROUND * tree->page;
    if (ram->memory_faults == ram->faults + 1 && rss == ram->memory_rss &&
        !(tree->poll.is_record && ram->status_faults != ram->faults + 1))
        return;
    if (ram->memory_faults != ram->faults + 1)
        gput__tree_stir(tree);
    if ((!wants_status(tree, t) && read_statm(tree, t)) || read_status(tree, t))
        gput__account_open(tree, t);
    ram->memory_faults = ram->faults + 1;
    ram->memory_rss = rss;
}

/* helpers.c - helper processes of trackers inside of the job: found, and kept out of its figures. */
#include "sample/tree/helpers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sample/tree/cpu.h"
#include "sample/tree/discover.h"
#include "sample/tree/helper_program.h"
#include "sample/tree/task_poll.h"

#define PROGRAM "gpu-tracker"

/* Our program with foreign code in it, preloaded or put there by a debugger, looks exactly like a
 * helper.  But no helper is ever as large as this, nor busy for longer than it lives. */
#define LARGEST_BYTES (256ULL << 20)
#define BUSIEST_NS GPUT__NS_PER_S

static const struct gput__helper *find(const struct gput__tree *tree, pid_t pid, uint64_t start)
{
    for (uint32_t i = 0; i < tree->helpers.n; i++)
        if (tree->helpers.list[i].pid == pid && tree->helpers.list[i].start == start)
            return &tree->helpers.list[i];
    return NULL;
}

static bool is_exposed(const struct gput__tree *tree, pid_t pid, uint64_t start)
{
    const struct gput__helper *h = find(tree, pid, start);

    return h && h->is_exposed;
}

/* It bears the name of a helper from its birth on, but for the moment between exec and its first
 * own step: then its arguments decide.  Any process can have that name: the file that it runs decides. */
enum gput__is_helper gput__is_helper(const struct gput__tree *tree, pid_t pid,
                                     const struct gput__proc_stat *st)
{
    char name[32], text[64];
    ssize_t n;
    int r;

    if (strcmp(st->comm, GPUT__HELPER_NAME) && strcmp(st->comm, PROGRAM))
        return GPUT__NO_HELPER;
    if (is_exposed(tree, pid, st->starttime))
        return GPUT__NO_HELPER;
    r = gput__runs_our_program(tree, pid);
    if (r == -ENOENT && tree->proc->live)
        return GPUT__HELPER_PERHAPS; /* it has begun to exit: it executes nothing any more */
    if (r <= 0)
        return GPUT__NO_HELPER;
    if (!strcmp(st->comm, GPUT__HELPER_NAME))
        return GPUT__HELPER;
    snprintf(name, sizeof(name), "%d/cmdline", pid);
    n = gput__root_read(tree->proc, name, text, sizeof(text));
    if (n <= 0 && st->state != 'Z')
        return GPUT__HELPER_PERHAPS;
    return n > (ssize_t)sizeof(PROGRAM) && !strcmp(text, PROGRAM) &&
                   !strcmp(text + sizeof(PROGRAM), GPUT__HELPER_NAME)
               ? GPUT__HELPER
               : GPUT__NO_HELPER;
}

static void apply_stat(const struct gput__tree *tree, struct gput__helper *h,
                       const struct gput__proc_stat *st)
{
    h->ppid = st->ppid;
    h->used = (struct gput__cpu_counts){
        .waited_ns = (st->utime + st->stime) * (uint64_t)tree->tick_ns,
        .user_ticks = st->utime,
        .system_ticks = st->stime,
        .minor = st->minflt,
        .major = st->majflt,
    };
    if (h->has_clock)
        h->used.waited_ns = (uint64_t)gput__clock_ns(h->clock);
}

bool gput__helpers_have(const struct gput__tree *tree, pid_t pid)
{
    for (uint32_t i = 0; i < tree->helpers.n; i++)
        if (tree->helpers.list[i].pid == pid)
            return true;
    return false;
}

void gput__helpers_add(struct gput__tree *tree, pid_t pid, const struct gput__proc_stat *st)
{
    struct gput__helper *more, *h;

    gput__births_set_foreign(tree, pid, true);
    if (find(tree, pid, st->starttime))
        return;
    more = realloc(tree->helpers.list, (tree->helpers.n + 1) * sizeof(*tree->helpers.list));
    if (!more)
        return;
    tree->helpers.list = more;
    h = &more[tree->helpers.n++];
    *h = (struct gput__helper){ .pid = pid, .start = st->starttime, .startstack = st->startstack };
    h->has_clock = tree->proc->live && clock_getcpuclockid(pid, &h->clock) == 0;
    apply_stat(tree, h, st);
}

/* It is gone, so its parent has waited for it.  An orphan's parent is not of the job. */
static void account_for_exit(struct gput__tree *tree, const struct gput__helper *h)
{
    struct gput__task *parent = gput__tree_find(tree, h->ppid);

    gput__births_set_foreign(tree, h->pid, false);
    if (!parent)
        return;
    gput__cpu_owe(tree, parent, &h->used);
    gput__cpu_counts_add(&tree->helpers.used, &h->used);
    gput__task_must_read(tree, parent);
}

static int64_t age_of(const struct gput__tree *tree, const struct gput__helper *h)
{
    int64_t now = tree->proc->live ? gput__now() : tree->poll.at_ns;
    int64_t age = now - (int64_t)h->start * tree->tick_ns;

    return age > 0 ? age : 0;
}

static bool is_modest(const struct gput__tree *tree, const struct gput__helper *h,
                      const struct gput__proc_stat *st)
{
    return st->rss_pages * tree->page <= LARGEST_BYTES &&
           (int64_t)h->used.waited_ns <= age_of(tree, h) + BUSIEST_NS;
}

/* A process that has run another program since, or does more than a helper does, is the job's. */
static bool is_still_one(const struct gput__tree *tree, struct gput__helper *h,
                         const struct gput__proc_stat *st)
{
    /* One that is exiting has no stack any more, nor a file that it executes. */
    bool has_run_another = st->startstack && st->startstack != h->startstack;

    if (st->startstack)
        h->startstack = st->startstack;
    if (has_run_another && gput__is_helper(tree, h->pid, st) == GPUT__NO_HELPER)
        return false;
    return is_modest(tree, h, st);
}

static void expose(struct gput__tree *tree, struct gput__helper *h,
                   const struct gput__proc_stat *st)
{
    h->is_exposed = true;
    gput__births_set_foreign(tree, h->pid, false);
    (void)gput__tree_add(tree, h->pid, st, gput__tree_find(tree, st->ppid));
}

void gput__helpers_poll(struct gput__tree *tree)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < tree->helpers.n; i++) {
        struct gput__helper *h = &tree->helpers.list[i];
        struct gput__proc_stat st;

        if (gput__tree_read_stat(tree, h->pid, &st) < 0 || st.starttime != h->start) {
            if (!h->is_exposed)
                account_for_exit(tree, h);
            continue;
        }
        apply_stat(tree, h, &st);
        if (!h->is_exposed && !is_still_one(tree, h, &st))
            expose(tree, h, &st);
        tree->helpers.list[kept++] = *h;
    }
    tree->helpers.n = kept;
}

void gput__helpers_use_program(struct gput__tree *tree, const struct gput__finder *program)
{
    tree->helpers.program = *program;
}

void gput__helpers_close(struct gput__tree *tree)
{
    free(tree->helpers.list);
    tree->helpers = (struct gput__helpers){ 0 };
}

void gput__helpers_apply_waited(struct gput__tree *tree, uint64_t waited_ns)
{
    const struct gput__task *main_task = gput__tree_main(tree);

    if (!main_task || !main_task->cpu.had_helpers || tree->births.events < 0)
        return;
    gput__tree_hear(tree);
    if (!tree->births.others_died && tree->helpers.used.waited_ns < waited_ns)
        tree->helpers.used.waited_ns = waited_ns;
}

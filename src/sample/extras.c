/* extras.c - open files, swap and delays of the job: read at records, on request. */
#include "sample/extras.h"

#include <errno.h>
#include <stdio.h>

#include "source/proc/proc_fds.h"
#include "source/proc/proc_status.h"

/* A figure of the job, added up. */
struct sum {
    double value;
    bool has_any;
    bool has_hidden; /* processes that may not be read */
};

static void add(struct sum *s, int r, double value)
{
    if (r == 0) {
        s->value += value;
        s->has_any = true;
    } else if (r != -ENOENT && r != -ESRCH) { /* else it has just ended */
        s->has_hidden = true;
    }
}

/* Without a process to read the last values stay: the job has ended. */
static void tell(struct gput__extras *e, enum gput__metric m, const struct sum *s)
{
    if (s->has_any && s->has_hidden)
        gput__sample_set_part(&e->last, m, s->value);
    else if (s->has_any)
        gput__sample_set(&e->last, m, s->value);
}

static bool is_read(const struct gput__task *t, bool main_only)
{
    return gput__task_is_alive(t) && !t->life.is_starting && (t->is_main || !main_only);
}

/* A process whose CPU clock stands still has opened and closed nothing. */
static int count_files(const struct gput__extras *e, const struct gput__tree *tree,
                       struct gput__task *t)
{
    int r;

    if (t->cpu.has_clock && t->open_files.at_ns == t->cpu.own_ns.now + 1)
        return 0;
    r = gput__proc_fds_count(tree->proc, t->pid, e->has_size, &t->open_files.n);
    t->open_files.at_ns = r == 0 ? t->cpu.own_ns.now + 1 : 0;
    return r;
}

static int swap_of(const struct gput__tree *tree, const struct gput__task *t, double *ret)
{
    struct gput__proc_status st;
    char name[32], text[4096];
    ssize_t n;

    snprintf(name, sizeof(name), "%d/status", t->pid);
    n = gput__root_read(tree->proc, name, text, sizeof(text));
    if (n < 0)
        return (int)n;
    if (n == 0 || gput__proc_status_parse(text, &st) < 0)
        return -ESRCH;
    *ret = (double)st.swap;
    return 0;
}

static void measure_files(struct gput__extras *e, struct gput__tree *tree, bool main_only)
{
    struct sum files = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];
        int r;

        if (!is_read(t, main_only))
            continue;
        r = count_files(e, tree, t);
        add(&files, r, t->open_files.n);
    }
    tell(e, GPUT__JOB_OPEN_FILES, &files);
}

/* The kernel also swaps out sleeping processes: where anything is in swap all are read. */
static void measure_swap(struct gput__extras *e, const struct gput__tree *tree, bool main_only)
{
    struct sum swapped = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        double swap = 0;
        int r;

        if (!is_read(&tree->tasks[i], main_only))
            continue;
        r = swap_of(tree, &tree->tasks[i], &swap);
        add(&swapped, r, swap);
    }
    tell(e, GPUT__JOB_SWAP, &swapped);
}

static bool is_as_before(const struct gput__extras *e, const struct gput__tree *tree)
{
    return tree->proc->live && e->n_reads == tree->poll.n_reads && e->version == tree->version;
}

void gput__extras_repeat(const struct gput__extras *e, struct gput__sample *ret)
{
    gput__sample_add(ret, &e->last);
}

void gput__extras_measure(struct gput__extras *e, struct gput__tree *tree, bool main_only,
                          bool no_swap, struct gput__sample *ret)
{
    if (!e->is_open) {
        e->is_open = true;
        e->has_size = gput__proc_fds_have_size(tree->proc);
    }
    if (!is_as_before(e, tree))
        measure_files(e, tree, main_only);
    if (!no_swap)
        measure_swap(e, tree, main_only);
    else if (tree->n > 0)
        gput__sample_set(&e->last, GPUT__JOB_SWAP, 0);
    gput__delays_read(&e->delays, tree, main_only);
    gput__delays_tell(&e->delays, (double)tree->tick_ns / 1e9, &e->last);
    e->n_reads = tree->poll.n_reads;
    e->version = tree->version;
    gput__extras_repeat(e, ret);
}

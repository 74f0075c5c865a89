/* extras.c - open files and swap of the job: read at records, for those who ask. */
#include "sample/extras.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/proc_fds.h"
#include "source/proc_status.h"
#include "source/sys_memory.h"

/* A figure of the job, added up. */
struct sum {
    double value;
    bool has_any;
    bool has_hidden; /* processes that are not ours to read */
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

/* Without anybody to read the last values stay: the job has ended. */
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

/* --- what is kept of processes ---------------------------------------------------------------- */

/* NULL: there is no memory for one more. */
static struct gput__extras_process *make_room(struct gput__extras *e)
{
    uint32_t cap = e->cap ? 2 * e->cap : 16;
    struct gput__extras_process *longer;

    if (e->n < e->cap)
        return &e->processes[e->n];
    longer = realloc(e->processes, cap * sizeof(*longer));
    if (!longer)
        return NULL;
    e->processes = longer;
    e->cap = cap;
    return &longer[e->n];
}

static struct gput__extras_process *find(struct gput__extras *e, const struct gput__task *t)
{
    const uint32_t *at = gput__pidmap_get(&e->index, t->pid);
    struct gput__extras_process *p = at ? &e->processes[*at] : make_room(e);

    if (p && !at && gput__pidmap_put(&e->index, t->pid, e->n++) < 0) {
        e->n--;
        return NULL;
    }
    if (p && (!at || p->start != t->start))
        *p = (struct gput__extras_process){ .pid = t->pid, .start = t->start };
    return p;
}

static void forget_ended(struct gput__extras *e)
{
    for (uint32_t i = 0; i < e->n;) {
        if (e->processes[i].turn == e->turn) {
            i++;
            continue;
        }
        gput__pidmap_drop(&e->index, e->processes[i].pid);
        e->processes[i] = e->processes[--e->n];
        if (i < e->n)
            *gput__pidmap_get(&e->index, e->processes[i].pid) = i;
    }
}

/* --- open files ------------------------------------------------------------------------------- */

/* A process whose CPU clock stands still has opened and closed nothing. */
static int files_of(struct gput__extras *e, const struct gput__tree *tree,
                    const struct gput__task *t, uint32_t *ret)
{
    struct gput__extras_process *p = find(e, t);
    int r;

    if (p)
        p->turn = e->turn;
    if (p && t->cpu.has_clock && p->cpu_ns == t->cpu.own_ns.now + 1) {
        *ret = p->files;
        return 0;
    }
    r = gput__proc_fds_count(tree->proc, t->pid, e->has_size, ret);
    if (r == 0 && p) {
        p->cpu_ns = t->cpu.own_ns.now + 1;
        p->files = *ret;
    }
    return r;
}

static void measure_files(struct gput__extras *e, const struct gput__tree *tree, bool main_only)
{
    struct sum s = { 0 };

    e->turn++;
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t n = 0;
        int r;

        if (!is_read(&tree->tasks[i], main_only))
            continue;
        r = files_of(e, tree, &tree->tasks[i], &n);
        add(&s, r, n);
    }
    forget_ended(e);
    tell(e, GPUT__JOB_OPEN_FILES, &s);
}

/* --- swap ------------------------------------------------------------------------------------- */

/* Where nothing of the machine is in swap nobody need be asked. */
static bool is_any_swapped(const struct gput__root *proc, int *fd_meminfo)
{
    struct gput__sys_memory memory;
    char text[4096];

    return gput__root_reread(proc, "meminfo", fd_meminfo, text, sizeof(text)) <= 0 ||
           gput__sys_memory_parse(text, &memory) < 0 || memory.swap_total > memory.swap_free;
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

/* The kernel swaps out who sleeps, too: everybody is read. */
static void measure_swap(struct gput__extras *e, const struct gput__tree *tree, bool main_only,
                         int *fd_meminfo)
{
    bool is_any = is_any_swapped(tree->proc, fd_meminfo);
    struct sum s = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        double swap = 0;
        int r;

        if (!is_read(&tree->tasks[i], main_only))
            continue;
        r = is_any ? swap_of(tree, &tree->tasks[i], &swap) : 0;
        add(&s, r, swap);
    }
    tell(e, GPUT__JOB_SWAP, &s);
}

/* --- both ------------------------------------------------------------------------------------- */

void gput__extras_close(struct gput__extras *e)
{
    gput__pidmap_free(&e->index);
    free(e->processes);
    *e = (struct gput__extras){ 0 };
}

void gput__extras_repeat(const struct gput__extras *e, struct gput__sample *ret)
{
    gput__sample_add(ret, &e->last);
}

void gput__extras_measure(struct gput__extras *e, const struct gput__tree *tree, bool main_only,
                          int *fd_meminfo, struct gput__sample *ret)
{
    if (!e->is_open) {
        e->is_open = true;
        e->has_size = gput__proc_fds_have_size(tree->proc);
    }
    measure_files(e, tree, main_only);
    measure_swap(e, tree, main_only, fd_meminfo);
    gput__extras_repeat(e, ret);
}

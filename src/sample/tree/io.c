/* io.c - bytes that the job moved to and from disks, exited processes included. */
#include "sample/tree/io.h"

#include <errno.h>

#include "sample/tree/task_poll.h"
#include "source/proc/proc_io.h"

/* --- one process ---------------------------------------------------------------------------- */

static void set_seen(struct gput__task *t, struct gput__moved *m, uint64_t bytes)
{
    m->seen = bytes;
    if (!t->io.is_known) {
        m->count.now = t->is_older ? bytes : 0;
        m->count.base = m->count.now;
    }
}

/* A process whose CPU clock stands still has moved nothing, and waited for no child. */
static int read_one(const struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_io io;
    char name[64], text[512];
    ssize_t n;

    if (t->life.gone || t->io.is_told || t->io.at_ns == t->cpu.own_ns.now + 1)
        return 0;
    t->io.at_ns = t->cpu.own_ns.now + 1;
    gput__task_path(t->pid, 0, "io", name, sizeof(name));
    n = gput__root_read(tree->proc, name, text, sizeof(text));
    if (n < 0)
        return n == -ENOENT ? -ESRCH : (int)n;
    if (n == 0 || gput__proc_io_parse(text, &io) < 0)
        return -EBADMSG;
    set_seen(t, &t->io.read, io.read_bytes);
    set_seen(t, &t->io.written, io.write_bytes);
    t->io.is_known = true;
    return 0;
}

/* A parent that inherited nothing but moved as much itself cannot be recognised. */
static void apply_due(struct gput__moved *m, uint64_t *lost)
{
    uint64_t gained = m->seen > m->count.now ? m->seen - m->count.now : 0;

    if (gained >= m->due.now)
        m->count.base += m->due.base;
    else
        *lost += gput__count_used(&m->due);
    m->count.now = m->seen;
    m->due = (struct gput__count){ 0 };
}

static void add_due(struct gput__moved *to, const struct gput__moved *m)
{
    to->due.now += m->count.now + m->due.now;
    to->due.base += m->count.base + m->due.base;
}

static uint64_t used(const struct gput__moved *m)
{
    return gput__count_used(&m->count) + gput__count_used(&m->due);
}

void gput__io_hand_on(struct gput__tree *tree, struct gput__task *parent, struct gput__task *t)
{
    if (t->io.is_told)
        return;
    t->io.is_told = true;
    if (parent) {
        add_due(&parent->io.read, &t->io.read);
        add_due(&parent->io.written, &t->io.written);
        parent->io.at_ns = 0; /* the clock of one that runs just now lags behind by up to a tick */
    } else {
        tree->dead.io.read += used(&t->io.read);
        tree->dead.io.written += used(&t->io.written);
    }
}

/* --- all of them ---------------------------------------------------------------------------- */

/* Parents come before children and are read first: a process that is still there was not in its
 * parent's count.  One that is not may be or not: its parent is read once more. */
void gput__io_read(struct gput__tree *tree, bool main_only)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i], *parent;

        if ((main_only && !t->is_main) || read_one(tree, t) != -ESRCH || t->is_main)
            continue;
        parent = gput__tree_find(tree, t->life.ppid);
        gput__io_hand_on(tree, parent, t);
        if (parent)
            (void)read_one(tree, parent);
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (!t->io.is_known || t->io.is_told)
            continue;
        apply_due(&t->io.read, &tree->dead.io.read);
        apply_due(&t->io.written, &tree->dead.io.written);
    }
}

void gput__io_glance(struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        if (tree->tasks[i].is_main || (tree->tasks[i].is_older && !tree->tasks[i].io.is_known))
            (void)read_one(tree, &tree->tasks[i]);
}

bool gput__io_sum(const struct gput__tree *tree, bool main_only, uint64_t *ret_read,
                  uint64_t *ret_written)
{
    uint64_t read = main_only ? 0 : tree->dead.io.read,
             written = main_only ? 0 : tree->dead.io.written;
    bool main_is_known = false;

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if ((main_only && !t->is_main) || t->io.is_told)
            continue;
        read += used(&t->io.read);
        written += used(&t->io.written);
        main_is_known |= t->is_main && t->io.is_known;
    }
    *ret_read = read;
    *ret_written = written;
    return main_is_known;
}

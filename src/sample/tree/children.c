/* children.c - new processes of the job, from the kernel's lists of children.  The cost depends on the
 * job's size, not on what others do on the machine. */
#include "sample/tree/children.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text/scan.h"
#include "sample/tree/discover.h"
#include "sample/tree/task_poll.h"

/* Any thread may have children; with more of them a search of /proc is no more expensive. */
#define MOST_THREADS 64
/* A list that is longer is read whole, into a buffer that grows. */
#define SHORT_LIST 512

static void meet_all(struct gput__tree *tree, const char *text)
{
    uint64_t pid;

    while (gput__scan_u64(&text, &pid) == 0)
        if (pid <= INT32_MAX)
            gput__tree_meet(tree, (pid_t)pid);
}

static void list_of_thread(struct gput__tree *tree, pid_t pid, pid_t tid)
{
    char name[64], text[SHORT_LIST];
    struct gput__buf whole = { 0 };
    int fd = -1;
    ssize_t n;

    snprintf(name, sizeof(name), "%d/task/%d/children", pid, tid);
    n = gput__root_read(tree->proc, name, text, sizeof(text));
    if (n >= 0 && n < (ssize_t)sizeof(text) - 1)
        meet_all(tree, text);
    else if (n > 0 && gput__root_reread_whole(tree->proc, name, &fd, 0, &whole) == 0 && whole.data)
        meet_all(tree, whole.data);
    gput__buf_free(&whole);
    if (fd >= 0)
        close(fd);
}

/* Most have one thread and few children, if any. */
static bool list_shortly(struct gput__tree *tree, struct gput__task *t)
{
    char name[32], text[SHORT_LIST];
    ssize_t n;

    snprintf(name, sizeof(name), "task/%d/children", t->pid);
    n = gput__task_read(tree, t, &t->files.children, name, text, sizeof(text));
    if (n < 0 || n >= (ssize_t)sizeof(text) - 1)
        return false;
    meet_all(tree, text); /* the task may lie elsewhere from here on */
    return true;
}

void gput__tree_list_children(struct gput__tree *tree, uint32_t place)
{
    struct gput__task *t = &tree->tasks[place];
    pid_t pid = t->pid;

    t->births_listed = tree->births.n;
    if (t->life.threads <= 1) {
        if (!list_shortly(tree, t))
            list_of_thread(tree, pid, pid);
    } else if (t->life.threads <= MOST_THREADS) {
        gput__task_each_thread(tree, pid, list_of_thread);
    } else {
        gput__births_rescan(tree);
    }
}

void gput__tree_list_orphans(struct gput__tree *tree)
{
    if (tree->who.tracker)
        list_of_thread(tree, tree->who.tracker, tree->who.tracker);
}

bool gput__tree_can_list_children(const struct gput__tree *tree)
{
    char name[64], text[16];

    snprintf(name, sizeof(name), "%d/task/%d/children", tree->who.self, tree->who.self);
    return tree->proc->live && gput__root_read(tree->proc, name, text, sizeof(text)) >= 0;
}

/* alone.c - whether main is the whole job: asked of the kernel by three short files, where looking
 * through /proc means a file for each process of the machine. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/scan.h"
#include "sample/look.h"

/* With more threads, any of which may have children, looking through /proc is no dearer. */
#define MOST_THREADS 16

/* Whether the kernel lists no children of a thread but perhaps that one. */
static bool has_no_child_but(const struct gput__tree *tree, pid_t pid, pid_t tid, pid_t allowed)
{
    char name[64], text[64];
    const char *p = text;
    uint64_t child;

    snprintf(name, sizeof(name), "%d/task/%d/children", pid, tid);
    if (gput__root_read(tree->proc, name, text, sizeof(text)) < 0)
        return false;
    while (gput__scan_u64(&p, &child) == 0)
        if ((pid_t)child != allowed)
            return false;
    return p[strspn(p, " ")] == '\0'; /* else the list is longer than what was read of it */
}

static bool threads_have_no_child_but_us(const struct gput__tree *tree, pid_t pid)
{
    DIR *dir = gput__task_threads(tree, pid);
    struct dirent *entry;
    bool none = true;

    if (!dir)
        return false;
    while (none && (entry = readdir(dir))) {
        const char *p = entry->d_name;
        uint64_t tid;

        if (*p != '.')
            none = gput__scan_u64(&p, &tid) == 0 &&
                   has_no_child_but(tree, pid, (pid_t)tid, tree->self);
    }
    closedir(dir);
    return none;
}

bool gput__tree_main_is_alone(const struct gput__tree *tree)
{
    pid_t pid = tree->main_pid;
    struct gput__proc_stat st;

    if (!tree->proc->live || tree->n != 1 || tree->n_helpers || !tree->tasks[0].is_main)
        return false;
    if (gput__tree_read_stat(tree, pid, &st) < 0 || st.num_threads > MOST_THREADS)
        return false;
    if (st.num_threads == 1 ? !has_no_child_but(tree, pid, pid, tree->self)
                            : !threads_have_no_child_but_us(tree, pid))
        return false;
    /* Orphans of the job are the tracker's children: they are by now, if main had none of its own. */
    return !tree->tracker || has_no_child_but(tree, tree->tracker, tree->tracker, pid);
}

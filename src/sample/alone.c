/* alone.c - whether main is the whole job: asked of the kernel by three short files, where looking
 * through /proc means a file for each process of the machine. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/scan.h"
#include "sample/tree.h"

/* With more threads, any of which may have children, looking through /proc is no dearer. */
#define MOST_THREADS 16

/* The children of one thread, as the kernel lists them; false: it does not. */
static bool read_children(const struct gput__tree *tree, pid_t pid, pid_t tid, char *text,
                          size_t cap)
{
    char name[64];

    snprintf(name, sizeof(name), "%d/task/%d/children", pid, tid);
    return gput__root_read(tree->proc, name, text, cap) >= 0;
}

static bool has_no_children(const struct gput__tree *tree, pid_t pid, pid_t tid)
{
    char text[64];

    return read_children(tree, pid, tid, text, sizeof(text)) && !*text;
}

static bool threads_have_no_children(const struct gput__tree *tree, pid_t pid)
{
    char name[32];
    struct dirent *entry;
    bool none = true;
    DIR *dir;
    int fd;

    snprintf(name, sizeof(name), "%d/task", pid);
    fd = openat(tree->proc->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (none && (entry = readdir(dir))) {
        const char *p = entry->d_name;
        uint64_t tid;

        if (*p != '.')
            none = gput__scan_u64(&p, &tid) == 0 && has_no_children(tree, pid, (pid_t)tid);
    }
    closedir(dir);
    return none;
}

/* Orphans of the job are the tracker's children. */
static bool tracker_has_but_main(const struct gput__tree *tree)
{
    char text[64];
    const char *p = text;
    uint64_t pid;

    return read_children(tree, tree->tracker, tree->tracker, text, sizeof(text)) &&
           gput__scan_u64(&p, &pid) == 0 && (pid_t)pid == tree->main_pid &&
           gput__scan_u64(&p, &pid) < 0;
}

bool gput__tree_main_is_alone(const struct gput__tree *tree)
{
    struct gput__proc_stat st;

    if (!tree->proc->live || tree->n != 1 || tree->n_helpers || !tree->tasks[0].is_main)
        return false;
    /* First main, then the tracker: an orphan is with the latter by the time that it is asked. */
    if (gput__tree_read_stat(tree, tree->main_pid, &st) < 0 || st.num_threads > MOST_THREADS)
        return false;
    if (st.num_threads == 1 ? !has_no_children(tree, tree->main_pid, tree->main_pid)
                            : !threads_have_no_children(tree, tree->main_pid))
        return false;
    return !tree->tracker || tracker_has_but_main(tree);
}

/* helper_program.c - whether a process runs the program that helpers run. */
#include "sample/tree/helper_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "sample/tree/task_poll.h"

static bool is_same(int folder, const char *name, const struct gput__file_id *wanted)
{
    struct gput__file_id id = { 0 };

    return gput__identify_file(folder, name, &id) == 0 && id.device == wanted->device &&
           id.inode == wanted->inode;
}

/* A program that uses the library runs another file than its helper does. */
static bool is_found_program(const struct gput__tree *tree, const struct gput__file_id *wanted)
{
    const struct gput__finder *f = &tree->helpers.program;
    char *path = f->find ? f->find(f->ctx) : NULL;
    bool is = path && is_same(AT_FDCWD, path, wanted);

    free(path);
    return is;
}

int gput__runs_our_program(const struct gput__tree *tree, pid_t pid)
{
    struct gput__file_id id = { 0 };
    char name[64];
    pid_t tid;
    int r;

    snprintf(name, sizeof(name), "%d/exe", pid);
    r = gput__identify_file(tree->proc->fd, name, &id);
    tid = r == -ENOENT ? gput__task_other_thread(tree, pid) : 0;
    if (tid) {
        gput__task_path(pid, tid, "exe", name, sizeof(name));
        r = gput__identify_file(tree->proc->fd, name, &id);
    }
    if (r < 0)
        return r;
    return is_same(tree->proc->fd, "self/exe", &id) || is_found_program(tree, &id);
}

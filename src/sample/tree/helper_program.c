/* helper_program.c - whether a process runs the program that helpers run. */
#include "sample/tree/helper_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STATX_INO /* an older C library, which has no statx() */
#include <linux/stat.h>
#endif

#include "sample/tree/look.h"

struct file_id {
    uint64_t device, inode;
};

/* What the kernel has in mind is enough: a file system of the job's own could let us wait for ever
 * where it is asked. */
static int identify(int folder, const char *name, struct file_id *ret)
{
#if defined(SYS_statx) && defined(AT_STATX_DONT_SYNC)
    struct statx st;

    if (syscall(SYS_statx, folder, name, AT_STATX_DONT_SYNC, STATX_INO, &st) < 0)
        return -errno;
    *ret = (struct file_id){ (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor, st.stx_ino };
#else
    struct stat st;

    if (fstatat(folder, name, &st, 0) < 0)
        return -errno;
    *ret = (struct file_id){ st.st_dev, st.st_ino };
#endif
    return 0;
}

static bool is_same(int folder, const char *name, const struct file_id *wanted)
{
    struct file_id id = { 0 };

    return identify(folder, name, &id) == 0 && id.device == wanted->device &&
           id.inode == wanted->inode;
}

/* A program that uses the library runs another file than its helper does. */
static bool is_found_program(const struct gput__tree *tree, const struct file_id *wanted)
{
    const struct gput__finder *f = &tree->helpers.program;
    char *path = f->find ? f->find(f->ctx) : NULL;
    bool is = path && is_same(AT_FDCWD, path, wanted);

    free(path);
    return is;
}

int gput__runs_our_program(const struct gput__tree *tree, pid_t pid)
{
    struct file_id id = { 0 };
    char name[64];
    pid_t tid;
    int r;

    snprintf(name, sizeof(name), "%d/exe", pid);
    r = identify(tree->proc->fd, name, &id);
    tid = r == -ENOENT ? gput__task_other_thread(tree, pid) : 0;
    if (tid) {
        gput__task_path(pid, tid, "exe", name, sizeof(name));
        r = identify(tree->proc->fd, name, &id);
    }
    if (r < 0)
        return r;
    return is_same(tree->proc->fd, "self/exe", &id) || is_found_program(tree, &id);
}

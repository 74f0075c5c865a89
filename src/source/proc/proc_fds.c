/* proc_fds.c - how many descriptors a process has open: /proc/<pid>/fd, see proc_pid_fd(5). */
#include "source/proc/proc_fds.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

bool gput__proc_fds_have_size(const struct gput__root *proc)
{
    struct stat st;

    /* The size of a folder in a dump is that of a folder.  We have descriptors open ourselves. */
    return proc->live && fstatat(proc->fd, "self/fd", &st, 0) == 0 && st.st_size > 0;
}

static int count_entries(const struct gput__root *proc, const char *name, uint32_t *ret)
{
    DIR *folder = gput__folder_open(proc->fd, name);
    const struct dirent *entry;

    if (!folder)
        return -errno;
    *ret = 0;
    while ((entry = readdir(folder)))
        *ret += entry->d_name[0] != '.';
    closedir(folder);
    return 0;
}

int gput__proc_fds_count(const struct gput__root *proc, pid_t pid, bool has_size, uint32_t *ret)
{
    char name[32];
    struct stat st;

    snprintf(name, sizeof(name), "%d/fd", pid);
    if (!has_size)
        return count_entries(proc, name, ret);
    if (fstatat(proc->fd, name, &st, 0) < 0)
        return -errno;
    *ret = (uint32_t)st.st_size;
    return 0;
}

/* sys_processes.c - how many processes the machine has. */
#include "source/machine/sys_processes.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int gput__sys_processes_links(const struct gput__root *proc, uint64_t *ret_links)
{
    struct stat st;

    if (fstat(proc->fd, &st) < 0)
        return -errno;
    *ret_links = st.st_nlink;
    return 0;
}

int gput__sys_processes_list(const struct gput__root *proc, struct gput__sys_processes *ret)
{
    struct gput__sys_processes p = { 0 };
    DIR *dir = gput__folder_open(proc->fd, ".");
    struct dirent *entry;

    if (!dir)
        return -errno;
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;

        if (name[strspn(name, "0123456789")] == '\0')
            p.n++;
        else if (entry->d_type == DT_DIR && name[0] != '.')
            p.folders++;
    }
    closedir(dir);
    (void)gput__sys_processes_links(proc, &p.links);
    *ret = p;
    return 0;
}

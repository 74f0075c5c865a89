/* sys_processes.h - how many processes the machine has. */
#ifndef GPUT_SOURCE_SYS_PROCESSES_H
#define GPUT_SOURCE_SYS_PROCESSES_H

#include <stdint.h>

#include "base/root.h"

struct gput__sys_processes {
    uint64_t n;       /* folders of /proc that are a number */
    uint64_t folders; /* and those that are not */
    uint64_t links;   /* the link count of /proc itself */
};

/* Lists /proc: expensive where there are many. */
int gput__sys_processes_list(const struct gput__root *proc, struct gput__sys_processes *ret);

/* The kernel adds the number of all its processes to the link count of /proc, which without them is
 * 2 and one for each folder.  That is one system call instead of a list.  It is right only
 * where every process is shown: not in a pid namespace, not with hidepid.  A list shows whether:
 * true if this one does. */
static inline int gput__sys_processes_are_links(const struct gput__sys_processes *p)
{
    return p->links == p->n + p->folders + 2;
}
int gput__sys_processes_links(const struct gput__root *proc, uint64_t *ret_links);

#endif

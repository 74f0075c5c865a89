/* proc_fds.h - how many descriptors a process has open: /proc/<pid>/fd, see proc_pid_fd(5). */
#ifndef GPUT_SOURCE_PROC_FDS_H
#define GPUT_SOURCE_PROC_FDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/* Whether the size of that folder is the number (Linux 6.2 and later); else it has to be listed. */
bool gput__proc_fds_have_size(const struct gput__root *proc);

/* -EACCES: it is another user's; -ENOENT, -ESRCH: the process has ended. */
int gput__proc_fds_count(const struct gput__root *proc, pid_t pid, bool has_size, uint32_t *ret);

#endif

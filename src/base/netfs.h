/* netfs.h - file systems whose files other machines may write to. */
#ifndef GPUT_BASE_NETFS_H
#define GPUT_BASE_NETFS_H

#include <stdbool.h>

/* Whether an append by another machine may land where ours does: the kernel keeps appends apart on
 * its own file systems only.  By the type that fstatfs() gives. */
bool gput__netfs_has_type(unsigned long type);
/* The same of an open file; what cannot be asked counts as one. */
bool gput__netfs_has(int fd);

#endif

/* root.h - a folder of kernel files (/proc, /sys) that tests can replace by a dump of one. */
#ifndef GPUT_BASE_ROOT_H
#define GPUT_BASE_ROOT_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Of all machines that Linux runs on, in bytes; every other size is a multiple of it. */
#define GPUT__SMALLEST_PAGE 4096

struct gput__root {
    int fd;    /* -1: there is no such folder, every read says -ENOENT */
    bool live; /* the running kernel's own, not a dump */
};
#define GPUT__ROOT_NONE ((struct gput__root){ .fd = -1 })

/* `path` NULL means `standard`, and then the root is live. */
int gput__root_open(const char *path, const char *standard, struct gput__root *ret);
void gput__root_close(struct gput__root *root);

/* The whole of a small file into buf, always ended by NUL; returns its length.  What does not fit
 * in cap - 1 bytes is left out. */
ssize_t gput__root_read(const struct gput__root *root, const char *name, char *buf, size_t cap);

/* The same, for a file that is read again and again: of a live root its descriptor is kept in *fd,
 * which begins as -1 and is the caller's to close; where descriptors are short it stays -1. */
ssize_t gput__root_reread(const struct gput__root *root, const char *name, int *fd, char *buf,
                          size_t cap);

/* The same of a file of any length: the buffer is emptied and grows.  `line` is what none of its
 * lines is longer than, 0: unknown; if known, the end is seen without asking for more.  0, or a
 * negative errno. */
int gput__root_reread_whole(const struct gput__root *root, const char *name, int *fd, size_t line,
                            struct gput__buf *ret);

/* A descriptor to read the same file again and again with gput__fd_read(). */
int gput__root_open_file(const struct gput__root *root, const char *name);
ssize_t gput__fd_read(int fd, char *buf, size_t cap);

/* A folder to be listed, closed by closedir(); NULL: see errno.  `at` may be -1: a folder that is not
 * there. */
DIR *gput__folder_open(int at, const char *folder);
/* Whether a folder has an entry whose name begins so; "": any but "." and "..". */
bool gput__folder_has(int at, const char *folder, const char *beginning);

#endif

/* root.c - a folder of kernel files (/proc, /sys) that tests can replace by a dump of one. */
#include "base/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Files are kept open while no more than this part of all descriptors is in use. */
#define PART_TO_KEEP 4

/* The kernel had no room for it: a moment later it may have. */
static bool may_succeed_again(int error)
{
    return error == EINTR || error == EIO || error == ENOMEM || error == EMFILE || error == ENFILE;
}

static int open_patiently(int at, const char *path, int flags)
{
    int fd = openat(at, path, flags);

    return fd < 0 && may_succeed_again(errno) ? openat(at, path, flags) : fd;
}

/* The same for reading. */
static ssize_t read_patiently(int fd, char *buf, size_t n, off_t at)
{
    ssize_t got = pread(fd, buf, n, at);

    return got < 0 && may_succeed_again(errno) ? pread(fd, buf, n, at) : got;
}

int gput__root_open(const char *path, const char *standard, struct gput__root *ret)
{
    int fd = open_patiently(AT_FDCWD, path ? path : standard, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return -errno;
    *ret = (struct gput__root){ .fd = fd, .live = !path };
    return 0;
}

void gput__root_close(struct gput__root *root)
{
    if (root->fd >= 0)
        close(root->fd);
    root->fd = -1;
}

int gput__root_open_file(const struct gput__root *root, const char *name)
{
    int fd;

    if (root->fd < 0)
        return -ENOENT;
    fd = open_patiently(root->fd, name, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

ssize_t gput__fd_read(int fd, char *buf, size_t cap)
{
    size_t len = 0;

    /* procfs may answer in pieces, and only an answer of 0 is the end; but a first piece that
     * ends in a newline well short of the room is the whole file, and saves the second call. */
    while (len < cap - 1) {
        ssize_t n = read_patiently(fd, buf + len, cap - 1 - len, (off_t)len);

        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        len += (size_t)n;
        if (buf[len - 1] == '\n' && len < 4096 && len < cap / 2)
            break;
    }
    buf[len] = '\0';
    return (ssize_t)len;
}

ssize_t gput__root_read(const struct gput__root *root, const char *name, char *buf, size_t cap)
{
    int fd = gput__root_open_file(root, name);
    ssize_t n;

    if (fd < 0)
        return fd;
    n = gput__fd_read(fd, buf, cap);
    close(fd);
    return n;
}

/* The kernel gives the least number that is free: at least so many are in use.  Of few descriptors none
 * is kept for what can be opened again. */
static void keep_or_close(int *fd)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)*fd >= limit.rlim_cur / PART_TO_KEEP) {
        close(*fd);
        *fd = -1;
    }
}

ssize_t gput__root_reread(const struct gput__root *root, const char *name, int *fd, char *buf,
                          size_t cap)
{
    ssize_t n;

    if (!root->live)
        return gput__root_read(root, name, buf, cap);
    if (*fd >= 0)
        return gput__fd_read(*fd, buf, cap);
    *fd = gput__root_open_file(root, name);
    if (*fd < 0)
        return *fd;
    n = gput__fd_read(*fd, buf, cap);
    keep_or_close(fd);
    return n;
}

/* The kernel's files come in pieces of whole lines, as many as fit into a page: where another would
 * have fitted there is none.  Of lines of unknown length only an answer of 0 is the end. */
static bool has_room_for(size_t line, ssize_t n)
{
    return line > 0 && (size_t)n + line <= GPUT__SMALLEST_PAGE;
}

static int read_whole(int fd, size_t line, struct gput__buf *ret)
{
    gput__buf_clear(ret);
    for (;;) {
        ssize_t n;

        if (gput__buf_reserve(ret, 4096) < 0)
            return ret->err;
        n = read_patiently(fd, ret->data + ret->len, ret->cap - ret->len - 1, (off_t)ret->len);
        if (n < 0)
            return -errno;
        ret->len += (size_t)n;
        ret->data[ret->len] = '\0';
        if (n == 0 || has_room_for(line, n))
            return 0;
    }
}

int gput__root_reread_whole(const struct gput__root *root, const char *name, int *fd, size_t line,
                            struct gput__buf *ret)
{
    int file, r;

    if (root->live && *fd >= 0)
        return read_whole(*fd, line, ret);
    file = gput__root_open_file(root, name);
    if (file < 0)
        return file;
    r = read_whole(file, line, ret);
    if (root->live) {
        *fd = file;
        keep_or_close(fd);
    } else {
        close(file);
    }
    return r;
}

DIR *gput__folder_open(int at, const char *folder)
{
    int err, fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (at == -1)
        errno = ENOENT;
    if (fd >= 0 && !dir) {
        err = errno;
        close(fd);
        errno = err;
    }
    return dir;
}

bool gput__folder_has(int at, const char *folder, const char *beginning)
{
    DIR *dir = gput__folder_open(at, folder);
    struct dirent *entry;
    bool found = false;

    if (!dir)
        return false;
    while (!found && (entry = readdir(dir)))
        found = entry->d_name[0] != '.' && !strncmp(entry->d_name, beginning, strlen(beginning));
    closedir(dir);
    return found;
}

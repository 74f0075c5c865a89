/* whole_file.c - files that appear as a whole: written aside, then put in their place. */
#include "store/files/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gput.h"
#include "store/files/unsafe_path.h"

static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (int)(slash - path) + 1 : 0;
}

int gput__create_aside(const char *path, const char *end, char **ret_aside)
{
    char *aside = NULL;
    struct timespec now;
    int fd = -EEXIST;

    for (int i = 0; i < 100 && fd == -EEXIST; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        if (asprintf(&aside, "%.*s.gpu-tracker-%d-%lx%s", folder_length(path), path, (int)getpid(),
                     (unsigned long)now.tv_nsec + (unsigned long)i, end) < 0)
            return -ENOMEM;
        fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            *ret_aside = aside;
            return fd;
        }
        fd = -errno;
        free(aside);
    }
    return fd;
}

/* The new file takes the place of the old one: same mode, and same owner where that is allowed. */
static int copy_access(int fd, const struct stat *old)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return -errno;
    if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM && errno != EINVAL)
        return -errno;
    return fchmod(fd, old->st_mode & 0777) < 0 ? -errno : 0;
}

int gput__write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        text += n;
        len -= (size_t)n;
    }
    return 0;
}

int gput_file_replace(const char *path, const char *text)
{
    struct stat old;
    int exists = lstat(path, &old) == 0, fd, r;
    char *aside = NULL;

    if (exists && !S_ISREG(old.st_mode))
        return -EEXIST;
    if (exists && gput__check_owner(path, &old) < 0)
        return -EPERM;
    fd = gput__create_aside(path, "", &aside);
    if (fd < 0)
        return fd;
    r = exists ? copy_access(fd, &old) : 0;
    if (r == 0)
        r = gput__write_all(fd, text, strlen(text));
    /* Some file systems tell only here that there was no room. */
    if (close(fd) < 0 && r == 0 && errno != EINTR)
        r = -errno;
    if (r == 0 && rename(aside, path) < 0)
        r = -errno;
    if (r < 0)
        (void)unlink(aside);
    free(aside);
    return r;
}

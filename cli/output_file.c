/* output_file.c - whole files, by rename or in place. */
#include "output.h"

#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *output_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* A file of a new name in the folder of `path`; the umask decides on its mode. */
static int create_aside(const char *path, char **ret_aside)
{
    char *folder = output_folder(path), *aside = NULL;
    struct timespec now;
    int fd = -ENOMEM;

    if (!folder)
        return -ENOMEM;
    for (int i = 0; i < 100; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        if (asprintf(&aside, "%s/.gpu-tracker-%d-%lx", folder, (int)getpid(),
                     (unsigned long)now.tv_nsec + (unsigned long)i) < 0) {
            fd = -ENOMEM;
            break;
        }
        fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            *ret_aside = aside;
            break;
        }
        fd = -errno;
        free(aside);
        if (fd != -EEXIST)
            break;
    }
    free(folder);
    return fd;
}

/* The new file takes the place of the old one: same mode, and same owner where that is allowed. */
static int take_after(int fd, const struct stat *old)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return -errno;
    if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM && errno != EINVAL)
        return -errno;
    return fchmod(fd, old->st_mode & 0777) < 0 ? -errno : 0;
}

static int write_and_close(int fd, const char *text)
{
    int r = write_all(fd, text, strlen(text));

    /* Some file systems tell only here that there was no room. */
    if (close(fd) < 0 && r == 0 && errno != EINTR)
        r = -errno;
    return r;
}

int output_file_replace(const char *path, const char *text)
{
    struct stat old;
    bool exists = lstat(path, &old) == 0;
    char *aside = NULL;
    int fd, r;

    if (exists && !S_ISREG(old.st_mode))
        return -EEXIST;
    fd = create_aside(path, &aside);
    if (fd < 0)
        return fd;
    r = exists ? take_after(fd, &old) : 0;
    if (r < 0)
        close(fd);
    else
        r = write_and_close(fd, text);
    if (r == 0 && rename(aside, path) < 0)
        r = -errno;
    if (r < 0)
        unlink(aside);
    free(aside);
    return r;
}

int output_file_overwrite(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);

    return fd < 0 ? -errno : write_and_close(fd, text);
}

/* output_file.c - the folder of a file, and a file written in place. */
#include "output/output.h"

#include "gput.h"
#include "output/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *output_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

const char *output_why(int r)
{
    return r == -EPERM
               ? "not permitted: it is protected, or it has been laid there by somebody else "
                 "in a folder where everybody may make files"
               : strerror(-r);
}

static int write_and_close(int fd, const char *text)
{
    int r = write_all(fd, text, strlen(text));

    /* Some file systems tell only here that there was no room. */
    if (close(fd) < 0 && r == 0 && errno != EINTR)
        r = -errno;
    return r;
}

/* Emptied only once it is known whose it is; EINVAL: it is a pipe or device. */
int output_file_open(const char *path, int flags)
{
    int fd = gput_file_open(path, flags | O_WRONLY | O_NOCTTY);
    int r;

    if (fd < 0)
        return fd;
    r = ftruncate(fd, 0) < 0 && errno != EINVAL ? -errno : 0;
    if (r < 0)
        close(fd);
    return r < 0 ? r : fd;
}

int output_file_overwrite(const char *path, const char *text)
{
    int fd = output_file_open(path, 0);

    return fd < 0 ? fd : write_and_close(fd, text);
}

static int add(int fd, const char *text, bool has_head)
{
    off_t size = lseek(fd, 0, SEEK_END);
    const char *head = strchr(text, '\n');
    int r = 0;

    if (size < 0)
        return -errno;
    if (size > 0 && !has_head)
        r = write_all(fd, "\n", 1);
    if (size > 0 && has_head && head)
        text = head + 1;
    if (r == 0)
        r = write_all(fd, text, strlen(text));
    if (r < 0 && ftruncate(fd, size) < 0) /* half a row would spoil the others */
        r = -errno;
    return r;
}

int output_file_append(const char *path, const char *text, bool has_head)
{
    int fd = gput_file_open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY), r;

    if (fd < 0)
        return fd;
    while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
        ; /* without locks two that end at once may both write the head */
    r = add(fd, text, has_head);
    if (close(fd) < 0 && r == 0 && errno != EINTR)
        r = -errno;
    return r;
}

bool output_is(const char *name, const char *file)
{
    struct stat to, from;

    return name && file && stat(name, &to) == 0 && stat(file, &from) == 0 && S_ISREG(to.st_mode) &&
           to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

/* output_file.c - the folder of a file, and a file written in place. */
#include "output.h"

#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *output_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static int write_and_close(int fd, const char *text)
{
    int r = write_all(fd, text, strlen(text));

    /* Some file systems tell only here that there was no room. */
    if (close(fd) < 0 && r == 0 && errno != EINTR)
        r = -errno;
    return r;
}

int output_file_overwrite(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);

    return fd < 0 ? -errno : write_and_close(fd, text);
}

bool output_is(const char *name, const char *file)
{
    struct stat to, from;

    return name && file && stat(name, &to) == 0 && stat(file, &from) == 0 && S_ISREG(to.st_mode) &&
           to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

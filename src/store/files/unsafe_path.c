/* unsafe_path.c - unsafe paths: a link, pipe or file that another user placed where a file is to be written.
 *
 * The rule is that of the kernel's fs.protected_symlinks, _regular and _fifos, which are not set
 * everywhere, do not know of links that a program follows by itself, and hold in sticky folders only.
 * Where a folder is not sticky others may put theirs in the place of ours at any moment: so a link is
 * read by the descriptor of which the owner is known, and what is opened is looked at once more. */
#include "store/files/unsafe_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINKS = 40 }; /* as the kernel allows */

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static bool is_everybodys(const struct stat *folder)
{
    return folder->st_mode & S_IWOTH;
}

/* There everybody may remove everything: a plain file is there to be shared. */
static bool is_shared(const struct stat *st, const struct stat *folder)
{
    return S_ISREG(st->st_mode) && !(folder->st_mode & S_ISVTX);
}

static int stat_folder(const char *path, struct stat *ret)
{
    char *folder = folder_of(path);
    int r = !folder ? -ENOMEM : stat(folder, ret) < 0 ? -errno : 0;

    free(folder);
    return r;
}

int gput__check_owner(const char *path, const struct stat *st)
{
    struct stat folder;

    if (st->st_uid == geteuid())
        return 0;
    if (stat_folder(path, &folder) < 0)
        return 0; /* then nothing is written there either */
    if (!is_everybodys(&folder) || is_shared(st, &folder))
        return 0;
    return st->st_uid != folder.st_uid ? -EPERM : 0;
}

/* A second name of a file of ours may have been given by anybody: emptied here, it is empty there. */
static int check_names(const char *path, const struct stat *st)
{
    struct stat folder;

    if (!S_ISREG(st->st_mode) || st->st_nlink < 2 || stat_folder(path, &folder) < 0)
        return 0;
    return is_everybodys(&folder) ? -EPERM : 0;
}

int gput_file_check(const char *path)
{
    struct stat st;

    return lstat(path, &st) < 0 ? 0 : gput__check_owner(path, &st);
}

/* --- links ---------------------------------------------------------------------------------- */

/* Names under /proc stand for open files: what they read as need not be a name at all. */
static bool is_under_proc(const char *path)
{
    char *folder = folder_of(path);
    struct stat st, proc;
    bool is =
        folder && stat(folder, &st) == 0 && stat("/proc", &proc) == 0 && st.st_dev == proc.st_dev;

    free(folder);
    return is;
}

static int follow_one(int link, char **path)
{
    char text[PATH_MAX], *next, *slash = strrchr(*path, '/');
    ssize_t n = readlinkat(link, "", text, sizeof(text) - 1);
    int length = slash ? (int)(slash - *path) + 1 : 0;

    if (n < 0)
        return -errno;
    text[n] = '\0';
    if (asprintf(&next, "%.*s%s", text[0] == '/' ? 0 : length, *path, text) < 0)
        return -ENOMEM;
    free(*path);
    *path = next;
    return 0;
}

/* One step: 1 to go on, 0 where there is no link to be followed. */
static int follow_step(char **path)
{
    struct stat st;
    int fd = open(*path, O_PATH | O_NOFOLLOW | O_CLOEXEC), r;

    if (fd < 0)
        return 0;
    r = fstat(fd, &st) < 0 ? -errno : gput__check_owner(*path, &st);
    if (r == 0 && S_ISLNK(st.st_mode) && !is_under_proc(*path)) {
        r = follow_one(fd, path);
        r = r < 0 ? r : 1;
    }
    close(fd);
    return r;
}

int gput_file_follow(const char *path, char **ret)
{
    char *at = strdup(path);
    int r = at ? 1 : -ENOMEM;

    for (int i = 0; r == 1 && i <= MAX_LINKS; i++)
        r = follow_step(&at);
    if (r == 0) {
        *ret = at;
        return 0;
    }
    free(at);
    return r == 1 ? -ELOOP : r;
}

/* --- opening -------------------------------------------------------------------------------- */

/* Of what was opened, not of what lies there by now. */
static int check_opened(int fd, const char *path)
{
    struct stat st;
    int r = fstat(fd, &st) < 0 ? -errno : gput__check_owner(path, &st);

    return r < 0 ? r : check_names(path, &st);
}

int gput_file_open(const char *path, int flags)
{
    char *at = NULL;
    int r = gput_file_follow(path, &at), fd;

    if (r < 0)
        return r;
    fd = open(at, flags | (is_under_proc(at) ? 0 : O_NOFOLLOW) | O_CLOEXEC, 0666);
    r = fd < 0 ? -errno : is_under_proc(at) ? 0 : check_opened(fd, at);
    free(at);
    if (r == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return r;
}

bool gput__is_at(int fd, const char *path)
{
    struct stat opened, named;

    return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

int gput__real_name(int fd, const char *path, char **ret)
{
    char *real = realpath(path, NULL);

    if (!real)
        return -errno;
    if (gput__is_at(fd, real)) {
        *ret = real;
        return 0;
    }
    free(real);
    return -EPERM;
}

const char *gput__why_unwritten(int r)
{
    return r == -EPERM
               ? "not permitted: it is protected, or it has been laid there by somebody else "
                 "in a folder where everybody may make files"
               : strerror(-r);
}

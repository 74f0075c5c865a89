/* output.c - where the result goes: found out before the start, written at the end. */
#include "output/output.h"

#include "gput.h"
#include "output/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names under /proc are not to be replaced: behind the link /proc/self/fd/3 may be a pipe, or a
 * file that others write to, which a rename would take away from them. */
static bool is_under_proc(const char *folder)
{
    struct stat st, proc;

    return stat(folder, &st) == 0 && stat("/proc", &proc) == 0 && st.st_dev == proc.st_dev;
}

static bool is_own_descriptor_folder(const char *folder)
{
    struct stat st, own;

    return stat(folder, &st) == 0 && stat("/proc/self/fd", &own) == 0 && st.st_dev == own.st_dev &&
           st.st_ino == own.st_ino;
}

static int set_proc_link(struct output *o, const char *folder)
{
    int flags;

    o->way = OUTPUT_OPEN;
    if (!is_own_descriptor_folder(folder))
        return 0;
    o->way = OUTPUT_DESCRIPTOR;
    o->fd = atoi(strrchr(o->target, '/') + 1); /* NOLINT(cert-err34-c): the kernel's number */
    flags = fcntl(o->fd, F_GETFL);
    if (flags < 0)
        return -errno;
    return (flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH) ? -EBADF : 0;
}

static int set_new_file(struct output *o, const char *folder)
{
    struct stat st;

    o->way = OUTPUT_REPLACE;
    if (is_under_proc(folder))
        return -ENOENT;
    if (stat(folder, &st) < 0)
        return -errno;
    if (!S_ISDIR(st.st_mode))
        return -ENOTDIR;
    if (o->target[strlen(o->target) - 1] == '/')
        return -EISDIR;
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int set_existing(struct output *o, const char *folder, const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return -EISDIR;
    if (S_ISSOCK(st->st_mode))
        return -ENXIO;
    if (faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS) < 0)
        return -errno;
    if (!S_ISREG(st->st_mode) || is_under_proc(folder))
        o->way = OUTPUT_OPEN;
    else if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0)
        o->way = OUTPUT_REPLACE;
    else
        o->way = OUTPUT_IN_PLACE;
    return 0;
}

/* What the name stands for. */
static int classify(struct output *o, const struct stat *st)
{
    char *folder = output_folder(o->target);
    int r;

    if (!folder)
        return -ENOMEM;
    if (!st)
        r = set_new_file(o, folder);
    else if (gput_file_check(o->target) < 0)
        r = -EPERM;
    else if (!S_ISLNK(st->st_mode))
        r = set_existing(o, folder, st);
    else
        r = is_under_proc(folder) ? set_proc_link(o, folder) : -ELOOP;
    free(folder);
    return r;
}

static int resolve(struct output *o)
{
    struct stat st;
    char *end;
    int r = stat(o->target, &st), is_there;

    if (r == 0 && S_ISDIR(st.st_mode))
        return -EISDIR;
    is_there = lstat(o->target, &st) == 0;
    if (is_there && S_ISLNK(st.st_mode)) {
        r = gput_file_follow(o->target, &end);
        if (r < 0)
            return r;
        free(o->target);
        o->target = end;
        is_there = lstat(o->target, &st) == 0;
    }
    if (!is_there && errno != ENOENT)
        return -errno;
    return classify(o, is_there ? &st : NULL);
}

int output_prepare(const char *option, const char *name, struct output *ret,
                   struct refusal *ret_why)
{
    int r = -ENOMEM;

    if (name && strcmp(name, "-") == 0)
        name = NULL;

    *ret = (struct output){ .way = OUTPUT_DESCRIPTOR, .fd = STDOUT_FILENO };
    ret->name = strdup(name ? name : "standard output");
    if (!name)
        return ret->name ? 0 : refuse(ret_why, "%s", strerror(ENOMEM));
    ret->target = strdup(name);
    if (ret->name && ret->target)
        r = resolve(ret);
    if (r == 0 && ret->way == OUTPUT_REPLACE && asprintf(&ret->partial, "%s.partial", name) < 0)
        r = -ENOMEM;
    if (r < 0)
        return refuse(ret_why, "%s: cannot write '%s': %s", option, name, output_why(r));
    return 0;
}

void output_set_append(struct output *o, bool has_head)
{
    if (o->way != OUTPUT_REPLACE && o->way != OUTPUT_IN_PLACE)
        return;
    o->way = OUTPUT_APPEND;
    o->has_head = has_head;
    free(o->partial);
    o->partial = NULL;
}

int output_partial(const struct output *o, const char *text)
{
    return o->partial ? gput_file_replace(o->partial, text) : 0;
}

/* A sticky folder, a single file mounted into a container: it may be written but not replaced. */
static bool may_only_be_overwritten(int r)
{
    return r == -EACCES || r == -EPERM || r == -EBUSY || r == -EROFS || r == -EXDEV;
}

static int replace_or_overwrite(const char *path, const char *text)
{
    int r = gput_file_replace(path, text);

    if (may_only_be_overwritten(r) && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
        r = output_file_overwrite(path, text);
    return r;
}

static int open_and_write(const char *path, const char *text)
{
    int fd = gput_file_open(path, O_WRONLY | O_APPEND | O_NOCTTY);
    int r;

    if (fd < 0)
        return fd;
    r = write_all(fd, text, strlen(text));
    close(fd);
    return r;
}

int output_finish(const struct output *o, const char *text)
{
    int r = 0;

    switch (o->way) {
    case OUTPUT_DESCRIPTOR:
        r = write_all(o->fd, text, strlen(text));
        break;
    case OUTPUT_OPEN:
        r = open_and_write(o->target, text);
        break;
    case OUTPUT_REPLACE:
        r = replace_or_overwrite(o->target, text);
        break;
    case OUTPUT_IN_PLACE:
        r = output_file_overwrite(o->target, text);
        break;
    case OUTPUT_APPEND:
        r = output_file_append(o->target, text, o->has_head);
        break;
    }
    /* Where the result could not be stored, the last partial one is better than nothing. */
    if (r == 0 && o->partial)
        unlink(o->partial);
    return r;
}

bool output_may_block(const struct output *o)
{
    return o->way == OUTPUT_DESCRIPTOR || o->way == OUTPUT_OPEN;
}

void output_free(struct output *o)
{
    free(o->name);
    free(o->target);
    free(o->partial);
    *o = (struct output){ .fd = -1 };
}

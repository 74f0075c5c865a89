/* deliver.c - a node's file on its way into the folder of the fleet. */
#include "store/fleet/deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "store/files/whole_file.h"

#define MOST_NODES_IN_ONE_FOLDER 256
#define LONGEST (2048 + 4 * GPUT__DELIVERY_NAME)

void gput__delivery_choose_part(struct gput__delivery *d, int n_nodes)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    d->part[0] = '\0';
    if (n_nodes <= MOST_NODES_IN_ONE_FOLDER)
        return;
    for (const char *p = d->node; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    snprintf(d->part, sizeof(d->part), "%02x", hash & 0xff);
}

/* The folder of the file: of `depth` parts below DIR, at most 3. */
static void folder_name(const struct gput__delivery *d, int depth, char ret[LONGEST])
{
    const char *const parts[] = { d->job, d->step, d->part };
    int used = snprintf(ret, LONGEST, "%s", d->folder);

    for (int i = 0; i < depth && parts[i][0]; i++)
        used += snprintf(ret + used, LONGEST - (size_t)used, "/%s", parts[i]);
}

static void file_name(const struct gput__delivery *d, int number, char ret[LONGEST])
{
    size_t used;

    folder_name(d, 3, ret);
    used = strlen(ret);
    if (number == 1)
        snprintf(ret + used, LONGEST - used, "/%s.json", d->node);
    else
        snprintf(ret + used, LONGEST - used, "/%s.%d.json", d->node, number);
}

static int make_folders(const struct gput__delivery *d)
{
    char name[LONGEST];

    for (int depth = 1; depth <= (d->part[0] ? 3 : 2); depth++) {
        folder_name(d, depth, name);
        if (mkdir(name, 0777) < 0 && errno != EEXIST)
            return -errno;
    }
    return 0;
}

static int write_aside(const struct gput__delivery *d, const char *aside)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int r, fd = open(aside, flags, 0666);

    if (fd < 0 && errno == ENOENT) {
        r = make_folders(d);
        if (r < 0)
            return r;
        fd = open(aside, flags, 0666);
    }
    if (fd < 0)
        return -errno;
    r = gput__write_all(fd, d->text, d->len);
    if (close(fd) < 0 && r == 0) /* some file systems tell only here that there was no room */
        r = -errno;
    if (r < 0)
        (void)unlink(aside);
    return r;
}

/* Never in the place of another file: some network file systems cannot do it in one call. */
static int rename_to_new(const char *from, const char *to)
{
    int r = gput__rename_to_new(from, to);

    if (r != -EINVAL && r != -ENOSYS)
        return r;
    if (link(from, to) == 0) {
        (void)unlink(from);
        return 0;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return -errno;
    if (access(to, F_OK) == 0)
        return -EEXIST;
    return rename(from, to) < 0 ? -errno : 0;
}

static int choose_name(struct gput__delivery *d, const char *aside)
{
    char name[LONGEST];
    int r = -EEXIST;

    for (int n = 1; n < 10000 && r == -EEXIST; n++) {
        file_name(d, n, name);
        r = rename_to_new(aside, name);
        if (r == 0)
            d->number = n;
    }
    return r;
}

/* For the tracker that writes the file next. */
static void keep_number(const struct gput__delivery *d)
{
    char text[16];
    int fd = d->note[0] ? open(d->note, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;

    if (fd < 0)
        return;
    snprintf(text, sizeof(text), "%d", d->number);
    (void)gput__write_all(fd, text, strlen(text));
    close(fd);
}

static void aside_name(const struct gput__delivery *d, const char *id, char ret[LONGEST])
{
    size_t used;

    folder_name(d, 3, ret);
    used = strlen(ret);
    snprintf(ret + used, LONGEST - used, "/.%s.%s", d->node, id);
}

int gput__deliver(struct gput__delivery *d)
{
    char aside[LONGEST], name[LONGEST];
    int r;

    aside_name(d, d->id, aside);
    r = write_aside(d, aside);
    if (r < 0)
        return r;
    if (d->is_cancelled && atomic_load(d->is_cancelled)) {
        r = -ECANCELED;
    } else if (!d->number) {
        r = choose_name(d, aside);
        if (r == 0)
            keep_number(d);
    } else {
        file_name(d, d->number, name);
        r = rename(aside, name) < 0 ? -errno : 0;
    }
    if (r < 0)
        (void)unlink(aside);
    if (d->stale[0]) {
        aside_name(d, d->stale, name);
        (void)unlink(name);
    }
    return r;
}

/* sys_space.c - statvfs(3): how large file systems are, and how full. */
#include "source/machine/sys_space.h"

#include <errno.h>
#include <string.h>

/* Sizes that differ by less than this fraction are the same: those of a ZFS data set move with
 * what is free. */
#define SAME_SIZE 1000

int gput__sys_space_read(gput__statvfs *ask, const char *point, struct gput__sys_space *ret)
{
    struct statvfs v;
    uint64_t unit;

    if (ask(point, &v) < 0)
        return -errno;
    unit = v.f_frsize ? v.f_frsize : v.f_bsize;
    if (v.f_blocks == 0 || unit == 0 || v.f_blocks > UINT64_MAX / unit || v.f_bfree > v.f_blocks)
        return -ENODATA;
    if (v.f_bavail > v.f_blocks) /* below nothing: ordinary users may write no more */
        v.f_bavail = 0;
    *ret = (struct gput__sys_space){ .total = v.f_blocks * unit,
                                     .used = (v.f_blocks - v.f_bfree) * unit,
                                     .free = v.f_bavail * unit };
    return 0;
}

/* "tank" of "tank/home/ann" */
static size_t length_of_pool(const char *data_set)
{
    return strcspn(data_set, "/");
}

static void add_to_pool(const struct gput__sys_mount *m, const struct gput__sys_space *space,
                        struct gput__sys_volume *volumes, size_t *n)
{
    size_t len = length_of_pool(m->source);

    for (size_t i = 0; i < *n; i++) {
        struct gput__sys_space *pool = &volumes[i].space;

        if (!volumes[i].is_pool || length_of_pool(volumes[i].name) != len ||
            strncmp(volumes[i].name, m->source, len))
            continue;
        pool->used += space->used;
        if (space->free > pool->free) /* a quota may leave a data set less than there is */
            pool->free = space->free;
        pool->total = pool->used + pool->free;
        return;
    }
    volumes[(*n)++] =
        (struct gput__sys_volume){ .name = m->source, .is_pool = true, .space = *space };
}

static bool is_of_same_size(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= a / SAME_SIZE;
}

/* Where a container sees its disk only through folders and files that are bound into it, "/" is the
 * better name. */
static void add_overlay(const struct gput__sys_mount *m, const struct gput__sys_space *space,
                        struct gput__sys_volume *volumes, size_t *n)
{
    for (size_t i = 0; i < *n; i++) {
        if (!is_of_same_size(volumes[i].space.total, space->total))
            continue;
        if (volumes[i].is_part)
            volumes[i].name = m->point;
        return;
    }
    volumes[(*n)++] = (struct gput__sys_volume){ .name = m->point, .space = *space };
}

size_t gput__sys_volumes(const struct gput__sys_mounts *mounts,
                         const struct gput__sys_space *spaces, const bool *answered,
                         struct gput__sys_volume *ret)
{
    size_t n = 0;

    for (size_t i = 0; i < mounts->n; i++) {
        const struct gput__sys_mount *m = &mounts->list[i];

        if (answered[i] && m->kind == GPUT__MOUNT_POOL)
            add_to_pool(m, &spaces[i], ret, &n);
        else if (answered[i] && m->kind == GPUT__MOUNT_DISK)
            ret[n++] = (struct gput__sys_volume){ .name = m->point,
                                                  .is_part = !m->is_whole,
                                                  .space = spaces[i] };
    }
    for (size_t i = 0; i < mounts->n; i++)
        if (answered[i] && mounts->list[i].kind == GPUT__MOUNT_OVERLAY)
            add_overlay(&mounts->list[i], &spaces[i], ret, &n);
    return n;
}

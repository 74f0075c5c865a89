/* disks.c - the disks of the machine: /sys/block without what is made of others. */
#include "source/machine/disks.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/scan.h"
#include "base/text/text.h"

/* Drives without a disk of their own: their bytes count, but they are nothing that the machine has. */
static bool is_drive(const char *name)
{
    return !strncmp(name, "sr", 2) || !strncmp(name, "fd", 2);
}

static bool read_text(const struct gput__root *sys, const char *disk, const char *file, char *ret,
                      size_t cap)
{
    char name[96];

    snprintf(name, sizeof(name), "block/%s/%s", disk, file);
    if (gput__root_read(sys, name, ret, cap) <= 0)
        return false;
    gput__text_tidy(ret);
    return true;
}

static bool read_number(const struct gput__root *sys, const char *disk, const char *file,
                        uint64_t *ret)
{
    char text[32];
    const char *p = text;

    return read_text(sys, disk, file, text, sizeof(text)) && gput__scan_u64(&p, ret) == 0;
}

/* false: no disk, or none that shows itself. */
static bool read_disk(const struct gput__root *sys, const char *name, struct gput__disk *ret)
{
    uint64_t sectors, hidden = 0, rotational;

    if (name[0] == '.' || is_drive(name) || strlen(name) >= sizeof(ret->name) ||
        gput__sys_disk_kind(sys, name) != GPUT__DISK_WHOLE ||
        !read_number(sys, name, "size", &sectors) || sectors == 0 ||
        sectors > UINT64_MAX / GPUT__DISK_SECTOR)
        return false;
    if (read_number(sys, name, "hidden", &hidden) && hidden) /* one way to an NVMe disk of many */
        return false;
    *ret = (struct gput__disk){ .size = sectors * GPUT__DISK_SECTOR, .is_rotational = -1 };
    strcpy(ret->name, name);
    if (!read_text(sys, name, "device/model", ret->model, sizeof(ret->model)))
        ret->model[0] = '\0';
    if (read_number(sys, name, "queue/rotational", &rotational))
        ret->is_rotational = rotational != 0;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct gput__disk *)a)->name, ((const struct gput__disk *)b)->name);
}

static int append(struct gput__disk **list, unsigned *n, const struct gput__disk *one)
{
    struct gput__disk *bigger = realloc(*list, (*n + 1) * sizeof(*bigger));

    if (!bigger)
        return -ENOMEM;
    bigger[(*n)++] = *one;
    *list = bigger;
    return 0;
}

int gput__disks_read(const struct gput__root *sys, struct gput__disk **ret_list, unsigned *ret_n)
{
    struct gput__disk *list = NULL, one;
    const struct dirent *entry;
    unsigned n = 0;
    DIR *dir = gput__folder_open(sys->fd, "block");
    int r = 0;

    while (dir && r == 0 && (entry = readdir(dir)))
        if (read_disk(sys, entry->d_name, &one))
            r = append(&list, &n, &one);
    if (dir)
        closedir(dir);
    if (r < 0) {
        free(list);
        return r;
    }
    if (n)
        qsort(list, n, sizeof(*list), by_name);
    *ret_list = list;
    *ret_n = n;
    return 0;
}

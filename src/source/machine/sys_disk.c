/* sys_disk.c - /proc/diskstats and /sys/block: what the machine's disks have read and written. */
#include "source/machine/sys_disk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/scan.h"

static bool parse_line(const char *p, struct gput__sys_disk *ret)
{
    uint64_t number, read, written;
    size_t len;

    /* major, minor, name, then reads: done, merged, sectors, milliseconds; writes: the same */
    if (gput__scan_u64(&p, &number) < 0 || gput__scan_u64(&p, &number) < 0)
        return false;
    p += strspn(p, " \t");
    len = strcspn(p, " \t\n");
    if (len == 0 || len >= sizeof(ret->name))
        return false;
    memcpy(ret->name, p, len);
    ret->name[len] = '\0';
    p += len;
    if (gput__scan_skip(&p, 2) < 0 || gput__scan_u64(&p, &read) < 0 || gput__scan_skip(&p, 3) < 0 ||
        gput__scan_u64(&p, &written) < 0 ||
        gput__scan_skip(&p, 1) < 0) /* partitions of old kernels have fewer */
        return false;
    if (read > UINT64_MAX / GPUT__DISK_SECTOR || written > UINT64_MAX / GPUT__DISK_SECTOR)
        return false;
    ret->read = read * GPUT__DISK_SECTOR;
    ret->written = written * GPUT__DISK_SECTOR;
    return true;
}

bool gput__sys_disk_next(const char **text, struct gput__sys_disk *ret)
{
    struct gput__sys_disk disk;

    while (**text) {
        const char *line = *text, *end = strchrnul(line, '\n');

        *text = *end ? end + 1 : end;
        if (parse_line(line, &disk)) {
            *ret = disk;
            return true;
        }
    }
    return false;
}

/* --- which of them count -------------------------------------------------------------------- */

/* "sd" of "sda" is a beginning, "md" of "md127" too, but not of "mdsomething". */
static bool is_numbered(const char *name, const char *beginning)
{
    size_t n = strlen(beginning);

    return !strncmp(name, beginning, n) && name[n] >= '0' && name[n] <= '9';
}

/* Devices on top of others or in memory, known by their name alone: /sys may not show them
 * (zd, drbd), or only once they are in use (loop, md). */
static bool is_no_disk_by_name(const char *name)
{
    static const char *const beginnings[] = { "loop", "ram", "zram",   "dm-", "md",
                                              "md_d", "zd",  "bcache", "drbd" };

    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
        if (is_numbered(name, beginnings[i]))
            return true;
    return !strncmp(name, "md/", 3);
}

/* nvme0c1n1: disk 0, controller 1, name space 1. */
static const char *controller_of_path(const char *name, const char **ret_end)
{
    const char *p;

    if (!is_numbered(name, "nvme"))
        return NULL;
    p = name + 4 + strspn(name + 4, "0123456789");
    if (*p != 'c')
        return NULL;
    *ret_end = p + 1 + strspn(p + 1, "0123456789");
    return **ret_end == 'n' && *ret_end > p + 1 ? p : NULL;
}

void gput__sys_disk_of_path(const char *path, char ret_name[GPUT__DISK_NAME])
{
    const char *end, *controller = controller_of_path(path, &end);

    snprintf(ret_name, GPUT__DISK_NAME, "%.*s%s", controller ? (int)(controller - path) : 0, path,
             controller ? end : path);
}

bool gput__sys_disks_are_told(const struct gput__root *sys)
{
    return sys->fd >= 0 && faccessat(sys->fd, "block", F_OK, 0) == 0;
}

enum gput__disk_kind gput__sys_disk_kind(const struct gput__root *sys, const char *name)
{
    char path[16 + GPUT__DISK_NAME];
    const char *end;
    int folder, n;
    bool is_stacked;

    if (is_no_disk_by_name(name))
        return GPUT__DISK_OTHER;
    n = snprintf(path, sizeof(path), "block/%s", name);
    for (int i = 6; i < n; i++) /* cciss/c0d0 is cciss!c0d0 there */
        path[i] = path[i] == '/' ? '!' : path[i];
    folder = gput__root_open_file(sys, path);
    if (folder < 0) /* partitions are below their disk's folder */
        return GPUT__DISK_OTHER;
    is_stacked = gput__folder_has(folder, "slaves", "") || faccessat(folder, "loop", F_OK, 0) == 0;
    close(folder);
    if (is_stacked)
        return GPUT__DISK_OTHER;
    return controller_of_path(name, &end) ? GPUT__DISK_PATH : GPUT__DISK_WHOLE;
}

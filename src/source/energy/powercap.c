/* powercap.c - energy that the processors and their memory took: /sys/class/powercap (RAPL). */
#include "source/energy/powercap.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text/scan.h"

#define CLASS "class/powercap"

static const char prefix[] = "intel-rapl:"; /* AMD's have it too; "intel-rapl-mmio:" has not */

bool gput__powercap_counts(const char *folder, const char *name)
{
    const char *number = folder + strlen(prefix);
    bool is_part;

    if (strncmp(folder, prefix, strlen(prefix)))
        return false;
    is_part = strchr(number, ':') != NULL;
    return is_part ? strcmp(name, "dram") == 0 : strncmp(name, "package-", 8) == 0;
}

int gput__powercap_parse(const char *text, uint64_t *ret_uj)
{
    uint64_t uj;

    if (gput__scan_u64(&text, &uj) < 0)
        return -EBADMSG;
    *ret_uj = uj;
    return 0;
}

static ssize_t read_file(const struct gput__root *sys, const char *folder, const char *file,
                         char *ret, size_t cap)
{
    char path[sizeof(((struct gput__powercap_zone *)0)->folder) + 32];

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    return gput__root_read(sys, path, ret, cap);
}

static void add_zone(const struct gput__root *sys, const char *entry, struct gput__powercap *ret)
{
    struct gput__powercap_zone z = { .range_uj = 0 };
    char name[64], text[64];
    ssize_t n;

    if (ret->n == GPUT__MOST_ZONES || strlen(entry) + sizeof(CLASS) >= sizeof(z.folder))
        return;
    snprintf(z.folder, sizeof(z.folder), CLASS "/%s", entry);
    if (read_file(sys, z.folder, "name", name, sizeof(name)) <= 0)
        return;
    name[strcspn(name, "\n")] = '\0';
    if (!gput__powercap_counts(entry, name))
        return;
    n = read_file(sys, z.folder, "energy_uj", text, sizeof(text));
    ret->is_denied |= n == -EACCES || n == -EPERM;
    if (n <= 0)
        return;
    if (read_file(sys, z.folder, "max_energy_range_uj", text, sizeof(text)) <= 0 ||
        gput__powercap_parse(text, &z.range_uj) < 0)
        z.range_uj = 0;
    ret->zone[ret->n++] = z;
}

void gput__powercap_find(const struct gput__root *sys, struct gput__powercap *ret)
{
    DIR *dir = gput__folder_open(sys->fd, CLASS);
    struct dirent *entry;

    *ret = (struct gput__powercap){ .n = 0 };
    if (!dir)
        return;
    while ((entry = readdir(dir)))
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            add_zone(sys, entry->d_name, ret);
    closedir(dir);
}

uint64_t gput__powercap_gained(const struct gput__powercap_zone *z, uint64_t then, uint64_t now)
{
    if (now >= then)
        return now - then;
    return z->range_uj > then ? z->range_uj - then + now : now;
}

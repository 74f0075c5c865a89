/* unit.c - the units that users choose for RAM, GPU RAM and time. */
#include "model/unit.h"

#include <stdio.h>
#include <string.h>

static const struct gput__unit memory[] = {
    { "bytes", "B", 1 },
    { "kilobytes", "kB", 1e3 },
    { "megabytes", "MB", 1e6 },
    { "gigabytes", "GB", 1e9 },
    { "terabytes", "TB", 1e12 },
    { "kibibytes", "KiB", 0x1p10 },
    { "mebibytes", "MiB", 0x1p20 },
    { "gibibytes", "GiB", 0x1p30 },
    { "tebibytes", "TiB", 0x1p40 },
    { NULL, NULL, 0 },
};
static const struct gput__unit times[] = {
    { "seconds", "s", 1 },  { "minutes", "min", 60 }, { "hours", "h", 3600 },
    { "days", "d", 86400 }, { NULL, NULL, 0 },
};

static const struct gput__unit *find(const struct gput__unit *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name) || !strcmp(table->brief, name))
            return table;
    return NULL;
}

static void refuse(const struct gput__unit *table, const char *name, char *ret_text, size_t cap)
{
    size_t len = (size_t)snprintf(ret_text, cap, "'%.80s' is not one of:", name);

    for (; table->name && len < cap; table++)
        len += (size_t)snprintf(ret_text + len, cap - len, " %s (%s)%s", table->name, table->brief,
                                table[1].name ? "," : "");
}

const struct gput__unit *gput__unit_of_memory(const char *name)
{
    return find(memory, name);
}

const struct gput__unit *gput__unit_of_time(const char *name)
{
    return find(times, name);
}

void gput__unit_refuse_memory(const char *name, char *ret_text, size_t cap)
{
    refuse(memory, name, ret_text, cap);
}

void gput__unit_refuse_time(const char *name, char *ret_text, size_t cap)
{
    refuse(times, name, ret_text, cap);
}

/* unit.c - the units that users choose for RAM, GPU RAM and time. */
#include "model/unit.h"

#include <stdio.h>
#include <string.h>

static const struct gput__unit memory[] = {
    { "bytes", 1 },       { "kilobytes", 1e3 },  { "megabytes", 1e6 },
    { "gigabytes", 1e9 }, { "terabytes", 1e12 }, { NULL, 0 },
};
static const struct gput__unit times[] = {
    { "seconds", 1 }, { "minutes", 60 }, { "hours", 3600 }, { "days", 86400 }, { NULL, 0 },
};

static const struct gput__unit *find(const struct gput__unit *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name))
            return table;
    return NULL;
}

static void refuse(const struct gput__unit *table, const char *name, char *ret_text, size_t cap)
{
    size_t len = (size_t)snprintf(ret_text, cap, "'%.80s' is not one of:", name);

    for (; table->name && len < cap; table++)
        len += (size_t)snprintf(ret_text + len, cap - len, " %s%s", table->name,
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

/* quantity.c - amounts as people write them. */
#include "model/quantity.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text/atod.h"

struct scale {
    const char *name;
    double size;
};

#define KIB 1024.0

static const struct scale bytes[] = {
    { "B", 1 },
    { "kB", 1e3 },
    { "KB", 1e3 },
    { "MB", 1e6 },
    { "GB", 1e9 },
    { "TB", 1e12 },
    { "KiB", KIB },
    { "MiB", KIB *KIB },
    { "GiB", KIB *KIB *KIB },
    { "TiB", KIB *KIB *KIB *KIB },
    { NULL, 0 },
};
static const struct scale seconds[] = {
    { "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { NULL, 0 },
};
static const struct scale joules[] = {
    { "J", 1 }, { "kJ", 1e3 }, { "MJ", 1e6 }, { "Wh", 3600 }, { "kWh", 3.6e6 }, { NULL, 0 },
};
static const struct scale percent[] = { { "%", 1 }, { NULL, 0 } };
static const struct scale numbers[] = { { NULL, 0 } };

static const struct {
    const struct scale *scale;
    const char *names;
} units[] = {
    [GPUT__IN_BYTES] = { bytes, "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB" },
    [GPUT__IN_SECONDS] = { seconds, "ms, s, min, h, d" },
    [GPUT__IN_JOULES] = { joules, "J, kJ, MJ, Wh, kWh" },
    [GPUT__IN_PERCENT] = { percent, "%" },
    [GPUT__IN_NUMBERS] = { numbers, "" },
};

const char *gput__quantity_units(enum gput__figure_unit kind)
{
    return units[kind].names;
}

int gput__quantity_parse(const char *text, enum gput__figure_unit kind, double *ret)
{
    const struct scale *scale = units[kind].scale;
    const char *end;
    double value;
    size_t n;

    if (*text == '+' || *text == '-')
        return -EINVAL;
    end = gput__atod(text, &value);
    if (!end || !isfinite(value))
        return -EINVAL;
    while (*end == ' ')
        end++;
    n = strlen(end);
    while (n > 0 && scale->name && strcmp(scale->name, end) != 0)
        scale++;
    if (n > 0 && !scale->name)
        return -EINVAL;
    *ret = n > 0 ? value * scale->size : value;
    return 0;
}

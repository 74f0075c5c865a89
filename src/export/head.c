/* head.c - what all exported figures of a run have in common. */
#include "export/head.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/dtoa.h"

bool gput__pair_next(const char **lines, struct gput__pair *ret)
{
    while (*lines && **lines) {
        const char *line = *lines;
        size_t n = strcspn(line, "\n"), key = strcspn(line, "=\n");

        *lines += n + (line[n] == '\n');
        if (key == 0 || key == n)
            continue;
        *ret = (struct gput__pair){ line, line + key + 1, key, n - key - 1 };
        return true;
    }
    return false;
}

void gput__export_number(double value, char ret[32])
{
    if (fabs(value) < 1e15 && value == trunc(value))
        snprintf(ret, 32, "%.0f", value + 0.0); /* no "-0" */
    else
        gput__dtoa(value, ret);
}

bool gput__label_name_is_valid(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isalpha((unsigned char)name[i]) || name[i] == '_' ||
              (i > 0 && isdigit((unsigned char)name[i]))))
            return false;
    return n > 0 && strncmp(name, "__", 2) != 0;
}

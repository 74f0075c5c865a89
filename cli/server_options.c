/* server_options.c - values of options that several subcommands have: amounts. */
#include "server_options.h"

#include "say.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIB_PER_GIB 1024

/* Plain decimal numbers only: strtod alone takes blanks, hexadecimal, "nan" and "inf" too.  Returns
 * what follows, or NULL. */
static const char *number_at(const char *text, double *ret)
{
    size_t n = strspn(text, "0123456789.");
    char *end;

    if (n == 0)
        return NULL;
    *ret = strtod(text, &end);
    return end == text + n && isfinite(*ret) ? end : NULL;
}

int server_number(const char *label, const char *option, const char *text, double *ret)
{
    double value;
    const char *end = number_at(text, &value);

    if (!end || *end) {
        say("%s: --%s: '%s' is not a number from 0 on", label, option, text);
        return -1;
    }
    *ret = value;
    return 0;
}

int server_count(const char *label, const char *option, const char *text, int *ret)
{
    double value;
    const char *end = number_at(text, &value);

    if (!end || *end || value > INT_MAX || value != floor(value)) {
        say("%s: --%s: '%s' is not a whole number from 0 on", label, option, text);
        return -1;
    }
    *ret = (int)value;
    return 0;
}

int server_memory(const char *label, const char *option, const char *text, double *ret_mib)
{
    static const struct {
        const char *name;
        double mib;
    } units[] = { { "", MIB_PER_GIB },
                  { "MiB", 1 },
                  { "GiB", MIB_PER_GIB },
                  { "TiB", (double)MIB_PER_GIB * MIB_PER_GIB } };
    double value;
    const char *end = number_at(text, &value);

    for (size_t i = 0; end && i < sizeof(units) / sizeof(*units); i++) {
        if (strcmp(end, units[i].name) == 0) {
            *ret_mib = value * units[i].mib;
            return 0;
        }
    }
    say("%s: --%s: '%s' is not an amount of memory, such as 16, 16GiB or 512MiB (a bare number is in "
        "GiB)",
        label, option, text);
    return -1;
}

/* sample.c - the values of all metrics at one moment. */
#include "model/sample.h"

double gput__sample_rate(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter)
{
    double seconds = (double)(to->boot_ns - from->boot_ns) / 1e9;
    double used = to->value[counter] - from->value[counter];

    if (seconds <= 0 || used <= 0 || !gput__sample_has(from, counter) ||
        !gput__sample_has(to, counter))
        return 0;
    return 100 * used / seconds;
}

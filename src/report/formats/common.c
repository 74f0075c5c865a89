/* common.c - figures that several formats of other programs have. */
#include "model/named_figure.h"
#include "report/formats/formats.h"

#include "model/figure.h"

struct gput_figure gput__format_cpu(const struct gput_usage *u)
{
    return gput__named_figure_of(u, GPUT__NAMED_CPU_TIME);
}

struct gput_figure gput__format_largest(const struct gput_usage *u)
{
    struct gput_figure most = u->max_ram.main.total_rss;

    for (int i = 0; i < u->processes.n_groups; i++) {
        struct gput_figure f = u->processes.groups[i].max_rss;

        if (gput__figure_is_known(f) && (!gput__figure_is_known(most) || f.value > most.value))
            most = f;
    }
    return most;
}

const char *gput__format_suffix(enum gput__figure_unit unit)
{
    static const char *const suffix[] = {
        [GPUT__IN_BYTES] = "_bytes",   [GPUT__IN_SECONDS] = "_seconds",
        [GPUT__IN_JOULES] = "_joules", [GPUT__IN_PERCENT] = "_percent",
        [GPUT__IN_NUMBERS] = "",
    };

    return suffix[unit];
}

int gput__format_status(const struct gput_usage *u)
{
    return u->job.ending == GPUT_EXITED     ? u->job.code
           : u->job.ending == GPUT_SIGNALED ? 128 + u->job.code
                                            : -1;
}

/* stream_columns.c - the columns of streams and snapshots that were written: what becomes of each. */
#include "store/stream_columns.h"

bool gput__stream_target(enum gput_stream s, const char *name, struct gput__stream_target *ret)
{
    enum gput_columns names;
    const struct gput__stream_column *c = gput__stream_find(s, name, &names);

    if (!c || c->metric == GPUT__N_METRICS)
        return false;
    *ret = (struct gput__stream_target){
        .name = c->name[names],
        .metric = c->metric,
        .factor = c->form == GPUT__STREAM_GAIN ? 1 : gput__stream_unit(c, names),
        .is_newer = names == GPUT_COLUMNS_MIB,
    };
    return true;
}

static void convert(struct gput__run_series *series, enum gput_stream s, enum gput_columns names,
                    double interval)
{
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    for (size_t i = 0; i < n; i++)
        if (c[i].form == GPUT__STREAM_GAIN)
            gput__run_series_to_rates(
                series, c[i].metric,
                gput__stream_unit(&c[i], names) * gput__metric_rate_unit(c[i].metric), interval);
}

void gput__stream_convert(struct gput__run_series *series, bool is_newer, double interval)
{
    enum gput_columns names = is_newer ? GPUT_COLUMNS_MIB : GPUT_COLUMNS_KIB;

    convert(series, GPUT_STREAM_SYSTEM, names, interval);
    convert(series, GPUT_STREAM_PROCESS, names, interval);
}

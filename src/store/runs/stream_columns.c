/* stream_columns.c - the columns of streams and snapshots that were written: what becomes of each. */
#include "store/runs/stream_columns.h"

bool gput__stream_target(enum gput_stream s, const char *name, struct gput__stream_target *ret)
{
    struct gput__stream_column c;
    bool is_newer;

    if (!gput__stream_find(s, name, &c, &is_newer))
        return false;
    *ret = (struct gput__stream_target){
        .name = c.name,
        .metric = c.metric,
        .factor = c.form == GPUT__STREAM_GAIN ? 1 : gput__stream_unit(&c),
        .is_newer = is_newer,
    };
    return true;
}

static void convert(struct gput__run_series *series, enum gput_stream s, enum gput_columns names,
                    double interval)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, names | GPUT_COLUMNS_ALL, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct gput__stream_column *c = &all.column[i];

        if (c->form == GPUT__STREAM_GAIN)
            gput__run_series_to_rates(series, c->metric,
                                      gput__stream_unit(c) * gput__metric_rate_unit(c->metric),
                                      interval);
    }
}

void gput__stream_convert(struct gput__run_series *series, bool is_newer, double interval)
{
    enum gput_columns names = is_newer ? GPUT_COLUMNS_MIB : GPUT_COLUMNS_KIB;

    convert(series, GPUT_STREAM_SYSTEM, names, interval);
    convert(series, GPUT_STREAM_PROCESS, names, interval);
}

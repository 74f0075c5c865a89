/* stream.c - the columns of the two streams: a row per interval, of the machine or of the job. */
#include "model/stream.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)
#define WHOLE GPUT__STREAM_WHOLE
#define TICKS GPUT__STREAM_TICKS

/* How the columns of the older tools are printed: the form, then units and decimals under the names of
 * GPUT_COLUMNS_KIB and GPUT_COLUMNS_MIB. */
static const struct format {
    enum gput__stream_form form;
    double unit[2];
    int decimals[2];
    bool none_is_zero;
} formats[] = {
    [GPUT__STREAM_COUNT] = { GPUT__STREAM_LEVEL, { 1, 1 }, { WHOLE, WHOLE }, false },
    [GPUT__STREAM_MEMORY] = { GPUT__STREAM_LEVEL, { KIB, MIB }, { WHOLE, 4 }, false },
    [GPUT__STREAM_TIME_USED] = { GPUT__STREAM_GAIN, { TICKS, 1 }, { WHOLE, 6 }, false },
    [GPUT__STREAM_CORES] = { GPUT__STREAM_RATE, { 100, 100 }, { 4, 4 }, false },
    [GPUT__STREAM_BYTES] = { GPUT__STREAM_GAIN, { 1, 1 }, { WHOLE, WHOLE }, false },
    [GPUT__STREAM_SPACE] = { GPUT__STREAM_LEVEL, { 1e9, 1e9 }, { 2, 2 }, false },
    [GPUT__STREAM_GPU_USE] = { GPUT__STREAM_LEVEL, { 100, 100 }, { 4, 4 }, true },
    [GPUT__STREAM_GPU_MEMORY] = { GPUT__STREAM_LEVEL, { MIB, MIB }, { 4, 4 }, true },
    [GPUT__STREAM_GPUS_IN_USE] = { GPUT__STREAM_LEVEL, { 1, 1 }, { WHOLE, WHOLE }, true },
};

static bool is_in(enum gput_stream s, enum gput__metric m)
{
    enum gput__metric_scope scope = gput__metrics[m].scope;

    return (scope == GPUT__SCOPE_MACHINE || scope == GPUT__SCOPE_GPUS) == (s == GPUT_STREAM_SYSTEM);
}

static struct gput__stream_column older(enum gput__metric m, bool is_newer)
{
    const struct gput__metric_stream *of = &gput__metrics[m].stream;
    const struct format *f = &formats[of->format];

    return (struct gput__stream_column){ .name = is_newer && of->newer ? of->newer : of->name,
                                         .form = f->form,
                                         .metric = m,
                                         .unit = f->unit[is_newer],
                                         .decimals = f->decimals[is_newer],
                                         .none_is_zero = f->none_is_zero };
}

static struct gput__stream_column further(enum gput__metric m)
{
    const struct gput__metric_info *info = &gput__metrics[m];
    bool is_whole =
        info->unit == GPUT__COUNT || info->unit == GPUT__BYTES || info->unit == GPUT__GPU_BYTES;

    return (struct gput__stream_column){ .name = info->name,
                                         .form = info->kind == GPUT__GAUGE  ? GPUT__STREAM_LEVEL
                                                 : info->kind == GPUT__RATE ? GPUT__STREAM_RATE
                                                                            : GPUT__STREAM_GAIN,
                                         .metric = m,
                                         .unit = 1,
                                         .decimals = is_whole ? WHOLE : 6 };
}

void gput__stream_columns(enum gput_stream s, enum gput_columns names,
                          struct gput__stream_columns *ret)
{
    bool is_newer = names & GPUT_COLUMNS_MIB;

    ret->column[0] = (struct gput__stream_column){ .name = "timestamp",
                                                   .form = GPUT__STREAM_TIME,
                                                   .unit = 1,
                                                   .decimals = is_newer ? 3 : GPUT__STREAM_ALL };
    ret->column[1] = (struct gput__stream_column){
        .name = "pid", .form = GPUT__STREAM_PID, .unit = 1, .decimals = WHOLE
    };
    ret->n = s == GPUT_STREAM_SYSTEM ? 1 : 2;
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        unsigned place = gput__metrics[m].stream.place;

        if (!place || !is_in(s, (enum gput__metric)m))
            continue;
        ret->column[place] = older((enum gput__metric)m, is_newer);
        ret->n++;
    }
    for (int m = 0; m < GPUT__N_METRICS && names & GPUT_COLUMNS_ALL; m++)
        if (!gput__metrics[m].stream.place && is_in(s, (enum gput__metric)m))
            ret->column[ret->n++] = further((enum gput__metric)m);
}

bool gput__stream_find(enum gput_stream s, const char *name, struct gput__stream_column *ret,
                       bool *ret_is_newer)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        const struct gput__metric_stream *of = &gput__metrics[m].stream;

        if (!is_in(s, (enum gput__metric)m))
            continue;
        *ret_is_newer = of->place && of->newer && strcmp(of->newer, name) == 0;
        if (*ret_is_newer || (of->place && strcmp(of->name, name) == 0)) {
            *ret = older((enum gput__metric)m, *ret_is_newer);
            return true;
        }
        if (!of->place && strcmp(gput__metrics[m].name, name) == 0) {
            *ret = further((enum gput__metric)m);
            return true;
        }
    }
    return false;
}

double gput__stream_unit(const struct gput__stream_column *c)
{
    return c->unit == TICKS ? 1.0 / (double)sysconf(_SC_CLK_TCK) : c->unit;
}

double gput__stream_exact(const struct gput__stream_column *c, double value)
{
    return c->unit == TICKS ? value * (double)sysconf(_SC_CLK_TCK) : value / c->unit;
}

double gput__stream_value(const struct gput__stream_column *c, double value)
{
    static const double shifts[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e6 };
    double shift;

    if (isnan(value))
        return c->none_is_zero ? 0 : value;
    value = gput__stream_exact(c, value);
    if (c->decimals == GPUT__STREAM_ALL)
        return value;
    shift = c->decimals == WHOLE ? 1 : shifts[c->decimals];
    return nearbyint(value * shift) / shift;
}

void gput__sample_hold_back(const struct gput__sample *from, struct gput__sample *to,
                            double n_cores)
{
    double time = (double)(to->boot_ns - from->boot_ns) / 1e9;

    time = time > 0 ? time : 0;
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        double most;

        if (!gput__sample_has(to, (enum gput__metric)m) ||
            !gput__metric_is_rate((enum gput__metric)m))
            continue;
        most = gput__metrics[m].hardware == GPUT__THE_TIME ? time : n_cores * time;
        if (gput__sample_gain(from, to, (enum gput__metric)m) > most)
            to->value[m] = from->value[m] + most;
    }
}

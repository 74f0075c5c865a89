/* columns.c - what stands in a tracking file, whatever its format. */
#include "store/records/columns.h"

#include "base/clock.h"

void gput__static_values(const struct gput__static_data *d,
                         struct gput__static_value ret[GPUT__N_STATIC_COLUMNS])
{
    const struct gput__static_value values[GPUT__N_STATIC_COLUMNS] = {
        { "ram_unit", d->ram_unit, 0, false },
        { "gpu_ram_unit", d->gpu_ram_unit, 0, false },
        { "time_unit", d->time_unit, 0, false },
        { "ram_system_capacity", NULL, d->ram_system_capacity / d->ram_unit_size, false },
        { "gpu_ram_system_capacity", NULL, d->gpu_ram_system_capacity / d->gpu_ram_unit_size,
          false },
        { "system_core_count", NULL, d->system_core_count, true },
        { "n_expected_cores", NULL, d->n_expected_cores, true },
        { "system_gpu_count", NULL, d->system_gpu_count, true },
        { "n_expected_gpus", NULL, d->n_expected_gpus, true },
    };

    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++)
        ret[i] = values[i];
}

#define TEXT_OF(number) TEXT_OF_(number)
#define TEXT_OF_(number) #number

void gput__run_columns(const struct gput_usage *u, struct gput__run_column ret[GPUT__N_RUN_COLUMNS])
{
    const struct gput__run_column columns[GPUT__N_RUN_COLUMNS] = {
        { "schema", TEXT_OF(GPUT__RESULT_SCHEMA) },
        { "id", u->run.id },
        { "start_time", u->run.start_time },
        { "host", u->run.host },
        { "version", u->run.version },
        { "command", u->job.command },
        { "folder", u->run.folder },
        { "job_name", u->run.job_name },
        { "tags", u->run.tags },
        { "metadata", u->run.metadata },
    };

    for (size_t i = 0; i < GPUT__N_RUN_COLUMNS; i++)
        ret[i] = columns[i];
}

static void add(struct gput__record_columns *to, struct gput__record_column c)
{
    c.is_count =
        c.metric < GPUT__N_METRICS && !c.is_share && gput__metrics[c.metric].unit == GPUT__COUNT;
    to->column[to->n++] = c;
}

void gput__record_columns(bool all, struct gput__record_columns *ret)
{
    ret->n = 0;
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        const struct gput__metric_column *of = &gput__metrics[m].column;

        if (of->name)
            add(ret,
                (struct gput__record_column){ .name = of->name, .metric = (enum gput__metric)m });
        if (of->hardware)
            add(ret, (struct gput__record_column){
                         .name = of->hardware, .metric = (enum gput__metric)m, .is_share = true });
    }
    add(ret, (struct gput__record_column){ .name = "timestamp", .metric = GPUT__N_METRICS });
    for (int m = 0; m < GPUT__N_METRICS && all; m++)
        if (!gput__metrics[m].column.name)
            add(ret, (struct gput__record_column){ .name = gput__metrics[m].name,
                                                   .metric = (enum gput__metric)m,
                                                   .is_further = true });
}

const char *gput__column_name(size_t i)
{
    struct gput__record_columns c;

    gput__record_columns(false, &c);
    return c.column[i].name;
}

double gput__record_hardware(const struct gput__static_data *d, enum gput__metric m)
{
    switch (gput__metrics[m].hardware) {
    case GPUT__SYSTEM_CORES:
        return d->system_core_count;
    case GPUT__EXPECTED_GPUS:
        return d->n_expected_gpus ? d->n_expected_gpus : 1;
    default:
        return d->n_expected_cores;
    }
}

/* Without a GPU the older columns are 0 where nothing is known. */
static double value_of(const struct gput__static_data *d, const struct gput__record_column *c,
                       const struct gput__sample *before, const struct gput__sample *sample)
{
    const struct gput__metric_info *info = &gput__metrics[c->metric];
    double v = sample->value[c->metric], most = 100.0 * d->system_core_count;

    if (c->is_further)
        return gput__sample_over(before, sample, c->metric);
    if (info->kind != GPUT__GAUGE) {
        v = gput__sample_rate(before, sample, c->metric);
        v = v > most ? most : v;
    }
    if (c->is_share)
        v /= gput__record_hardware(d, c->metric);
    if (info->unit == GPUT__BYTES)
        v /= d->ram_unit_size;
    else if (info->unit == GPUT__GPU_BYTES)
        v /= d->gpu_ram_unit_size;
    return v;
}

void gput__record_values(const struct gput__record_columns *c, const struct gput__static_data *d,
                         const struct gput__sample *before, const struct gput__sample *sample,
                         double ret[GPUT__MOST_COLUMNS])
{
    for (size_t i = 0; i < c->n; i++)
        ret[i] = c->column[i].metric == GPUT__N_METRICS
                     /* In two parts: nanoseconds since 1970 are more than a double counts. */
                     ? (double)(sample->real_ns / GPUT__NS_PER_S) +
                           (double)(sample->real_ns % GPUT__NS_PER_S) / 1e9
                     : value_of(d, &c->column[i], before, sample);
}

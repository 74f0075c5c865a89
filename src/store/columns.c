/* columns.c - what stands in a tracking file, whatever its format. */
#include "store/columns.h"

#include "base/clock.h"

/* The columns of a record, in the order of the file, without the time.  `hardware` is the rate or
 * level as a share of what the job was expected to have. */
static const struct column {
    const char *header; /* NULL: the metric's own name */
    enum gput__metric metric;
    enum { PLAIN, SUM, HARDWARE } form;
} columns[] = {
    { NULL, GPUT__MAIN_RAM, PLAIN },
    { NULL, GPUT__DESCENDANTS_RAM, PLAIN },
    { NULL, GPUT__COMBINED_RAM, PLAIN },
    { NULL, GPUT__SYSTEM_RAM, PLAIN },
    { NULL, GPUT__MAIN_GPU_RAM, PLAIN },
    { NULL, GPUT__DESCENDANTS_GPU_RAM, PLAIN },
    { NULL, GPUT__COMBINED_GPU_RAM, PLAIN },
    { NULL, GPUT__SYSTEM_GPU_RAM, PLAIN },
    { "gpu_sum_utilization_percent", GPUT__GPU_PERCENT, PLAIN },
    { "gpu_hardware_utilization_percent", GPUT__GPU_PERCENT, HARDWARE },
    { NULL, GPUT__MAIN_N_THREADS, PLAIN },
    { NULL, GPUT__DESCENDANTS_N_THREADS, PLAIN },
    { NULL, GPUT__COMBINED_N_THREADS, PLAIN },
    { "cpu_system_sum_utilization_percent", GPUT__SYSTEM_CPU, SUM },
    { "cpu_system_hardware_utilization_percent", GPUT__SYSTEM_CPU, HARDWARE },
    { "cpu_main_sum_utilization_percent", GPUT__MAIN_CPU, SUM },
    { "cpu_main_hardware_utilization_percent", GPUT__MAIN_CPU, HARDWARE },
    { "cpu_descendants_sum_utilization_percent", GPUT__DESCENDANTS_CPU, SUM },
    { "cpu_descendants_hardware_utilization_percent", GPUT__DESCENDANTS_CPU, HARDWARE },
    { "cpu_combined_sum_utilization_percent", GPUT__COMBINED_CPU, SUM },
    { "cpu_combined_hardware_utilization_percent", GPUT__COMBINED_CPU, HARDWARE },
};
#define TIMESTAMP (GPUT__N_COLUMNS - 1)
_Static_assert(sizeof(columns) / sizeof(*columns) == TIMESTAMP, "the time is the last column");

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

const char *gput__column_name(size_t i)
{
    if (i == TIMESTAMP)
        return "timestamp";
    return columns[i].header ? columns[i].header : gput__metrics[columns[i].metric].name;
}

bool gput__column_is_count(size_t i)
{
    return i != TIMESTAMP && gput__metrics[columns[i].metric].unit == GPUT__COUNT;
}

int gput__column_metric(size_t i)
{
    return i == TIMESTAMP || columns[i].form == HARDWARE ? -1 : (int)columns[i].metric;
}

static double share_of(const struct gput__static_data *d, enum gput__metric m)
{
    if (m == GPUT__SYSTEM_CPU)
        return d->system_core_count;
    if (m == GPUT__GPU_PERCENT)
        return d->n_expected_gpus ? d->n_expected_gpus : 1;
    return d->n_expected_cores;
}

static double value_of(const struct gput__static_data *d, const struct column *c,
                       const struct gput__sample *before, const struct gput__sample *sample)
{
    const struct gput__metric_info *info = &gput__metrics[c->metric];
    double v = sample->value[c->metric];

    if (info->kind == GPUT__COUNTER) {
        v = gput__sample_rate(before, sample, c->metric);
        v = v > 100.0 * d->system_core_count ? 100.0 * d->system_core_count : v;
    }
    if (c->form == HARDWARE)
        v /= share_of(d, c->metric);
    if (info->unit == GPUT__BYTES)
        v /= d->ram_unit_size;
    else if (info->unit == GPUT__GPU_BYTES)
        v /= d->gpu_ram_unit_size;
    return v;
}

void gput__column_values(const struct gput__static_data *d, const struct gput__sample *before,
                         const struct gput__sample *sample, double ret[GPUT__N_COLUMNS])
{
    for (size_t i = 0; i < TIMESTAMP; i++)
        ret[i] = value_of(d, &columns[i], before, sample);
    /* In two parts: nanoseconds since 1970 are more than a double counts. */
    ret[TIMESTAMP] = (double)(sample->real_ns / GPUT__NS_PER_S) +
                     (double)(sample->real_ns % GPUT__NS_PER_S) / 1e9;
}

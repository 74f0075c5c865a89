/* csv.c - the tracking file as CSV: a block of static data, then one row per record. */
#include "store/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/dtoa.h"

/* The columns of a row, in the order of the file.  `hardware` is the rate or level as a share of
 * what the job was expected to have. */
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
#define N_COLUMNS (sizeof(columns) / sizeof(*columns))

/* One write, so that a reader or a kill sees a whole row or none of it. */
static int hand_over(int fd, struct gput__buf *row)
{
    int r = row->err;

    if (r == 0) {
        ssize_t n = write(fd, row->data, row->len);

        r = n < 0 ? -errno : (size_t)n < row->len ? -ENOSPC : 0;
    }
    gput__buf_free(row);
    return r;
}

static void put_double(struct gput__buf *row, double value)
{
    char text[32];

    gput__dtoa(value, text);
    gput__buf_puts(row, text);
}

static void put_static_data(struct gput__buf *row, const struct gput__static_data *d)
{
    gput__buf_puts(row, "ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,"
                        "gpu_ram_system_capacity,system_core_count,n_expected_cores,"
                        "system_gpu_count,n_expected_gpus\r\n");
    gput__buf_printf(row, "%s,%s,%s,", d->ram_unit, d->gpu_ram_unit, d->time_unit);
    put_double(row, d->ram_system_capacity / d->ram_unit_size);
    gput__buf_puts(row, ",");
    put_double(row, d->gpu_ram_system_capacity / d->gpu_ram_unit_size);
    gput__buf_printf(row, ",%u,%u,%u,%u\r\n", d->system_core_count, d->n_expected_cores,
                     d->system_gpu_count, d->n_expected_gpus);
}

static void put_header(struct gput__buf *row)
{
    for (size_t i = 0; i < N_COLUMNS; i++) {
        gput__buf_puts(row, columns[i].header ? columns[i].header
                                              : gput__metrics[columns[i].metric].name);
        gput__buf_puts(row, ",");
    }
    gput__buf_puts(row, "timestamp\r\n");
}

int gput__csv_open(struct gput__csv *csv, const char *path, bool overwrite,
                   const struct gput__static_data *data)
{
    int flags = O_WRONLY | O_APPEND | O_CLOEXEC;
    int fd = open(path, flags | O_CREAT | O_EXCL, 0666);
    bool is_new = fd >= 0;

    if (fd < 0 && errno == EEXIST && overwrite)
        fd = open(path, flags);
    if (fd < 0)
        return -errno;
    *csv = (struct gput__csv){ .fd = fd, .is_new = is_new, .data = *data };
    return 0;
}

int gput__csv_begin(struct gput__csv *csv)
{
    struct gput__buf head = { 0 };

    csv->has_head = true;
    put_static_data(&head, &csv->data);
    put_header(&head);
    if (!csv->is_new && ftruncate(csv->fd, 0) < 0 && errno != EINVAL) /* EINVAL: a pipe or device */
        head.err = -errno;
    return hand_over(csv->fd, &head);
}

static double share_of(const struct gput__static_data *d, enum gput__metric m)
{
    if (m == GPUT__SYSTEM_CPU)
        return d->system_core_count;
    if (m == GPUT__GPU_PERCENT)
        return d->n_expected_gpus ? d->n_expected_gpus : 1;
    return d->n_expected_cores;
}

static void put_value(struct gput__buf *row, const struct gput__static_data *d,
                      const struct column *c, const struct gput__sample *before,
                      const struct gput__sample *sample)
{
    const struct gput__metric_info *info = &gput__metrics[c->metric];
    double v = sample->value[c->metric];

    if (info->kind == GPUT__COUNTER) {
        v = gput__sample_rate(before, sample, c->metric);
        v = v > 100.0 * d->system_core_count ? 100.0 * d->system_core_count : v;
    }
    if (c->form == HARDWARE)
        v /= share_of(d, c->metric);
    if (info->unit == GPUT__COUNT)
        gput__buf_printf(row, "%.0f", v);
    else if (info->unit == GPUT__BYTES)
        put_double(row, v / d->ram_unit_size);
    else if (info->unit == GPUT__GPU_BYTES)
        put_double(row, v / d->gpu_ram_unit_size);
    else
        put_double(row, v);
}

int gput__csv_write(struct gput__csv *csv, const struct gput__sample *before,
                    const struct gput__sample *sample)
{
    struct gput__buf row = { 0 };

    for (size_t i = 0; i < N_COLUMNS; i++) {
        put_value(&row, &csv->data, &columns[i], before, sample);
        gput__buf_puts(&row, ",");
    }
    /* In two parts: nanoseconds since 1970 are more than a double counts. */
    put_double(&row, (double)(sample->real_ns / GPUT__NS_PER_S) +
                         (double)(sample->real_ns % GPUT__NS_PER_S) / 1e9);
    gput__buf_puts(&row, "\r\n");
    return hand_over(csv->fd, &row);
}

void gput__csv_close(struct gput__csv *csv)
{
    if (csv->fd >= 0)
        close(csv->fd);
    csv->fd = -1;
}

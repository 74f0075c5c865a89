/* stream.c - the columns of the two streams: a row per interval, of the machine or of the job. */
#include "model/stream.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)
#define WHOLE GPUT__STREAM_WHOLE
#define TICKS GPUT__STREAM_TICKS

/* The name, the metric, the form; the units and decimals under the old and the newer names. */
#define LEVEL GPUT__STREAM_LEVEL
#define GAIN GPUT__STREAM_GAIN
#define RATE GPUT__STREAM_RATE
#define SAME(name)                                                                                 \
    {                                                                                              \
        name, name                                                                                 \
    }
#define MEMORY(name, metric)                                                                       \
    {                                                                                              \
        { name, name "_mib" }, metric, LEVEL, { KIB, MIB }, { WHOLE, 4 }, false                    \
    }
#define COUNT(name, metric, zero)                                                                  \
    {                                                                                              \
        SAME(name), metric, LEVEL, { 1, 1 }, { WHOLE, WHOLE }, zero                                \
    }
#define TIME_USED(name, metric)                                                                    \
    {                                                                                              \
        SAME(name), metric, GAIN, { TICKS, 1 }, { WHOLE, 6 }, false                                \
    }
#define CORES(name, metric)                                                                        \
    {                                                                                              \
        SAME(name), metric, RATE, { 100, 100 }, { 4, 4 }, false                                    \
    }
#define BYTES(old, newer, metric)                                                                  \
    {                                                                                              \
        { old, newer }, metric, GAIN, { 1, 1 }, { WHOLE, WHOLE }, false                            \
    }
#define SPACE(name, metric)                                                                        \
    {                                                                                              \
        SAME(name), metric, LEVEL, { 1e9, 1e9 }, { 2, 2 }, false                                   \
    }
#define GPU_USE(metric)                                                                            \
    {                                                                                              \
        SAME("gpu_usage"), metric, LEVEL, { 100, 100 }, { 4, 4 }, true                             \
    }
#define GPU_MEMORY(metric)                                                                         \
    {                                                                                              \
        { "gpu_vram", "gpu_vram_mib" }, metric, LEVEL, { MIB, MIB }, { 4, 4 }, true                \
    }
#define TIMESTAMP                                                                                  \
    {                                                                                              \
        SAME("timestamp"), GPUT__N_METRICS, GPUT__STREAM_TIME, { 1, 1 }, { GPUT__STREAM_ALL, 3 },  \
            false                                                                                  \
    }
#define PID                                                                                        \
    {                                                                                              \
        SAME("pid"), GPUT__N_METRICS, GPUT__STREAM_PID, { 1, 1 }, { WHOLE, WHOLE }, false          \
    }

/* clang-format off */
static const struct gput__stream_column of_system[] = {
    TIMESTAMP,
    COUNT("processes", GPUT__SYSTEM_N_PROCESSES, false),
    TIME_USED("utime", GPUT__SYSTEM_USER_CPU),
    TIME_USED("stime", GPUT__SYSTEM_KERNEL_CPU),
    CORES("cpu_usage", GPUT__SYSTEM_CPU),
    MEMORY("memory_free", GPUT__SYSTEM_FREE_RAM),
    MEMORY("memory_used", GPUT__SYSTEM_RAM),
    MEMORY("memory_buffers", GPUT__SYSTEM_BUFFERS_RAM),
    MEMORY("memory_cached", GPUT__SYSTEM_CACHED_RAM),
    MEMORY("memory_active", GPUT__SYSTEM_ACTIVE_RAM),
    MEMORY("memory_inactive", GPUT__SYSTEM_INACTIVE_RAM),
    BYTES("disk_read_bytes", "disk_read_bytes", GPUT__DISK_READ),
    BYTES("disk_write_bytes", "disk_write_bytes", GPUT__DISK_WRITE),
    SPACE("disk_space_total_gb", GPUT__DISK_SPACE_TOTAL),
    SPACE("disk_space_used_gb", GPUT__DISK_SPACE_USED),
    SPACE("disk_space_free_gb", GPUT__DISK_SPACE_FREE),
    BYTES("net_recv_bytes", "net_recv_bytes", GPUT__NET_RECEIVED),
    BYTES("net_sent_bytes", "net_sent_bytes", GPUT__NET_SENT),
    GPU_USE(GPUT__GPU_PERCENT),
    GPU_MEMORY(GPUT__SYSTEM_GPU_RAM),
    COUNT("gpu_utilized", GPUT__SYSTEM_GPUS_IN_USE, true),
};

static const struct gput__stream_column of_process[] = {
    TIMESTAMP,
    PID,
    COUNT("children", GPUT__JOB_N_CHILDREN, false),
    TIME_USED("utime", GPUT__JOB_USER_CPU),
    TIME_USED("stime", GPUT__JOB_KERNEL_CPU),
    CORES("cpu_usage", GPUT__JOB_CPU),
    MEMORY("memory", GPUT__JOB_PSS),
    BYTES("read_bytes", "disk_read_bytes", GPUT__JOB_DISK_READ),
    BYTES("write_bytes", "disk_write_bytes", GPUT__JOB_DISK_WRITE),
    GPU_USE(GPUT__JOB_GPU_PERCENT),
    GPU_MEMORY(GPUT__JOB_GPU_RAM),
    COUNT("gpu_utilized", GPUT__JOB_GPUS_IN_USE, true),
};
/* clang-format on */

_Static_assert(sizeof(of_system) / sizeof(*of_system) == GPUT__STREAM_MOST_COLUMNS, "the widest");

const struct gput__stream_column *gput__stream_columns(enum gput_stream s, size_t *ret_n)
{
    *ret_n = s == GPUT_STREAM_SYSTEM ? sizeof(of_system) / sizeof(*of_system)
                                     : sizeof(of_process) / sizeof(*of_process);
    return s == GPUT_STREAM_SYSTEM ? of_system : of_process;
}

const struct gput__stream_column *gput__stream_find(enum gput_stream s, const char *name,
                                                    enum gput_columns *ret_names)
{
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    for (size_t i = 0; i < n; i++)
        for (int names = GPUT_COLUMNS_KIB; names <= GPUT_COLUMNS_MIB; names++)
            if (strcmp(c[i].name[names], name) == 0) {
                *ret_names = (enum gput_columns)names;
                return &c[i];
            }
    return NULL;
}

double gput__stream_unit(const struct gput__stream_column *c, enum gput_columns names)
{
    return c->unit[names] == TICKS ? 1.0 / (double)sysconf(_SC_CLK_TCK) : c->unit[names];
}

double gput__stream_exact(const struct gput__stream_column *c, enum gput_columns names,
                          double value)
{
    return c->unit[names] == TICKS ? value * (double)sysconf(_SC_CLK_TCK) : value / c->unit[names];
}

double gput__stream_value(const struct gput__stream_column *c, enum gput_columns names,
                          double value)
{
    int decimals = c->decimals[names];
    static const double shifts[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e6 };
    double shift;

    if (isnan(value))
        return c->none_is_zero ? 0 : value;
    value = gput__stream_exact(c, names, value);
    if (decimals == GPUT__STREAM_ALL)
        return value;
    shift = decimals == WHOLE ? 1 : shifts[decimals];
    return nearbyint(value * shift) / shift;
}

void gput__sample_hold_back(const struct gput__sample *from, struct gput__sample *to,
                            double n_cores)
{
    double most = n_cores * (double)(to->boot_ns - from->boot_ns) / 1e9;

    most = most > 0 ? most : 0;
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (gput__metric_is_rate((enum gput__metric)m) &&
            gput__sample_gain(from, to, (enum gput__metric)m) > most)
            to->value[m] = from->value[m] + most;
}

/* stream_columns.c - the columns of streams and snapshots: how each is called, and what it is here. */
#include "store/stream_columns.h"

#include <string.h>

#define KIB 1024.0
#define MIB 1048576.0
#define TICKS_PER_SECOND 100.0 /* USER_HZ, the same on every machine that runs Linux */

#define SYSTEM(name, metric, kind, factor, is_newer)                                               \
    {                                                                                              \
        name, GPUT__OF_SYSTEM, metric, kind, factor, is_newer                                      \
    }
#define PROCESS(name, metric, kind, factor, is_newer)                                              \
    {                                                                                              \
        name, GPUT__OF_PROCESS, metric, kind, factor, is_newer                                     \
    }

/* clang-format off */
static const struct gput__stream_column columns[] = {
    SYSTEM("processes", GPUT__SYSTEM_N_PROCESSES, GPUT__LEVEL, 1, false),
    SYSTEM("utime", GPUT__SYSTEM_USER_CPU, GPUT__CPU_TIME, 1, false),
    SYSTEM("stime", GPUT__SYSTEM_KERNEL_CPU, GPUT__CPU_TIME, 1, false),
    SYSTEM("cpu_usage", GPUT__SYSTEM_CPU, GPUT__LEVEL, 100, false),
    SYSTEM("memory_free", GPUT__SYSTEM_FREE_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_used", GPUT__SYSTEM_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_buffers", GPUT__SYSTEM_BUFFERS_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_cached", GPUT__SYSTEM_CACHED_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_active", GPUT__SYSTEM_ACTIVE_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_inactive", GPUT__SYSTEM_INACTIVE_RAM, GPUT__LEVEL, KIB, false),
    SYSTEM("memory_free_mib", GPUT__SYSTEM_FREE_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("memory_used_mib", GPUT__SYSTEM_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("memory_buffers_mib", GPUT__SYSTEM_BUFFERS_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("memory_cached_mib", GPUT__SYSTEM_CACHED_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("memory_active_mib", GPUT__SYSTEM_ACTIVE_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("memory_inactive_mib", GPUT__SYSTEM_INACTIVE_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("disk_read_bytes", GPUT__DISK_READ, GPUT__TRANSFERS, 1, false),
    SYSTEM("disk_write_bytes", GPUT__DISK_WRITE, GPUT__TRANSFERS, 1, false),
    SYSTEM("disk_space_total_gb", GPUT__DISK_SPACE_TOTAL, GPUT__LEVEL, 1e9, false),
    SYSTEM("disk_space_used_gb", GPUT__DISK_SPACE_USED, GPUT__LEVEL, 1e9, false),
    SYSTEM("disk_space_free_gb", GPUT__DISK_SPACE_FREE, GPUT__LEVEL, 1e9, false),
    SYSTEM("net_recv_bytes", GPUT__NET_RECEIVED, GPUT__TRANSFERS, 1, false),
    SYSTEM("net_sent_bytes", GPUT__NET_SENT, GPUT__TRANSFERS, 1, false),
    SYSTEM("gpu_usage", GPUT__GPU_PERCENT, GPUT__LEVEL, 100, false),
    SYSTEM("gpu_vram", GPUT__SYSTEM_GPU_RAM, GPUT__LEVEL, MIB, false),
    SYSTEM("gpu_vram_mib", GPUT__SYSTEM_GPU_RAM, GPUT__LEVEL, MIB, true),
    SYSTEM("gpu_utilized", GPUT__SYSTEM_GPUS_IN_USE, GPUT__LEVEL, 1, false),
    PROCESS("children", GPUT__JOB_N_CHILDREN, GPUT__LEVEL, 1, false),
    PROCESS("utime", GPUT__JOB_USER_CPU, GPUT__CPU_TIME, 1, false),
    PROCESS("stime", GPUT__JOB_KERNEL_CPU, GPUT__CPU_TIME, 1, false),
    PROCESS("cpu_usage", GPUT__JOB_CPU, GPUT__LEVEL, 100, false),
    PROCESS("memory", GPUT__JOB_PSS, GPUT__LEVEL, KIB, false),
    PROCESS("memory_mib", GPUT__JOB_PSS, GPUT__LEVEL, MIB, true),
    PROCESS("read_bytes", GPUT__JOB_DISK_READ, GPUT__TRANSFERS, 1, false),
    PROCESS("write_bytes", GPUT__JOB_DISK_WRITE, GPUT__TRANSFERS, 1, false),
    PROCESS("disk_read_bytes", GPUT__JOB_DISK_READ, GPUT__TRANSFERS, 1, true),
    PROCESS("disk_write_bytes", GPUT__JOB_DISK_WRITE, GPUT__TRANSFERS, 1, true),
    PROCESS("gpu_usage", GPUT__JOB_GPU_PERCENT, GPUT__LEVEL, 100, false),
    PROCESS("gpu_vram", GPUT__JOB_GPU_RAM, GPUT__LEVEL, MIB, false),
    PROCESS("gpu_vram_mib", GPUT__JOB_GPU_RAM, GPUT__LEVEL, MIB, true),
    PROCESS("gpu_utilized", GPUT__JOB_GPUS_IN_USE, GPUT__LEVEL, 1, false),
};
/* clang-format on */
#define N_COLUMNS (sizeof(columns) / sizeof(*columns))

const struct gput__stream_column *gput__stream_column(enum gput__stream_of of, const char *name)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (columns[i].of == of && strcmp(columns[i].name, name) == 0)
            return &columns[i];
    return NULL;
}

void gput__stream_convert(struct gput__run_series *s, bool is_newer, double interval)
{
    /* Rates of CPU time are in percent of one core. */
    double cpu = is_newer ? 100 : 100 / TICKS_PER_SECOND;
    bool is_done[GPUT__N_METRICS] = { false };

    for (size_t i = 0; i < N_COLUMNS; i++) {
        enum gput__metric m = columns[i].metric;

        if (columns[i].kind != GPUT__LEVEL && !is_done[m])
            gput__series_to_rates(s, m, columns[i].kind == GPUT__CPU_TIME ? cpu : 1, interval);
        is_done[m] = true;
    }
}

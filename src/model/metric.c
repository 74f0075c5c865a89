/* metric.c - THE metric table: every quantity that a sample holds stands here once. */
#include "model/metric.h"

#define STATUS "/proc/PID/status"
#define SMAPS "/proc/PID/smaps, shared pages once"
#define STAT "/proc/PID/stat"
#define CPU "CPU clock of each process, /proc/PID/stat, wait4(2)"
#define DRIVER "the GPU driver"
#define MEMINFO "/proc/meminfo"
#define SPACE "/proc/self/mountinfo, statvfs(3)"

const struct gput__metric_info gput__metrics[GPUT__N_METRICS] = {
    [GPUT__MAIN_RAM] = { "main_ram", GPUT__BYTES, GPUT__GAUGE, STATUS },
    [GPUT__DESCENDANTS_RAM] = { "descendants_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__COMBINED_RAM] = { "combined_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__SYSTEM_RAM] = { "system_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__MAIN_PRIVATE_RAM] = { "main_private_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__DESCENDANTS_PRIVATE_RAM] = { "descendants_private_ram", GPUT__BYTES, GPUT__GAUGE,
                                        SMAPS },
    [GPUT__COMBINED_PRIVATE_RAM] = { "combined_private_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__MAIN_SHARED_RAM] = { "main_shared_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__DESCENDANTS_SHARED_RAM] = { "descendants_shared_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__COMBINED_SHARED_RAM] = { "combined_shared_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__MAIN_GPU_RAM] = { "main_gpu_ram", GPUT__GPU_BYTES, GPUT__GAUGE, DRIVER },
    [GPUT__DESCENDANTS_GPU_RAM] = { "descendants_gpu_ram", GPUT__GPU_BYTES, GPUT__GAUGE, DRIVER },
    [GPUT__COMBINED_GPU_RAM] = { "combined_gpu_ram", GPUT__GPU_BYTES, GPUT__GAUGE, DRIVER },
    [GPUT__SYSTEM_GPU_RAM] = { "system_gpu_ram", GPUT__GPU_BYTES, GPUT__GAUGE, DRIVER },
    [GPUT__GPU_PERCENT] = { "gpu_sum_utilization_percent", GPUT__PERCENT, GPUT__GAUGE, DRIVER },
    [GPUT__MAIN_N_THREADS] = { "main_n_threads", GPUT__COUNT, GPUT__GAUGE, STAT },
    [GPUT__DESCENDANTS_N_THREADS] = { "descendants_n_threads", GPUT__COUNT, GPUT__GAUGE, STAT },
    [GPUT__COMBINED_N_THREADS] = { "combined_n_threads", GPUT__COUNT, GPUT__GAUGE, STAT },
    [GPUT__N_PROCESSES] = { "n_processes", GPUT__COUNT, GPUT__GAUGE, "/proc, process events" },
    [GPUT__SYSTEM_CPU] = { "cpu_system", GPUT__SECONDS, GPUT__COUNTER, "/proc/stat" },
    [GPUT__MAIN_CPU] = { "cpu_main", GPUT__SECONDS, GPUT__COUNTER, CPU },
    [GPUT__DESCENDANTS_CPU] = { "cpu_descendants", GPUT__SECONDS, GPUT__COUNTER, CPU },
    [GPUT__COMBINED_CPU] = { "cpu_combined", GPUT__SECONDS, GPUT__COUNTER, CPU },
    [GPUT__SYSTEM_N_PROCESSES] = { "system_n_processes", GPUT__COUNT, GPUT__GAUGE, "/proc" },
    [GPUT__SYSTEM_FREE_RAM] = { "system_free_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__SYSTEM_BUFFERS_RAM] = { "system_buffers_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__SYSTEM_CACHED_RAM] = { "system_cached_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__SYSTEM_ACTIVE_RAM] = { "system_active_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__SYSTEM_INACTIVE_RAM] = { "system_inactive_ram", GPUT__BYTES, GPUT__GAUGE, MEMINFO },
    [GPUT__DISK_SPACE_TOTAL] = { "disk_space_total", GPUT__BYTES, GPUT__GAUGE, SPACE },
    [GPUT__DISK_SPACE_USED] = { "disk_space_used", GPUT__BYTES, GPUT__GAUGE, SPACE },
    [GPUT__DISK_SPACE_FREE] = { "disk_space_free", GPUT__BYTES, GPUT__GAUGE, SPACE },
    [GPUT__SYSTEM_GPUS_IN_USE] = { "system_gpus_in_use", GPUT__COUNT, GPUT__GAUGE, DRIVER },
    [GPUT__SYSTEM_USER_CPU] = { "cpu_system_user", GPUT__SECONDS, GPUT__COUNTER, "/proc/stat" },
    [GPUT__SYSTEM_KERNEL_CPU] = { "cpu_system_kernel", GPUT__SECONDS, GPUT__COUNTER, "/proc/stat" },
    [GPUT__DISK_READ] = { "disk_read", GPUT__BYTES, GPUT__COUNTER, "/proc/diskstats" },
    [GPUT__DISK_WRITE] = { "disk_write", GPUT__BYTES, GPUT__COUNTER, "/proc/diskstats" },
    [GPUT__NET_RECEIVED] = { "net_received", GPUT__BYTES, GPUT__COUNTER, "/proc/net/dev" },
    [GPUT__NET_SENT] = { "net_sent", GPUT__BYTES, GPUT__COUNTER, "/proc/net/dev" },
    [GPUT__JOB_N_CHILDREN] = { "job_n_children", GPUT__COUNT, GPUT__GAUGE, "/proc" },
    [GPUT__JOB_PSS] = { "job_pss", GPUT__BYTES, GPUT__GAUGE, "/proc/PID/smaps" },
    [GPUT__JOB_GPU_PERCENT] = { "job_gpu_percent", GPUT__PERCENT, GPUT__GAUGE, DRIVER },
    [GPUT__JOB_GPU_RAM] = { "job_gpu_ram", GPUT__GPU_BYTES, GPUT__GAUGE, DRIVER },
    [GPUT__JOB_GPUS_IN_USE] = { "job_gpus_in_use", GPUT__COUNT, GPUT__GAUGE, DRIVER },
    [GPUT__JOB_CPU] = { "cpu_job", GPUT__SECONDS, GPUT__COUNTER, CPU },
    [GPUT__JOB_USER_CPU] = { "cpu_job_user", GPUT__SECONDS, GPUT__COUNTER, STAT },
    [GPUT__JOB_KERNEL_CPU] = { "cpu_job_kernel", GPUT__SECONDS, GPUT__COUNTER, STAT },
    [GPUT__JOB_DISK_READ] = { "job_disk_read", GPUT__BYTES, GPUT__COUNTER, "/proc/PID/io" },
    [GPUT__JOB_DISK_WRITE] = { "job_disk_write", GPUT__BYTES, GPUT__COUNTER, "/proc/PID/io" },
};

bool gput__metric_is_rate(enum gput__metric m)
{
    return m == GPUT__SYSTEM_CPU || m == GPUT__MAIN_CPU || m == GPUT__DESCENDANTS_CPU ||
           m == GPUT__COMBINED_CPU || m == GPUT__JOB_CPU;
}

double gput__metric_rate_unit(enum gput__metric m)
{
    return gput__metrics[m].unit == GPUT__SECONDS ? 100 : 1;
}

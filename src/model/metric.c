/* metric.c - THE metric table: every quantity that a sample holds stands here once. */
#include "model/metric.h"

#define STATUS "/proc/PID/status"
#define SMAPS "/proc/PID/smaps, shared pages once"
#define STAT "/proc/PID/stat"
#define CPU "CPU clock of each process, /proc/PID/stat, wait4(2)"
#define DRIVER "the GPU driver"

const struct gput__metric_info gput__metrics[GPUT__N_METRICS] = {
    [GPUT__MAIN_RAM] = { "main_ram", GPUT__BYTES, GPUT__GAUGE, STATUS },
    [GPUT__DESCENDANTS_RAM] = { "descendants_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__COMBINED_RAM] = { "combined_ram", GPUT__BYTES, GPUT__GAUGE, SMAPS },
    [GPUT__SYSTEM_RAM] = { "system_ram", GPUT__BYTES, GPUT__GAUGE, "/proc/meminfo" },
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
};

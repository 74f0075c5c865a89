/* metric_rows.h - THE rows of the metric table, one for each metric (model/metric.h says what the
 * parts of a row mean).
 *
 * The order counts in three places: columns of tracking files and rows of a result's group stand in
 * it, and where two metrics tell the same figure the first that is known does.
 * Included where METRIC() is defined: no guard. */

/* clang-format off */

METRIC(GPUT__MAIN_RAM,
       .name = "main_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = STATUS, .family = "memory_bytes",
       .help = "Resident memory of the main process",
       .column = { "main_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_MAIN, GPUT__ROW_RAM, "total_rss", "Total RSS", AT(max_ram.main.total_rss) },
       .line = { GPUT__CHART_MEMORY, "Main process", 1, GPUT__PART },
       .plot = { GPUT__PLOT_RAM, 2, "RAM", NULL })

METRIC(GPUT__DESCENDANTS_RAM,
       .name = "descendants_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = SMAPS, .family = "memory_bytes",
       .help = "Resident memory of the descendants; pages that they share count once",
       .column = { "descendants_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_DESCENDANTS, GPUT__ROW_RAM, "total_rss", "Total RSS", AT(max_ram.descendants.total_rss) },
       .line = { GPUT__CHART_MEMORY, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_RAM,
       .name = "combined_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = SMAPS, .family = "memory_bytes",
       .help = "Resident memory of the job; pages that its processes share count once",
       .column = { "combined_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_COMBINED, GPUT__ROW_RAM, "total_rss", "Total RSS", AT(max_ram.combined.total_rss) },
       .line = { GPUT__CHART_MEMORY, "Job", 0, 0 },
       .plot = { GPUT__PLOT_RAM, 0, "RAM", NULL })

METRIC(GPUT__JOB_PSS,
       .name = "job_pss", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/smaps", .family = "memory_pss_bytes",
       .help = "Proportional set size of the job",
       .figure[0] = { GPUT__FIGURE_MAX, .at = AT(max_ram.combined.total_rss) },
       .stream = { 6, "memory", "memory_mib", GPUT__STREAM_MEMORY },
       .line = { GPUT__CHART_MEMORY, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_RAM, 1, "RAM", NULL })

METRIC(GPUT__SYSTEM_RAM,
       .name = "system_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_bytes",
       .help = "Memory that the machine uses and could not give away at once",
       .column = { "system_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM, GPUT__ROW_RAM, "system", "System", AT(max_ram.system) },
       .why_unknown = NO_MEMINFO,
       .stream = { 6, "memory_used", "memory_used_mib", GPUT__STREAM_MEMORY },
       .line = { GPUT__CHART_MEMORY, "Whole machine", GPUT__BEHIND, GPUT__ASIDE },
       .plot = { GPUT__PLOT_RAM, 3, "RAM, all", OF_MACHINE })

METRIC(GPUT__MAIN_PRIVATE_RAM,
       .name = "main_private_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = SMAPS, .family = "memory_private_bytes",
       .help = "Resident memory that only one process holds, of the main process",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_MAIN, GPUT__ROW_RAM, "private_rss", "Private RSS", AT(max_ram.main.private_rss) })

METRIC(GPUT__DESCENDANTS_PRIVATE_RAM,
       .name = "descendants_private_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = SMAPS, .family = "memory_private_bytes",
       .help = "Resident memory that only one process holds, of the descendants",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_DESCENDANTS, GPUT__ROW_RAM, "private_rss", "Private RSS", AT(max_ram.descendants.private_rss) })

METRIC(GPUT__COMBINED_PRIVATE_RAM,
       .name = "combined_private_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = SMAPS, .family = "memory_private_bytes",
       .help = "Resident memory that only one process holds, of the job",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_COMBINED, GPUT__ROW_RAM, "private_rss", "Private RSS", AT(max_ram.combined.private_rss) })

METRIC(GPUT__MAIN_SHARED_RAM,
       .name = "main_shared_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = SMAPS, .family = "memory_shared_bytes",
       .help = "Resident memory that several processes hold, of the main process",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_MAIN, GPUT__ROW_RAM, "shared_rss", "Shared RSS", AT(max_ram.main.shared_rss) })

METRIC(GPUT__DESCENDANTS_SHARED_RAM,
       .name = "descendants_shared_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = SMAPS, .family = "memory_shared_bytes",
       .help = "Resident memory that several processes hold, of the descendants",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_DESCENDANTS, GPUT__ROW_RAM, "shared_rss", "Shared RSS", AT(max_ram.descendants.shared_rss) })

METRIC(GPUT__COMBINED_SHARED_RAM,
       .name = "combined_shared_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = SMAPS, .family = "memory_shared_bytes",
       .help = "Resident memory that several processes hold, of the job",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_COMBINED, GPUT__ROW_RAM, "shared_rss", "Shared RSS", AT(max_ram.combined.shared_rss) })

METRIC(GPUT__MAIN_GPU_RAM,
       .name = "main_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = DRIVER, .family = "gpu_memory_bytes",
       .help = "GPU memory of the main process",
       .column = { "main_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM, GPUT__ROW_GPU_RAM, "main", "Main", AT(max_gpu_ram.main) },
       .line = { GPUT__CHART_GPU_MEMORY, "Main process", 1, GPUT__PART })

METRIC(GPUT__DESCENDANTS_GPU_RAM,
       .name = "descendants_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = DRIVER, .family = "gpu_memory_bytes",
       .help = "GPU memory of the descendants",
       .column = { "descendants_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM, GPUT__ROW_GPU_RAM, "descendants", "Descendants", AT(max_gpu_ram.descendants) },
       .line = { GPUT__CHART_GPU_MEMORY, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_GPU_RAM,
       .name = "combined_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = DRIVER, .family = "gpu_memory_bytes",
       .help = "GPU memory of the job",
       .column = { "combined_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM, GPUT__ROW_GPU_RAM, "combined", "Combined", AT(max_gpu_ram.combined) },
       .line = { GPUT__CHART_GPU_MEMORY, "Job", 0, 0 },
       .plot = { GPUT__PLOT_GPU_RAM, 0, "GPU RAM", NULL })

METRIC(GPUT__JOB_GPU_RAM,
       .name = "job_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = DRIVER, .family = "job_gpu_memory_bytes",
       .help = "GPU memory of the job as its stream shows it",
       .figure[0] = { GPUT__FIGURE_MAX, .at = AT(max_gpu_ram.combined) },
       .stream = { 10, "gpu_vram", "gpu_vram_mib", GPUT__STREAM_GPU_MEMORY },
       .line = { GPUT__CHART_GPU_MEMORY, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_GPU_RAM, 1, "GPU RAM", NULL })

METRIC(GPUT__SYSTEM_GPU_RAM,
       .name = "system_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_memory_bytes",
       .help = "Memory in use on all GPUs",
       .column = { "system_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM_SYSTEM, GPUT__ROW_GPU_RAM, "system", "System", AT(max_gpu_ram.system) },
       .stream = { 19, "gpu_vram", "gpu_vram_mib", GPUT__STREAM_GPU_MEMORY },
       .line = { GPUT__CHART_GPU_MEMORY, "All processes", GPUT__BEHIND, GPUT__ASIDE },
       .plot = { GPUT__PLOT_GPU_RAM, 2, "GPU RAM, all", OF_MACHINE })

METRIC(GPUT__JOB_GPU_PERCENT,
       .name = "job_gpu_percent", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = DRIVER, .family = "job_gpu_utilization_percent",
       .help = "Utilization of the GPUs that the job uses, summed",
       .hardware = GPUT__EXPECTED_GPUS,
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, .at = AT(gpu_utilization.gpu_percentages) },
       .stream = { 9, "gpu_usage", NULL, GPUT__STREAM_GPU_USE },
       .line = { GPUT__CHART_GPU, "Job", 0, 0 },
       .plot = { GPUT__PLOT_GPU_USE, 0, "GPU use", NULL })

METRIC(GPUT__GPU_PERCENT,
       .name = "gpu", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_utilization_percent",
       .help = "Utilization of the chosen GPUs, summed",
       .hardware = GPUT__EXPECTED_GPUS,
       .column = { "gpu_sum_utilization_percent", "gpu_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__GPU_UTILIZATION_PERCENTAGES, .at = AT(gpu_utilization.gpu_percentages) },
       .stream = { 18, "gpu_usage", NULL, GPUT__STREAM_GPU_USE },
       .line = { GPUT__CHART_GPU, "All GPUs", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_GPU_USE, 1, "GPU use", NULL })

METRIC(GPUT__MAIN_N_THREADS,
       .name = "main_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = STAT, .family = "threads",
       .help = "Threads of the main process",
       .column = { "main_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "main_n_threads", "Main number of threads", AT(cpu_utilization.main_n_threads) },
       .why_sampled = AT_LOOKS)

METRIC(GPUT__DESCENDANTS_N_THREADS,
       .name = "descendants_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = STAT, .family = "threads",
       .help = "Threads of the descendants",
       .column = { "descendants_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "descendants_n_threads", "Descendants number of threads", AT(cpu_utilization.descendants_n_threads) },
       .why_sampled = AT_LOOKS)

METRIC(GPUT__COMBINED_N_THREADS,
       .name = "combined_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = STAT, .family = "threads",
       .help = "Threads of the job",
       .column = { "combined_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "combined_n_threads", "Combined number of threads", AT(cpu_utilization.combined_n_threads) },
       .why_sampled = AT_LOOKS,
       .line = { GPUT__CHART_PROCESSES, "Threads", 0, 0 })

METRIC(GPUT__N_PROCESSES,
       .name = "n_processes", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = "/proc, process events", .family = "processes",
       .help = "Processes of the job that are alive",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__TOTALS_PROCESSES, GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(totals.max_n_processes) },
       .why_sampled = AT_LOOKS,
       .line = { GPUT__CHART_PROCESSES, "Processes", 1, 0 })

METRIC(GPUT__SYSTEM_CPU,
       .name = "cpu_system", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_cpu_seconds",
       .help = "CPU time of the whole machine",
       .hardware = GPUT__SYSTEM_CORES,
       .column = { "cpu_system_sum_utilization_percent", "cpu_system_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_SYSTEM, .at = AT(cpu_utilization.system) },
       .why_unknown = "/proc/stat cannot be read",
       .stream = { 4, "cpu_usage", NULL, GPUT__STREAM_CORES },
       .line = { GPUT__CHART_CPU, "Whole machine", GPUT__BEHIND, GPUT__ASIDE },
       .plot = { GPUT__PLOT_CPU, 3, "CPU, all", OF_MACHINE })

METRIC(GPUT__MAIN_CPU,
       .name = "cpu_main", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MAIN,
       .origin = CPU_CLOCK, .family = "cpu_seconds",
       .help = "CPU time of the main process",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_main_sum_utilization_percent", "cpu_main_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_MAIN, .at = AT(cpu_utilization.main) },
       .figure[1] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_CPU, GPUT__ROW_NUMBER, "main_cpu_seconds", "CPU seconds of main", AT(totals.main_cpu_seconds) },
       .line = { GPUT__CHART_CPU, "Main process", 1, GPUT__PART },
       .plot = { GPUT__PLOT_CPU, 2, "CPU", NULL })

METRIC(GPUT__DESCENDANTS_CPU,
       .name = "cpu_descendants", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = CPU_CLOCK, .family = "cpu_seconds",
       .help = "CPU time of the descendants, exited processes included",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_descendants_sum_utilization_percent", "cpu_descendants_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_DESCENDANTS, .at = AT(cpu_utilization.descendants) },
       .figure[1] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_CPU, GPUT__ROW_NUMBER, "descendants_cpu_seconds", "CPU seconds of descendants", AT(totals.descendants_cpu_seconds) },
       .line = { GPUT__CHART_CPU, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_CPU,
       .name = "cpu_combined", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_COMBINED,
       .origin = CPU_CLOCK, .family = "cpu_seconds",
       .help = "CPU time of the job, exited processes included",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_combined_sum_utilization_percent", "cpu_combined_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_COMBINED, .at = AT(cpu_utilization.combined) },
       .line = { GPUT__CHART_CPU, "Job", 0, 0 },
       .plot = { GPUT__PLOT_CPU, 0, "CPU", NULL })

METRIC(GPUT__JOB_CPU,
       .name = "cpu_job", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = CPU_CLOCK, .family = "job_cpu_seconds",
       .help = "CPU time of the job as its stream shows it",
       .hardware = GPUT__EXPECTED_CORES,
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, .at = AT(cpu_utilization.combined) },
       .stream = { 5, "cpu_usage", NULL, GPUT__STREAM_CORES },
       .line = { GPUT__CHART_CPU, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_CPU, 1, "CPU", NULL })

METRIC(GPUT__JOB_USER_CPU,
       .name = "cpu_job_user", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "cpu_user_seconds",
       .help = "CPU time of the job in user mode",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_MODES, GPUT__ROW_NUMBER, "cpu_user_seconds", "CPU seconds in user mode", AT(totals.cpu_user_seconds) },
       .stream = { 3, "utime", NULL, GPUT__STREAM_TIME_USED })

METRIC(GPUT__JOB_KERNEL_CPU,
       .name = "cpu_job_kernel", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "cpu_kernel_seconds",
       .help = "CPU time of the job in the kernel",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_MODES, GPUT__ROW_NUMBER, "cpu_system_seconds", "CPU seconds in the kernel", AT(totals.cpu_system_seconds) },
       .stream = { 4, "stime", NULL, GPUT__STREAM_TIME_USED })

METRIC(GPUT__JOB_DISK_READ,
       .name = "job_disk_read", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/io", .family = "disk_read_bytes",
       .help = "Bytes that the job read from disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_DISK, GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disk", AT(totals.disk_read_bytes) },
       .stream = { 7, "read_bytes", "disk_read_bytes", GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_DISK, "Read", 0, 0 },
       .plot = { GPUT__PLOT_READ, 0, "Job reads", NULL })

METRIC(GPUT__JOB_DISK_WRITE,
       .name = "job_disk_write", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/io", .family = "disk_write_bytes",
       .help = "Bytes that the job wrote to disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_DISK, GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disk", AT(totals.disk_write_bytes) },
       .stream = { 8, "write_bytes", "disk_write_bytes", GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_DISK, "Written", 1, 0 },
       .plot = { GPUT__PLOT_WRITTEN, 0, "Job writes", NULL })

METRIC(GPUT__JOB_N_CHILDREN,
       .name = "job_n_children", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc", .family = "descendants",
       .help = "Descendants that are alive",
       .stream = { 2, "children", NULL, GPUT__STREAM_COUNT },
       .line = { GPUT__CHART_PROCESSES, "Descendants", 2, 0 })

METRIC(GPUT__JOB_GPUS_IN_USE,
       .name = "job_gpus_in_use", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = DRIVER, .family = "job_gpus_in_use",
       .help = "GPUs that the job uses",
       .hardware = GPUT__EXPECTED_GPUS,
       .stream = { 11, "gpu_utilized", NULL, GPUT__STREAM_GPUS_IN_USE })

METRIC(GPUT__JOB_OPEN_FILES,
       .name = "job_open_files", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/fd", .family = "open_files",
       .help = "Descriptors that the processes of the job have open, added up",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__TOTALS, GPUT__ROW_COUNT, "max_open_files", "Most open files at a time", AT(totals.max_open_files) },
       .why_unknown = "/proc/PID/fd cannot be read (another user's processes)",
       .line = { GPUT__CHART_PROCESSES, "Open files", 3, 0 },
       .plot = { GPUT__PLOT_OWN, 0, "Open files", NULL })

METRIC(GPUT__JOB_SWAP,
       .name = "job_swap", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/status", .family = "swap_bytes",
       .help = "Memory of the job that is swapped out, of each process added up",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__TOTALS, GPUT__ROW_COUNT, "max_swap", "Most swap in bytes", AT(totals.max_swap) },
       .why_unknown = "/proc/PID/status cannot be read (another user's processes)",
       .line = { GPUT__CHART_MEMORY, "Swap", 3, GPUT__IF_ANY },
       .plot = { GPUT__PLOT_OWN, 0, "Swap", NULL })

METRIC(GPUT__SYSTEM_N_PROCESSES,
       .name = "system_n_processes", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc", .family = "machine_processes",
       .help = "Processes of the machine",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(machine.max_n_processes) },
       .why_unknown = "/proc cannot be listed",
       .stream = { 1, "processes", NULL, GPUT__STREAM_COUNT },
       .line = { GPUT__CHART_PROCESSES, "Processes, whole machine", GPUT__BEHIND, GPUT__ASIDE })

METRIC(GPUT__SYSTEM_FREE_RAM,
       .name = "system_free_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_free_bytes",
       .help = "Memory that nobody uses",
       .stream = { 5, "memory_free", "memory_free_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_BUFFERS_RAM,
       .name = "system_buffers_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_buffers_bytes",
       .help = "Memory that buffers blocks of disks",
       .stream = { 7, "memory_buffers", "memory_buffers_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_CACHED_RAM,
       .name = "system_cached_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_cached_bytes",
       .help = "Memory that holds pages of files",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_RAM, "max_cached", "Most RAM that held files", AT(machine.max_cached) },
       .why_unknown = "/proc/meminfo does not tell it",
       .stream = { 8, "memory_cached", "memory_cached_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_ACTIVE_RAM,
       .name = "system_active_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_active_bytes",
       .help = "Memory that was used not long ago",
       .stream = { 9, "memory_active", "memory_active_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_INACTIVE_RAM,
       .name = "system_inactive_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_inactive_bytes",
       .help = "Memory that was not used for long",
       .stream = { 10, "memory_inactive", "memory_inactive_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_USER_CPU,
       .name = "cpu_system_user", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_cpu_user_seconds",
       .help = "CPU time of the machine in user mode",
       .stream = { 2, "utime", NULL, GPUT__STREAM_TIME_USED })

METRIC(GPUT__SYSTEM_KERNEL_CPU,
       .name = "cpu_system_kernel", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_cpu_kernel_seconds",
       .help = "CPU time of the machine in the kernel",
       .stream = { 3, "stime", NULL, GPUT__STREAM_TIME_USED })

METRIC(GPUT__DISK_READ,
       .name = "disk_read", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/diskstats", .family = "machine_disk_read_bytes",
       .help = "Bytes that were read from the machine's disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disks", AT(machine.disk_read_bytes) },
       .stream = { 11, "disk_read_bytes", NULL, GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_DISK, "Read, whole machine", 2, GPUT__ASIDE },
       .plot = { GPUT__PLOT_READ, 1, "Disk reads", NULL })

METRIC(GPUT__DISK_WRITE,
       .name = "disk_write", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/diskstats", .family = "machine_disk_write_bytes",
       .help = "Bytes that were written to the machine's disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disks", AT(machine.disk_write_bytes) },
       .stream = { 12, "disk_write_bytes", NULL, GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_DISK, "Written, whole machine", 3, GPUT__ASIDE },
       .plot = { GPUT__PLOT_WRITTEN, 1, "Disk writes", NULL })

METRIC(GPUT__NET_RECEIVED,
       .name = "net_received", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/net/dev", .family = "machine_network_receive_bytes",
       .help = "Bytes that the machine received, without loopback",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "net_received_bytes", "Bytes received from the network", AT(machine.net_received_bytes) },
       .stream = { 16, "net_recv_bytes", NULL, GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_NETWORK, "Received", 0, 0 },
       .plot = { GPUT__PLOT_RECEIVED, 0, "Net receives", NULL })

METRIC(GPUT__NET_SENT,
       .name = "net_sent", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/net/dev", .family = "machine_network_transmit_bytes",
       .help = "Bytes that the machine sent, without loopback",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "net_sent_bytes", "Bytes sent to the network", AT(machine.net_sent_bytes) },
       .stream = { 17, "net_sent_bytes", NULL, GPUT__STREAM_BYTES },
       .line = { GPUT__CHART_NETWORK, "Sent", 1, 0 },
       .plot = { GPUT__PLOT_SENT, 0, "Net sends", NULL })

METRIC(GPUT__DISK_SPACE_TOTAL,
       .name = "disk_space_total", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_total_bytes",
       .help = "Space of the file systems on disks",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_total", "Disk space", AT(machine.disk_space_total) },
       .stream = { 13, "disk_space_total_gb", NULL, GPUT__STREAM_SPACE })

METRIC(GPUT__DISK_SPACE_USED,
       .name = "disk_space_used", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_used_bytes",
       .help = "Space of them that is used",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_used", "Disk space used", AT(machine.disk_space_used) },
       .stream = { 14, "disk_space_used_gb", NULL, GPUT__STREAM_SPACE })

METRIC(GPUT__DISK_SPACE_FREE,
       .name = "disk_space_free", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_free_bytes",
       .help = "Space of them that may still be used",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_free", "Disk space free", AT(machine.disk_space_free) },
       .stream = { 15, "disk_space_free_gb", NULL, GPUT__STREAM_SPACE })

METRIC(GPUT__SYSTEM_GPUS_IN_USE,
       .name = "system_gpus_in_use", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_in_use",
       .help = "GPUs that are in use",
       .stream = { 20, "gpu_utilized", NULL, GPUT__STREAM_GPUS_IN_USE })

/* clang-format on */

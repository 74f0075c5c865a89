/* metric_rows.h - THE rows of the metric table, one for each metric (model/metric.h says what the
 * parts of a row mean).
 *
 * The order counts in three places: columns of tracking files and rows of a result's group are in
 * it, and where two metrics give the same figure, the first known one is used.
 * Included where METRIC() is defined: no guard. */

/* clang-format off */

METRIC(GPUT__MAIN_RAM,
       .name = "main_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = STATUS, .family = "memory_bytes", .convention = { "process.memory.usage", NULL },
       .help = "Resident memory of the main process",
       .column = { "main_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_MAIN, GPUT__ROW_RAM, "total_rss", "Total RSS", AT(max_ram.main.total_rss) },
       .line = { GPUT__CHART_MEMORY, "Main process", 1, GPUT__PART },
       .plot = { GPUT__PLOT_RAM, 2, "RAM", NULL })

METRIC(GPUT__DESCENDANTS_RAM,
       .name = "descendants_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = SMAPS, .family = "memory_bytes", .convention = { "process.memory.usage", NULL },
       .help = "Resident memory of the descendants; pages that they share count once",
       .column = { "descendants_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM_DESCENDANTS, GPUT__ROW_RAM, "total_rss", "Total RSS", AT(max_ram.descendants.total_rss) },
       .line = { GPUT__CHART_MEMORY, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_RAM,
       .name = "combined_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = SMAPS, .family = "memory_bytes", .convention = { "process.memory.usage", NULL },
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
       .stream = { 6, "memory", "memory_mib", GPUT__STREAM_MEMORY }, .table = { "memory", 2 },
       .line = { GPUT__CHART_MEMORY, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_RAM, 1, "RAM", NULL })

METRIC(GPUT__SYSTEM_RAM,
       .name = "system_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_bytes", .convention = { "system.memory.usage", "system.memory.state=used" },
       .help = "Memory that the machine uses and could not give away at once",
       .column = { "system_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_RAM, GPUT__ROW_RAM, "system", "System", AT(max_ram.system) },
       .why_unknown = NO_MEMINFO,
       .stream = { 6, "memory_used", "memory_used_mib", GPUT__STREAM_MEMORY }, .table = { "mem used", 2 },
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
       .origin = DRIVER, .family = "job_gpu_memory_bytes",
       .help = "GPU memory of the main process",
       .column = { "main_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM, GPUT__ROW_GPU_RAM, "main", "Main", AT(max_gpu_ram.main) },
       .line = { GPUT__CHART_GPU_MEMORY, "Main process", 1, GPUT__PART })

METRIC(GPUT__DESCENDANTS_GPU_RAM,
       .name = "descendants_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = DRIVER, .family = "job_gpu_memory_bytes",
       .help = "GPU memory of the descendants",
       .column = { "descendants_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM, GPUT__ROW_GPU_RAM, "descendants", "Descendants", AT(max_gpu_ram.descendants) },
       .line = { GPUT__CHART_GPU_MEMORY, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_GPU_RAM,
       .name = "combined_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = DRIVER, .family = "job_gpu_memory_bytes",
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
       .stream = { 10, "gpu_vram", "gpu_vram_mib", GPUT__STREAM_GPU_MEMORY }, .table = { "gpu mem", 4 },
       .line = { GPUT__CHART_GPU_MEMORY, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_GPU_RAM, 1, "GPU RAM", NULL })

METRIC(GPUT__SYSTEM_GPU_RAM,
       .name = "system_gpu_ram", .unit = GPUT__GPU_BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_memory_bytes",
       .help = "Memory in use on all GPUs",
       .column = { "system_gpu_ram", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MAX_GPU_RAM_SYSTEM, GPUT__ROW_GPU_RAM, "system", "System", AT(max_gpu_ram.system) },
       .stream = { 19, "gpu_vram", "gpu_vram_mib", GPUT__STREAM_GPU_MEMORY }, .table = { "gpu mem", 4 },
       .line = { GPUT__CHART_GPU_MEMORY, "All processes", GPUT__BEHIND, GPUT__ASIDE },
       .plot = { GPUT__PLOT_GPU_RAM, 2, "GPU RAM, all", OF_MACHINE })

METRIC(GPUT__JOB_GPU_PERCENT,
       .name = "job_gpu_percent", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = DRIVER, .family = "job_gpu_utilization_ratio",
       .help = "Utilization of the GPUs that the job uses, summed",
       .hardware = GPUT__EXPECTED_GPUS,
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, .at = AT(gpu_utilization.gpu_percentages) },
       .stream = { 9, "gpu_usage", NULL, GPUT__STREAM_GPU_USE }, .table = { "gpu", 3 },
       .line = { GPUT__CHART_GPU, "Job", 0, 0 },
       .plot = { GPUT__PLOT_GPU_USE, 0, "GPU use", NULL })

METRIC(GPUT__GPU_PERCENT,
       .name = "gpu", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_utilization_ratio",
       .help = "Utilization of the chosen GPUs, summed",
       .hardware = GPUT__EXPECTED_GPUS,
       .column = { "gpu_sum_utilization_percent", "gpu_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__GPU_UTILIZATION_PERCENTAGES, .at = AT(gpu_utilization.gpu_percentages) },
       .stream = { 18, "gpu_usage", NULL, GPUT__STREAM_GPU_USE }, .table = { "gpu", 3 },
       .line = { GPUT__CHART_GPU, "All GPUs", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_GPU_USE, 1, "GPU use", NULL })

METRIC(GPUT__MAIN_N_THREADS,
       .name = "main_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MAIN,
       .origin = STAT, .family = "threads", .convention = { "process.thread.count", NULL },
       .help = "Threads of the main process",
       .column = { "main_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "main_n_threads", "Main number of threads", AT(cpu_utilization.main_n_threads) },
       .why_sampled = AT_POLLS)

METRIC(GPUT__DESCENDANTS_N_THREADS,
       .name = "descendants_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = STAT, .family = "threads", .convention = { "process.thread.count", NULL },
       .help = "Threads of the descendants",
       .column = { "descendants_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "descendants_n_threads", "Descendants number of threads", AT(cpu_utilization.descendants_n_threads) },
       .why_sampled = AT_POLLS)

METRIC(GPUT__COMBINED_N_THREADS,
       .name = "combined_n_threads", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = STAT, .family = "threads", .convention = { "process.thread.count", NULL },
       .help = "Threads of the job",
       .column = { "combined_n_threads", NULL },
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__CPU_UTILIZATION, GPUT__ROW_COUNT, "combined_n_threads", "Combined number of threads", AT(cpu_utilization.combined_n_threads) },
       .why_sampled = AT_POLLS,
       .line = { GPUT__CHART_PROCESSES, "Threads", 0, 0 })

METRIC(GPUT__N_PROCESSES,
       .name = "n_processes", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_COMBINED,
       .origin = "/proc, process events", .family = "processes",
       .help = "Processes of the job that are alive",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__TOTALS_PROCESSES, GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(totals.max_n_processes) },
       .why_sampled = AT_POLLS,
       .line = { GPUT__CHART_PROCESSES, "Processes", 1, 0 })

METRIC(GPUT__SYSTEM_CPU,
       .name = "cpu_system", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_cpu_seconds",
       .help = "CPU time of the whole machine",
       .hardware = GPUT__SYSTEM_CORES,
       .column = { "cpu_system_sum_utilization_percent", "cpu_system_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_SYSTEM, .at = AT(cpu_utilization.system) },
       .why_unknown = "/proc/stat cannot be read",
       .stream = { 4, "cpu_usage", NULL, GPUT__STREAM_CORES }, .table = { "cores", 1 },
       .line = { GPUT__CHART_CPU, "Whole machine", GPUT__BEHIND, GPUT__ASIDE },
       .plot = { GPUT__PLOT_CPU, 3, "CPU, all", OF_MACHINE })

METRIC(GPUT__MAIN_CPU,
       .name = "cpu_main", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MAIN,
       .origin = CPU_CLOCK, .family = "cpu_seconds", .convention = { "process.cpu.time", NULL },
       .help = "CPU time of the main process",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_main_sum_utilization_percent", "cpu_main_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_MAIN, .at = AT(cpu_utilization.main) },
       .figure[1] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_CPU, GPUT__ROW_NUMBER, "main_cpu_seconds", "CPU seconds of main", AT(totals.main_cpu_seconds) },
       .line = { GPUT__CHART_CPU, "Main process", 1, GPUT__PART },
       .plot = { GPUT__PLOT_CPU, 2, "CPU", NULL })

METRIC(GPUT__DESCENDANTS_CPU,
       .name = "cpu_descendants", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_DESCENDANTS,
       .origin = CPU_CLOCK, .family = "cpu_seconds", .convention = { "process.cpu.time", NULL },
       .help = "CPU time of the descendants, exited processes included",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_descendants_sum_utilization_percent", "cpu_descendants_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_DESCENDANTS, .at = AT(cpu_utilization.descendants) },
       .figure[1] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_CPU, GPUT__ROW_NUMBER, "descendants_cpu_seconds", "CPU seconds of descendants", AT(totals.descendants_cpu_seconds) },
       .line = { GPUT__CHART_CPU, "Descendants", 2, GPUT__PART })

METRIC(GPUT__COMBINED_CPU,
       .name = "cpu_combined", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_COMBINED,
       .origin = CPU_CLOCK, .family = "cpu_seconds", .convention = { "process.cpu.time", NULL },
       .help = "CPU time of the job, exited processes included",
       .hardware = GPUT__EXPECTED_CORES,
       .column = { "cpu_combined_sum_utilization_percent", "cpu_combined_hardware_utilization_percent" },
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, GPUT__CPU_COMBINED, .at = AT(cpu_utilization.combined) },
       .line = { GPUT__CHART_CPU, "Job", 0, 0 },
       .plot = { GPUT__PLOT_CPU, 0, "CPU", NULL })

METRIC(GPUT__JOB_CPU,
       .name = "cpu_job", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = CPU_CLOCK, .family = "cpu_seconds", .convention = { "process.cpu.time", NULL },
       .help = "CPU time of the job as its stream shows it",
       .hardware = GPUT__EXPECTED_CORES,
       .figure[0] = { GPUT__FIGURE_PERCENTAGES, .at = AT(cpu_utilization.combined) },
       .stream = { 5, "cpu_usage", NULL, GPUT__STREAM_CORES }, .table = { "cores", 1 },
       .line = { GPUT__CHART_CPU, "Job", 0, GPUT__SECOND },
       .plot = { GPUT__PLOT_CPU, 1, "CPU", NULL })

METRIC(GPUT__JOB_USER_CPU,
       .name = "cpu_job_user", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "cpu_user_seconds",
       .help = "CPU time of the job in user mode",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_MODES, GPUT__ROW_NUMBER, "cpu_user_seconds", "CPU seconds in user mode", AT(totals.cpu_user_seconds) },
       .stream = { 3, "utime", NULL, GPUT__STREAM_TIME_USED }, .table = { "user", 13 })

METRIC(GPUT__JOB_KERNEL_CPU,
       .name = "cpu_job_kernel", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "cpu_kernel_seconds",
       .help = "CPU time of the job in the kernel",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_MODES, GPUT__ROW_NUMBER, "cpu_system_seconds", "CPU seconds in the kernel", AT(totals.cpu_system_seconds) },
       .stream = { 4, "stime", NULL, GPUT__STREAM_TIME_USED }, .table = { "system", 14 })

METRIC(GPUT__JOB_DISK_READ,
       .name = "job_disk_read", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/io", .family = "disk_read_bytes", .convention = { "process.disk.io", "disk.io.direction=read" },
       .help = "Bytes that the job read from disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_DISK, GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disk", AT(totals.disk_read_bytes) },
       .stream = { 7, "read_bytes", "disk_read_bytes", GPUT__STREAM_BYTES }, .table = { "read", 5 },
       .line = { GPUT__CHART_DISK, "Read", 0, 0 },
       .plot = { GPUT__PLOT_READ, 0, "Job reads", NULL })

METRIC(GPUT__JOB_DISK_WRITE,
       .name = "job_disk_write", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/io", .family = "disk_write_bytes", .convention = { "process.disk.io", "disk.io.direction=write" },
       .help = "Bytes that the job wrote to disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__TOTALS_DISK, GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disk", AT(totals.disk_write_bytes) },
       .stream = { 8, "write_bytes", "disk_write_bytes", GPUT__STREAM_BYTES }, .table = { "written", 6 },
       .line = { GPUT__CHART_DISK, "Written", 1, 0 },
       .plot = { GPUT__PLOT_WRITTEN, 0, "Job writes", NULL })

METRIC(GPUT__JOB_N_CHILDREN,
       .name = "job_n_children", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc", .family = "descendants",
       .help = "Descendants that are alive",
       .stream = { 2, "children", NULL, GPUT__STREAM_COUNT }, .table = { "children", 7 },
       .line = { GPUT__CHART_PROCESSES, "Descendants", 2, 0 })

METRIC(GPUT__JOB_GPUS_IN_USE,
       .name = "job_gpus_in_use", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = DRIVER, .family = "job_gpus_in_use",
       .help = "GPUs that the job uses",
       .hardware = GPUT__EXPECTED_GPUS,
       .stream = { 11, "gpu_utilized", NULL, GPUT__STREAM_GPUS_IN_USE })

METRIC(GPUT__JOB_OPEN_FILES,
       .name = "job_open_files", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/fd", .family = "open_files", .convention = { "process.unix.file_descriptor.count", NULL },
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

METRIC(GPUT__JOB_CPU_PRESSURE,
       .name = "job_cpu_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "cpu.pressure of the job's cgroup", .family = "cpu_pressure_seconds",
       .help = "Time in which a task of the job's control group waited for a CPU",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "cpu_some_seconds", "Seconds in which some waited for a CPU", AT(waiting.cpu_some_seconds) },
       .why_unknown = NO_PRESSURE,
       .line = { GPUT__CHART_PRESSURE, "CPU", 0, 0 },
       .plot = { GPUT__PLOT_WAIT_CPU, 0, "Waits, CPU", NULL })

METRIC(GPUT__JOB_CPU_PRESSURE_FULL,
       .name = "job_cpu_pressure_full", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "cpu.pressure of the job's cgroup", .family = "cpu_pressure_full_seconds",
       .help = "Time in which all tasks of the job's control group that could run waited for a CPU",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "cpu_full_seconds", "Seconds in which all waited for a CPU", AT(waiting.cpu_full_seconds) },
       .why_unknown = NO_PRESSURE)

METRIC(GPUT__JOB_MEMORY_PRESSURE,
       .name = "job_memory_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "memory.pressure of the job's cgroup", .family = "memory_pressure_seconds",
       .help = "Time in which a task of the job's control group waited for memory",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "memory_some_seconds", "Seconds in which some waited for memory", AT(waiting.memory_some_seconds) },
       .why_unknown = NO_PRESSURE,
       .line = { GPUT__CHART_PRESSURE, "Memory", 1, 0 },
       .plot = { GPUT__PLOT_WAIT_MEMORY, 0, "Waits, memory", NULL })

METRIC(GPUT__JOB_MEMORY_PRESSURE_FULL,
       .name = "job_memory_pressure_full", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "memory.pressure of the job's cgroup", .family = "memory_pressure_full_seconds",
       .help = "Time in which all tasks of the job's control group that could run waited for memory",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "memory_full_seconds", "Seconds in which all waited for memory", AT(waiting.memory_full_seconds) },
       .why_unknown = NO_PRESSURE)

METRIC(GPUT__JOB_IO_PRESSURE,
       .name = "job_io_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "io.pressure of the job's cgroup", .family = "io_pressure_seconds",
       .help = "Time in which a task of the job's control group waited for a disk",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "io_some_seconds", "Seconds in which some waited for a disk", AT(waiting.io_some_seconds) },
       .why_unknown = NO_PRESSURE,
       .line = { GPUT__CHART_PRESSURE, "Disk", 2, 0 },
       .plot = { GPUT__PLOT_WAIT_DISK, 0, "Waits, disk", NULL })

METRIC(GPUT__JOB_IO_PRESSURE_FULL,
       .name = "job_io_pressure_full", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "io.pressure of the job's cgroup", .family = "io_pressure_full_seconds",
       .help = "Time in which all tasks of the job's control group that could run waited for a disk",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "io_full_seconds", "Seconds in which all waited for a disk", AT(waiting.io_full_seconds) },
       .why_unknown = NO_PRESSURE)

METRIC(GPUT__JOB_THROTTLED,
       .name = "job_throttled", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = "cpu.stat of the cgroup with the quota", .family = "throttled_seconds",
       .help = "Time for which the control group's CPU quota held the job back, on each core that it waited for",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "throttled_seconds", "Seconds throttled by the CPU quota", AT(waiting.throttled_seconds) },
       .why_unknown = NO_QUOTA,
       .line = { GPUT__CHART_PRESSURE, "Throttled", 3, GPUT__IF_ANY })

METRIC(GPUT__JOB_THROTTLED_PERIODS,
       .name = "job_throttled_periods", .unit = GPUT__COUNT, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "cpu.stat of the cgroup with the quota", .family = "throttled_periods",
       .help = "Periods of the CPU quota in which it held the job back",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_COUNT, "throttled_periods", "Periods throttled by it", AT(waiting.throttled_periods) },
       .why_unknown = NO_QUOTA)

METRIC(GPUT__JOB_QUOTA_PERIODS,
       .name = "job_quota_periods", .unit = GPUT__COUNT, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "cpu.stat of the cgroup with the quota", .family = "quota_periods",
       .help = "Periods of the CPU quota in which the job ran",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_COUNT, "quota_periods", "Periods of it", AT(waiting.quota_periods) },
       .why_unknown = NO_QUOTA)

METRIC(GPUT__JOB_RUN_QUEUE,
       .name = "job_run_queue", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/task/TID/schedstat", .family = "run_queue_seconds",
       .help = "Time for which threads of the job could run and waited for a CPU, added up",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "run_queue_seconds", "Seconds of its threads in the run queue", AT(waiting.run_queue_seconds) },
       .why_unknown = "the kernel does not count it")

METRIC(GPUT__JOB_IO_WAIT,
       .name = "job_io_wait", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = "/proc/PID/task/TID/stat", .family = "io_wait_seconds",
       .help = "Time for which threads of the job waited for disks, added up",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "io_wait_seconds", "Seconds of its threads waiting for disks", AT(waiting.io_wait_seconds) },
       .why_unknown = "delay accounting is off (kernel.task_delayacct)")

METRIC(GPUT__JOB_BLOCKED,
       .name = "job_blocked", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "blocked_seconds",
       .help = "Time in which a process of the job was in a sleep that no signal ends, as for disks, as seen at polls",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__WAITING, GPUT__ROW_NUMBER, "blocked_seconds", "Seconds in which some were blocked", AT(waiting.blocked_seconds) },
       .line = { GPUT__CHART_PRESSURE, "Blocked", 6, GPUT__IF_ANY })

METRIC(GPUT__JOB_MAJOR_FAULTS,
       .name = "job_major_faults", .unit = GPUT__COUNT, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_JOB,
       .origin = STAT, .family = "major_faults",
       .help = "Page faults of the job that a disk had to be read for",
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(totals.major_faults) })

METRIC(GPUT__SYSTEM_N_PROCESSES,
       .name = "system_n_processes", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc", .family = "machine_processes", .convention = { "system.process.count", NULL },
       .help = "Processes of the machine",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(machine.max_n_processes) },
       .why_unknown = "/proc cannot be listed",
       .stream = { 1, "processes", NULL, GPUT__STREAM_COUNT }, .table = { "processes", 10 },
       .line = { GPUT__CHART_PROCESSES, "Processes, whole machine", GPUT__BEHIND, GPUT__ASIDE })

METRIC(GPUT__SYSTEM_FREE_RAM,
       .name = "system_free_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_free_bytes", .convention = { "system.memory.usage", "system.memory.state=free" },
       .help = "Memory that nobody uses",
       .stream = { 5, "memory_free", "memory_free_mib", GPUT__STREAM_MEMORY }, .table = { "mem free", 9 })

METRIC(GPUT__SYSTEM_BUFFERS_RAM,
       .name = "system_buffers_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_buffers_bytes", .convention = { "system.memory.usage", "system.memory.state=buffers" },
       .help = "Memory that buffers blocks of disks",
       .stream = { 7, "memory_buffers", "memory_buffers_mib", GPUT__STREAM_MEMORY })

METRIC(GPUT__SYSTEM_CACHED_RAM,
       .name = "system_cached_ram", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = MEMINFO, .family = "machine_memory_cached_bytes", .convention = { "system.memory.usage", "system.memory.state=cached" },
       .help = "Memory that holds pages of files",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_RAM, "max_cached", "Most RAM that held files", AT(machine.max_cached) },
       .why_unknown = "/proc/meminfo does not tell it",
       .stream = { 8, "memory_cached", "memory_cached_mib", GPUT__STREAM_MEMORY }, .table = { "cached", 11 })

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
       .origin = "/proc/stat", .family = "machine_cpu_user_seconds", .convention = { "system.cpu.time", "cpu.mode=user" },
       .help = "CPU time of the machine in user mode",
       .stream = { 2, "utime", NULL, GPUT__STREAM_TIME_USED }, .table = { "user", 13 })

METRIC(GPUT__SYSTEM_KERNEL_CPU,
       .name = "cpu_system_kernel", .unit = GPUT__SECONDS, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_cpu_kernel_seconds", .convention = { "system.cpu.time", "cpu.mode=system" },
       .help = "CPU time of the machine in the kernel",
       .stream = { 3, "stime", NULL, GPUT__STREAM_TIME_USED }, .table = { "system", 14 })

METRIC(GPUT__DISK_READ,
       .name = "disk_read", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/diskstats", .family = "machine_disk_read_bytes", .convention = { "system.disk.io", "disk.io.direction=read" },
       .help = "Bytes that were read from the machine's disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disks", AT(machine.disk_read_bytes) },
       .stream = { 11, "disk_read_bytes", NULL, GPUT__STREAM_BYTES }, .table = { "read", 5 },
       .line = { GPUT__CHART_DISK, "Read, whole machine", 2, GPUT__ASIDE },
       .plot = { GPUT__PLOT_READ, 1, "Disk reads", NULL })

METRIC(GPUT__DISK_WRITE,
       .name = "disk_write", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/diskstats", .family = "machine_disk_write_bytes", .convention = { "system.disk.io", "disk.io.direction=write" },
       .help = "Bytes that were written to the machine's disks",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disks", AT(machine.disk_write_bytes) },
       .stream = { 12, "disk_write_bytes", NULL, GPUT__STREAM_BYTES }, .table = { "written", 6 },
       .line = { GPUT__CHART_DISK, "Written, whole machine", 3, GPUT__ASIDE },
       .plot = { GPUT__PLOT_WRITTEN, 1, "Disk writes", NULL })

METRIC(GPUT__NET_RECEIVED,
       .name = "net_received", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/net/dev", .family = "machine_network_receive_bytes", .convention = { "system.network.io", "network.io.direction=receive" },
       .help = "Bytes that the machine received, without loopback",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "net_received_bytes", "Bytes received from the network", AT(machine.net_received_bytes) },
       .stream = { 16, "net_recv_bytes", NULL, GPUT__STREAM_BYTES }, .table = { "received", 7 },
       .line = { GPUT__CHART_NETWORK, "Received", 0, 0 },
       .plot = { GPUT__PLOT_RECEIVED, 0, "Net receives", NULL })

METRIC(GPUT__NET_SENT,
       .name = "net_sent", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/net/dev", .family = "machine_network_transmit_bytes", .convention = { "system.network.io", "network.io.direction=transmit" },
       .help = "Bytes that the machine sent, without loopback",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "net_sent_bytes", "Bytes sent to the network", AT(machine.net_sent_bytes) },
       .stream = { 17, "net_sent_bytes", NULL, GPUT__STREAM_BYTES }, .table = { "sent", 8 },
       .line = { GPUT__CHART_NETWORK, "Sent", 1, 0 },
       .plot = { GPUT__PLOT_SENT, 0, "Net sends", NULL })

METRIC(GPUT__DISK_SPACE_TOTAL,
       .name = "disk_space_total", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_bytes", .convention = { "system.filesystem.limit", NULL },
       .help = "Space of the file systems on disks",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_total", "Disk space", AT(machine.disk_space_total) },
       .stream = { 13, "disk_space_total_gb", NULL, GPUT__STREAM_SPACE })

METRIC(GPUT__DISK_SPACE_USED,
       .name = "disk_space_used", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_used_bytes", .convention = { "system.filesystem.usage", "system.filesystem.state=used" },
       .help = "Space of them that is used",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_used", "Disk space used", AT(machine.disk_space_used) },
       .stream = { 14, "disk_space_used_gb", NULL, GPUT__STREAM_SPACE })

METRIC(GPUT__DISK_SPACE_FREE,
       .name = "disk_space_free", .unit = GPUT__BYTES, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = SPACE, .family = "machine_disk_space_free_bytes", .convention = { "system.filesystem.usage", "system.filesystem.state=free" },
       .help = "Space of them that may still be used",
       .figure[0] = { GPUT__FIGURE_LAST, GPUT__MACHINE, GPUT__ROW_RAM, "disk_space_free", "Disk space free", AT(machine.disk_space_free) },
       .stream = { 15, "disk_space_free_gb", NULL, GPUT__STREAM_SPACE }, .table = { "disk free", 12 })

METRIC(GPUT__SYSTEM_GPUS_IN_USE,
       .name = "system_gpus_in_use", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = DRIVER, .family = "gpus_in_use",
       .help = "GPUs that are in use",
       .stream = { 20, "gpu_utilized", NULL, GPUT__STREAM_GPUS_IN_USE })

/* Those of model/gpu_work.h, in its order. */
METRIC(GPUT__GPUS_ENGINE,
       .name = "gpu_engine_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_engine_active_percent",
       .help = "Share of the time that the engines were active, mean of the chosen GPUs",
       .line = { GPUT__CHART_GPU_WORK, "and other kernels", 1, 0 })

METRIC(GPUT__GPUS_SM,
       .name = "gpu_sm_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_sm_active_percent",
       .help = "Share of the multiprocessors' time that they had work, mean of the chosen GPUs")

METRIC(GPUT__GPUS_OCCUPANCY,
       .name = "gpu_sm_occupancy", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_sm_occupancy_percent",
       .help = "Share of the threads that could be resident which were, mean of the chosen GPUs")

METRIC(GPUT__GPUS_TENSOR,
       .name = "gpu_tensor_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_tensor_active_percent",
       .help = "Share of the time that tensor cores were active, mean of the chosen GPUs",
       .line = { GPUT__CHART_GPU_WORK, "Tensor cores", 0, 0 })

METRIC(GPUT__GPUS_TENSOR_FP64,
       .name = "gpu_tensor_fp64_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_tensor_fp64_active_percent",
       .help = "Share of the time that tensor cores were active with FP64, mean of the chosen GPUs")

METRIC(GPUT__GPUS_TENSOR_HALF,
       .name = "gpu_tensor_half_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_tensor_half_active_percent",
       .help = "Share of the time that tensor cores were active with TF32 or smaller, mean of the chosen GPUs")

METRIC(GPUT__GPUS_TENSOR_INT,
       .name = "gpu_tensor_int_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_tensor_int_active_percent",
       .help = "Share of the time that tensor cores were active with integers, mean of the chosen GPUs")

METRIC(GPUT__GPUS_FP64,
       .name = "gpu_fp64_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_fp64_active_percent",
       .help = "Share of the time that the FP64 pipes were active, mean of the chosen GPUs")

METRIC(GPUT__GPUS_FP32,
       .name = "gpu_fp32_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_fp32_active_percent",
       .help = "Share of the time that the FP32 pipes were active, mean of the chosen GPUs")

METRIC(GPUT__GPUS_FP16,
       .name = "gpu_fp16_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_fp16_active_percent",
       .help = "Share of the time that the FP16 pipes were active, mean of the chosen GPUs")

METRIC(GPUT__GPUS_DRAM,
       .name = "gpu_dram_active", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_dram_active_percent",
       .help = "Share of the bandwidth of the GPU memory that was in use, mean of the chosen GPUs")

METRIC(GPUT__GPUS_MEMORY,
       .name = "gpu_memory_busy", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_memory_busy_percent",
       .help = "Share of the time that the memory controllers were busy, mean of the chosen GPUs")

METRIC(GPUT__GPUS_AT_WORK,
       .name = "gpu_at_work", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_at_work_percent",
       .help = "Share of the time that kernels were there, or copies at the speed of the link, mean of the chosen GPUs",
       .line = { GPUT__CHART_GPU_WORK, "and copies", 2, 0 })

METRIC(GPUT__GPUS_PCIE_RX,
       .name = "gpu_pcie_rx_bytes", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_pcie_rx_bytes",
       .help = "Bytes that the chosen GPUs received over PCIe")

METRIC(GPUT__GPUS_PCIE_TX,
       .name = "gpu_pcie_tx_bytes", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_pcie_tx_bytes",
       .help = "Bytes that the chosen GPUs sent over PCIe")

METRIC(GPUT__GPUS_NVLINK_RX,
       .name = "gpu_nvlink_rx_bytes", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_nvlink_rx_bytes",
       .help = "Bytes that the chosen GPUs received over NVLink")

METRIC(GPUT__GPUS_NVLINK_TX,
       .name = "gpu_nvlink_tx_bytes", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_GPUS,
       .origin = COUNTERS, .family = "gpus_nvlink_tx_bytes",
       .help = "Bytes that the chosen GPUs sent over NVLink")

METRIC(GPUT__SYSTEM_CPU_PRESSURE,
       .name = "system_cpu_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/pressure/cpu", .family = "machine_cpu_pressure_seconds",
       .help = "Time in which a task of the machine waited for a CPU",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(waiting.cpu_some_seconds) },
       .line = { GPUT__CHART_PRESSURE, "CPU, whole machine", 4, GPUT__ASIDE })

METRIC(GPUT__SYSTEM_MEMORY_PRESSURE,
       .name = "system_memory_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/pressure/memory", .family = "machine_memory_pressure_seconds",
       .help = "Time in which a task of the machine waited for memory",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(waiting.memory_some_seconds) },
       .line = { GPUT__CHART_PRESSURE, "Memory, whole machine", 5, GPUT__ASIDE })

METRIC(GPUT__SYSTEM_MEMORY_PRESSURE_FULL,
       .name = "system_memory_pressure_full", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/pressure/memory", .family = "machine_memory_pressure_full_seconds",
       .help = "Time in which all tasks of the machine that could run waited for memory",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(waiting.memory_full_seconds) })

METRIC(GPUT__SYSTEM_IO_PRESSURE,
       .name = "system_io_pressure", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/pressure/io", .family = "machine_io_pressure_seconds",
       .help = "Time in which a task of the machine waited for a disk",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(waiting.io_some_seconds) },
       .line = { GPUT__CHART_PRESSURE, "Disk, whole machine", 6, GPUT__ASIDE })

METRIC(GPUT__SYSTEM_IO_PRESSURE_FULL,
       .name = "system_io_pressure_full", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/pressure/io", .family = "machine_io_pressure_full_seconds",
       .help = "Time in which all tasks of the machine that could run waited for a disk",
       .hardware = GPUT__THE_TIME,
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(waiting.io_full_seconds) })

METRIC(GPUT__SYSTEM_STOLEN_CPU,
       .name = "system_stolen_cpu", .unit = GPUT__SECONDS, .kind = GPUT__RATE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_stolen_cpu_seconds",
       .help = "CPU time that the machine wanted and the hypervisor gave to others",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_NUMBER, "stolen_cpu_seconds", "CPU seconds stolen by the hypervisor", AT(machine.stolen_cpu_seconds) },
       .why_unknown = "/proc/stat cannot be read",
       .line = { GPUT__CHART_PRESSURE, "CPU stolen from the machine", 7, GPUT__IF_ANY | GPUT__ASIDE })

METRIC(GPUT__SYSTEM_BUSIEST_CORE,
       .name = "system_busiest_core", .unit = GPUT__PERCENT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_busiest_core_percent",
       .help = "How busy the busiest core of the machine was",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_NUMBER, "max_core_percent", "Busiest core at most, percent", AT(machine.max_core_percent) },
       .why_unknown = "no record was long enough to tell cores apart")

METRIC(GPUT__SYSTEM_BUSY_CORES,
       .name = "system_busy_cores", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/stat", .family = "machine_busy_cores",
       .help = "Cores of the machine that were busy for 90 % of the time or more",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__MACHINE, GPUT__ROW_COUNT, "max_busy_cores", "Most cores busy at a time", AT(machine.max_busy_cores) },
       .why_unknown = "no record was long enough to tell cores apart")

METRIC(GPUT__SYSTEM_SWAPPED_IN,
       .name = "system_swapped_in", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/vmstat", .family = "machine_swapped_in_bytes",
       .help = "Memory that the machine read back from swap",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "swapped_in_bytes", "Bytes read back from swap", AT(machine.swapped_in_bytes) },
       .why_unknown = "/proc/vmstat does not tell it")

METRIC(GPUT__SYSTEM_SWAPPED_OUT,
       .name = "system_swapped_out", .unit = GPUT__BYTES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/proc/vmstat", .family = "machine_swapped_out_bytes",
       .help = "Memory that the machine wrote to swap",
       .figure[0] = { GPUT__FIGURE_TOTAL, GPUT__MACHINE, GPUT__ROW_COUNT, "swapped_out_bytes", "Bytes written to swap", AT(machine.swapped_out_bytes) },
       .why_unknown = "/proc/vmstat does not tell it")

METRIC(GPUT__SYSTEM_CPU_ENERGY,
       .name = "system_cpu_energy", .unit = GPUT__JOULES, .kind = GPUT__COUNTER, .scope = GPUT__SCOPE_MACHINE,
       .origin = "/sys/class/powercap", .family = "machine_cpu_energy_joules",
       .help = "Energy that the processors and their memory took",
       .figure[0] = { GPUT__FIGURE_TOTAL, .at = AT(energy.cpu_joules) })

/* clang-format on */

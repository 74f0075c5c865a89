/* usage_rows.c - what a result shows, in its order: one table for text, JSON, the list of sources and
 * the reader of such JSON. */
#include "model/usage_rows.h"

#include <string.h>

#define AT(member) offsetof(struct gput_usage, member)
#define OPEN(key, label)                                                                           \
    {                                                                                              \
        GPUT__ROW_OPEN, key, label, 0                                                              \
    }
#define CLOSE                                                                                      \
    {                                                                                              \
        GPUT__ROW_CLOSE, NULL, NULL, 0                                                             \
    }

#define RSS(key, label, member)                                                                    \
    OPEN(key, label), { GPUT__ROW_RAM, "total_rss", "Total RSS", AT(member.total_rss) },           \
        { GPUT__ROW_RAM, "private_rss", "Private RSS", AT(member.private_rss) },                   \
        { GPUT__ROW_RAM, "shared_rss", "Shared RSS", AT(member.shared_rss) }, CLOSE

#define PERCENTAGES(key, label, member)                                                            \
    OPEN(key, label),                                                                              \
        { GPUT__ROW_NUMBER, "max_sum_percent", "Max sum percent", AT(member.max_sum_percent) },    \
        { GPUT__ROW_NUMBER, "max_hardware_percent", "Max hardware percent",                        \
          AT(member.max_hardware_percent) },                                                       \
        { GPUT__ROW_NUMBER, "mean_sum_percent", "Mean sum percent", AT(member.mean_sum_percent) }, \
        { GPUT__ROW_NUMBER, "mean_hardware_percent", "Mean hardware percent",                      \
          AT(member.mean_hardware_percent) },                                                      \
        CLOSE

/* clang-format off */
static const struct gput__row default_rows[] = {
    OPEN("max_ram", "Max RAM"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit) },
    { GPUT__ROW_RAM, "system_capacity", "System capacity", AT(max_ram.system_capacity) },
    { GPUT__ROW_RAM, "system", "System", AT(max_ram.system) },
    RSS("main", "Main", max_ram.main),
    RSS("descendants", "Descendants", max_ram.descendants),
    RSS("combined", "Combined", max_ram.combined),
    CLOSE,
    OPEN("max_gpu_ram", "Max GPU RAM"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(gpu_ram_unit) },
    { GPUT__ROW_GPU_RAM, "system_capacity", "System capacity", AT(max_gpu_ram.system_capacity) },
    { GPUT__ROW_GPU_RAM, "system", "System", AT(max_gpu_ram.system) },
    { GPUT__ROW_GPU_RAM, "main", "Main", AT(max_gpu_ram.main) },
    { GPUT__ROW_GPU_RAM, "descendants", "Descendants", AT(max_gpu_ram.descendants) },
    { GPUT__ROW_GPU_RAM, "combined", "Combined", AT(max_gpu_ram.combined) },
    CLOSE,
    OPEN("cpu_utilization", "CPU utilization"),
    { GPUT__ROW_COUNT, "system_core_count", "System core count", AT(cpu_utilization.system_core_count) },
    { GPUT__ROW_COUNT, "n_expected_cores", "Number of expected cores", AT(cpu_utilization.n_expected_cores) },
    PERCENTAGES("system", "System", cpu_utilization.system),
    PERCENTAGES("main", "Main", cpu_utilization.main),
    PERCENTAGES("descendants", "Descendants", cpu_utilization.descendants),
    PERCENTAGES("combined", "Combined", cpu_utilization.combined),
    { GPUT__ROW_COUNT, "main_n_threads", "Main number of threads", AT(cpu_utilization.main_n_threads) },
    { GPUT__ROW_COUNT, "descendants_n_threads", "Descendants number of threads", AT(cpu_utilization.descendants_n_threads) },
    { GPUT__ROW_COUNT, "combined_n_threads", "Combined number of threads", AT(cpu_utilization.combined_n_threads) },
    CLOSE,
    OPEN("gpu_utilization", "GPU utilization"),
    { GPUT__ROW_COUNT, "system_gpu_count", "System GPU count", AT(gpu_utilization.system_gpu_count) },
    { GPUT__ROW_COUNT, "n_expected_gpus", "Number of expected GPUs", AT(gpu_utilization.n_expected_gpus) },
    PERCENTAGES("gpu_percentages", "GPU percentages", gpu_utilization.gpu_percentages),
    CLOSE,
    OPEN("compute_time", "Compute time"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(time_unit) },
    { GPUT__ROW_TIME, "time", "Time", AT(compute_time.time) },
    CLOSE,
};

static const struct gput__row full_rows[] = {
    OPEN("job", "Job"),
    { GPUT__ROW_TEXT, "command", "Command", AT(job.command) },
    { GPUT__ROW_PID, "pid", "Process id", AT(job.pid) },
    { GPUT__ROW_ENDING, "ending", "Ending", AT(job.ending) },
    { GPUT__ROW_EXIT, "exit_code", "Exit code", AT(job.code) },
    { GPUT__ROW_SIGNAL, "signal", "Signal", AT(job.code) },
    { GPUT__ROW_BOOL, "timed_out", "Ended for its time limit", AT(job.timed_out) },
    { GPUT__ROW_OOM, "killed_for_memory", "Killed for memory", AT(job.oom) },
    { GPUT__ROW_INT, "n_left", "Descendants still running", AT(job.n_left) },
    CLOSE,
    OPEN("totals", "Totals"),
    { GPUT__ROW_NUMBER, "cpu_user_seconds", "CPU seconds in user mode", AT(totals.cpu_user_seconds) },
    { GPUT__ROW_NUMBER, "cpu_system_seconds", "CPU seconds in the kernel", AT(totals.cpu_system_seconds) },
    { GPUT__ROW_NUMBER, "main_cpu_seconds", "CPU seconds of main", AT(totals.main_cpu_seconds) },
    { GPUT__ROW_NUMBER, "descendants_cpu_seconds", "CPU seconds of descendants", AT(totals.descendants_cpu_seconds) },
    { GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(totals.max_n_processes) },
    { GPUT__ROW_COUNT, "minor_faults", "Page faults without disk", AT(totals.minor_faults) },
    { GPUT__ROW_COUNT, "major_faults", "Page faults with disk", AT(totals.major_faults) },
    { GPUT__ROW_COUNT, "voluntary_switches", "Context switches, voluntary", AT(totals.voluntary_switches) },
    { GPUT__ROW_COUNT, "involuntary_switches", "Context switches, involuntary", AT(totals.involuntary_switches) },
    { GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disk", AT(totals.disk_read_bytes) },
    { GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disk", AT(totals.disk_write_bytes) },
    CLOSE,
    OPEN("limits", "Limits"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit) },
    { GPUT__ROW_RAM, "memory_host", "Memory of the machine", AT(limits.memory_host) },
    { GPUT__ROW_RAM, "memory_cgroup", "Memory limit of the cgroup", AT(limits.memory_cgroup) },
    { GPUT__ROW_RAM, "memory_effective", "Memory in effect", AT(limits.memory_effective) },
    { GPUT__ROW_COUNT, "cores_host", "Cores of the machine", AT(limits.cores_host) },
    { GPUT__ROW_NUMBER, "cores_cgroup", "Core limit of the cgroup", AT(limits.cores_cgroup) },
    { GPUT__ROW_COUNT, "cores_affinity", "Cores of the affinity mask", AT(limits.cores_affinity) },
    { GPUT__ROW_NUMBER, "cores_effective", "Cores in effect", AT(limits.cores_effective) },
    CLOSE,
    OPEN("machine", "Machine"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit) },
    { GPUT__ROW_COUNT, "max_n_processes", "Most processes at a time", AT(machine.max_n_processes) },
    { GPUT__ROW_RAM, "max_cached", "Most RAM that held files", AT(machine.max_cached) },
    { GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disks", AT(machine.disk_read_bytes) },
    { GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disks", AT(machine.disk_write_bytes) },
    { GPUT__ROW_COUNT, "net_received_bytes", "Bytes received from the network", AT(machine.net_received_bytes) },
    { GPUT__ROW_COUNT, "net_sent_bytes", "Bytes sent to the network", AT(machine.net_sent_bytes) },
    { GPUT__ROW_RAM, "disk_space_total", "Disk space", AT(machine.disk_space_total) },
    { GPUT__ROW_RAM, "disk_space_used", "Disk space used", AT(machine.disk_space_used) },
    { GPUT__ROW_RAM, "disk_space_free", "Disk space free", AT(machine.disk_space_free) },
    CLOSE,
    OPEN("tracker", "Tracker"),
    { GPUT__ROW_NUMBER, "cpu_seconds", "CPU seconds", AT(tracker.cpu_seconds) },
    { GPUT__ROW_COUNT, "max_rss", "Peak RSS in bytes", AT(tracker.max_rss) },
    { GPUT__ROW_COUNT, "n_records", "Records", AT(tracker.n_records) },
    { GPUT__ROW_COUNT, "n_looks", "Looks", AT(tracker.n_looks) },
    { GPUT__ROW_COUNT, "n_memory_passes", "Memory passes", AT(tracker.n_memory_passes) },
    { GPUT__ROW_BOOL, "process_events", "Process events", AT(tracker.process_events) },
    CLOSE,
    OPEN("cgroup", "Cgroup"),
    { GPUT__ROW_TEXT, "path", "Path", AT(cgroup.path) },
    { GPUT__ROW_SOME, "version", "Version", AT(cgroup.version) },
    { GPUT__ROW_BOOL, "made", "Made for the job", AT(cgroup.made) },
    { GPUT__ROW_NUMBER, "cpu_seconds", "CPU seconds", AT(cgroup.cpu_seconds) },
    { GPUT__ROW_NUMBER, "cpu_user_seconds", "CPU seconds in user mode", AT(cgroup.cpu_user_seconds) },
    { GPUT__ROW_NUMBER, "cpu_system_seconds", "CPU seconds in the kernel", AT(cgroup.cpu_system_seconds) },
    { GPUT__ROW_COUNT, "max_memory", "Most memory in bytes", AT(cgroup.max_memory) },
    { GPUT__ROW_COUNT, "max_anon", "Most anonymous memory in bytes", AT(cgroup.max_anon) },
    { GPUT__ROW_COUNT, "max_shmem", "Most shared memory in bytes", AT(cgroup.max_shmem) },
    { GPUT__ROW_COUNT, "max_mapped_file", "Most of mapped files in bytes", AT(cgroup.max_mapped_file) },
    { GPUT__ROW_COUNT, "memory_peak", "Peak with page cache in bytes", AT(cgroup.memory_peak) },
    { GPUT__ROW_COUNT, "max_processes", "Most processes at a time", AT(cgroup.max_processes) },
    { GPUT__ROW_COUNT, "max_tasks", "Most tasks at a time", AT(cgroup.max_tasks) },
    { GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disk", AT(cgroup.disk_read_bytes) },
    { GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disk", AT(cgroup.disk_write_bytes) },
    { GPUT__ROW_COUNT, "oom_kills", "Killed for memory", AT(cgroup.oom_kills) },
    CLOSE,
    OPEN("ram_bounds", "Bounds of max RAM in bytes"),
    { GPUT__ROW_COUNT, "descendants_at_least", "Descendants at least",
      AT(ram_bounds.descendants_at_least) },
    { GPUT__ROW_COUNT, "descendants_at_most", "Descendants at most",
      AT(ram_bounds.descendants_at_most) },
    { GPUT__ROW_COUNT, "combined_at_least", "Combined at least", AT(ram_bounds.combined_at_least) },
    { GPUT__ROW_COUNT, "combined_at_most", "Combined at most", AT(ram_bounds.combined_at_most) },
    CLOSE,
};

#define GPU(member) offsetof(struct gput_gpu, member)
static const struct gput__row gpu_rows[] = {
    { GPUT__ROW_INT, "index", "Index", GPU(index) },
    { GPUT__ROW_TEXT, "name", "Name", GPU(name) },
    { GPUT__ROW_TEXT, "uuid", "UUID", GPU(uuid) },
    { GPUT__ROW_TEXT, "brand", "Brand", GPU(brand) },
    { GPUT__ROW_BOOL, "mig_instance", "MIG instance", GPU(is_mig) },
    { GPUT__ROW_BOOL, "counted", "Counted in the utilization", GPU(is_counted) },
    { GPUT__ROW_TEXT, "state", "State", GPU(state) },
    { GPUT__ROW_NUMBER, "max_utilization_percent", "Max utilization percent", GPU(max_utilization) },
    { GPUT__ROW_NUMBER, "mean_utilization_percent", "Mean utilization percent", GPU(mean_utilization) },
    { GPUT__ROW_GPU_RAM, "max_memory", "Max memory", GPU(max_memory) },
    { GPUT__ROW_GPU_RAM, "memory_total", "Memory", GPU(memory_total) },
    { GPUT__ROW_NUMBER, "max_power_watts", "Max power in watts", GPU(max_power) },
    { GPUT__ROW_NUMBER, "mean_power_watts", "Mean power in watts", GPU(mean_power) },
    { GPUT__ROW_NUMBER, "energy_joules", "Energy in joules", GPU(energy) },
    { GPUT__ROW_NUMBER, "max_temperature_celsius", "Max temperature in degrees Celsius", GPU(max_temperature) },
    { GPUT__ROW_COUNT, "max_clock_mhz", "Max clock in MHz", GPU(max_clock) },
    { GPUT__ROW_COUNT, "max_memory_clock_mhz", "Max memory clock in MHz", GPU(max_memory_clock) },
    { GPUT__ROW_TEXT, "throttled", "Slowed down", GPU(throttled) },
};
#define PROCESS(member) offsetof(struct gput_gpu_process, member)
static const struct gput__row gpu_process_rows[] = {
    { GPUT__ROW_PID, "pid", "Process id", PROCESS(pid) },
    { GPUT__ROW_INT, "gpu", "GPU", PROCESS(gpu) },
    { GPUT__ROW_GPU_RAM, "max_memory", "Max memory", PROCESS(max_memory) },
    { GPUT__ROW_NUMBER, "max_utilization_percent", "Max utilization percent", PROCESS(max_utilization) },
    { GPUT__ROW_NUMBER, "mean_utilization_percent", "Mean utilization percent", PROCESS(mean_utilization) },
    { GPUT__ROW_TEXT, "attribution", "Attribution", PROCESS(attribution) },
};
/* clang-format on */

#define ROWS(table)                                                                                \
    {                                                                                              \
        table, sizeof(table) / sizeof(*(table))                                                    \
    }
const struct gput__rows gput__default_rows = ROWS(default_rows);
const struct gput__rows gput__full_rows = ROWS(full_rows);
const struct gput__rows gput__gpu_rows = ROWS(gpu_rows);
const struct gput__rows gput__gpu_process_rows = ROWS(gpu_process_rows);

bool gput__row_is_figure(const struct gput__row *row)
{
    return row->kind >= GPUT__ROW_RAM && row->kind <= GPUT__ROW_COUNT;
}

static const char *const endings[] = {
    [GPUT_RUNNING] = "running",
    [GPUT_EXITED] = "exited",
    [GPUT_SIGNALED] = "killed by a signal",
    [GPUT_GONE] = "ended, status unknown",
    [GPUT_DETACHED] = "still running",
};
static const char *const ooms[] = {
    [GPUT_OOM_NO] = "no",
    [GPUT_OOM_PROBABLY] = "probably",
    [GPUT_OOM_YES] = "yes",
};
static const char *const sources[] = {
    [GPUT_UNAVAILABLE] = "unavailable",
    [GPUT_SAMPLED] = "sampled",
    [GPUT_EXACT] = "exact",
};
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

const char *gput__ending_name(enum gput_ending ending)
{
    return endings[ending];
}

const char *gput__oom_name(enum gput_oom oom)
{
    return ooms[oom];
}

const char *gput__source_name(enum gput_source source)
{
    return sources[source];
}

static int find(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    return -1;
}

int gput__ending_of(const char *name)
{
    return find(endings, COUNT(endings), name);
}

int gput__oom_of(const char *name)
{
    return find(ooms, COUNT(ooms), name);
}

int gput__source_of(const char *name)
{
    return find(sources, COUNT(sources), name);
}

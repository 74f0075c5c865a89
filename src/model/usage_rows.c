/* usage_rows.c - what a result shows, in its order: one table for text, JSON, the list of sources and
 * the reader of such JSON. */
#include "model/usage_rows.h"

#include <assert.h>
#include <string.h>

#include "model/gpu_work.h"
#include "model/metric.h"

#define AT(member) offsetof(struct gput_usage, member)
#define OPEN(key, label)                                                                           \
    {                                                                                              \
        GPUT__ROW_OPEN, key, label, 0, GPUT__NO_GROUP                                              \
    }
#define CLOSE                                                                                      \
    {                                                                                              \
        GPUT__ROW_CLOSE, NULL, NULL, 0, GPUT__NO_GROUP                                             \
    }
#define METRICS(group)                                                                             \
    {                                                                                              \
        GPUT__ROW_METRICS, NULL, NULL, 0, group                                                    \
    }
#define METRICS_IN(key, label, group) OPEN(key, label), METRICS(group), CLOSE

/* clang-format off */
static const struct gput__row default_rows[] = {
    OPEN("max_ram", "Max RAM"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit), 0 },
    { GPUT__ROW_RAM, "system_capacity", "System capacity", AT(max_ram.system_capacity), 0 },
    METRICS(GPUT__MAX_RAM),
    METRICS_IN("main", "Main", GPUT__MAX_RAM_MAIN),
    METRICS_IN("descendants", "Descendants", GPUT__MAX_RAM_DESCENDANTS),
    METRICS_IN("combined", "Combined", GPUT__MAX_RAM_COMBINED),
    CLOSE,
    OPEN("max_gpu_ram", "Max GPU RAM"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(gpu_ram_unit), 0 },
    { GPUT__ROW_GPU_RAM, "system_capacity", "System capacity", AT(max_gpu_ram.system_capacity), 0 },
    METRICS(GPUT__MAX_GPU_RAM_SYSTEM),
    METRICS(GPUT__MAX_GPU_RAM),
    CLOSE,
    OPEN("cpu_utilization", "CPU utilization"),
    { GPUT__ROW_COUNT, "system_core_count", "System core count", AT(cpu_utilization.system_core_count), 0 },
    { GPUT__ROW_COUNT, "n_expected_cores", "Number of expected cores", AT(cpu_utilization.n_expected_cores), 0 },
    METRICS_IN("system", "System", GPUT__CPU_SYSTEM),
    METRICS_IN("main", "Main", GPUT__CPU_MAIN),
    METRICS_IN("descendants", "Descendants", GPUT__CPU_DESCENDANTS),
    METRICS_IN("combined", "Combined", GPUT__CPU_COMBINED),
    METRICS(GPUT__CPU_UTILIZATION),
    CLOSE,
    OPEN("gpu_utilization", "GPU utilization"),
    { GPUT__ROW_COUNT, "system_gpu_count", "System GPU count", AT(gpu_utilization.system_gpu_count), 0 },
    { GPUT__ROW_COUNT, "n_expected_gpus", "Number of expected GPUs", AT(gpu_utilization.n_expected_gpus), 0 },
    METRICS_IN("gpu_percentages", "GPU percentages", GPUT__GPU_UTILIZATION_PERCENTAGES),
    CLOSE,
    OPEN("compute_time", "Compute time"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(time_unit), 0 },
    { GPUT__ROW_TIME, "time", "Time", AT(compute_time.time), 0 },
    CLOSE,
};

static const struct gput__row full_rows[] = {
    OPEN("run", "Run"),
    { GPUT__ROW_TEXT, "id", "Id", AT(run.id), 0 },
    { GPUT__ROW_TEXT, "start_time", "Start time", AT(run.start_time), 0 },
    { GPUT__ROW_TEXT, "host", "Host", AT(run.host), 0 },
    { GPUT__ROW_TEXT, "version", "Version", AT(run.version), 0 },
    { GPUT__ROW_TEXT, "command", "Command", AT(job.command), 0 },
    { GPUT__ROW_TEXT, "folder", "Folder", AT(run.folder), 0 },
    { GPUT__ROW_TEXT, "job_name", "Job name", AT(run.job_name), 0 },
    { GPUT__ROW_PAIRS, "tags", "Tags", AT(run.tags), 0 },
    { GPUT__ROW_PAIRS, "metadata", "Metadata", AT(run.metadata), 0 },
    CLOSE,
    OPEN("job", "Job"),
    { GPUT__ROW_TEXT, "command", "Command", AT(job.command), 0 },
    { GPUT__ROW_PID, "pid", "Process id", AT(job.pid), 0 },
    { GPUT__ROW_ENDING, "ending", "Ending", AT(job.ending), 0 },
    { GPUT__ROW_EXIT, "exit_code", "Exit code", AT(job.code), 0 },
    { GPUT__ROW_SIGNAL, "signal", "Signal", AT(job.code), 0 },
    { GPUT__ROW_BOOL, "timed_out", "Ended for its time limit", AT(job.timed_out), 0 },
    { GPUT__ROW_OOM, "killed_for_memory", "Killed for memory", AT(job.oom), 0 },
    { GPUT__ROW_INT, "n_left", "Descendants still running", AT(job.n_left), 0 },
    CLOSE,
    OPEN("totals", "Totals"),
    METRICS(GPUT__TOTALS_MODES),
    METRICS(GPUT__TOTALS_CPU),
    METRICS(GPUT__TOTALS_PROCESSES),
    { GPUT__ROW_COUNT, "minor_faults", "Page faults without disk", AT(totals.minor_faults), 0 },
    { GPUT__ROW_COUNT, "major_faults", "Page faults with disk", AT(totals.major_faults), 0 },
    { GPUT__ROW_COUNT, "voluntary_switches", "Context switches, voluntary", AT(totals.voluntary_switches), 0 },
    { GPUT__ROW_COUNT, "involuntary_switches", "Context switches, involuntary", AT(totals.involuntary_switches), 0 },
    METRICS(GPUT__TOTALS_DISK),
    METRICS(GPUT__TOTALS),
    CLOSE,
    OPEN("limits", "Limits"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit), 0 },
    { GPUT__ROW_RAM, "memory_host", "Memory of the machine", AT(limits.memory_host), 0 },
    { GPUT__ROW_RAM, "memory_cgroup", "Memory limit of the cgroup", AT(limits.memory_cgroup), 0 },
    { GPUT__ROW_RAM, "memory_effective", "Memory in effect", AT(limits.memory_effective), 0 },
    { GPUT__ROW_COUNT, "cores_host", "Cores of the machine", AT(limits.cores_host), 0 },
    { GPUT__ROW_NUMBER, "cores_cgroup", "Core limit of the cgroup", AT(limits.cores_cgroup), 0 },
    { GPUT__ROW_COUNT, "cores_affinity", "Cores of the affinity mask", AT(limits.cores_affinity), 0 },
    { GPUT__ROW_NUMBER, "cores_effective", "Cores in effect", AT(limits.cores_effective), 0 },
    { GPUT__ROW_NUMBER, "near_memory_seconds", "Seconds with 90 % of the memory in effect", AT(limits.near_memory_seconds), 0 },
    CLOSE,
    OPEN("waiting", "Waiting"),
    { GPUT__ROW_TEXT, "pressure_of", "Pressure of", AT(waiting.pressure_of), 0 },
    METRICS(GPUT__WAITING),
    CLOSE,
    OPEN("energy", "Energy"),
    { GPUT__ROW_NUMBER, "cpu_joules", "Of all processors in joules", AT(energy.cpu_joules), 0 },
    { GPUT__ROW_NUMBER, "job_cpu_joules", "Of the job on them in joules", AT(energy.job_cpu_joules), 0 },
    { GPUT__ROW_NUMBER, "gpu_joules", "Of the GPUs in joules", AT(energy.gpu_joules), 0 },
    { GPUT__ROW_NUMBER, "grams_per_kwh", "Grams of CO2 per kWh", AT(energy.grams_per_kwh), 0 },
    { GPUT__ROW_NUMBER, "grams_co2", "Grams of CO2", AT(energy.grams_co2), 0 },
    CLOSE,
    OPEN("machine", "Machine"),
    { GPUT__ROW_TEXT, "unit", "Unit", AT(ram_unit), 0 },
    METRICS(GPUT__MACHINE),
    CLOSE,
    OPEN("tracker", "Tracker"),
    { GPUT__ROW_NUMBER, "cpu_seconds", "CPU seconds", AT(tracker.cpu_seconds), 0 },
    { GPUT__ROW_COUNT, "max_rss", "Peak RSS in bytes", AT(tracker.max_rss), 0 },
    { GPUT__ROW_COUNT, "n_records", "Records", AT(tracker.n_records), 0 },
    { GPUT__ROW_COUNT, "n_polls", "Polls", AT(tracker.n_polls), 0 },
    { GPUT__ROW_COUNT, "n_memory_scans", "Memory scans", AT(tracker.n_memory_scans), 0 },
    { GPUT__ROW_BOOL, "process_events", "Process events", AT(tracker.process_events), 0 },
    CLOSE,
    OPEN("cgroup", "Cgroup"),
    { GPUT__ROW_TEXT, "path", "Path", AT(cgroup.path), 0 },
    { GPUT__ROW_SOME, "version", "Version", AT(cgroup.version), 0 },
    { GPUT__ROW_BOOL, "made", "Made for the job", AT(cgroup.made), 0 },
    { GPUT__ROW_NUMBER, "cpu_seconds", "CPU seconds", AT(cgroup.cpu_seconds), 0 },
    { GPUT__ROW_NUMBER, "cpu_user_seconds", "CPU seconds in user mode", AT(cgroup.cpu_user_seconds), 0 },
    { GPUT__ROW_NUMBER, "cpu_system_seconds", "CPU seconds in the kernel", AT(cgroup.cpu_system_seconds), 0 },
    { GPUT__ROW_COUNT, "max_memory", "Most memory in bytes", AT(cgroup.max_memory), 0 },
    { GPUT__ROW_COUNT, "max_anon", "Most anonymous memory in bytes", AT(cgroup.max_anon), 0 },
    { GPUT__ROW_COUNT, "max_shmem", "Most shared memory in bytes", AT(cgroup.max_shmem), 0 },
    { GPUT__ROW_COUNT, "max_mapped_file", "Most of mapped files in bytes", AT(cgroup.max_mapped_file), 0 },
    { GPUT__ROW_COUNT, "memory_peak", "Peak with page cache in bytes", AT(cgroup.memory_peak), 0 },
    { GPUT__ROW_COUNT, "max_processes", "Most processes at a time", AT(cgroup.max_processes), 0 },
    { GPUT__ROW_COUNT, "max_tasks", "Most tasks at a time", AT(cgroup.max_tasks), 0 },
    { GPUT__ROW_COUNT, "disk_read_bytes", "Bytes read from disk", AT(cgroup.disk_read_bytes), 0 },
    { GPUT__ROW_COUNT, "disk_write_bytes", "Bytes written to disk", AT(cgroup.disk_write_bytes), 0 },
    { GPUT__ROW_COUNT, "oom_kills", "Killed for memory", AT(cgroup.oom_kills), 0 },
    CLOSE,
    OPEN("ram_bounds", "Bounds of max RAM in bytes"),
    { GPUT__ROW_COUNT, "descendants_at_least", "Descendants at least", AT(ram_bounds.descendants_at_least), 0 },
    { GPUT__ROW_COUNT, "descendants_at_most", "Descendants at most", AT(ram_bounds.descendants_at_most), 0 },
    { GPUT__ROW_COUNT, "combined_at_least", "Combined at least", AT(ram_bounds.combined_at_least), 0 },
    { GPUT__ROW_COUNT, "combined_at_most", "Combined at most", AT(ram_bounds.combined_at_most), 0 },
    CLOSE,
};

#define GPU(member) offsetof(struct gput_gpu, member)
static const struct gput__row gpu_rows[] = {
    { GPUT__ROW_INT, "index", "Index", GPU(index), 0 },
    { GPUT__ROW_TEXT, "name", "Name", GPU(name), 0 },
    { GPUT__ROW_TEXT, "uuid", "UUID", GPU(uuid), 0 },
    { GPUT__ROW_TEXT, "brand", "Brand", GPU(brand), 0 },
    { GPUT__ROW_BOOL, "mig_instance", "MIG instance", GPU(is_mig), 0 },
    { GPUT__ROW_BOOL, "counted", "Counted in the utilization", GPU(is_counted), 0 },
    { GPUT__ROW_TEXT, "state", "State", GPU(state), 0 },
    { GPUT__ROW_NUMBER, "max_utilization_percent", "Max utilization percent", GPU(max_utilization), 0 },
    { GPUT__ROW_NUMBER, "mean_utilization_percent", "Mean utilization percent", GPU(mean_utilization), 0 },
    { GPUT__ROW_GPU_RAM, "max_memory", "Max memory", GPU(max_memory), 0 },
    { GPUT__ROW_GPU_RAM, "memory_total", "Memory", GPU(memory_total), 0 },
    { GPUT__ROW_NUMBER, "max_power_watts", "Max power in watts", GPU(max_power), 0 },
    { GPUT__ROW_NUMBER, "mean_power_watts", "Mean power in watts", GPU(mean_power), 0 },
    { GPUT__ROW_NUMBER, "energy_joules", "Energy in joules", GPU(energy), 0 },
    { GPUT__ROW_NUMBER, "max_temperature_celsius", "Max temperature in degrees Celsius", GPU(max_temperature), 0 },
    { GPUT__ROW_COUNT, "max_clock_mhz", "Max clock in MHz", GPU(max_clock), 0 },
    { GPUT__ROW_COUNT, "max_memory_clock_mhz", "Max memory clock in MHz", GPU(max_memory_clock), 0 },
    { GPUT__ROW_TEXT, "throttled", "Slowed down", GPU(throttled), 0 },
};
/* Beside them in a result, as if they were one list. */
#define WORK(member) offsetof(struct gput_gpu_work, member)
/* NOLINTBEGIN(bugprone-macro-parentheses): names of members take no brackets */
#define SHARE(id, member, label) \
    OPEN(#member, label), \
    { GPUT__ROW_NUMBER, "mean", "Mean", WORK(member.mean), 0 }, \
    { GPUT__ROW_NUMBER, "max", "Max", WORK(member.max), 0 }, \
    CLOSE,
/* NOLINTEND(bugprone-macro-parentheses) */
#define FLOW(id, member, label) { GPUT__ROW_COUNT, #member, label, WORK(member), 0 },
#define TIME(id, member, label) { GPUT__ROW_NUMBER, #member, label, WORK(member), 0 },
static const struct gput__row gpu_work_rows[] = {
    GPUT__GPU_SHARES(SHARE)
    GPUT__GPU_FLOWS(FLOW)
    GPUT__GPU_TIMES(TIME)
    GPUT__GPU_ERRORS(FLOW)
    GPUT__GPU_KINDS(TIME)
    { GPUT__ROW_NUMBER, "clock_percent", "Mean clock, percent of the highest", WORK(clock_percent), 0 },
    { GPUT__ROW_NUMBER, "dense_ceiling", "Ceiling of dense efficiency, percent (upper bound)", WORK(dense_ceiling), 0 },
    { GPUT__ROW_NUMBER, "power_limit_watts", "Power limit in watts", WORK(power_limit), 0 },
};
#define PROCESS(member) offsetof(struct gput_gpu_process, member)
static const struct gput__row gpu_process_rows[] = {
    { GPUT__ROW_PID, "pid", "Process id", PROCESS(pid), 0 },
    { GPUT__ROW_INT, "gpu", "GPU", PROCESS(gpu), 0 },
    { GPUT__ROW_GPU_RAM, "max_memory", "Max memory", PROCESS(max_memory), 0 },
    { GPUT__ROW_NUMBER, "max_utilization_percent", "Max utilization percent", PROCESS(max_utilization), 0 },
    { GPUT__ROW_NUMBER, "mean_utilization_percent", "Mean utilization percent", PROCESS(mean_utilization), 0 },
    { GPUT__ROW_TEXT, "attribution", "Attribution", PROCESS(attribution), 0 },
};
#define GROUP(member) offsetof(struct gput_process_group, member)
static const struct gput__row process_group_rows[] = {
    { GPUT__ROW_TEXT, "name", "Name", GROUP(name), 0 },
    { GPUT__ROW_COUNT, "count", "Processes", GROUP(count), 0 },
    { GPUT__ROW_NUMBER, "cpu_seconds", "CPU seconds", GROUP(cpu_seconds), 0 },
    { GPUT__ROW_COUNT, "max_rss", "Peak RSS in bytes", GROUP(max_rss), 0 },
    { GPUT__ROW_COUNT, "gpu_ram", "Peak GPU RAM in bytes", GROUP(gpu_ram), 0 },
    { GPUT__ROW_NUMBER, "first_seen", "First seen after seconds", GROUP(first_seen), 0 },
    { GPUT__ROW_NUMBER, "last_seen", "Last seen after seconds", GROUP(last_seen), 0 },
};
/* clang-format on */

#define ROWS(table)                                                                                \
    {                                                                                              \
        table, sizeof(table) / sizeof(*(table))                                                    \
    }
static const struct gput__rows of_run[] = {
    [GPUT__DEFAULT_ROWS] = ROWS(default_rows),
    [GPUT__FULL_ROWS] = ROWS(full_rows),
};
const struct gput__rows gput__gpu_rows = ROWS(gpu_rows);
const struct gput__rows gput__gpu_work_rows = ROWS(gpu_work_rows);
const struct gput__rows gput__gpu_process_rows = ROWS(gpu_process_rows);
const struct gput__rows gput__process_group_rows = ROWS(process_group_rows);

/* What a figure of a metric takes: one row, or one for each of the percentages. */
static size_t add_figure(struct gput__row *ret, const struct gput__metric_figure *f)
{
    const struct gput__row percentages[] = {
        { GPUT__ROW_NUMBER, "max_sum_percent", "Max sum percent",
          offsetof(struct gput_percentages, max_sum_percent), GPUT__NO_GROUP },
        { GPUT__ROW_NUMBER, "max_hardware_percent", "Max hardware percent",
          offsetof(struct gput_percentages, max_hardware_percent), GPUT__NO_GROUP },
        { GPUT__ROW_NUMBER, "mean_sum_percent", "Mean sum percent",
          offsetof(struct gput_percentages, mean_sum_percent), GPUT__NO_GROUP },
        { GPUT__ROW_NUMBER, "mean_hardware_percent", "Mean hardware percent",
          offsetof(struct gput_percentages, mean_hardware_percent), GPUT__NO_GROUP },
    };

    if (f->kind != GPUT__FIGURE_PERCENTAGES) {
        *ret = (struct gput__row){ f->row, f->key, f->label, f->at, GPUT__NO_GROUP };
        return 1;
    }
    for (size_t i = 0; i < sizeof(percentages) / sizeof(*percentages); i++) {
        ret[i] = percentages[i];
        ret[i].offset += f->at;
    }
    return sizeof(percentages) / sizeof(*percentages);
}

/* The figures of metrics by their group, each list in the order of the table; -1 ends it. */
struct figures {
    int first[GPUT__N_ROW_GROUPS], next[GPUT__N_METRICS * GPUT__MOST_FIGURES];
};

static const struct gput__metric_figure *figure(int i)
{
    return &gput__metrics[i / GPUT__MOST_FIGURES].figure[i % GPUT__MOST_FIGURES];
}

static void sort_by_group(struct figures *ret)
{
    for (int g = 0; g < GPUT__N_ROW_GROUPS; g++)
        ret->first[g] = -1;
    for (int i = GPUT__N_METRICS * GPUT__MOST_FIGURES; i-- > 0;) {
        ret->next[i] = ret->first[figure(i)->group];
        ret->first[figure(i)->group] = i;
    }
}

struct gput__rows gput__usage_rows(enum gput__rows_of which, struct gput__row room[GPUT__MOST_ROWS])
{
    const struct gput__rows *from = &of_run[which];
    struct figures of;
    size_t n = 0;

    sort_by_group(&of);
    for (size_t i = 0; i < from->n; i++) {
        assert(n + 4 <= GPUT__MOST_ROWS);
        if (from->row[i].kind != GPUT__ROW_METRICS) {
            room[n++] = from->row[i];
            continue;
        }
        for (int f = of.first[from->row[i].group]; f >= 0; f = of.next[f]) {
            assert(n + 4 <= GPUT__MOST_ROWS);
            n += add_figure(&room[n], figure(f));
        }
    }
    return (struct gput__rows){ room, n };
}

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
    [GPUT_ESTIMATED] = "estimated",
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

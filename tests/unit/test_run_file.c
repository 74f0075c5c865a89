/* test_run_file.c - finished runs read back: real files of this and the Python tools, and faults.
 *
 * usage: test_run_file FOLDER_OF_RUNS */
#include "store/runs/run_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "api/files/run_files.h"
#include "fixture.h"
#include "tap.h"

static struct fixture f;
static const char *runs;
static struct gput__run run;
static struct gput_error err;
static int n_warnings;

static void warn(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
    n_warnings++;
}

static int read_path(const char *path)
{
    static const struct gput_callbacks on = { .warn = warn };

    n_warnings = 0;
    err.text[0] = '\0';
    gput__run_free(&run);
    return gput__run_read(path, &on, &run, &err);
}

/* A real file. */
static int read_run(const char *name)
{
    char path[512];
    int r;

    snprintf(path, sizeof(path), "%s/%s", runs, name);
    r = read_path(path);
    if (r < 0)
        printf("# %s\n", err.text);
    return r;
}

static int read_text(const char *text)
{
    char path[64];

    fixture_path(&f, "run", path, sizeof(path));
    fixture_write(&f, "run", text);
    return read_path(path);
}

/* Whether the text is refused with these words behind the name of the file. */
static int refuses(const char *text, const char *words)
{
    int r = read_text(text);

    if (r == -EBADMSG && strstr(err.text, words) && strncmp(err.text, f.path, strlen(f.path)) == 0)
        return 1;
    printf("# %d: %s\n", r, err.text);
    return 0;
}

static int near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static int is_figure(struct gput_figure fig, enum gput_source source, double value)
{
    if (fig.source == source && near(fig.value, value))
        return 1;
    printf("# %d %.17g, not %.17g\n", (int)fig.source, fig.value, value);
    return 0;
}

static const struct gput_usage *u = &run.usage;

static void our_tracking_files(void)
{
    OK(read_run("tracking.csv") == 0 && strcmp(run.kind, "tracking file") == 0, "a tracking file");
    OK(run.series.n == 4 && run.n_records == 4 && near(run.interval, 0.29999399185180664),
       "with its records and their interval");
    OK(is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 73883648), "peak of RAM in bytes");
    OK(strcmp(u->max_ram.combined.total_rss.why, "from the records of a file") == 0,
       "which is a sample");
    OK(is_figure(u->cpu_utilization.combined.mean_sum_percent, GPUT_SAMPLED, 64.83097243693149),
       "mean CPU, weighted by time");
    OK(is_figure(u->cpu_utilization.combined.max_sum_percent, GPUT_SAMPLED, 78.45208573396297) &&
           is_figure(u->cpu_utilization.combined.max_hardware_percent, GPUT_SAMPLED,
                     78.45208573396297 / 2),
       "most CPU, of one core and of all");
    OK(is_figure(u->compute_time.time, GPUT_SAMPLED, 1.2000048160552979),
       "the time, from an interval before the first record");
    OK(is_figure(u->max_ram.system_capacity, GPUT_EXACT, 25276518400.0) &&
           is_figure(u->cpu_utilization.system_core_count, GPUT_EXACT, 2),
       "the machine");
    OK(u->max_gpu_ram.combined.source == GPUT_UNAVAILABLE &&
           u->gpu_utilization.gpu_percentages.max_sum_percent.source == GPUT_UNAVAILABLE &&
           !run.series.value[GPUT__COMBINED_GPU_RAM] && !run.series.value[GPUT__GPU_PERCENT],
       "no GPU: nothing is known of one, whatever zeros the file has");
    OK(near(run.series.value[GPUT__SYSTEM_RAM][3], 880713728), "levels in bytes");
    OK(near(run.series.value[GPUT__COMBINED_CPU][3], 72.44676127113681), "CPU in percent");
    OK(!run.series.value[GPUT__JOB_PSS] && !run.series.value[GPUT__N_PROCESSES],
       "what the file does not have is not there");
    OK(read_run("tracking.sqlite") == 0 && run.series.n == 3 &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 1859584) &&
           is_figure(u->cpu_utilization.combined_n_threads, GPUT_SAMPLED, 1),
       "the same from SQLite");
}

static void a_gpu_in_a_tracking_file(void)
{
    static const char text[] =
        "ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,"
        "system_core_count,n_expected_cores,system_gpu_count,n_expected_gpus\n"
        "gigabytes,megabytes,hours,64.0,81920.0,8,4,2,2\n"
        "main_ram,descendants_ram,combined_ram,system_ram,main_gpu_ram,descendants_gpu_ram,"
        "combined_gpu_ram,system_gpu_ram,gpu_sum_utilization_percent,"
        "gpu_hardware_utilization_percent,main_n_threads,descendants_n_threads,combined_n_threads,"
        "cpu_system_sum_utilization_percent,cpu_system_hardware_utilization_percent,"
        "cpu_main_sum_utilization_percent,cpu_main_hardware_utilization_percent,"
        "cpu_descendants_sum_utilization_percent,cpu_descendants_hardware_utilization_percent,"
        "cpu_combined_sum_utilization_percent,cpu_combined_hardware_utilization_percent,timestamp\n"
        "1,0,1,2,500,0,500,600,50,25,3,0,3,400,50,100,25,0,0,100,25,100\n"
        "1,0,1,2,900,0,900,1000,150,75,3,0,3,400,50,300,75,0,0,300,75,101\n"
        "1,0,1,2,900,0,900,1000,0,0,3,0,3,400,50,0,0,0,0,0,0,103\n"
        "1,0,1,2,90";

    OK(read_text(text) == 0 && n_warnings == 1 && run.series.n == 3,
       "an unfinished last line is left out, with a warning");
    OK(is_figure(u->max_gpu_ram.combined, GPUT_SAMPLED, 900e6) &&
           is_figure(u->max_gpu_ram.system_capacity, GPUT_EXACT, 81920e6),
       "GPU RAM in bytes");
    /* Of intervals of 1 and 2 s the larger is the median. */
    OK(near(run.interval, 2) && near(run.start, 98), "the first record tells of an interval too");
    OK(is_figure(u->gpu_utilization.gpu_percentages.mean_sum_percent, GPUT_SAMPLED,
                 (2 * 50 + 1 * 150 + 2 * 0) / 5.0),
       "GPU use, weighted by time");
    OK(is_figure(u->gpu_utilization.gpu_percentages.max_hardware_percent, GPUT_SAMPLED, 75) &&
           is_figure(u->cpu_utilization.combined.mean_hardware_percent, GPUT_SAMPLED, 100 / 4.0),
       "shares of what was expected");
}

static void results(void)
{
    char *text = NULL, want[32768] = "", path[512];
    FILE *file;
    size_t n;

    OK(read_run("result.json") == 0 && strcmp(run.kind, "result of a run") == 0, "a result");
    OK(is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 73908224) &&
           is_figure(u->compute_time.time, GPUT_SAMPLED, 0.0003697096011111111 * 3600),
       "in bytes and seconds");
    OK(u->max_gpu_ram.combined.source == GPUT_UNAVAILABLE && u->job.ending == GPUT_GONE &&
           run.series.n == 0,
       "unknown: the GPU, how it ended, how it moved");

    OK(read_run("result-full.json") == 0, "a full result");
    snprintf(path, sizeof(path), "%s/result-full.json", runs);
    file = fopen(path, "r");
    n = file ? fread(want, 1, sizeof(want) - 1, file) : 0;
    if (file)
        fclose(file);
    OK(n > 0 && gput_usage_format(u, GPUT_JSON, 1, &text) == 0 && strcmp(text, want) == 0,
       "is written again as it was read");
    free(text);
    OK(u->job.ending == GPUT_EXITED && u->job.code == 0 && run.n_records == 4, "how it ended");
    OK(!strcmp(u->run.id, "0123456789abcdef0123456789abcdef") && !strcmp(run.host, "node7") &&
           !strcmp(u->run.tags, "lr=0.1\nset=a \"b\"=c\n") && run.start == 1772366400.25,
       "which run it is");
}

static void gpus_of_a_result(void)
{
    OK(read_text(
           "{\"max_ram\": {\"unit\": \"gigabytes\"}, \"max_gpu_ram\": {\"unit\": "
           "\"gigabytes\", \"combined\": 2.5}, \"gpu\": {\"attribution\": \"pid\", "
           "\"gpus\": [{\"index\": 0, \"name\": \"A \\u0026 \\ud83d\\ude00\", \"max_memory\": "
           "3.0}, {\"index\": 1, \"name\": null}], \"processes\": [{\"pid\": 7, \"gpu\": 1, "
           "\"max_memory\": 0.5}]}, \"job\": {\"ending\": \"killed by a signal\", "
           "\"signal\": 9, \"exit_code\": null, \"killed_for_memory\": \"yes\"}}") == 0,
       "a result with GPUs");
    OK(u->gpu.n_gpus == 2 && strcmp(u->gpu.gpus[0].name, "A & \xF0\x9F\x98\x80") == 0 &&
           !u->gpu.gpus[1].name && is_figure(u->gpu.gpus[0].max_memory, GPUT_SAMPLED, 3e9),
       "each with its name and figures");
    OK(u->gpu.n_processes == 1 && u->gpu.processes[0].pid == 7 &&
           is_figure(u->gpu.processes[0].max_memory, GPUT_SAMPLED, 5e8),
       "its processes");
    OK(u->job.ending == GPUT_SIGNALED && u->job.code == 9 && u->job.oom == GPUT_OOM_YES,
       "killed for memory");
    OK(u->max_ram.combined.total_rss.source == GPUT_UNAVAILABLE &&
           is_figure(u->max_gpu_ram.combined, GPUT_SAMPLED, 2.5e9),
       "a figure that is missing is unavailable");
}

static void files_of_the_python_tools(void)
{
    OK(read_run("python-tracking.csv") == 0 && run.series.n == 6 &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 1556480),
       "a tracking file of gpu_tracker");
    OK(read_run("python-result.json") == 0 &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 1499136) &&
           u->max_gpu_ram.combined.source == GPUT_UNAVAILABLE,
       "a result of gpu_tracker");
    OK(read_run("snapshot.json.gz") == 0 && strcmp(run.kind, "snapshot") == 0 && run.series.n == 9,
       "a snapshot of resource_tracker, gzipped; its two lists side by side");
    OK(is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 66791460.0448) &&
           is_figure(u->max_ram.system, GPUT_SAMPLED, 633810924.3392) &&
           is_figure(u->cpu_utilization.combined.max_sum_percent, GPUT_SAMPLED, 105.28),
       "MiB and cores in bytes and percent");
    OK(near(run.series.value[GPUT__JOB_USER_CPU][1], 0.16 / 0.1979999542236328 * 100) &&
           near(run.series.value[GPUT__DISK_WRITE][0], 638976 / 0.2),
       "CPU seconds and bytes of an interval as rates");
    OK(is_figure(u->max_ram.system_capacity, GPUT_SAMPLED, 24105.57 * 1048576) &&
           strcmp(run.os, "Linux") == 0 && !run.cloud_vendor && near(run.interval, 0.2),
       "the machine");
    OK(u->max_gpu_ram.combined.source == GPUT_UNAVAILABLE, "a machine without GPUs");
}

#define SNAPSHOT(children)                                                                         \
    "{\"metadata\": {\"version\": 1, \"resource_tracker\": {\"aggregates\": {\"duration\": 1.75, " \
    "\"peak_memory_bytes\": 5000000}}, \"pid\": 7, \"children\": " children                        \
    ", \"interval\": 1, \"start_time\": 10, \"stop_time\": 12}, \"process_metrics\": "             \
    "[{\"timestamp\": 11, \"memory_mib\": 1}, {\"timestamp\": 12, \"memory_mib\": 2}]}"

static void snapshots_of_ours(void)
{
    OK(read_text(SNAPSHOT("true")) == 0 && is_figure(u->compute_time.time, GPUT_SAMPLED, 1.75),
       "a snapshot of ours tells how long it took");
    OK(is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 5e6),
       "and of a peak between two rows");
    OK(read_text(SNAPSHOT("false")) == 0 &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 2 * 1048576.0),
       "which is one of all processes: not of one without its children");
}

static void gpus_of_a_snapshot(void)
{
    OK(read_text(
           "{\"server_info\": {\"vcpus\": 4, \"gpu_count\": 2, \"gpu_memory_mib\": 4096, "
           "\"gpu_names\": [\"A\", \"unknown\"]}, \"system_metrics\": null, "
           "\"process_metrics\": [{\"timestamp\": 11, \"gpu_usage\": 1.5, \"note\": [1, {}]}, "
           "{\"timestamp\": 10, \"gpu_usage\": null, \"gpu_vram_mib\": 7}]}") == 0,
       "a snapshot of a machine with GPUs, and rows with what nobody knows");
    OK(run.series.n_gpus == 2 && strcmp(run.series.gpus[0].name, "A") == 0 &&
           !run.series.gpus[1].name,
       "they have the names that it knows");
    OK(is_figure(u->max_gpu_ram.system_capacity, GPUT_SAMPLED, 4096 * 1048576.0) &&
           is_figure(u->gpu_utilization.gpu_percentages.max_sum_percent, GPUT_SAMPLED, 150),
       "and figures");
    OK(run.series.time[1] == 11, "a clock that was set back does not go back");
    OK(read_text("{\"server_info\": {\"gpu_count\": 1e9}, \"process_metrics\": [{\"timestamp\": 1, "
                 "\"memory_mib\": 1}]}") == 0 &&
           run.series.n_gpus == 0,
       "a number of GPUs that cannot be is none");
}

static void faults_of_snapshots(void)
{
    OK(refuses("{\"process_metrics\": [{\"timestamp\": \"now\"}]}",
               "line 1: timestamp: this is not a number"),
       "a time that is a text");
    OK(refuses("{\"process_metrics\": [{\"timestamp\": 1,\n\"memory_mib\": true}]}",
               "line 2: memory_mib: this is not a number"),
       "a figure that is none");
    OK(refuses("{\"process_metrics\": [3]}", "process_metrics: this is not a row"),
       "a row that is none");
    OK(refuses("{\"process_metrics\": [", "the text ends too early") &&
           refuses("{\"process_metrics\": [{\"timestamp\":", "the text ends too early") &&
           refuses("{\"process_metrics\": [{\"timestamp\": 1", "the text ends too early") &&
           refuses("{\"process_metrics\": [], \"x\":", "the text ends too early") &&
           refuses("{\"process_metrics\": [], \"metadata\": {\"a\":", "the text ends too early"),
       "wherever it is cut");
}

static void faults_of_results(void)
{
    OK(refuses("{\"job\": {}, \"max_ram\": {\"unit\": 3}}", "max_ram.unit"),
       "a unit that is no text");
    OK(refuses("{\"max_ram\": {\"unit\": \"bytes\"},\n\"job\": {\"pid\": 1.5}}", "line 2: job.pid"),
       "a part of a process");
    OK(refuses("{\"max_ram\": {\"unit\": \"bytes\"},\n\"job\": {\"command\": 1.5}}",
               "line 2: job.command"),
       "a command that is a number");
    OK(refuses(
           "{\"max_ram\": {\"unit\": \"bytes\"},\n\"gpu\": {\"gpus\": [{\"index\": 0, \"uuid\": 1}]}}",
           "line 2: gpu.gpus.0.uuid"),
       "a UUID that is a number");
}

static void streams(void)
{
    OK(read_run("process.csv") == 0 && strcmp(run.kind, "stream of a process") == 0 &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 66791460.0448),
       "a stream of a process");
    OK(read_run("system.csv") == 0 && strcmp(run.kind, "stream of a machine") == 0 &&
           u->max_ram.combined.total_rss.source == GPUT_UNAVAILABLE &&
           is_figure(u->max_ram.system, GPUT_SAMPLED, 633810924.3392),
       "a stream of a machine, which tells of no job");
    OK(read_run("combined.csv") == 0 && run.series.value[GPUT__JOB_PSS] &&
           run.series.value[GPUT__SYSTEM_RAM],
       "both in one file");
    OK(read_text("\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory\","
                 "\"read_bytes\",\"write_bytes\",\"gpu_usage\",\"gpu_vram\",\"gpu_utilized\"\n"
                 "10,7,1,150,50,2.0,2048,4096,0,0.5,100.0,1\n"
                 "11,7,1,50,50,1.0,1024,,0,1.5,300.0,2\n") == 0,
       "the older names");
    OK(is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 2048 * 1024) &&
           is_figure(u->max_gpu_ram.combined, GPUT_SAMPLED, 300 * 1048576.0) &&
           is_figure(u->gpu_utilization.gpu_percentages.max_sum_percent, GPUT_SAMPLED, 150),
       "memory in KiB, GPU memory in MiB, GPUs");
    OK(near(run.series.value[GPUT__JOB_USER_CPU][0], 150) &&
           is_figure(u->totals.cpu_user_seconds, GPUT_SAMPLED, 2.0),
       "CPU time in ticks");
    OK(isnan(run.series.value[GPUT__JOB_DISK_READ][1]) &&
           is_figure(u->totals.disk_read_bytes, GPUT_SAMPLED, 4096),
       "an empty cell is not known");
    OK(read_text("\"timestamp\",\"pid\",\"cpu_usage\",\"memory\",\"note\"\n"
                 "10,7,1,1024,\"one, two\"\n9,7,3,2048,x\n12,7,1,1,y\n") == 0 &&
           run.series.time[1] == 10 &&
           is_figure(u->cpu_utilization.combined.mean_sum_percent, GPUT_SAMPLED, 100),
       "a clock that was set back, and columns that nobody knows");
    OK(run.series.time[2] == 13, "from there on it goes on where it was");
    OK(read_text("timestamp,pid,cpu_usage,memory\n7179004920.2,7,1,1\n1794751230.4,7,1,1\n") == 0 &&
           run.series.time[1] == run.series.time[0],
       "nor is it rounded to a moment before");
    OK(read_text("timestamp,pid,cpu_usage,memory\n100,7,1,1\n101,7,1,1\n102,7,1,1\n2,7,1,1\n"
                 "3,7,1,1\n4,7,1,1\n") == 0 &&
           run.series.time[5] == 104 && is_figure(u->compute_time.time, GPUT_SAMPLED, 5),
       "no second is lost");
    OK(read_text("timestamp,pid,cpu_usage,memory\n1,7,-1,1024\n2,7,1,-5\n3,7,1e300,2048\n") == 0 &&
           isnan(run.series.value[GPUT__JOB_CPU][0]) && isnan(run.series.value[GPUT__JOB_PSS][1]) &&
           isnan(run.series.value[GPUT__JOB_CPU][2]) &&
           is_figure(u->cpu_utilization.combined.max_sum_percent, GPUT_SAMPLED, 100),
       "what cannot be is not known");
    OK(read_text("timestamp,pid,cpu_usage,memory\n1,7,1,1024\n") == 0 && run.series.n == 1 &&
           u->compute_time.time.source == GPUT_UNAVAILABLE &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 1048576),
       "one row does not tell how long it took");
}

static void faults(void)
{
    OK(refuses("", "the file is empty") && refuses(" \n", "the file is empty"), "an empty file");
    OK(refuses("root:x:0:0\n", "no tracking file"), "some other file");
    OK(refuses("{\"a\": 1}", "no tracking file"), "some other JSON");
    OK(refuses("{\"overall\": {}}", "analysis of code blocks"), "an analysis");
    OK(refuses("process_id,code_block_name,position,timestamp\n", "marks of code blocks"), "marks");
    OK(refuses("\x80\x04\x95", "pickle"), "a pickle");
    OK(refuses("{\"max_ram\":\n {\"unit\": \"gigabytes\",\n \"system\": \"x\"}}",
               "line 3: max_ram.system: this is not a number"),
       "a result with a text where a number should be: file, line, name");
    OK(refuses("{\"max_ram\": {\"unit\": \"furlongs\"}}", "line 1: max_ram.unit: unknown unit"),
       "an unknown unit");
    OK(refuses("{\"max_ram\": {\n\"unit\" 3}}", "line 2: a colon is missing"), "JSON that is none");
    OK(refuses("{\"max_ram\": {\n\"unit\":", "line 2: the text ends too early"), "cut JSON");
    OK(refuses("{\"max_ram\": {}} x", "something follows"), "two values");
    OK(refuses("{\"process_metrics\": [{\"cpu_usage\": 1}]}", "a row has no timestamp"),
       "a row without its time");
    OK(refuses("{\"process_metrics\": {}}", "process_metrics: this is not a list of rows"),
       "rows that are none");
    OK(refuses("timestamp,pid,cpu_usage\n1,2,3\nx,2,3\n", "line 3: timestamp: 'x' is not a number"),
       "a stream with a wrong row");
    OK(refuses("timestamp,pid,cpu_usage\n1,2\n", "line 2: 2 values instead of 3"), "a short row");
    OK(refuses("ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,"
               "system_core_count,n_expected_cores,system_gpu_count,n_expected_gpus\n"
               "bytes,bytes,furlongs,1,1,1,1,0,0\n",
               "line 2: time_unit: 'furlongs' is not one of: seconds (s), minutes (min)"),
       "a unit of time that is none");
    OK(read_path("/nowhere/at/all") == -ENOENT && strstr(err.text, "/nowhere/at/all: No such file"),
       "no file");
    OK(read_path(f.path) == -EISDIR, "a folder");
}

/* Reads the first n bytes of the snapshot under another name. */
static int read_cut(size_t n)
{
    char path[512], bytes[8192];
    FILE *file;

    snprintf(path, sizeof(path), "%s/snapshot.json.gz", runs);
    file = fopen(path, "r");
    fixture_need(file && fread(bytes, 1, n, file) == n, path);
    fclose(file);
    fixture_write_bytes(&f, "run", bytes, n);
    fixture_path(&f, "run", path, sizeof(path));
    return read_path(path);
}

static void cut_gzip(void)
{
    int n_taken = 0;

    for (size_t n = 3; n < 900; n += 37)
        n_taken += read_cut(n) == 0;
    OK(n_taken == 0 && strstr(err.text, "the gzip data is damaged or cut off"),
       "no beginning of a gzip file is taken for the whole");
}

/* A tracking file and a result that are read together. */
static void two_files(void)
{
    static const struct gput_callbacks on = { .warn = warn };
    char records[512], result[512], text[2000];

    snprintf(records, sizeof(records), "%s/tracking.csv", runs);
    snprintf(result, sizeof(result), "%s/result.json", runs);
    gput__run_free(&run);
    n_warnings = 0;
    OK(gput__run_files_read(records, result, &on, &run, &err) == 0 && run.series.n > 1 &&
           n_warnings == 0,
       "the records and the result of a run");
    gput__run_free(&run);
    OK(gput__run_files_read(result, records, &on, &run, &err) == 0 && run.series.n > 1 &&
           n_warnings == 0,
       "in either order");
    gput__run_free(&run);
    strcpy(text, "timestamp,pid,cpu_usage\n");
    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), "%d,7,1\n", 1000 + 10 * i);
    fixture_write(&f, "long.csv", text);
    fixture_path(&f, "long.csv", records, sizeof(records));
    OK(gput__run_files_read(records, result, &on, &run, &err) == 0 && n_warnings == 1,
       "records of more time than the run took are another's: a warning");
}

static void demands(void)
{
    struct gput_recommend_options o = GPUT_RECOMMEND_OPTIONS_INIT;
    struct gput_demand d = { .cpu_mean = -1 };
    char path[512], *text = NULL;
    const char *file = path;

    snprintf(path, sizeof(path), "%s/result.json", runs);
    OK(gput_demand_read(path, NULL, &d, NULL) == 0 && d.memory_peak > 0 && d.duration > 0,
       "what a run used");
    OK(gput_demand_read("/nowhere", NULL, &d, NULL) == -ENOENT, "no file, and nobody asks why");
    OK(gput_recommend_files(NULL, 0, NULL, NULL, &text, &err) == -EINVAL &&
           !strcmp(err.field, "files"),
       "no run");
    o.margin = 11;
    OK(gput_recommend_files(&file, 1, &o, NULL, &text, &err) == -EINVAL &&
           !strcmp(err.field, "margin"),
       "a margin of eleven times");
    o.margin = NAN;
    OK(gput_recommend_files(&file, 1, &o, NULL, &text, &err) == -EINVAL, "one that is no number");
    o.margin = 0;
    o.target = "abacus";
    OK(gput_recommend_files(&file, 1, &o, NULL, &text, &err) == -EINVAL &&
           strstr(err.text, "slurm") && !text,
       "a target that nobody knows: %s", err.text);
}

static void many_columns(void)
{
    static char text[20000] = "timestamp,pid,cpu_usage";

    for (int i = 0; i < 1000; i++)
        sprintf(text + strlen(text), ",c%d", i);
    strcat(text, "\n");
    OK(refuses(text, "there are 1003 columns"), "more columns than any stream has");
}

static void many_rows(void)
{
    enum { N = 100000 };
    char path[64];
    FILE *file;

    fixture_path(&f, "many.csv", path, sizeof(path));
    file = fopen(path, "w");
    fixture_need(file != NULL, path);
    fputs("\"timestamp\",\"pid\",\"cpu_usage\",\"memory_mib\"\n", file);
    for (int i = 0; i < N; i++)
        fprintf(file, "%d,7,%d,%d\n", 1000 + i, i % 2, i == 77777 ? 500 : 1);
    fclose(file);
    OK(read_path(path) == 0 && run.series.n == N &&
           is_figure(u->max_ram.combined.total_rss, GPUT_SAMPLED, 500 * 1048576.0) &&
           is_figure(u->cpu_utilization.combined.mean_sum_percent, GPUT_SAMPLED, 50),
       "many rows");
}

int main(int argc, char **argv)
{
    fixture_need(argc > 1, "the folder of runs is missing");
    runs = argv[1];
    fixture_begin(&f);
    our_tracking_files();
    a_gpu_in_a_tracking_file();
    results();
    gpus_of_a_result();
    files_of_the_python_tools();
    snapshots_of_ours();
    gpus_of_a_snapshot();
    faults_of_snapshots();
    faults_of_results();
    streams();
    faults();
    cut_gzip();
    two_files();
    demands();
    many_columns();
    many_rows();
    gput__run_free(&run);
    fixture_end(&f);
    return DONE();
}

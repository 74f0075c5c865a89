/* gput.h - what a batch job uses of RAM, CPU, GPUs and time.
 *
 * A tracker measures in one of three ways:
 *   gput_tracker_start()   the calling process (or another one), from a helper process beside it,
 *                          until gput_tracker_stop(): for code that is to know its own cost;
 *   gput_tracker_spawn()   a command, as its parent; gput_tracker_wait() measures until it ends;
 *   gput_tracker_attach()  a running process; gput_tracker_wait() measures until it ends.
 *
 * A call that can fail returns 0 or a negative errno and, on failure, leaves its ret_ arguments
 * alone.  The library never prints, never exits and has no state of its own outside its handles:
 * several trackers in one process work.  Use one handle from one thread at a time. */
#ifndef GPUT_H
#define GPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUT_API __attribute__((visibility("default")))

struct gput_tracker; /* opaque: one job being tracked, once */

/* The version of the library that runs, e.g. "0.1.0". */
GPUT_API const char *gput_version(void);

/* THE brands of GPUs: how they are told, and what Kubernetes calls a GPU of theirs.  A list of them is
 * made by a macro of three arguments, here and elsewhere. */
#define GPUT_GPU_BRANDS(BRAND)                                                                     \
    BRAND(GPUT_NVIDIA, "nvidia", "nvidia.com/gpu")                                                 \
    BRAND(GPUT_AMD, "amd", "amd.com/gpu")                                                          \
    BRAND(GPUT_INTEL, "intel", "gpu.intel.com/i915")
#define GPUT_BRAND_ID(id, name, resource) id,
enum gput_gpu_brand { GPUT_GPU_BRANDS(GPUT_BRAND_ID) GPUT_N_GPU_BRANDS };
#undef GPUT_BRAND_ID

/* The name of a brand, as options.gpu_brand takes it; NULL behind the last. */
GPUT_API const char *gput_gpu_brand(unsigned i);

/* --- options -------------------------------------------------------------------------------- */

enum gput_flag {
    GPUT_NO_SUBREAPER = 1 << 0,     /* orphans of the job go to init, not to the tracker */
    GPUT_WAIT_DESCENDANTS = 1 << 1, /* the run ends with the last descendant, not with main */
    GPUT_OVERWRITE = 1 << 2,        /* an existing tracking file is replaced */
    GPUT_NO_WATCH = 1 << 3, /* records only, no looks in between (for measuring their cost) */
    GPUT_WANT_ALL =
        1 << 4, /* power, energy, temperature, clocks of GPUs too: expensive; and the group
                               `machine` of the figures */
    GPUT_STREAM_OF_SYSTEM = 1 << 5,  /* each record is a row of GPUT_STREAM_SYSTEM too */
    GPUT_STREAM_OF_PROCESS = 1 << 6, /* and of GPUT_STREAM_PROCESS */
    GPUT_MAIN_ONLY = 1 << 7,         /* that stream is of the process without its descendants */
    GPUT_ALIGN = 1 << 8,             /* records at start_time + n x sleep_time, by the wall clock */
    GPUT_KEEP_SERIES = 1 << 9,       /* what the records say over time, for a report */
    GPUT_CGROUP = 1 << 10, /* a command runs in a control group made for it, where that may be made;
                              elsewhere one warning.  gput_tracker_spawn() only */
    GPUT_ALL_COLUMNS = 1 << 11, /* every metric is measured, and is a column of the tracking file,
                                   behind the others, and of the streams (GPUT_COLUMNS_ALL) */
};

/* What a tracker tells while it runs.  Callbacks may be NULL; they are called on the caller's
 * thread, from gput_tracker_wait() or, after gput_tracker_start(), from gput_tracker_usage(),
 * _now() and _stop(), which hand on the warnings that have come in (and no records). */
struct gput_callbacks {
    void *ctx;
    void (*warn)(void *ctx, const char *line);               /* one line, no newline */
    void (*record)(void *ctx, const struct gput_tracker *t); /* after each record */
};

struct gput_options {
    uint32_t size;             /* sizeof(struct gput_options): lets the struct grow */
    uint32_t flags;            /* enum gput_flag */
    double sleep_time;         /* seconds from record to record, at least 0.001; 0: 1.0 */
    const char *ram_unit;      /* bytes ... terabytes; NULL: gigabytes */
    const char *gpu_ram_unit;  /* likewise */
    const char *time_unit;     /* seconds, minutes, hours, days; NULL: hours */
    int n_expected_cores;      /* 0: all of the machine's */
    const char *gpu_uuids;     /* comma separated; NULL: all GPUs */
    const char *gpu_brand;     /* see gput_gpu_brand(); NULL: found by itself */
    const char *tracking_file; /* name.csv or .sqlite, a row per record; NULL: none */
    double timeout;            /* end the job after so many seconds; 0: never */
    const char *proc_root;     /* NULL: /proc */
    const char *sys_root;      /* NULL: /sys */
    const char *nvml_path;     /* NULL: libnvidia-ml.so.1 where the loader finds it */
    struct gput_callbacks on;
    /* For gput_tracker_start() only: */
    pid_t process_id;                /* who is tracked; 0: the calling process */
    const char *resource_usage_file; /* the figures as JSON, replaced whole each second and at the
                                        end, so that they outlive a crash; NULL: none */
    const char *helper_path;         /* the gpu-tracker to start; NULL: $GPUT_HELPER, else the one
                                        beside this library, else the installed one */
    double start_time; /* for GPUT_ALIGN, seconds since 1970; 0: at multiples of sleep_time */
    uint32_t discover; /* what to find out meanwhile: enum gput_discover */
    const char *metadata_url; /* as in gput_discovery_start() */
};
#define GPUT_OPTIONS_INIT                                                                          \
    {                                                                                              \
        .size = sizeof(struct gput_options)                                                        \
    }

/* Why a call was refused, in words.  `field` is the name of the option at fault, as it stands in
 * struct gput_options, or empty. */
struct gput_error {
    char field[32];
    char text[480]; /* one line, without the field's name and without a full stop */
};

/* --- life of a tracker ---------------------------------------------------------------------- */

/* Checks the options and makes a tracker.  All strings of `opts` are copied.  `ret_err` may be
 * NULL, here and below.  -EINVAL: an option is wrong; -EEXIST: the tracking file exists. */
GPUT_API int gput_tracker_open(const struct gput_options *opts, struct gput_tracker **ret_t,
                               struct gput_error *ret_err);

/* Checks what gput_tracker_open() cannot know without loading a GPU driver, in a helper process that
 * ends at once: the gpu_uuids.  gput_tracker_start() checks them too. */
GPUT_API int gput_tracker_check(struct gput_tracker *t, struct gput_error *ret_err);

/* Starts a helper process that tracks options.process_id or the calling process, with its
 * descendants, and returns when it measures.  The helper is a child in a session of its own; it is
 * in no figure, and ends by itself, its files written, when the tracked or the calling process ends.
 * Nothing else is left in the calling process: no thread, no signal handler.  After a fork() the
 * child's copy of the handle does nothing, and is closed as any other.
 * -ENOENT: no helper was found; -EPROTO: it is of another version; -ESRCH: no such process;
 * -EALREADY: it was started before. */
GPUT_API int gput_tracker_start(struct gput_tracker *t, struct gput_error *ret_err);

/* Ends what gput_tracker_start() began; the figures of the whole time are there when it returns.
 * The helper is waited for, at most `patience` seconds (0: 10).  No descriptor is held after it.
 * -EPIPE: the helper had died, -ETIMEDOUT: it did not answer and was killed; the figures are those
 * until then.  -EINVAL: it was never started; -EALREADY: it was stopped before. */
GPUT_API int gput_tracker_stop(struct gput_tracker *t, double patience, struct gput_error *ret_err);

/* Starts a command as a child of the calling process, which should be small (its memory is the
 * floor of the child's peak) and have no other children.  argv[0] is looked up in PATH.
 * The caller becomes the parent of the job's orphans (child subreaper) and gets as many descriptors
 * as its hard limit allows.
 * Signals: the caller's mask is saved for the child and TERM, HUP, USR1, USR2, INT, QUIT and CHLD
 * are blocked until gput_tracker_close(), and so are those that the caller does not handle and that
 * would end it (ALRM, XCPU, PIPE, real-time signals and others).  -ENOENT: no such program; -EACCES and -ENOEXEC: not
 * executable. */
GPUT_API int gput_tracker_spawn(struct gput_tracker *t, char *const argv[],
                                struct gput_error *ret_err);

/* Tracks a running process and its descendants instead; pid 0: the machine alone, no process.
 * -ESRCH: no such process. */
GPUT_API int gput_tracker_attach(struct gput_tracker *t, pid_t pid, struct gput_error *ret_err);

/* Samples until the job has ended (after attach: or until the caller is told to stop by INT or
 * TERM) and passes signals on meanwhile. */
GPUT_API int gput_tracker_wait(struct gput_tracker *t);
/* After attach: from a callback, lets gput_tracker_wait() end as if the caller was told to stop. */
GPUT_API void gput_tracker_quit(struct gput_tracker *t);

/* NULL is fine.  Returns NULL, so `t = gput_tracker_close(t)` cannot dangle.  The job, if it
 * still runs, is left alone. */
GPUT_API struct gput_tracker *gput_tracker_close(struct gput_tracker *t);

/* --- figures -------------------------------------------------------------------------------- */

enum gput_source {
    GPUT_UNAVAILABLE, /* not known; `value` is 0 */
    GPUT_SAMPLED,     /* the best of what was seen: the truth may be higher */
    GPUT_EXACT,       /* the kernel's own count or mark */
};

struct gput_figure {
    double value;
    enum gput_source source;
    const char *why; /* why it is not exact, or NULL; good until the tracker is closed */
};

struct gput_rss { /* bytes */
    struct gput_figure total_rss, private_rss, shared_rss;
};

struct gput_percentages {
    struct gput_figure max_sum_percent, max_hardware_percent; /* percent of one core; of all */
    struct gput_figure mean_sum_percent, mean_hardware_percent;
};

/* How the job ended. */
enum gput_ending {
    GPUT_RUNNING,  /* it has not: the figures are those so far */
    GPUT_EXITED,   /* `code` is its exit code */
    GPUT_SIGNALED, /* `code` is the signal */
    GPUT_GONE,     /* an attached process ended: its status is its parent's to know */
    GPUT_DETACHED, /* an attached process lives on; the tracker was told to stop */
};

/* Whether the kernel killed a process of the job for memory.  Main ends by SIGKILL then, or with 137
 * where it passes on how its child ended; else main lived on without that process. */
enum gput_oom {
    GPUT_OOM_NO,
    /* Main was killed, or passed that on, and the machine killed something for memory meanwhile; or
     * the job's own cgroup, which has a limit, counted a kill, and main ended well. */
    GPUT_OOM_PROBABLY,
    GPUT_OOM_YES, /* the job's own cgroup counted a kill for memory */
};

/* One GPU over the run; what its driver does not tell is unavailable. */
struct gput_gpu {
    int index;
    const char *name, *uuid, *brand;
    int is_mig;        /* an instance of a partitioned GPU */
    int is_counted;    /* its utilisation is in gpu_utilization */
    const char *state; /* "ok", or what happened to it */
    struct gput_figure max_utilization, mean_utilization; /* percent */
    struct gput_figure max_memory, memory_total;          /* bytes, of all processes */
    struct gput_figure max_power, mean_power;             /* watts */
    struct gput_figure energy;                            /* joules */
    struct gput_figure max_temperature;                   /* degrees Celsius */
    struct gput_figure max_clock, max_memory_clock;       /* MHz */
    const char *throttled; /* why it was slowed down; NULL: it was not, or nobody says */
    struct gput_figure reserved[24];
};

/* One process of the job on one GPU. */
struct gput_gpu_process {
    pid_t pid;
    int gpu;                                              /* the GPU's index */
    const char *attribution;                              /* how it is known to be the job's */
    struct gput_figure max_memory;                        /* bytes */
    struct gput_figure max_utilization, mean_utilization; /* percent, while it was sampled */
    struct gput_figure reserved[4];
};

/* Everything known of a run: bytes, seconds, percent, counts.  The first five groups are the
 * default output, the others come with --full.
 *
 * How it grows: a new group goes to the end; a new member of a group, of struct gput_gpu or of struct
 * gput_gpu_process takes the place of what is `reserved` there, which becomes as much smaller.  So no
 * member ever moves, and a program built against an older header finds each where it was.  What is
 * reserved is zero. */
struct gput_usage {
    uint32_t size; /* set it to sizeof(struct gput_usage) before the call */
    const char *ram_unit, *gpu_ram_unit, *time_unit; /* for text and JSON; the figures are bytes */

    struct {
        struct gput_figure system_capacity, system;
        struct gput_rss main, descendants, combined;
        struct gput_figure reserved[4];
    } max_ram;
    struct {
        struct gput_figure system_capacity, system, main, descendants, combined;
        struct gput_figure reserved[4];
    } max_gpu_ram;
    struct {
        struct gput_figure system_core_count, n_expected_cores;
        struct gput_percentages system, main, descendants, combined;
        struct gput_figure main_n_threads, descendants_n_threads, combined_n_threads;
        struct gput_figure reserved[8];
    } cpu_utilization;
    struct {
        struct gput_figure system_gpu_count, n_expected_gpus;
        struct gput_percentages gpu_percentages;
        struct gput_figure reserved[8];
    } gpu_utilization;
    struct {
        struct gput_figure time; /* seconds */
        struct gput_figure reserved[3];
    } compute_time;

    struct {                 /* how it ended */
        const char *command; /* borrowed from the tracker; NULL after attach */
        pid_t pid;
        enum gput_ending ending;
        int code;
        int timed_out; /* the tracker ended it for --timeout */
        enum gput_oom oom;
        int n_left; /* descendants that live on */
        void *reserved[8];
    } job;
    struct { /* the whole tree, dead processes included */
        struct gput_figure cpu_user_seconds, cpu_system_seconds;
        struct gput_figure main_cpu_seconds, descendants_cpu_seconds;
        struct gput_figure max_n_processes;
        struct gput_figure minor_faults, major_faults;
        struct gput_figure voluntary_switches, involuntary_switches;
        struct gput_figure disk_read_bytes, disk_write_bytes;
        struct gput_figure max_open_files; /* descriptors, of all processes together */
        struct gput_figure max_swap;       /* bytes, likewise */
        struct gput_figure reserved[14];
    } totals;
    struct {
        const char *attribution; /* how GPU memory was found to be the job's; NULL: it had none */
        const char *note;        /* what to bear in mind; NULL: nothing */
        /* The tracker's until it is asked again or closed. */
        const struct gput_gpu *gpus;
        int n_gpus;
        const struct gput_gpu_process *processes;
        int n_processes;
        void *reserved[8];
    } gpu;
    struct { /* what the job could have had */
        struct gput_figure memory_host, memory_cgroup, memory_effective; /* bytes */
        struct gput_figure cores_host, cores_cgroup, cores_affinity, cores_effective;
        struct gput_figure reserved[5];
    } limits;
    struct { /* what the tracking itself took */
        struct gput_figure cpu_seconds, max_rss;
        struct gput_figure n_records, n_looks, n_memory_passes;
        int process_events; /* 1: the kernel told of births and deaths */
        struct gput_figure reserved[6];
    } tracker;
    struct { /* the whole machine, whoever used it; with GPUT_WANT_ALL only */
        struct gput_figure max_n_processes;
        struct gput_figure max_cached; /* bytes of RAM that hold pages of files */
        struct gput_figure disk_read_bytes, disk_write_bytes;  /* during the run */
        struct gput_figure net_received_bytes, net_sent_bytes; /* likewise, without loopback */
        struct gput_figure disk_space_total, disk_space_used, disk_space_free; /* at its end */
        struct gput_figure reserved[16];
    } machine;
    struct {              /* the job's control group; with GPUT_CGROUP or GPUT_WANT_ALL only */
        const char *path; /* as /proc/PID/cgroup names it; NULL: none */
        int version;      /* 1 or 2; 0: none */
        int made;         /* for this job, which was alone in it all the time */
        struct gput_figure cpu_seconds, cpu_user_seconds, cpu_system_seconds;
        struct gput_figure
            max_memory; /* bytes: anonymous, shared memory and mapped files at a time */
        struct gput_figure max_anon, max_shmem;
        struct gput_figure max_mapped_file; /* mapped shared memory included */
        struct gput_figure memory_peak;     /* the kernel's own mark, page cache included */
        struct gput_figure max_processes;
        struct gput_figure max_tasks; /* processes and threads */
        struct gput_figure disk_read_bytes, disk_write_bytes;
        struct gput_figure oom_kills; /* processes killed for memory */
        struct gput_figure reserved[8];
    } cgroup;
    struct { /* between which bounds the totals of max_ram lie, as far as was looked; bytes */
        struct gput_figure descendants_at_least, descendants_at_most;
        struct gput_figure combined_at_least, combined_at_most;
        struct gput_figure reserved[4];
    } ram_bounds;
};

/* The figures so far, or of the whole run after gput_tracker_wait() or gput_tracker_stop().  After
 * gput_tracker_start() they come from memory shared with the helper, without a system call, and are
 * at most a record interval old.  Strings and tables are the tracker's until it is asked again or
 * closed.  -ENODATA: it was not started. */
GPUT_API int gput_tracker_usage(const struct gput_tracker *t, struct gput_usage *ret_usage);

/* What options.discover asked for, as gput_discovery_format() gives it in JSON.  -EAGAIN: it is not
 * known yet, and, once the tracker has been stopped, never will be: a stop waits for no answer.
 * free() the result. */
GPUT_API int gput_tracker_discovered(const struct gput_tracker *t, char **ret_json);

/* What it holds just now, for a status line: cheap, no system call but the clock. */
struct gput_now {
    double elapsed;       /* seconds */
    double ram, ram_peak; /* bytes, the whole job */
    double cpu_percent;   /* of one core, over the last record interval */
    int n_processes;
};
GPUT_API void gput_tracker_now(const struct gput_tracker *t, struct gput_now *ret_now);

/* The pids of descendants that live on after the run, at most `max` of them.  Returns how many
 * there are. */
GPUT_API int gput_tracker_left(const struct gput_tracker *t, pid_t *ret_pids, int max);

enum gput_format { GPUT_TEXT, GPUT_JSON };

/* The figures as text or JSON, with a final newline, in the units of `u`; `full` adds the further
 * groups and where each figure comes from.  free() the result. */
GPUT_API int gput_usage_format(const struct gput_usage *u, enum gput_format format, int full,
                               char **ret_text);

/* --- streams: a row for each interval -------------------------------------------------------- */

/* What the machine, and what the process with its descendants did, from record to record.  The first
 * row comes with the first record, which lies at least half an interval after the start; the last one
 * at the end, if at least half an interval is left or there was none at all. */
enum gput_stream { GPUT_STREAM_SYSTEM, GPUT_STREAM_PROCESS };

/* The names and units of the columns. */
enum gput_columns {
    GPUT_COLUMNS_KIB, /* memory in KiB, CPU time in clock ticks: memory_used, read_bytes ... */
    GPUT_COLUMNS_MIB, /* memory in MiB, CPU time in seconds: memory_used_mib, disk_read_bytes ... */
    /* Behind the columns of either, every further metric under its own name, in bytes, percent, counts
     * and seconds.  They are measured with GPUT_ALL_COLUMNS. */
    GPUT_COLUMNS_ALL,
    GPUT_COLUMNS_ALL_MIB, /* GPUT_COLUMNS_ALL | GPUT_COLUMNS_MIB */
};

/* The name of a column, NULL behind the last.  `ret_is_whole`, which may be NULL, says whether its
 * values are whole numbers. */
GPUT_API const char *gput_stream_column(enum gput_stream s, enum gput_columns names, unsigned i,
                                        int *ret_is_whole);

enum gput_line { GPUT_LINE_CSV, GPUT_LINE_JSON };

/* The names as one line of CSV, quoted, with its newline.  free() the result. */
GPUT_API int gput_stream_header(enum gput_stream s, enum gput_columns names, char **ret_text);
/* The row of the last record as a line of CSV, or as a JSON object on a line.  For the callback
 * record() of a tracker that spawned or attached.  -ENODATA: there is none.  free() the result. */
GPUT_API int gput_stream_line(const struct gput_tracker *t, enum gput_stream s,
                              enum gput_columns names, enum gput_line format, char **ret_text);

/* After gput_tracker_start(): all rows so far, from memory shared with the helper.  Past 131072 rows
 * every four become two that keep the lowest and the highest of each level and the sum of what was
 * counted, so that memory is bounded. */
struct gput_rows; /* opaque: the rows as they were when they were asked for */

/* How many rows were ever made: more than gput_rows_count() once they were thinned. */
GPUT_API uint64_t gput_stream_count(const struct gput_tracker *t);
/* The rows of a stream.  Only what is new since the last call is copied.  -ENODATA: no stream was asked
 * for; -EAGAIN: the helper stands still in the middle of thinning. */
GPUT_API int gput_rows_read(struct gput_tracker *t, enum gput_stream s,
                            struct gput_rows **ret_rows);
GPUT_API size_t gput_rows_count(const struct gput_rows *rows);
/* Values [first, first + n) of a column; NAN: not known.  -ERANGE: there are no such. */
GPUT_API int gput_rows_values(const struct gput_rows *rows, enum gput_columns names,
                              unsigned column, size_t first, size_t n, double *ret_values);
/* A row as gput_stream_line() writes it. */
GPUT_API int gput_rows_line(const struct gput_rows *rows, enum gput_columns names,
                            enum gput_line format, size_t row, char **ret_text);
GPUT_API void gput_rows_close(struct gput_rows *rows); /* NULL is fine */

/* A column over all rows ever made, thinned or not. */
struct gput_column_stats {
    uint64_t n; /* rows in which it was known; the rest is 0 without any */
    double min, max;
    double mean; /* weighted by time; of what was counted: per row */
    double sum;  /* of what was counted, the last moments before the end included */
};
/* `ret_stats` has room for each gput_stream_column(); `ret_seconds`, which may be NULL, is the time
 * that they cover. */
GPUT_API int gput_stream_stats(const struct gput_tracker *t, enum gput_stream s,
                               enum gput_columns names, struct gput_column_stats *ret_stats,
                               double *ret_seconds);

/* What a process with its descendants has used until now, or, with pid 0, the machine: the columns of
 * the stream under the names of GPUT_COLUMNS_MIB without cpu_usage, counters as they stand; of the
 * machine disk_stats and disk_spaces, by name, instead of the sums.  JSON with a final newline; free() it.  Of the options
 * GPUT_MAIN_ONLY, the roots, the GPU brand and nvml_path are used.  A GPU driver that is there is loaded
 * and asked.  -ESRCH: no such process. */
GPUT_API int gput_stats_format(const struct gput_options *opts, pid_t pid, char **ret_text,
                               struct gput_error *ret_err);

/* --- code blocks: tracking and sub-tracking files ------------------------------------------- */

struct gput_analysis; /* opaque: what each code block of a run took */

/* NAN in all but `total` where there was nothing to count. */
struct gput_stats {
    double min, max, mean, std; /* std with n in the denominator */
    double total;
};

/* One call of a code block, in seconds since 1970. */
struct gput_call {
    int64_t process_id;
    double start, stop;
};

/* A code block over the whole run. */
struct gput_block {
    const char *name;
    uint64_t num_timepoints;                 /* records inside any call, both ends included */
    uint64_t num_calls;                      /* with their stop; recursive ones count each */
    uint64_t num_non_empty_calls;            /* with a record inside */
    uint64_t num_unfinished_calls;           /* without their stop: in no other figure */
    struct gput_stats compute_time;          /* seconds, of the calls */
    double wall_time;                        /* seconds in which at least one call was running */
    const struct gput_stats *resource_usage; /* one for each gput_column_name() */
    /* From marks with the process's own figures (exact=True): */
    uint64_t num_exact_calls;      /* calls that have them at both ends */
    struct gput_stats cpu_time;    /* seconds of CPU, of these calls */
    uint64_t num_peaks;            /* calls in which the kernel's mark of the peak RSS rose */
    double peak_ram;               /* bytes, the highest of these marks; NAN: none */
    const struct gput_call *calls; /* num_calls of them, by process and start */
};

/* The columns of a tracking file that have statistics, e.g. "main_ram"; NULL behind the last. */
GPUT_API const char *gput_column_name(unsigned i);

/* Reads a tracking file and a sub-tracking file (.csv or .sqlite, also those that are still written
 * to) and works out what each code block took.  One of the two names may be NULL: what would come
 * from it is then missing.  Of `on`, which may be NULL, warn() is used: unfinished lines and calls.
 * `ret_err`, which may be NULL, says what is wrong in one line, with file and line.
 * -EINVAL: wrong extension; -EBADMSG: a file is not what it should be; or the errno of opening. */
GPUT_API int gput_sub_analyze(const char *tracking_file, const char *sub_tracking_file,
                              const struct gput_callbacks *on, struct gput_analysis **ret_a,
                              struct gput_error *ret_err);
GPUT_API struct gput_analysis *gput_analysis_close(struct gput_analysis *a); /* NULL is fine */

/* The code blocks sorted by name; the analysis's own. */
GPUT_API const struct gput_block *gput_analysis_blocks(const struct gput_analysis *a,
                                                       size_t *ret_n);
/* The statistics of all records, one for each gput_column_name(). */
GPUT_API const struct gput_stats *gput_analysis_overall(const struct gput_analysis *a);
/* Seconds from the first record or mark to the last. */
GPUT_API double gput_analysis_duration(const struct gput_analysis *a);
/* The units of the file's figures; NULL without a tracking file. */
GPUT_API const char *gput_analysis_ram_unit(const struct gput_analysis *a);
GPUT_API const char *gput_analysis_gpu_ram_unit(const struct gput_analysis *a);

/* As text or JSON with a final newline; `full` adds unfinished calls, wall time and what marks with
 * the process's own figures tell.  free() the result. */
GPUT_API int gput_analysis_format(const struct gput_analysis *a, enum gput_format format, int full,
                                  char **ret_text);

enum gput_statistic { GPUT_MIN, GPUT_MAX, GPUT_MEAN, GPUT_STD };

/* A run to compare with others. */
struct gput_session {
    const char *name;
    const char *file; /* JSON that gput_analysis_format() wrote */
};

/* Orders the sessions by each measurement of the runs and of their code blocks, as text or JSON
 * with a final newline.  Code blocks are matched by name, or by their order where names end in
 * ":line"; a warning says so.  free() the result.  Errors as above. */
GPUT_API int gput_sub_compare(const struct gput_session *sessions, size_t n,
                              enum gput_statistic statistic, enum gput_format format,
                              const struct gput_callbacks *on, char **ret_text,
                              struct gput_error *ret_err);

/* Puts the marks of several sub-tracking files into a new one, in the order of the files.  Kinds
 * may be mixed.  -EEXIST: `into` is there already; nothing is left behind on failure. */
GPUT_API int gput_sub_combine(const char *into, const char *const *files, size_t n,
                              const struct gput_callbacks *on, struct gput_error *ret_err);

/* Reads a tracking file record by record: `values` has one for each gput_column_name(), then the time
 * in seconds since 1970; `row` counts from 0.  What take() returns other than 0 ends it and is
 * returned.  Errors and `on` as in gput_sub_analyze(). */
GPUT_API int gput_records_read(const char *tracking_file, const struct gput_callbacks *on,
                               int (*take)(void *ctx, uint64_t row, const double *values),
                               void *ctx, struct gput_error *ret_err);

/* --- reports -------------------------------------------------------------------------------- */

struct gput_report_options {
    uint32_t size;                 /* sizeof(struct gput_report_options): lets the struct grow */
    const char *file;              /* a tracking file, a result (JSON), or another file of a run */
    const char *result_file;       /* a second file of the same run, its result (JSON) beside its
                                      tracking file: it tells more, such as how it ended; NULL:
                                      none */
    const char *sub_tracking_file; /* marks of its code blocks; NULL: none */
    const char *title;             /* NULL: the command, or the name of the file */
    struct gput_callbacks on;      /* warn() is used */
    struct gput_tracker *tracker;  /* what it has measured instead of a file, with charts if it was
                                      told GPUT_KEEP_SERIES or streams; NULL: none */
    int has_failed;                /* 1: say that it failed, where nothing else is known */
    /* Other runs like it, which count for what to ask for next time. */
    const struct gput_demand *earlier;
    size_t n_earlier;
    const char *catalogue; /* of servers to rent, as in gput_catalogue_open() */
    /* The server that it ran on; NULL: what the file or the tracker tells. */
    const char *current_vendor, *current_type, *current_region;
};
#define GPUT_REPORT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(struct gput_report_options)                                                 \
    }

/* The report of a finished run as one HTML page that needs nothing else: figures, what limited the
 * job, charts, code blocks, what to ask for next time, the cheapest servers that have it and, where it
 * is known which server it was on, what it cost.  Nobody is asked for prices: they are the
 * catalogue's.  Text from the files is shown, never executed.  free() the result.
 * Errors as in gput_sub_analyze(). */
GPUT_API int gput_report_html(const struct gput_report_options *o, char **ret_html,
                              struct gput_error *ret_err);

/* The same run as a picture of text, for a terminal. */
struct gput_plot_options {
    uint32_t size;                /* sizeof(struct gput_plot_options): lets the struct grow */
    const char *file;             /* as in struct gput_report_options */
    const char *result_file;      /* likewise */
    int width;                    /* columns, 40 to 1000: no line is longer; 0: 80 */
    int use_unicode;              /* bars of block characters; else ASCII alone */
    int use_colour;               /* escape sequences for colours */
    struct gput_callbacks on;     /* warn() is used */
    struct gput_tracker *tracker; /* as in struct gput_report_options */
    const char *title;            /* likewise */
};
#define GPUT_PLOT_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(struct gput_plot_options)                                                   \
    }

/* A finished run as text, with a final newline: its command, how it ended and its main figures, then
 * charts of RAM, CPU, GPUs, disk and network over one time axis.  No peak of the records is lost,
 * however many there are; where nothing is known the charts are blank.  What could steer a terminal
 * in names and commands is shown, not sent.  free() the result.
 * Errors as in gput_sub_analyze(). */
GPUT_API int gput_report_text(const struct gput_plot_options *o, char **ret_text,
                              struct gput_error *ret_err);

/* --- code blocks: marks --------------------------------------------------------------------- */

/* A sub-tracking file: when which block of code began and ended.  Any number of processes and
 * threads write to one file at once, each through a handle of its own or several through one: a
 * handle may be used by many threads, and in the children of a fork().  Each mark is handed to the
 * kernel before the call returns.
 *
 * Local CSV files: each mark is one append.  On file systems of a network a lock is taken for each.
 * SQLite files: each mark is a transaction; where somebody else holds the file for more than a
 * second the marks wait in memory and go in with the next one, or when the handle is closed.
 *
 * A mark that cannot be written (a full disk) is refused, and so is every later one of that handle,
 * with the same errno: a block's end without its beginning would spoil the file. */
struct gput_marks; /* opaque: an open sub-tracking file */

enum gput_marks_flag {
    /* A file that is there and that no living process writes to is replaced. */
    GPUT_MARKS_OVERWRITE = 1 << 0,
    /* It is continued, whoever wrote it and when. */
    GPUT_MARKS_APPEND = 1 << 1,
    /* Each mark carries the CPU seconds and the peak RSS of its process.  Tools that know four
     * columns only do not read such files. */
    GPUT_MARKS_EXACT = 1 << 2,
};

/* Opens or creates NAME.csv or NAME.sqlite.  What of a file that is there already:
 *  - A living process has it open for marks: it is joined, whatever the flags.  So each of many
 *    processes may ask for GPUT_MARKS_OVERWRITE, and the first one replaces the old file.
 *  - Else GPUT_MARKS_OVERWRITE replaces it and GPUT_MARKS_APPEND continues it.
 *  - With neither, it is continued if it was last written since this job began, that is since the
 *    leader of our process group was started (workers in turn); an older one is refused: -EEXIST.
 * Where the file system has no locks nobody knows who lives: a file that was written since this job
 * began is then continued even with GPUT_MARKS_OVERWRITE, and an unfinished last line stays.
 * A file that is continued keeps its columns: into one with the exact columns they are written even
 * if not asked for.  -EINVAL: another end of the name, no sub-tracking file, or one without the
 * exact columns that were asked for.  `ret_err` may be NULL. */
GPUT_API int gput_marks_open(const char *path, uint32_t flags, struct gput_marks **ret_m,
                             struct gput_error *ret_err);
/* The same for a program of several processes that open the file in turn.  `since_ns` is when it
 * began, on CLOCK_BOOTTIME; it takes the place of when the job began, and a file that was last
 * written since then is continued even with GPUT_MARKS_OVERWRITE: it is the program's own.  The time
 * of a file is no better than CLOCK_REALTIME_COARSE.  0: as gput_marks_open(). */
GPUT_API int gput_marks_open_since(const char *path, uint32_t flags, int64_t since_ns,
                                   struct gput_marks **ret_m, struct gput_error *ret_err);

/* The calling thread enters or leaves a block.  Any name in UTF-8 will do.  The mark's process_id is
 * the process's for its first thread and the thread's own id for the others, so that threads in the
 * same block do not end each other's calls. */
GPUT_API int gput_block_begin(struct gput_marks *m, const char *name);
GPUT_API int gput_block_end(struct gput_marks *m, const char *name);

/* A mark for somebody else. */
struct gput_mark {
    const char *name;
    int is_end;            /* 0: the block begins, 1: it ends */
    pid_t process_id;      /* 0: the calling thread's */
    double cpu_seconds;    /* with exact columns; negative: as the process stands now */
    double peak_rss_bytes; /* likewise */
};
GPUT_API int gput_marks_put(struct gput_marks *m, const struct gput_mark *mark);

/* NULL is fine.  -EBUSY: the last marks are lost, somebody held the SQLite file.  Not while another
 * thread uses the handle.  The file stays "written by a living process" until every process that
 * inherited the handle by fork() has closed it, run another program or ended. */
GPUT_API int gput_marks_close(struct gput_marks *m);

/* --- text to be shown ------------------------------------------------------------------------ */

/* Bytes of the character at `text`, which is not empty.  Hidden is what would steer a terminal, end a
 * line, turn the text round or has no width, and what is no UTF-8. */
GPUT_API size_t gput_text_next(const char *text, int *ret_is_hidden);
/* Shows each hidden character as '?', in place.  NULL is fine.  Returns `text`. */
GPUT_API char *gput_text_plain(char *text);

/* --- files to be written --------------------------------------------------------------------- */

/* Replaces the file at `path` whole: `text` is written aside and renamed, so that a reader finds the
 * old or the new text, never a part.  Mode and owner stay.  -EEXIST: it is not a regular file.
 * -EPERM: as of gput_file_check(). */
GPUT_API int gput_file_replace(const char *path, const char *text);

/* -EPERM: at `path` lies a file or link of somebody else's, in a folder where everybody may make files,
 * like /tmp: to follow or write it is to do that one's will.  Plain files are so in sticky folders
 * only.  0: nothing of the kind. */
GPUT_API int gput_file_check(const char *path);

/* The name at the end of the links at `path`, to be freed; they are not followed where
 * gput_file_check() warns of one, nor those of /proc, which stand for open files. */
GPUT_API int gput_file_follow(const char *path, char **ret);

/* Whether writing to one name is writing to the file of the other, which may not be there yet: by
 * way of folders and links. */
GPUT_API int gput_file_is_same(const char *a, const char *b);

/* Opens a file to be written, as open(2) does with mode 0666 and O_CLOEXEC; links are followed unless
 * gput_file_check() warns of one.  Returns the descriptor; -EPERM also where a file of ours has a
 * second name in such a folder, which may be another's trick.  Truncate it afterwards, not by
 * O_TRUNC: then it is known to be ours. */
GPUT_API int gput_file_open(const char *path, int flags);

/* --- what to ask for next time -------------------------------------------------------------- */

/* What a run used, as far as it is known: NAN, or 0 where that cannot be, is not known. */
struct gput_demand {
    double cpu_mean, cpu_max; /* cores */
    double memory_peak;       /* bytes */
    double gpu_mean, gpu_max; /* GPUs: 1.5 is one and a half of them */
    double vram_peak;         /* bytes, on all GPUs together */
    int n_gpus;               /* how many worked for it; 0: none, or that is not known */
    double duration;          /* seconds */
    /* What it could have had; where it came near to that, the limit was measured and not the need. */
    double memory_limit; /* bytes */
    double cores_limit;
    enum gput_oom oom;
    enum gput_ending ending;
    int code;      /* the exit code or signal, as in struct gput_usage */
    int timed_out; /* it was ended for its time limit */
    /* How the figures are known: */
    int is_sampled;    /* the peak is the largest of what was seen at some moments */
    int is_machine;    /* only the whole machine is known, other programs included */
    char gpu_brand[8]; /* see gput_gpu_brand(), where it had a GPU; "": not known */
};

/* What to ask for; 0: nothing is known, or for GPUs: none. */
struct gput_resources {
    int cpu;
    uint64_t memory_mib;
    int gpu;
    uint64_t vram_mib;
    double time; /* seconds, whole minutes */
};

/* From the figures of a tracker. */
GPUT_API void gput_demand_of(const struct gput_usage *u, struct gput_demand *ret);
/* From what is left of a run: a tracking file, the JSON of a result, a snapshot of the Python package
 * resource_tracker or a stream.  `on` and `ret_err` may be NULL.  -EBADMSG: it is none of these, or
 * is damaged; or the errno of opening. */
GPUT_API int gput_demand_read(const char *file, const struct gput_callbacks *on,
                              struct gput_demand *ret, struct gput_error *ret_err);

/* From one run or several: the mean of their CPU use, to the nearest core but at least one; their
 * highest peak of memory and 20 % more, rounded by gput_round_memory(); as many GPUs as worked for
 * it, or where that is not known as were ever busy at once, at least one if any was used; GPU memory likewise; their longest time and 20 % more.
 * Where a run was killed for memory, twice of what it had. */
GPUT_API void gput_recommend(const struct gput_demand *runs, size_t n, struct gput_resources *ret);
/* The same with another margin; 0.2 is 20 %. */
GPUT_API void gput_recommend_margin(const struct gput_demand *runs, size_t n, double margin,
                                    struct gput_resources *ret);

/* Up to 128, 256, 512, 1024 or 2048 MiB, or to whole GiB. */
GPUT_API uint64_t gput_round_memory(double mib);

struct gput_recommend_options {
    uint32_t size;      /* sizeof(struct gput_recommend_options) */
    double margin;      /* 0 to 10; 0.2 is 20 % */
    const char *target; /* whose lines to write, see gput_recommend_target(); NULL: for people */
    enum gput_format format; /* for people or programs, without a target */
};
#define GPUT_RECOMMEND_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(struct gput_recommend_options), .margin = 0.2                               \
    }

/* The names of targets: "slurm", "kubernetes" ...; NULL behind the last. */
GPUT_API const char *gput_recommend_target(unsigned i);

/* Reads the files as gput_demand_read() does and writes what was measured and what to ask for, with a
 * final newline.  `opts` may be NULL.  -EINVAL: an option is wrong, or there is no file; -ENODATA: a
 * file has no figure to go by; else as gput_demand_read().  free() the result. */
GPUT_API int gput_recommend_files(const char *const *files, size_t n,
                                  const struct gput_recommend_options *opts,
                                  const struct gput_callbacks *on, char **ret_text,
                                  struct gput_error *ret_err);
/* --- servers to rent ------------------------------------------------------------------------ */

struct gput_catalogue; /* opaque: types of servers of cloud vendors, with what they cost */

/* One type of server in one region.  The texts are the catalogue's, until it is closed. */
struct gput_server_offer {
    const char *vendor, *type; /* "aws", "m7i.large" */
    const char *region;        /* "" where there is no price */
    int vcpus;
    double memory_mib;
    double gpus;           /* a fraction where it has a part of one */
    const char *gpu_model; /* "" without a GPU */
    double vram_mib;       /* of all GPUs together */
    double usd_hour;       /* Linux, on demand; NAN: not known */
    const char *source;    /* where the price is from */
    const char *as_of;     /* "2026-07-06": the day of the price; "" where there is none */
};

/* What a server must have; 0: nothing is needed of it.  GPU memory is that of all GPUs together, and
 * each of them must have its share of it (vram_mib / gpus) as well.  Without a number of GPUs a need
 * for GPU memory is one for a single GPU. */
struct gput_server_needs {
    double vcpus, memory_mib, gpus, vram_mib;
};

enum gput_servers_flag {
    GPUT_SERVERS_BURSTABLE = 1 << 0, /* also those that have their vCPUs whole for a while only */
    GPUT_SERVERS_UNPRICED = 1 << 1,  /* also those whose price is not known, behind the others */
    GPUT_SERVERS_EVERY_REGION = 1 << 2, /* each type in each region, not in its cheapest alone */
};

/* Which servers are looked at; NULL or 0: all.  Those that are texts may be several, with commas
 * between, and small and large letters are the same. */
struct gput_server_filters {
    uint32_t size;  /* sizeof(struct gput_server_filters): lets the struct grow */
    uint32_t flags; /* enum gput_servers_flag */
    const char *vendor, *region, *gpu_model;
    const char *arch; /* one of "x86_64", "aarch64", "here" (this machine's); types whose name does
                         not tell it pass */
    double max_usd_hour;
    const char *gpu_brand; /* "nvidia", "amd" or "intel": programs for one run on no other; types
                              without a GPU pass */
};
#define GPUT_SERVER_FILTERS_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(struct gput_server_filters)                                                 \
    }

/* Opens the catalogue at `path`; NULL: the one that $GPUT_CATALOGUE names, else the user's own (see
 * gput_catalogue_update()), else the one that is built in.  Of `on`, which may be NULL, warn() is
 * used: where the user's own cannot be read the built-in one takes its place.
 * -EBADMSG: the file is no catalogue, `ret_err` has the line; or the errno of opening it. */
GPUT_API int gput_catalogue_open(const char *path, const struct gput_callbacks *on,
                                 struct gput_catalogue **ret_c, struct gput_error *ret_err);
GPUT_API struct gput_catalogue *gput_catalogue_close(struct gput_catalogue *c); /* NULL is fine */

/* The file that it was read from, or "the built-in catalogue". */
GPUT_API const char *gput_catalogue_origin(const struct gput_catalogue *c);

/* The `n` cheapest servers that have what is needed, by price, then by the names of type, vendor and
 * region: the order is the same each time.  `filters` may be NULL.  Returns how many are in `ret`;
 * `ret_total`, which may be NULL, gets how many there are.  -ENODATA: there is none, and `ret_err`
 * says which need or filter nobody meets. */
GPUT_API int gput_catalogue_find(const struct gput_catalogue *c,
                                 const struct gput_server_needs *needs,
                                 const struct gput_server_filters *filters,
                                 struct gput_server_offer *ret, size_t n, size_t *ret_total,
                                 struct gput_error *ret_err);

/* What a type costs in a region, or where it has no price there (or `region` is NULL) in the cheapest
 * region that has one: look at ret->region.  -ENODATA: no price of that type is known. */
GPUT_API int gput_catalogue_price(const struct gput_catalogue *c, const char *vendor,
                                  const char *type, const char *region,
                                  struct gput_server_offer *ret);

enum gput_servers_format {
    GPUT_SERVERS_TEXT, /* a table */
    GPUT_SERVERS_JSON,
    GPUT_SERVERS_CSV,  /* the form of a catalogue */
    GPUT_SERVERS_LIST, /* text of two lines for each, where a table is too wide */
};

/* Servers as a table, as a JSON list or as a catalogue, with a final newline.  free() the result. */
GPUT_API int gput_servers_format(const struct gput_server_offer *list, size_t n,
                                 enum gput_servers_format format, char **ret_text);

/* Makes a file, or what is at a URL (http:// or https://), the user's own catalogue: that is
 * $XDG_CACHE_HOME/gpu-tracker/catalogue.csv, or the same below ~/.cache.  It is checked whole, then
 * put in the place of the old one; one with a fault changes nothing: -EBADMSG.  `ret_path`, which may
 * be NULL, gets where it is; free() it. */
GPUT_API int gput_catalogue_update(const char *from, char **ret_path, struct gput_error *ret_err);

/* The Keeper of Spare Cores, a public service that knows prices of today.  It is asked only by these
 * calls.  `url` NULL: $GPUT_KEEPER_URL, else https://keeper.sparecores.net; `timeout` is in seconds,
 * 0: 2.  -EINVAL: no URL; -ELIBACC: there is no libcurl; -ETIMEDOUT; -EPROTO: an answer with another
 * status than 200; -EBADMSG: one of another form. */

/* Its answer to GET url + path, as it is; free() it. */
GPUT_API int gput_keeper_get(const char *url, const char *path, double timeout, char **ret_text,
                             struct gput_error *ret_err);
/* Its `n` cheapest servers with what is needed, as a catalogue: their price is that of the cheapest
 * region, which it does not name.  `ret_json`, which may be NULL, gets the answer as it is; free() it. */
GPUT_API int gput_keeper_find(const char *url, const struct gput_server_needs *needs, int n,
                              double timeout, struct gput_catalogue **ret_c, char **ret_json,
                              struct gput_error *ret_err);
/* What a type costs in a region, or where that is not told in the first one that is; `ret_region` says
 * which.  -ENODATA: there is no price on demand. */
GPUT_API int gput_keeper_price(const char *url, const char *vendor, const char *type,
                               const char *region, double timeout, double *ret_usd_hour,
                               char ret_region[64], struct gput_error *ret_err);

struct gput_recommend_servers_options {
    uint32_t size; /* sizeof(struct gput_recommend_servers_options) */
    enum gput_format format;
    double margin;                             /* as in struct gput_recommend_options */
    const struct gput_server_filters *filters; /* NULL: all servers */
    const char *catalogue;                     /* as in gput_catalogue_open() */
    int limit;                                 /* so many servers at most; 0: 5 */
    int is_online;          /* 1: the Keeper is asked first; where that fails, a warning says so */
    const char *keeper_url; /* as in gput_keeper_find() */
    /* The server that the runs were on; NULL: what their files tell. */
    const char *current_vendor, *current_type, *current_region;
    int width; /* columns that text may have: servers are a list where a table is wider; 0: any */
};
#define GPUT_RECOMMEND_SERVERS_OPTIONS_INIT                                                        \
    {                                                                                              \
        .size = sizeof(struct gput_recommend_servers_options), .margin = 0.2                       \
    }

/* Reads the files as gput_demand_read() does and writes the cheapest servers that have what
 * gput_recommend() says, with what the longest of the runs costs there, and how much less that is than
 * on the server that it was on.  `opts` may be NULL.  -ENODATA: no server fits, and `ret_err` says why;
 * else as gput_recommend_files() and gput_catalogue_open().  free() the result. */
GPUT_API int gput_recommend_servers(const char *const *files, size_t n,
                                    const struct gput_recommend_servers_options *opts,
                                    const struct gput_callbacks *on, char **ret_text,
                                    struct gput_error *ret_err);

/* The same for runs whose figures are at hand; only the options tell which server they were on. */
GPUT_API int gput_recommend_servers_of(const struct gput_demand *runs, size_t n,
                                       const struct gput_recommend_servers_options *opts,
                                       const struct gput_callbacks *on, char **ret_text,
                                       struct gput_error *ret_err);

/* Where gput_tracker_start() finds the helper program; only options.helper_path is used, and `opts`
 * may be NULL.  -ENOENT: `ret_err` says where it was looked for.  free() the result. */
GPUT_API int gput_helper_find(const struct gput_options *opts, char **ret_path,
                              struct gput_error *ret_err);

/* The helper's side, for the program behind helper_path alone: closes all descriptors but `fd`,
 * where the other side asks, measures until told to stop, and exits. */
GPUT_API void gput_helper_run(int fd) __attribute__((noreturn));

/* --- discovery: the server and its cloud ---------------------------------------------------- */

enum gput_discover {
    GPUT_DISCOVER_SERVER = 1 << 0,
    GPUT_DISCOVER_CLOUD = 1 << 1,
};

struct gput_server_gpu {
    const char *name, *uuid, *brand;
    double memory; /* bytes; NAN: its driver does not tell */
};

struct gput_disk {
    const char *name;  /* "nvme0n1" */
    const char *model; /* NULL: not told */
    double size;       /* bytes */
    int is_rotational; /* 1, 0; -1: not told */
};

/* The machine, as seen from here.  Texts are NULL and numbers NAN where something is not known. */
struct gput_server {
    const char *os;                   /* "Linux" */
    const char *distribution;         /* "Debian GNU/Linux 12 (bookworm)" */
    const char *distribution_id;      /* "debian" */
    const char *distribution_version; /* "12" */
    const char *kernel;               /* "6.1.0-18-amd64" */
    const char *architecture;         /* "x86_64" */
    const char *hostname;
    const char *cpu_model;
    int vcpus;     /* of the machine, whatever the limits are; 0: not known */
    double memory; /* bytes, likewise */
    int n_gpus;    /* whole ones; -1: the driver did not answer */
    const struct gput_server_gpu *gpus;
    const char *gpu_name; /* the most common one; NULL: there is none */
    double gpu_memory;    /* bytes, all of them together */
    const char *gpu_why;  /* why there are none; NULL: there are */
    double memory_cgroup; /* limits of the control group (a container's); NAN: none */
    double cores_cgroup;
    int cores_affinity;      /* cores that this process may run on; 0: not known */
    double memory_effective; /* what is left by all limits */
    double cores_effective;
    const struct gput_disk *disks;
    int n_disks;
};

/* The cloud that the machine is in, found without an account. */
struct gput_cloud {
    const char *vendor; /* aws, gcp, azure, hcloud, upcloud, alicloud, ovh; NULL: not known */
    const char *instance_type; /* NULL: not known */
    const char *region;        /* likewise */
    const char *why;           /* why something is not known, in one line; NULL: all is */
    double discovery_time;     /* seconds that it took */
};

struct gput_discovery; /* opaque: what is being found out, by threads of its own */

/* Begins to look and returns at once; `what` has bits of enum gput_discover.  Of the options the
 * roots, the GPU brand and nvml_path are used; `opts` may be NULL.
 *
 * Server: files of /proc and /sys, and the GPU driver, which is given 10 s.  NVIDIA's library stays
 * loaded in the calling process; `gpu-tracker discover` spares it that.
 *
 * Cloud: the names in the firmware (/sys/class/dmi/id) tell which cloud's metadata service is asked;
 * where they name none nobody is asked.  It takes a second at most.  No proxy is used and no redirect
 * followed.  `metadata_url` takes the place of the service's own address; NULL:
 * $GPUT_METADATA_URL, else the service's.  libcurl is loaded when something is asked.
 *
 * -EINVAL: `what` is nothing, or the URL is not one of http; -EAGAIN: no thread. */
GPUT_API int gput_discovery_start(const struct gput_options *opts, uint32_t what,
                                  const char *metadata_url, struct gput_discovery **ret_d);

/* Waits until all is known, at most so many seconds.  -EAGAIN: it is not yet. */
GPUT_API int gput_discovery_wait(struct gput_discovery *d, double seconds);

/* What was found, the discovery's own until it is closed.  NULL: not known yet, or not asked for. */
GPUT_API const struct gput_server *gput_discovery_server(struct gput_discovery *d);
GPUT_API const struct gput_cloud *gput_discovery_cloud(struct gput_discovery *d);

/* What was asked for, as text or JSON with a final newline; what is not known yet is null there.
 * free() the result. */
GPUT_API int gput_discovery_format(struct gput_discovery *d, enum gput_format format,
                                   char **ret_text);

/* NULL is fine.  Never waits: a thread that is still at it is left to itself.  In the child of a
 * fork() it does nothing. */
GPUT_API struct gput_discovery *gput_discovery_close(struct gput_discovery *d);

/* What can be measured on this machine, what cannot, and the one step that would change it, as text
 * or JSON with a final newline.  Of the options the roots, the GPU brand and nvml_path are used.
 * free() the result. */
GPUT_API int gput_doctor(const struct gput_options *opts, enum gput_format format, char **ret_text);

#ifdef __cplusplus
}
#endif
#endif

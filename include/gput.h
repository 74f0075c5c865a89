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

/* The version of the library that runs, e.g. "0.2.0". */
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

/* --- who a process is in a job of many ------------------------------------------------------- */

/* What the launcher of a parallel job says to each of its processes: Slurm, Open MPI, MPICH, torchrun and
 * others.  A number is -1 and a text "" where nobody says. */
struct gput_launch {
    uint32_t size;     /* sizeof(struct gput_launch) */
    char launcher[24]; /* "slurm"; "plain": none was found */
    char job_id[128];  /* fit to be part of a path, like `step` and `node` */
    char step[128];    /* "0" where there are none */
    char job_name[128];
    char node[128]; /* as the launcher calls it, else the host's name */
    char array_job[64], array_task[64];
    int has_job_id; /* 0: `job_id` is made of the host and of the process that started this one */
    int rank, n_ranks;
    int local_rank, n_local; /* of those on this node */
    int node_index, n_nodes;
    int restart; /* how often the job was queued or started again; 0: never, or nobody says */
};

/* By the variables of the calling process. */
GPUT_API void gput_launch_detect(struct gput_launch *ret);

/* --- options -------------------------------------------------------------------------------- */

enum gput_flag {
    GPUT_NO_SUBREAPER = 1 << 0,     /* orphans of the job go to init, not to the tracker */
    GPUT_WAIT_DESCENDANTS = 1 << 1, /* the run ends with the last descendant, not with main */
    GPUT_OVERWRITE = 1 << 2,        /* an existing tracking file is replaced */
    GPUT_NO_WATCH = 1 << 3, /* records only, no polls in between (for measuring their cost) */
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
    GPUT_NO_GPU_IS_NO_NEWS = 1 << 12, /* a machine that has no GPU of any brand is not warned of */
    GPUT_FINDABLE =
        1 << 16, /* viewers of the same user find it: see gput_running_list(); a tracker of
                                gput_tracker_start() always is */
    GPUT_KILL_OVER_BUDGET = 1 << 13, /* a command is ended (TERM, KILL 100 ms later) as soon as it
                                         has passed a limit of options.budget for good */
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
    uint32_t size;            /* sizeof(struct gput_options): lets the struct grow */
    uint32_t flags;           /* enum gput_flag */
    double sleep_time;        /* seconds from record to record, at least 0.001; 0: 1.0 */
    const char *ram_unit;     /* bytes ... terabytes, kibibytes ... tebibytes, or B, kB, MB, GB, TB,
                                  KiB, MiB, GiB, TiB; NULL: gigabytes */
    const char *gpu_ram_unit; /* likewise */
    const char *time_unit;    /* seconds, minutes, hours, days, or s, min, h, d; NULL: hours */
    int n_expected_cores;     /* 0: all of the machine's */
    const char *gpu_uuids;    /* comma separated; NULL: all GPUs */
    const char *gpu_brand;    /* see gput_gpu_brand(); NULL: found by itself */
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
    /* Which run it is, for results, exports and files: see struct gput_usage's `run`. */
    const char *job_name;    /* NULL: $TRACKER_JOB_NAME, else none */
    const char *tags;        /* lines of "key=value"; of one key the last counts; NULL: none */
    const char *metadata;    /* likewise; NULL: from $TRACKER_PROJECT_NAME and the like */
    const char *run_id;      /* NULL: a random one */
    const char *folder;      /* NULL: the working folder */
    double carbon_intensity; /* grams of CO2 per kWh, for energy.grams_co2; 0: not known */
    /* This is one process of a job on many nodes, and the results of all go to this folder: one file for
     * each node (docs/FLEET.md).  With gput_tracker_spawn() and gput_tracker_attach().  NULL: no. */
    const char *fleet;
    const struct gput_launch *launch; /* which process; NULL: as gput_launch_detect() says */
    /* What the run may use: figure<=value (or =) or figure>=value with commas between, such as
     * "ram=4GB,cpu=300s,gpu_util>=50"; NULL: whatever it likes.  See struct gput_budget_line. */
    const char *budget;
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
    GPUT_ESTIMATED,   /* worked out of other figures, as `why` says */
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

/* Of shares of the time: percent, weighted by time. */
struct gput_spread {
    struct gput_figure mean, max;
};

/* What one GPU really did, as its hardware counted it. */
struct gput_gpu_work {
    struct gput_spread engine_active;           /* graphics or compute engine */
    struct gput_spread sm_active, sm_occupancy; /* of the multiprocessors */
    struct gput_spread tensor_active,
        tensor_fp64_active; /* of the tensor cores; all, and by kind */
    struct gput_spread tensor_half_active, tensor_int_active;
    struct gput_spread fp64_active, fp32_active, fp16_active; /* of the other pipes */
    struct gput_spread dram_active;                           /* of the memory's bandwidth */
    struct gput_spread memory_busy; /* memory controllers; another thing than bandwidth */
    struct gput_spread
        at_work; /* kernels, or copies as long as they take at the speed of the link */
    struct gput_figure pcie_rx_bytes, pcie_tx_bytes, nvlink_rx_bytes, nvlink_tx_bytes;
    /* slowed down meanwhile, as the driver counts: reasons may hold at the same time */
    struct gput_figure power_capped_seconds, thermal_seconds, other_capped_seconds;
    struct gput_figure ecc_corrected, ecc_uncorrected, rows_remapped; /* errors of its memory */
    struct gput_figure xid_events; /* errors that the driver reported */
    /* What the time went into, each moment into one of them: seconds. */
    struct gput_figure tensor_seconds, pipes_seconds, memory_seconds, other_seconds;
    struct gput_figure small_seconds, stuck_seconds, copies_seconds, idle_seconds;
    struct gput_figure clock_percent; /* mean clock of the SMs, of the highest */
    struct gput_figure
        dense_ceiling; /* tensor_active times that: no more of the tensor peak was used */
    struct gput_figure power_limit; /* watts */
    struct gput_figure reserved[18];
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

/* How many levels of use of the CPU are told apart: each eighth of a core up to 8 cores, then sixteen
 * to each doubling. */
#define GPUT_CPU_LEVELS 192
/* The cores of a level. */
GPUT_API double gput_cpu_level(int level);

/* The processes of the job that ran one command, exited ones included.  Its name is the kernel's, with
 * that of the script where an interpreter runs one ("python3 train.py"); arguments are never in it. */
struct gput_process_group {
    const char *name;
    struct gput_figure count;
    struct gput_figure cpu_seconds;
    struct gput_figure max_rss, gpu_ram;      /* bytes, of the largest one of them */
    struct gput_figure first_seen, last_seen; /* seconds since the start of the run */
    struct gput_figure reserved[4];
};

/* A limit of options.budget and what became of it. */
struct gput_budget_line {
    const char *figure; /* a short name ("ram") or a path of the JSON ("max_ram.main.total_rss") */
    const char *op;     /* "<=" or ">=" */
    const char *unit;   /* "bytes", "seconds", "joules", "percent" or "number" */
    const char *asked;  /* the limit as it was written: "4GB" */
    double limit;
    struct gput_figure measured;
    int is_met;  /* 0 also where the figure is unavailable */
    int is_hard; /* it may be passed for good before the end: see GPUT_KILL_OVER_BUDGET */
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
        const struct gput_gpu_work *work; /* one for each of `gpus`; NULL: not known */
        void *reserved[7];
    } gpu;
    struct { /* what the job could have had */
        struct gput_figure memory_host, memory_cgroup, memory_effective; /* bytes */
        struct gput_figure cores_host, cores_cgroup, cores_affinity, cores_effective;
        struct gput_figure near_memory_seconds; /* with 90 % of memory_effective, or more */
        struct gput_figure reserved[4];
    } limits;
    struct { /* what the tracking itself took */
        struct gput_figure cpu_seconds, max_rss;
        struct gput_figure n_records, n_polls, n_memory_scans;
        int process_events; /* 1: the kernel told of births and deaths */
        struct gput_figure reserved[6];
    } tracker;
    struct { /* the whole machine, whoever used it; with GPUT_WANT_ALL only */
        struct gput_figure max_n_processes;
        struct gput_figure max_cached; /* bytes of RAM that hold pages of files */
        struct gput_figure disk_read_bytes, disk_write_bytes;  /* during the run */
        struct gput_figure net_received_bytes, net_sent_bytes; /* likewise, without loopback */
        struct gput_figure disk_space_total, disk_space_used, disk_space_free; /* at its end */
        struct gput_figure stolen_cpu_seconds; /* by the hypervisor, for others */
        struct gput_figure max_core_percent;   /* of the busiest core, in a record interval */
        struct gput_figure max_busy_cores;     /* 90 % or more, in one record interval */
        struct gput_figure swapped_in_bytes, swapped_out_bytes; /* during the run */
        struct gput_figure reserved[11];
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
        struct gput_figure memory_peak;     /* the high-water mark, page cache included */
        struct gput_figure max_processes;
        struct gput_figure max_tasks; /* processes and threads */
        struct gput_figure disk_read_bytes, disk_write_bytes;
        struct gput_figure oom_kills; /* processes killed for memory */
        struct gput_figure reserved[8];
    } cgroup;
    struct
    { /* between which bounds the totals of max_ram lie, as far as memory scans tell; bytes */
        struct gput_figure descendants_at_least, descendants_at_most;
        struct gput_figure combined_at_least, combined_at_most;
        struct gput_figure reserved[4];
    } ram_bounds;
    struct { /* for how long the job used so many cores: see gput_cpu_level() */
        double seconds[GPUT_CPU_LEVELS]; /* all 0: not known */
    } cpu_levels;
    struct { /* who used it, the heaviest first: CPU seconds and gigabytes of memory added up */
        /* The last one, "others", is all that is in no other: their CPU seconds add up to the job's.
         * The tracker's until it is asked again or closed. */
        const struct gput_process_group *groups;
        int n_groups; /* 0: not known */
        void *reserved[4];
    } processes;
    struct {                    /* which run it is; NULL: not known, or none given */
        const char *id;         /* random: the same in all files of one run */
        const char *start_time; /* "2026-11-19T04:00:30.123456+00:00" */
        const char *host, *version, *folder, *job_name;
        const char *tags, *metadata; /* lines of "key=value", each with its newline */
        void *reserved[8];
    } run;
    struct { /* what it waited for; with GPUT_WANT_ALL only */
        /* Of whom the pressure is: "cgroup", the job's own; "machine", all that ran on it; NULL: not known. */
        const char *pressure_of;
        /* Seconds in which some of its tasks, or all that could run, waited for a CPU, memory or a disk. */
        struct gput_figure cpu_some_seconds, cpu_full_seconds;
        struct gput_figure memory_some_seconds, memory_full_seconds;
        struct gput_figure io_some_seconds, io_full_seconds;
        /* Held back by the CPU quota of its control group: seconds, of each core that it waited for; periods
         * of the quota in which that happened, and in which it ran. */
        struct gput_figure throttled_seconds, throttled_periods, quota_periods;
        struct gput_figure run_queue_seconds; /* its threads could run and had no CPU, added up */
        struct gput_figure io_wait_seconds;   /* likewise, waiting for disks */
        struct gput_figure
            blocked_seconds; /* in which a process was in a sleep that no signal ends */
        struct gput_figure reserved[12];
    } waiting;
    struct {                           /* what it took; with GPUT_WANT_ALL only */
        struct gput_figure cpu_joules; /* of all processors and their memory, whoever used them */
        struct gput_figure job_cpu_joules; /* the job's part of that, estimated */
        struct gput_figure gpu_joules;     /* of the GPUs, whoever used them */
        struct gput_figure grams_per_kwh,
            grams_co2; /* options.carbon_intensity, and that times energy */
        struct gput_figure reserved[7];
    } energy;
    struct { /* the limits of options.budget, in their order */
        /* The tracker's until it is asked again or closed. */
        const struct gput_budget_line *lines;
        int n_lines;   /* 0: none was given */
        int ended_job; /* 1: the tracker ended the job for one of them */
        void *reserved[4];
    } budget;
};

/* The figures so far, or of the whole run after gput_tracker_wait() or gput_tracker_stop().  After
 * gput_tracker_start() they come from memory shared with the helper, without a system call, and are
 * at most a record interval old.  Strings and tables are the tracker's until it is asked again or
 * closed.  -ENODATA: it was not started. */
GPUT_API int gput_tracker_usage(const struct gput_tracker *t, struct gput_usage *ret_usage);

/* --- laps: a part of a run that its program chooses ------------------------------------------- */

/* After gput_tracker_start(): ends a lap, which began with the call before (the first call only begins one),
 * and begins the next.  It takes a poll of the helper, a fraction of a millisecond.  With
 * `wait_for_gpus` the helper first waits until GPUs have told what each process holds, some milliseconds.
 * The high-water marks of the lap are exact where the process sets its own anew (by writing 5 to
 * /proc/self/clear_refs) before the call, or they rise.
 * -EINVAL: it is not started, or by another process; -EPIPE: the helper has died; -ETIMEDOUT. */
GPUT_API int gput_tracker_lap(struct gput_tracker *t, int wait_for_gpus,
                              struct gput_error *ret_err);

/* What the last lap used: of memory, GPU memory, processes and threads the most above what there was when it
 * began (max_ram.combined.total_rss, max_gpu_ram.combined, totals.max_n_processes,
 * cpu_utilization.combined_n_threads), its CPU seconds and its time, and how many descendants live that did
 * not at its beginning (job.n_left).  All else is unavailable. */
GPUT_API int gput_lap_usage(const struct gput_tracker *t, struct gput_usage *ret_usage);
/* The pids of these descendants, at most `max` of the first 32.  Returns how many there are. */
GPUT_API int gput_lap_left(const struct gput_tracker *t, pid_t *ret_pids, int max);

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

/* The same with what a viewer shows besides: how far it is from each limit.  Unknown is NAN, or -1 of a
 * count.  A later version may have more members, at the end. */
struct gput_live {
    uint32_t size;                      /* set it to sizeof(struct gput_live) before the call */
    int n_processes, n_threads, n_gpus; /* GPUs: those that are counted with */
    double elapsed, time_limit;         /* seconds; a time limit of the tracker's */
    double ram, ram_peak;               /* bytes, the whole job */
    /* What the job's control group may hold, or what the machine has; what the job can still take of
     * the scarcer one of both. */
    double ram_limit, ram_room;
    int limit_is_group;
    double ram_growth;       /* bytes a second, at present; 0: none, or none that lasts */
    double seconds_to_limit; /* until there is no room, at this growth; NAN: it does not grow */
    double cpu_percent, cpu_seconds;  /* over the last record interval; so far, of the whole job */
    double cores;                     /* that it may use */
    double gpu_percent;               /* summed over the counted GPUs */
    double gpu_ram, gpu_ram_capacity; /* bytes; the job's, of all GPUs */
};
/* -EINVAL: its size is not known. */
GPUT_API int gput_tracker_live(const struct gput_tracker *t, struct gput_live *ret_live);

/* The pids of descendants that live on after the run, at most `max` of them.  Returns how many
 * there are. */
GPUT_API int gput_tracker_left(const struct gput_tracker *t, pid_t *ret_pids, int max);

/* Beyond text and JSON a run may be told as other programs do; gput_usage_format() alone takes these. */
enum gput_format {
    GPUT_TEXT,
    GPUT_JSON,
    GPUT_MARKDOWN,
    GPUT_CSV,       /* a row under a header */
    GPUT_TIME,      /* GNU time -v */
    GPUT_SNAKEMAKE, /* the benchmark file of a rule */
    GPUT_NEXTFLOW,  /* .command.trace */
    GPUT_JUNIT,     /* XML of test cases: the command and the limits of its budget */
};

/* A command with what looks like a secret in it masked, for what leaves the machine.  free() it; NULL for
 * NULL, or without memory. */
GPUT_API char *gput_redacted(const char *command);

/* The figures as text or JSON, with a final newline, in the units of `u`; `full` adds the further
 * groups and where each figure comes from.  free() the result. */
GPUT_API int gput_usage_format(const struct gput_usage *u, enum gput_format format, int full,
                               char **ret_text);

/* What a person wants to know first, in a few lines of text with amounts as people say them: how it
 * ended, time, peak memory, CPU, GPUs, what limited it and what to ask for next time.  A command longer
 * than `width` columns is cut; `use_unicode` 0: ASCII alone.  free() the result. */
GPUT_API int gput_usage_summary(const struct gput_usage *u, int width, int use_unicode,
                                char **ret_text);

/* --- watching a run from another process ----------------------------------------------------- */

/* A tracker that runs on this machine. */
struct gput_running {
    pid_t tracker, pid; /* pid: the main process; 0: the machine alone */
    uid_t uid;          /* whose it is */
    double since;       /* when tracking began, seconds since 1970 */
    char command[512];  /* as it can be pasted; cut where it is longer; "": it was attached to */
};
/* Those of this user, for root of all, the youngest first; free() the list.  Returns how many.
 * -EPERM: where they would be noted is a folder of another user's. */
GPUT_API int gput_running_list(struct gput_running **ret_list, struct gput_error *ret_err);

/* A process of a job. */
struct gput_live_process {
    pid_t pid, ppid;
    char state; /* as in /proc/PID/stat */
    int n_threads;
    char name[48];      /* of its command, as in struct gput_process_group */
    double cpu_seconds; /* so far, without its children; since tracking began */
    double rss, pss;    /* bytes; pss: its share of the job's memory; NAN: not known */
    double age;         /* seconds since it began */
};

enum gput_view_state {
    GPUT_VIEW_RUNNING,
    GPUT_VIEW_ENDED, /* these are the last figures */
    GPUT_VIEW_LOST,  /* the tracker was killed: the figures are those until then */
};

/* What is known of a run at one moment; good until the next gput_viewer_read(). */
struct gput_view {
    uint32_t size; /* set it to sizeof(struct gput_view) before the call */
    enum gput_view_state state;
    struct gput_live live;
    const struct gput_usage *usage;
    double polled; /* when the processes were read, seconds since the start */
    const struct gput_live_process *processes; /* parents before children */
    int n_processes, n_left_out;               /* beyond what there is room for */
    /* Bytes over the machine's disks and network, other programs included, since the viewer first read;
     * the viewer reads them for itself.  NAN: not known. */
    double disk_read, disk_written, net_received, net_sent;
};

/* What a process of the job has held of all GPUs at most, bytes; NAN: none is known. */
GPUT_API double gput_process_gpu_ram(const struct gput_usage *u, pid_t pid);

/* Watches the run of a tracker, read only: the tracker shows its figures for as long as somebody reads
 * them at least every few seconds.  Neither it nor the job waits for a viewer.
 * -ESRCH: no such tracker runs; -EACCES: it is not this user's. */
struct gput_viewer;
GPUT_API int gput_viewer_open(pid_t tracker, struct gput_viewer **ret_v,
                              struct gput_error *ret_err);
/* -EAGAIN: nothing is shown yet; a second later it is. */
GPUT_API int gput_viewer_read(struct gput_viewer *v, struct gput_view *ret_view);
/* NULL is fine.  Returns NULL. */
GPUT_API struct gput_viewer *gput_viewer_close(struct gput_viewer *v);
/* A line of usage.budget as a sentence without its full stop: "ram: 3.21 GB, at most 4GB: 790 MB (20 %)
 * below (exact)".  Returns `ret`, which holds `size`. */
GPUT_API const char *gput_budget_words(const struct gput_budget_line *line, char *ret, size_t size);

/* Limits by themselves, for figures of any run or lap; as in options.budget.  -EINVAL: they are none. */
struct gput_budget; /* opaque */
GPUT_API int gput_budget_open(const char *limits, struct gput_budget **ret_b,
                              struct gput_error *ret_err);
/* The lines, in the order of the limits, good until the next call; returns how many. */
GPUT_API int gput_budget_judge(struct gput_budget *b, const struct gput_usage *u,
                               const struct gput_budget_line **ret_lines);
GPUT_API struct gput_budget *gput_budget_close(struct gput_budget *b); /* NULL is fine */

/* A figure by its short name ("ram") or its path in the JSON.  -ENOENT: there is no such figure. */
GPUT_API int gput_usage_figure(const struct gput_usage *u, const char *name,
                               struct gput_figure *ret);
/* What two equal runs may differ by in the figure of that short name, from `base` on; NAN: there is none. */
GPUT_API double gput_figure_noise(const char *name, double base);

/* A series as a chart of text without labels: `rows` lines of at most `width` columns.  In each column stands
 * what held then: least, largest and mean, as in gput_report_text(). */
struct gput_chart {
    double start, end; /* of the time axis */
    double full;       /* what the top stands for; 0: the largest value */
    int width, rows;
    int is_rate; /* each value is of the time since the one before, else from half the way to it */
    int use_unicode; /* 0: ASCII alone */
};
/* Values that are not finite are unknown.  free() the result.  -EINVAL: such a chart cannot be. */
GPUT_API int gput_chart_text(const double *times, const double *values, size_t n,
                             const struct gput_chart *c, char **ret_text);

/* --- what limited it ------------------------------------------------------------------------ */

/* A limit at which a run spent a share of its time. */
struct gput_bottleneck {
    const char *what;       /* "cpu-all-cores" */
    double share_of_time;   /* 0 to 1; NAN: not known */
    const char *confidence; /* "high": from polls; "medium": from records; "low": from means */
    struct {
        const char *name;
        double value; /* bytes, seconds, cores, percent; NAN: not known */
    } evidence[8];
    int n_evidence;
    const char *advice; /* what to try, a sentence */
};
enum { GPUT_MOST_BOTTLENECKS = 24 };

/* What limited a run, the heaviest first, as far as it was measured.  Returns how many; 0: nothing that
 * was measured was at its limit for long.  The strings are constants. */
GPUT_API int gput_bottlenecks(const struct gput_usage *u,
                              struct gput_bottleneck ret[GPUT_MOST_BOTTLENECKS]);
/* It in words, a sentence without its full stop: "all 2 cores were busy 40 % of the time".  Returns
 * `ret`, which holds `size`. */
GPUT_API const char *gput_bottleneck_words(const struct gput_bottleneck *b, char *ret, size_t size);

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

/* The same row for people: aligned, with units, as many columns as `width` has room for (0: all), the most
 * important ones; under a line of heads where `with_heads` is not 0.  free() the result. */
GPUT_API int gput_stream_table(const struct gput_tracker *t, enum gput_stream s,
                               enum gput_columns names, int width, int with_heads, char **ret_text);

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
    uint64_t num_peaks;            /* calls in which the high-water mark of RSS rose */
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
 * in seconds since 1970; `row` counts from 0.  What add() returns other than 0 ends it and is
 * returned.  Errors and `on` as in gput_sub_analyze(). */
GPUT_API int gput_records_read(const char *tracking_file, const struct gput_callbacks *on,
                               int (*add)(void *ctx, uint64_t row, const double *values), void *ctx,
                               struct gput_error *ret_err);

/* --- exports -------------------------------------------------------------------------------- */

enum gput_export_format {
    GPUT_EXPORT_PROMETHEUS, /* the text format 0.0.4: textfile collector, Pushgateway */
    GPUT_EXPORT_OPENMETRICS,
    GPUT_EXPORT_OTLP, /* ExportMetricsServiceRequest of OpenTelemetry as JSON */
    GPUT_EXPORT_CSV,
    GPUT_EXPORT_JSONL,
};

struct gput_export_options {
    uint32_t size; /* sizeof(struct gput_export_options): lets the struct grow */
    enum gput_export_format format;
    const char *labels; /* lines of "key=value", for each figure; NULL: none */
    int no_redact;      /* 1: the command as it is; else what looks like a secret in it is masked */
};
#define GPUT_EXPORT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(struct gput_export_options)                                                 \
    }

/* What a run used so far, or as a whole, for monitoring: peaks, totals, levels just now.  What is not
 * known is left out.  free() the result.  -ENODATA: the tracker was not started. */
GPUT_API int gput_tracker_export(const struct gput_tracker *t, const struct gput_export_options *o,
                                 char **ret_text);
/* The figures of finished runs, from what gput_demand_read() reads, and of each rank and node of fleets, from
 * what gput_fleet_read() reads.  Errors as there. */
GPUT_API int gput_export_files(const char *const *files, size_t n,
                               const struct gput_export_options *o, const struct gput_callbacks *on,
                               char **ret_text, struct gput_error *ret_err);
/* Whether `labels` are such lines, with names that Prometheus takes: -EINVAL, and why. */
GPUT_API int gput_export_check(const struct gput_export_options *o, struct gput_error *ret_err);

/* A process beside the tracker that hands figures to others while it measures, and at its end: a file, an
 * HTTP server, receivers.  The tracker never waits for it but in gput_exporter_close(), at most 2 seconds,
 * and whatever becomes of it the job does not notice.  Tokens come from the environment alone:
 * GPUT_LISTEN_TOKEN, GPUT_PUSH_TOKEN, or ..._FILE; of OpenTelemetry OTEL_EXPORTER_OTLP_HEADERS and others. */
struct gput_exporter; /* opaque */

struct gput_exporter_options {
    uint32_t size; /* sizeof(struct gput_exporter_options): lets the struct grow */
    const char
        *metrics_file;  /* for node_exporter's textfile collector; removed at the end; NULL: none */
    int keep_metrics;   /* 1: it is not removed */
    const char *listen; /* "ADDRESS:PORT" or ":PORT" on loopback: /metrics; NULL: none */
    const char *push;   /* URL of a Pushgateway: gets the whole run at its end; NULL: none */
    int push_delete;    /* 1: it gets figures during the run, which are deleted at the end */
    const char *otlp;   /* URL of an OTLP/HTTP receiver, or "env": that of the environment */
    const char *labels; /* as in struct gput_export_options */
    int no_redact;      /* likewise */
    const char *task;   /* the group of a push where the run has no job name */
    struct gput_callbacks on; /* warn() is used, in gput_exporter_close() */
};
#define GPUT_EXPORTER_OPTIONS_INIT                                                                 \
    {                                                                                              \
        .size = sizeof(struct gput_exporter_options)                                               \
    }

/* Before gput_tracker_spawn() or _attach(), from a process without other threads: it forks.  Errors as of
 * gput_tracker_open(); nothing is left behind then. */
GPUT_API int gput_exporter_start(const struct gput_exporter_options *o,
                                 const struct gput_tracker *t, struct gput_exporter **ret_e,
                                 struct gput_error *ret_err);
/* Where it listens: "127.0.0.1:9400".  NULL: nowhere. */
GPUT_API const char *gput_exporter_address(const struct gput_exporter *e);
/* The figures so far, at most once a second: for the callback record(). */
GPUT_API void gput_exporter_update(struct gput_exporter *e, const struct gput_tracker *t);
/* The figures of the whole run; does not wait. */
GPUT_API void gput_exporter_end(struct gput_exporter *e, const struct gput_tracker *t);
/* Waits until they are sent, or kept in a file that a warning names.  NULL is fine.  Returns NULL. */
GPUT_API struct gput_exporter *gput_exporter_close(struct gput_exporter *e);

/* --- the live page ---------------------------------------------------------------------------- */

/* The report of a run while it goes on, for browsers: it grows, and becomes the finished report.  Who has the link
 * may look; it has a token that opens once, or, where $GPUT_SERVE_TOKEN or a file named by
 * $GPUT_SERVE_TOKEN_FILE gives one, whenever it is given. */
struct gput_page; /* opaque */

struct gput_page_options {
    uint32_t size;      /* sizeof(struct gput_page_options): lets the struct grow */
    const char *listen; /* "ADDRESS:PORT" or ":PORT" on loopback; NULL: any free port of that */
    int no_redact;      /* as in struct gput_report_options */
    struct gput_callbacks on; /* warn() is used, in gput_page_close() */
    /* Of gput_page_open(): */
    pid_t tracker;    /* the run of that tracker, as in gput_viewer_open() */
    const char *html; /* a finished report instead; NULL: none */
};
#define GPUT_PAGE_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(struct gput_page_options)                                                   \
    }

/* Served by a process beside the tracker, as by gput_exporter_start(), with the same conditions. */
GPUT_API int gput_page_start(const struct gput_page_options *o, struct gput_tracker *t,
                             struct gput_page **ret_p, struct gput_error *ret_err);
/* The run is over; `html`, which may be NULL, is its report.  Does not wait. */
GPUT_API void gput_page_end(struct gput_page *p, const char *html);

/* Served by the calling thread, in gput_page_run(), which returns once the run is over and those who look at it
 * have its report, or after 10 s; of a finished report never. */
GPUT_API int gput_page_open(const struct gput_page_options *o, struct gput_page **ret_p,
                            struct gput_error *ret_err);
GPUT_API int gput_page_run(struct gput_page *p);

/* The link for the first viewer: "http://127.0.0.1:41811/?token=...". */
GPUT_API const char *gput_page_url(const struct gput_page *p);
/* After gput_page_start() it waits until who looks at the page has the report, at most 2 seconds.  NULL is fine.
 * Returns NULL. */
GPUT_API struct gput_page *gput_page_close(struct gput_page *p);

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
    int no_redact; /* 1: the command as it is; else what looks like a secret in it is masked */
    int is_fragment; /* 1: no page, but the main of it as a part of one, such as a notebook: an element
                        without a script or a style sheet, in the colours of what is around it */
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
    int no_redact;                /* likewise */
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
GPUT_API int gput_marks_add(struct gput_marks *m, const struct gput_mark *mark);

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

/* Where a file of the user's own lies, or would: NAME in $XDG_CONFIG_HOME/gpu-tracker, $XDG_STATE_HOME/...
 * or $XDG_CACHE_HOME/..., else below the home folder.  free() it.  -ENOENT: there is no home folder, or we
 * are root and it is another's. */
enum gput_user_file { GPUT_CONFIG_FILE, GPUT_STATE_FILE, GPUT_CACHE_FILE };
GPUT_API int gput_user_file(enum gput_user_file kind, const char *name, char **ret_path);
/* Makes it, with its folders, empty and as of now. */
GPUT_API int gput_user_file_touch(const char *path);

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

/* --- small files of JSON: configurations, results -------------------------------------------- */

enum gput_json_kind {
    GPUT_JSON_NULL,
    GPUT_JSON_BOOLEAN, /* `number` is 1 or 0 */
    GPUT_JSON_NUMBER,
    GPUT_JSON_STRING,
    GPUT_JSON_LIST,
    GPUT_JSON_OBJECT,
};

struct gput_json {
    enum gput_json_kind kind;
    int is_whole;  /* a number that has no fraction and no exponent */
    uint64_t line; /* from 1 */
    double number;
    char *name;             /* of a member of an object */
    char *text;             /* of a string, in UTF-8 */
    struct gput_json *item; /* of a list or an object, `n` of them in the order of the file */
    size_t n;
};

/* Reads a whole file strictly: one value in UTF-8, at most 32 levels deep, no name twice in an object,
 * no U+0000.  -EBADMSG: it is not such JSON, and `ret_err` says in which line and why; or the errno of
 * opening it.  Free it with gput_json_free(). */
GPUT_API int gput_json_read(const char *file, struct gput_json **ret_json,
                            struct gput_error *ret_err);
/* A member of an object.  NULL: there is none, or this is no object. */
GPUT_API const struct gput_json *gput_json_member(const struct gput_json *object, const char *name);
/* NULL is fine.  Returns NULL. */
GPUT_API struct gput_json *gput_json_free(struct gput_json *json);

/* --- runs side by side ---------------------------------------------------------------------- */

/* Groups of runs: the first is what the others are compared with, figure by figure, by their medians.  A
 * change is noise unless it is larger than what the spread of the runs (their median absolute deviation)
 * allows, where each group has three runs or more; with fewer, than what a figure of its kind is known to
 * vary by. */
struct gput_comparison; /* opaque */

enum gput_comparison_format {
    GPUT_COMPARISON_TEXT,
    GPUT_COMPARISON_JSON, /* bytes, seconds, joules, percent */
    GPUT_COMPARISON_MARKDOWN,
    GPUT_COMPARISON_HTML, /* a page that needs nothing else, with charts over one time axis */
};

GPUT_API int gput_comparison_open(struct gput_comparison **ret_c);
GPUT_API struct gput_comparison *gput_comparison_close(
    struct gput_comparison *c); /* NULL is fine */

/* What must not happen, such as "ram>+5%", "gpu_util<-10%", "time>+30s" (changes have a sign) or "cpu>300s".
 * The figure has a short name (ram, main_ram, gpu_ram, cpu, time, processes, threads, disk_read, disk_write,
 * energy, leftover, gpu_util) or is a path of the result's JSON.  Conditions come before the runs.
 * -EINVAL: it is none, and `ret_err`, which may be NULL, says why; -E2BIG: there are 16 already. */
GPUT_API int gput_comparison_fail_if(struct gput_comparison *c, const char *condition,
                                     struct gput_error *ret_err);

/* Adds a run to the group of that name, which is made where there is none; `source` is what the run is
 * called, or NULL. */
GPUT_API int gput_comparison_add(struct gput_comparison *c, const char *group, const char *source,
                                 const struct gput_usage *u);
/* From what is left of it, see gput_demand_read(), or a fleet: merged to JSON, or the folder of its node files.  `result_file` is a second file of the same run, its
 * result beside its tracking file, or NULL.  Of each group the first run with records is drawn. */
GPUT_API int gput_comparison_add_file(struct gput_comparison *c, const char *group,
                                      const char *source, const char *file, const char *result_file,
                                      const struct gput_callbacks *on, struct gput_error *ret_err);

/* What changed, with a final newline; of a single group its medians and their spread.  free() it. */
GPUT_API int gput_comparison_format(const struct gput_comparison *c,
                                    enum gput_comparison_format format, char **ret_text);

/* How many conditions hold, over all groups but the first; `say`, which may be NULL, gets a sentence for
 * each.  A figure that is not known fails too. */
GPUT_API int gput_comparison_failed(const struct gput_comparison *c,
                                    void (*say)(void *ctx, const char *line), void *ctx);
/* Likewise how many figures are worse, by more than noise. */
GPUT_API int gput_comparison_worse(const struct gput_comparison *c,
                                   void (*say)(void *ctx, const char *line), void *ctx);

/* The runs of a group as JSON, to be kept as a baseline with the machine that they were on.  -ENODATA:
 * there is no such group.  free() it. */
struct gput_server;
GPUT_API int gput_baseline_format(const struct gput_comparison *c, const char *group,
                                  const char *command, const struct gput_server *machine,
                                  char **ret_text);
/* Adds the runs of a baseline to a group.  warn() of `on` tells where it is of another machine than this
 * one, which may be NULL.  -EBADMSG: it is no baseline; or the errno of opening it. */
GPUT_API int gput_baseline_read(struct gput_comparison *c, const char *group, const char *file,
                                const struct gput_server *machine, const struct gput_callbacks *on,
                                struct gput_error *ret_err);

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
    int is_sampled;     /* the peak is the largest of what was seen at some moments */
    int is_machine;     /* only the whole machine is known, other programs included */
    char gpu_brand[8];  /* see gput_gpu_brand(), where it had a GPU; "": not known */
    double memory_most; /* bytes; the peak was not above it; 0 or NAN: no such bound is known */
    int is_gpu_sampled; /* as is_sampled, of the GPU memory */
    double cpu_seconds_at[GPUT_CPU_LEVELS]; /* as in struct gput_usage; all 0: not known */
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

/* From one run or several: the fewest cores that hold 95 % of the time in which each used any, or where
 * that is not known the most that it used; their highest peak of memory and 20 % more, 30 % where it was
 * only seen at some moments, and not less than it may have been, rounded by gput_round_memory(); as many
 * GPUs as worked for it, or where that is not known as were ever busy at once, at least one if any was
 * used; GPU memory likewise; their longest time on so many cores and 20 % more.  Where a run was killed
 * for memory, twice of what it had. */
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

/* Reads the files as gput_demand_read() does, or the node files of a fleet and folders of them, and writes
 * what was measured and what to ask for, with a final newline.  `opts` may be NULL.  -EINVAL: an option is wrong, or there is no file; -ENODATA: a
 * file has no figure to go by; else as gput_demand_read().  free() the result. */
GPUT_API int gput_recommend_files(const char *const *files, size_t n,
                                  const struct gput_recommend_options *opts,
                                  const struct gput_callbacks *on, char **ret_text,
                                  struct gput_error *ret_err);
/* --- the history of runs -------------------------------------------------------------------- */

/* One SQLite file with a row for each run: when, where, which command, how it ended, its figures by their
 * short names, and what it needs next time.  Many processes add to it at once; a killed one leaves its
 * whole run or nothing of it.  `file` NULL or "": the one of gput_history_file(). */

/* $GPUT_HISTORY, else history.sqlite among the user's state, see gput_user_file().  free() it. */
GPUT_API int gput_history_file(char **ret_path);
/* Whether a run could be added.  -EREMOTE: the file is on a file system of a network, where locks cannot be
 * trusted; or the errno of opening it.  Nothing is made. */
GPUT_API int gput_history_check(const char *file, struct gput_error *ret_err);

struct gput_history_entry; /* opaque: a run to be added, by itself */
/* `no_redact` 0: what looks like a secret in the command is masked. */
GPUT_API int gput_history_entry(const struct gput_usage *u, int no_redact,
                                struct gput_history_entry **ret_e);
/* Waits at most half a minute for others that write.  -EBUSY: they did not end; -EPROTO: a newer version made
 * the file; -EINVAL, -EBADMSG: it is no history. */
GPUT_API int gput_history_add(const char *file, const struct gput_history_entry *e,
                              struct gput_error *ret_err);
GPUT_API struct gput_history_entry *gput_history_entry_close(struct gput_history_entry *e);

/* Which runs, and how they are shown. */
struct gput_history_query {
    uint32_t size; /* sizeof(struct gput_history_query) */
    enum gput_format format;
    const char *job_name; /* exactly so; NULL: any, here and below */
    const char *command;  /* a part of it */
    const char *tag;      /* "key=value" */
    const char *run;      /* its number, or the beginning of its id */
    double since;         /* seconds since 1970; 0: any */
    int64_t limit;        /* the newest so many; 0: all */
    const char *figure;   /* of trends: this one alone, by its short name */
    int width;            /* of the line of a trend; 0: 40 */
    int use_unicode;      /* it is of block characters, else of ASCII */
};
#define GPUT_HISTORY_QUERY_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(struct gput_history_query)                                                  \
    }

/* A line for each run, the newest first, or with `run` all that is kept of it.  -ENODATA: there is no such
 * run.  free() the result. */
GPUT_API int gput_history_list(const char *file, const struct gput_history_query *query,
                               char **ret_text, struct gput_error *ret_err);
/* How the figures of each job (by its name, else by its command) moved from run to run. */
GPUT_API int gput_history_trend(const char *file, const struct gput_history_query *query,
                                char **ret_text, struct gput_error *ret_err);
/* The same as a page that needs nothing else, with charts over the time in which they ran. */
GPUT_API int gput_history_page(const char *file, const struct gput_history_query *query,
                               char **ret_html, struct gput_error *ret_err);
/* Removes the runs that began more than so many seconds ago (0: none), and all but the newest (0: all stay)
 * of the others; `ret_n` is how many that were. */
GPUT_API int gput_history_prune(const char *file, double older_than, int64_t keep_newest,
                                int64_t *ret_n, struct gput_error *ret_err);

/* What to ask for next time from all runs of a history that the query means, as gput_recommend_files():
 * the peaks that 95 % of 20 runs or more do not exceed; a peak of memory that grows from run to run, by more
 * than chance, is followed to the next one; a run that was killed for memory tells that what it had was not
 * enough, until another one has needed more.  -ENODATA: there is no such run. */
GPUT_API int gput_recommend_history(const char *file, const struct gput_history_query *query,
                                    const struct gput_recommend_options *opts, char **ret_text,
                                    struct gput_error *ret_err);
/* --- many nodes ----------------------------------------------------------------------------- */

struct gput_fleet; /* opaque: the jobs whose trackers left a file for each node (docs/FLEET.md) */

/* Reads node files, and for a folder <job>/<step>/[hh/]*.json below it; it may be the folder of a job or
 * a step as well.  `job` and `step` (NULL: any) choose.  A file that cannot be used makes the fleet
 * incomplete, and the rest is read nevertheless.  -ENODATA: there is no node file; -E2BIG: the folder
 * has too much else in it. */
GPUT_API int gput_fleet_read(const char *const *paths, size_t n, const char *job, const char *step,
                             struct gput_fleet **ret, struct gput_error *ret_err);
GPUT_API struct gput_fleet *gput_fleet_close(struct gput_fleet *f); /* NULL is fine */
/* 1: no rank, node or file is missing, and none failed. */
GPUT_API int gput_fleet_is_complete(const struct gput_fleet *f);

enum gput_fleet_format { GPUT_FLEET_TEXT, GPUT_FLEET_JSON, GPUT_FLEET_CSV };

/* free() the result. */
GPUT_API int gput_fleet_format(const struct gput_fleet *f, enum gput_fleet_format format,
                               char **ret_text);
/* One page that needs nothing else; `title` NULL: the job's name.  -EINVAL: there are several jobs. */
GPUT_API int gput_fleet_html(const struct gput_fleet *f, const char *title, char **ret_html,
                             struct gput_error *ret_err);
/* 1: the path is a folder, or a node file. */
GPUT_API int gput_fleet_is(const char *path);

/* How a rank does, the worst first. */
enum gput_rank_state {
    GPUT_RANK_MISSING, /* no file tells of it: lost with its node, or its first file is still to come */
    GPUT_RANK_FAILED, /* it was killed, or did not end with 0 */
    GPUT_RANK_SILENT, /* it ran when its file was written, minutes ago: its node may be gone */
    GPUT_RANK_RUNNING,
    GPUT_RANK_ENDED,
    GPUT_RANK_STATES
};

/* A rank as the file of its node tells it; NAN: not known.  The texts can be shown as they are. */
struct gput_fleet_rank {
    int rank; /* -1: it has no number */
    enum gput_rank_state state;
    char node[64]; /* "": not known */
    double elapsed, cpu_seconds;
    double cpu_percent, gpu_percent; /* means; of one core, of the GPUs that it held */
    double ram_peak, gpu_ram_peak;   /* bytes */
    double ram_latest, cpu_latest;   /* the last that its file has of them */
    double age;                      /* seconds since its file was written */
    char failure[96];                /* "signal 9 (KILL)"; "": none */
    char apart[160];                 /* by what it stands apart from the others; "": nothing */
};

/* A job, or a step of one, as its files tell it; good until gput_fleet_close(). */
struct gput_fleet_job {
    uint32_t size;                 /* set it to sizeof(struct gput_fleet_job) before the call */
    int n_nodes, n_expected_nodes; /* -1: not known how many there are to be */
    char title[256], command[256]; /* "Job 4711, step 0" */
    char missing_ranks[100], missing_nodes[100]; /* numbers: "3, 7-9"; "": none has one */
    const struct gput_fleet_rank *ranks;         /* by state, then by number */
    int n_ranks;                                 /* with those that are missing and have a number */
    int n_in_state[GPUT_RANK_STATES];            /* of missing ones those without a number too */
    double start, elapsed; /* seconds since 1970; until now, or until the last rank ended */
    double cpu_seconds, cpu_seconds_given, gpu_seconds_busy, gpu_seconds_held;
    double ram_peak;       /* at one moment, at most */
    double newest, oldest; /* ages of the files of nodes that are at work; NAN: there is none */
};
/* How many jobs and steps there are, and each of them.  -EINVAL: there is no such job, or its size is not
 * known; -ENOMEM. */
GPUT_API int gput_fleet_jobs(const struct gput_fleet *f);
GPUT_API int gput_fleet_job(struct gput_fleet *f, int i, struct gput_fleet_job *ret_job);
/* How many files could not be used, and each of them: "PATH: why".  NULL: there is no such one. */
GPUT_API int gput_fleet_faults(const struct gput_fleet *f);
GPUT_API const char *gput_fleet_fault(const struct gput_fleet *f, int i);

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
 * on the server that it was on.  Those with a price older than a year stand apart, behind the others.
 * `opts` may be NULL.  -ENODATA: no server fits, and `ret_err` says why; else as gput_recommend_files() and gput_catalogue_open().  free() the result. */
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

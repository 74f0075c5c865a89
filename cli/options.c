/* options.c - the option table. */
#include "options.h"

#include <string.h>

static const char *const ram_units[] = {
    "bytes", "kilobytes", "megabytes", "gigabytes", "terabytes", NULL,
};
static const char *const time_units[] = { "seconds", "minutes", "hours", "days", NULL };
static const char *const tf_columns[] = { "default", "all", NULL };
static const char *const formats[] = { "text", "json", NULL };
#define NAME(id, name, resource) name,
static const char *const brands[] = { GPUT_GPU_BRANDS(NAME) NULL };
#undef NAME

/* clang-format off */
#define AT(field) .at = offsetof(struct options, field)
#define FLAG(field) .kind = KIND_FLAG, AT(field)
#define CONFIG(name) .key = name, .in_config = true

static const struct option_def table[N_OPTIONS] = {
    [OPT_EXECUTE] = { "execute", "<command>", .letter = 'e', .group = GROUP_JOB,
        .kind = KIND_COMMAND, AT(execute),
        .help = "The command to run along with its arguments, all within quotes, e.g. \"ls -l "
                "-a\". It is run directly; /bin/sh runs it where it holds pipes, variables or "
                "the like. Or give the command as words at the end." },
    [OPT_PID] = { "pid", "<pid>", .group = GROUP_JOB,
        .kind = KIND_COUNT, AT(pid), CONFIG("process_id"),
        .help = "Track this running process and its descendants instead, until it ends or the "
                "tracker is interrupted." },
    [OPT_TIMEOUT] = { "timeout", "<seconds>", .group = GROUP_JOB,
        .kind = KIND_SECONDS, .max = 1e9, AT(timeout), .key = "timeout",
        .help = "End the job after so many seconds (TERM, then KILL); the exit status is then "
                "124." },
    [OPT_WAIT_DESCENDANTS] = { "wait-descendants", .group = GROUP_JOB, FLAG(wait_descendants),
        .help = "Go on until the last descendant has ended, not only the command itself." },
    [OPT_NO_SUBREAPER] = { "no-subreaper", .group = GROUP_JOB, FLAG(no_subreaper),
        .help = "Let orphans of the job go to init, for daemons that need it as their parent." },
    [OPT_CGROUP] = { "cgroup", .group = GROUP_JOB, FLAG(cgroup),
        .help = "Run the command in a control group made for it, where that is allowed (root, or a "
                "delegated group): CPU time and kills for memory are then exact, whoever waits for "
                "whom. It is removed at the end." },

    [OPT_OUTPUT] = { "output", "<file>", .letter = 'o', .group = GROUP_RESULT,
        .kind = KIND_FILE, AT(output),
        .help = "File to store the measurements in; %h, %p and %r in its name stand for the "
                "host, the tracker's pid and the rank, %% for %. If not set, they go to "
                "standard output." },
    [OPT_FORMAT] = { "format", "<format>", .letter = 'f', .group = GROUP_RESULT,
        .kind = KIND_CHOICE, AT(format), .choices = formats,
        .fallback = "text", .help = "Format of the measurements." },
    [OPT_FULL] = { "full", .group = GROUP_RESULT, FLAG(full),
        .help = "Add further figures, and for each whether it is exact, sampled or "
                "unavailable." },
    [OPT_REPORT] = { "report", "<page>", .group = GROUP_RESULT,
        .kind = KIND_FILE, AT(report),
        .help = "Write a report of the run with charts and advice: one HTML page that needs nothing "
                "else; %h, %p, %r and %% as in --output." },
    [OPT_PLOT] = { "plot", .group = GROUP_RESULT, FLAG(plot),
        .help = "Draw the run at the end: RAM, CPU, GPU over time, as text on standard output." },
    [OPT_RU] = { "ru", "<ram-unit>", .group = GROUP_RESULT,
        .kind = KIND_CHOICE, AT(ram_unit), .choices = ram_units, CONFIG("ram_unit"),
        .fallback = "gigabytes", .help = "Unit of RAM." },
    [OPT_GRU] = { "gru", "<gpu-ram-unit>", .group = GROUP_RESULT,
        .kind = KIND_CHOICE, AT(gpu_ram_unit), .choices = ram_units, CONFIG("gpu_ram_unit"),
        .fallback = "gigabytes", .help = "Unit of GPU RAM." },
    [OPT_TU] = { "tu", "<time-unit>", .group = GROUP_RESULT,
        .kind = KIND_CHOICE, AT(time_unit), .choices = time_units, CONFIG("time_unit"),
        .fallback = "hours", .help = "Unit of time." },

    [OPT_ST] = { "st", "<sleep-time>", .group = GROUP_MEASURE,
        .kind = KIND_SECONDS, .max = 1e6, AT(sleep_time), CONFIG("sleep_time"),
        .help = "Seconds from record to record, at least 0.001. Defaults to 1." },
    [OPT_NEC] = { "nec", "<num-cores>", .group = GROUP_MEASURE,
        .kind = KIND_COUNT, AT(n_expected_cores), CONFIG("n_expected_cores"),
        .help = "The number of cores expected to be used. Defaults to all of the machine's." },
    [OPT_GUUIDS] = { "guuids", "<gpu-uuids>", .group = GROUP_MEASURE,
        .kind = KIND_LIST, AT(gpu_uuids), CONFIG("gpu_uuids"),
        .help = "Comma separated list of the UUIDs of the GPUs for which to track utilization. "
                "Defaults to all GPUs." },
    [OPT_GB] = { "gb", "<gpu-brand>", .group = GROUP_MEASURE,
        .kind = KIND_CHOICE, AT(gpu_brand), .choices = brands, CONFIG("gpu_brand"),
        .help = "Brand of the GPUs; if not set, the one found." },
    [OPT_TF] = { "tf", "<tracking-file>", .group = GROUP_MEASURE,
        .kind = KIND_FILE, AT(tracking_file), CONFIG("tracking_file"),
        .help = "Store each record in this file (.csv or .sqlite); %h, %p, %r and %% as in --output." },
    [OPT_TF_COLUMNS] = { "tf-columns", "<columns>", .group = GROUP_MEASURE,
        .kind = KIND_CHOICE, AT(tf_columns), .choices = tf_columns, CONFIG("tf_columns"),
        .fallback = "default",
        .help = "Columns of the tracking file: those that each has, or every metric, behind them." },
    [OPT_OVERWRITE] = { "overwrite", .group = GROUP_MEASURE, FLAG(overwrite), CONFIG("overwrite"),
        .help = "Replace the tracking file if it exists." },

    [OPT_LIVE] = { "live", .group = GROUP_MESSAGES, FLAG(live),
        .help = "Show the figures so far in one line on the terminal while the job runs." },
    [OPT_QUIET] = { "quiet", .group = GROUP_MESSAGES, FLAG(quiet),
        .help = "Do not say at the end that tracking is complete." },
    [OPT_DISABLE_LOGS] = { "disable-logs", .group = GROUP_MESSAGES, FLAG(disable_logs),
        CONFIG("disable_logs"),
        .help = "Do not print warnings." },

    [OPT_TCONFIG] = { "tconfig", "<config-file>", .group = GROUP_OTHER,
        .kind = KIND_FILE, AT(tconfig),
        .help = "JSON file with the Tracker's keyword arguments, e.g. {\"sleep_time\": 0.5}; "
                "options of the command line win over it." },
    [OPT_HELP] = { "help", .letter = 'h', .group = GROUP_OTHER, FLAG(help),
        .help = "Show this help message and exit." },
    [OPT_VERSION] = { "version", .letter = 'v', .group = GROUP_OTHER, FLAG(version),
        .help = "Show the version and exit." },
    [OPT_NO_WATCH] = { "no-watch", .group = GROUP_OTHER, FLAG(no_watch) },
};
/* clang-format on */

const struct option_def *option_def(enum option_id id)
{
    return &table[id];
}

const char *option_group_title(enum option_group group)
{
    static const char *const titles[N_GROUPS] = {
        [GROUP_JOB] = "The job",           [GROUP_RESULT] = "The result",
        [GROUP_MEASURE] = "Measuring",     [GROUP_MESSAGES] = "Messages on standard error",
        [GROUP_OTHER] = "Further options",
    };

    return titles[group];
}

int option_by_key(const char *key)
{
    for (int id = 0; id < N_OPTIONS; id++)
        if (table[id].key && strcmp(table[id].key, key) == 0)
            return id;
    return -1;
}

/* options.c - the options of a run. */
#include "options/options.h"

/* clang-format off */
static const char *const ram_units[] = {
    "auto", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
    "bytes", "kilobytes", "megabytes", "gigabytes", "terabytes",
    "kibibytes", "mebibytes", "gibibytes", "tebibytes", NULL,
};
static const char *const time_units[] = {
    "auto", "s", "min", "h", "d", "seconds", "minutes", "hours", "days", NULL,
};
/* clang-format on */
/* In the order of enum gput_format. */
static const char *const run_formats[] = { "text", "json",      "markdown", "csv",
                                           "time", "snakemake", "nextflow", NULL };
static const char *const tf_columns[] = { "default", "all", NULL };

static const char the_job[] = "The job", the_result[] = "The result", measuring[] = "Measuring",
                  of_many[] = "A job of many processes", monitoring[] = "Monitoring",
                  messages[] = "Messages on standard error", further[] = "Further options";

/* clang-format off */
#define KEEP(member) AT(struct options, member)
#define FLAG(member) .kind = KIND_FLAG, KEEP(member)
#define CONFIG(name) .key = name, .in_config = true /* NOLINT: initializers take no brackets */

const struct option_def run_options[N_OPTIONS + 1] = {
    [OPT_EXECUTE] = { "execute", "<command>", .letter = 'e', .group = the_job,
        .kind = KIND_COMMAND, KEEP(execute),
        .help = "The command to run along with its arguments, all within quotes, e.g. \"ls -l "
                "-a\". It is run directly; /bin/sh runs it where it holds pipes, variables or "
                "the like. Or give the command as words at the end." },
    [OPT_PID] = { "pid", "<pid>", .group = the_job,
        .kind = KIND_PROCESS, KEEP(pid), CONFIG("process_id"),
        .help = "Track this running process and its descendants instead, until it ends or the "
                "tracker is interrupted." },
    [OPT_TIMEOUT] = { "timeout", "<seconds>", .group = the_job,
        .kind = KIND_SECONDS, .max = 1e9, KEEP(timeout), .key = "timeout",
        .help = "End the job after so many seconds (TERM, then KILL); the exit status is then "
                "124." },
    [OPT_BUDGET] = { "budget", "<limits>", .group = the_job,
        .kind = KIND_LIMITS, KEEP(budget), CONFIG("budget"),
        .help = "What the job may use, e.g. ram=4GB,cpu=300s,leftover=0,gpu_util>=50. At the end "
                "each limit is judged; if one is broken and the job succeeded, the exit status is "
                "122. gpu-tracker(1) lists the figures." },
    [OPT_KILL_OVER_BUDGET] = { "kill-over-budget", .group = the_job, FLAG(kill_over_budget),
        .key = "kill_over_budget",
        .help = "End the job (TERM, KILL 100 ms later) as soon as it has passed a limit of "
                "--budget for good." },
    [OPT_WAIT_DESCENDANTS] = { "wait-descendants", .group = the_job, FLAG(wait_descendants),
        .help = "Go on until the last descendant has ended, not only the command itself." },
    [OPT_NO_SUBREAPER] = { "no-subreaper", .group = the_job, FLAG(no_subreaper),
        .help = "Let orphans of the job go to init, for daemons that need it as their parent." },
    [OPT_CGROUP] = { "cgroup", .group = the_job, FLAG(cgroup),
        .help = "Run the command in a control group made for it, where that is allowed (root, or a "
                "delegated group): CPU time and kills for memory are then exact, whoever waits for "
                "whom. It is removed at the end." },

    [OPT_OUTPUT] = { "output", "<file>", .letter = 'o', .group = the_result,
        .kind = KIND_FILE, KEEP(output),
        .help = "File to store the measurements in; %h, %p, %r, %j, %s and %n in its name stand "
                "for the host, the tracker's pid, the rank, the job, its step and the node, %% for "
                "%. If not set, they go to standard output." },
    [OPT_FORMAT] = { "format", "<format>", .letter = 'f', .group = the_result,
        .kind = KIND_INDEX, KEEP(format), .choices = run_formats,
        .fallback = "text", .help = "Format of the measurements." },
    [OPT_APPEND] = { "append", .group = the_result, FLAG(append),
        .help = "Add the result to the file of --output; for the formats csv (its header stands once), "
                "markdown and time." },
    [OPT_FULL] = { "full", .group = the_result, FLAG(full),
        .help = "Add further figures, and for each whether it is exact, sampled or "
                "unavailable." },
    [OPT_REPORT] = { "report", "<page>", .group = the_result,
        .kind = KIND_FILE, KEEP(report),
        .help = "Write a report of the run with charts and advice: one HTML page that needs nothing "
                "else; %h and the like as in --output." },
    [OPT_PLOT] = { "plot", .group = the_result, FLAG(plot),
        .help = "Draw the run at the end: RAM, CPU, GPU over time, as text on standard output." },
    [OPT_JOB_NAME] = { "job-name", "<name>", .group = the_result,
        .kind = KIND_TEXT, KEEP(job_name), CONFIG("job_name"),
        .help = "What the job is called, for --full, the report and exports; without it "
                "TRACKER_JOB_NAME." },
    [OPT_TAG] = { "tag", "<key=value>", .group = the_result,
        .kind = KIND_MANY, KEEP(tags), CONFIG("tags"),
        .help = "A word of your own beside it; may be given several times." },
    [OPT_NO_REDACT] = { "no-redact", .group = the_result, FLAG(no_redact),
        .help = "Leave passwords, tokens and the like in the command that reports, exports and CI servers show." },
    [OPT_HISTORY] = { "history", "<file>", .group = the_result,
        .kind = KIND_ANY, KEEP(history), .is_file = true, .is_optional = true,
        .help = "Add the run to a history, an SQLite file; without a name (and always where it is set) "
                "that of GPUT_HISTORY, else gpu-tracker/history.sqlite below XDG_STATE_HOME." },
    [OPT_JUNIT] = { "junit", "<file>", .group = the_result,
        .kind = KIND_FILE, KEEP(junit),
        .help = "Write the run as JUnit's XML, which CI servers show: the command and each limit of "
                "--budget are test cases, the figures properties; %h and the like as in --output." },
    [OPT_GITHUB_SUMMARY] = { "github-summary", .group = the_result, FLAG(github_summary),
        .help = "In a job of GitHub Actions: add the figures and the budget as a table to the summary of "
                "the build (the file that GITHUB_STEP_SUMMARY names)." },
    [OPT_RU] = { "ru", "<ram-unit>", .group = the_result,
        .kind = KIND_CHOICE, KEEP(ram_unit), .choices = ram_units, CONFIG("ram_unit"),
        .fallback = "gigabytes", .help = "Unit of RAM; auto: by the peak of the job." },
    [OPT_GRU] = { "gru", "<gpu-ram-unit>", .group = the_result,
        .kind = KIND_CHOICE, KEEP(gpu_ram_unit), .choices = ram_units, CONFIG("gpu_ram_unit"),
        .fallback = "gigabytes", .help = "Unit of GPU RAM, likewise." },
    [OPT_TU] = { "tu", "<time-unit>", .group = the_result,
        .kind = KIND_CHOICE, KEEP(time_unit), .choices = time_units, CONFIG("time_unit"),
        .fallback = "hours", .help = "Unit of time; auto: by that of the job." },

    [OPT_ST] = { "st", "<sleep-time>", .group = measuring,
        .kind = KIND_SECONDS, .max = 1e6, KEEP(sleep_time), CONFIG("sleep_time"),
        .help = "Seconds from record to record, at least 0.001. Defaults to 1." },
    [OPT_NEC] = { "nec", "<num-cores>", .group = measuring,
        .kind = KIND_COUNT, .min = 1, KEEP(n_expected_cores), CONFIG("n_expected_cores"),
        .help = "The number of cores expected to be used. Defaults to all of the machine's." },
    [OPT_GUUIDS] = { "guuids", "<gpu-uuids>", .group = measuring,
        .kind = KIND_LIST, KEEP(gpu_uuids), CONFIG("gpu_uuids"),
        .help = "Comma separated list of the UUIDs of the GPUs for which to track utilization. "
                "Defaults to all GPUs." },
    [OPT_GB] = { "gb", "<gpu-brand>", .group = measuring,
        .kind = KIND_CHOICE, KEEP(gpu_brand), .choices = gpu_brands, CONFIG("gpu_brand"),
        .help = "Brand of the GPUs; if not set, all that are found." },
    [OPT_TF] = { "tf", "<tracking-file>", .group = measuring,
        .kind = KIND_FILE, KEEP(tracking_file), CONFIG("tracking_file"),
        .help = "Store each record in this file (.csv or .sqlite); %h and the like as in --output." },
    [OPT_TF_COLUMNS] = { "tf-columns", "<columns>", .group = measuring,
        .kind = KIND_CHOICE, KEEP(tf_columns), .choices = tf_columns, CONFIG("tf_columns"),
        .fallback = "default",
        .help = "Columns of the tracking file: those that each has, or every metric, behind them." },
    [OPT_OVERWRITE] = { "overwrite", .group = measuring, FLAG(overwrite), CONFIG("overwrite"),
        .help = "Replace the tracking file if it exists." },

    [OPT_FLEET] = { "fleet", "<folder>", .group = of_many, .kind = KIND_FILE, KEEP(fleet),
        .help = "This is one process of a job on many nodes (srun gpu-tracker --fleet DIR -- ./app): "
                "the results of all go to this folder, one file for each node, and nothing to "
                "standard output unless there is --output." },
    [OPT_RANK] = { "rank", "<number>", .group = of_many, .kind = KIND_COUNT, KEEP(rank),
        .help = "The rank of this process among those of its job, from 0; it and the next five win "
                "over what the launcher says (see gpu-tracker doctor)." },
    [OPT_SIZE] = { "size", "<number>", .group = of_many, .kind = KIND_COUNT, .min = 1,
        KEEP(n_ranks), .help = "How many ranks the job has." },
    [OPT_LOCAL_RANK] = { "local-rank", "<number>", .group = of_many, .kind = KIND_COUNT,
        KEEP(local_rank), .help = "The rank among those on this node, from 0." },
    [OPT_LOCAL_SIZE] = { "local-size", "<number>", .group = of_many, .kind = KIND_COUNT, .min = 1,
        KEEP(n_local), .help = "How many ranks this node has." },
    [OPT_NODE] = { "node", "<name>", .group = of_many, .kind = KIND_TEXT, KEEP(node),
        .help = "The name of this node. Defaults to the launcher's name for it, else the host's." },
    [OPT_JOB_ID] = { "job-id", "<id>", .group = of_many, .kind = KIND_TEXT, KEEP(job_id),
        .help = "The id of the job, the same for all of its processes." },

    [OPT_CARBON] = { "carbon", "<g-per-kwh>", .group = measuring,
        .kind = KIND_NUMBER, KEEP(carbon), .key = "carbon_intensity",
        .help = "Grams of CO2 per kWh of the electricity here: the energy that is known, times this, is "
                "in --full." },

    [OPT_METRICS_FILE] = { OPTION_METRICS_FILE(KEEP(exports.metrics_file)), .group = monitoring },
    [OPT_KEEP_METRICS] = { OPTION_KEEP_METRICS(KEEP(exports.keep_metrics)), .group = monitoring },
    [OPT_LISTEN] = { OPTION_LISTEN(KEEP(exports.listen)), .group = monitoring },
    [OPT_PUSH] = { OPTION_PUSH(KEEP(exports.push)), .group = monitoring },
    [OPT_PUSH_DELETE] = { OPTION_PUSH_DELETE(KEEP(exports.push_delete)), .group = monitoring },
    [OPT_OTLP] = { OPTION_OTLP(KEEP(exports.otlp)), .group = monitoring },
    [OPT_LABEL] = { OPTION_LABEL(KEEP(exports.labels)), .group = monitoring },

    [OPT_LIVE] = { "live", .group = messages, FLAG(live),
        .help = "Show the figures so far in the lowest row of the terminal while the job runs." },
    [OPT_SERVE] = { "serve", "<address:port>", .group = messages,
        .kind = KIND_ANY, KEEP(serve), .key = "serve", .is_optional = true,
        .help = "Show the report of the run in browsers while it grows: the link is printed. Without an address "
                "any free port on loopback; ':9401' is that port of it, '0.0.0.0:9401' for others too." },
    [OPT_OPEN] = { "open", .group = messages, FLAG(open), .needs = "serve",
        .help = "Open that page in a browser: $BROWSER, else xdg-open." },
    [OPT_QUIET] = { "quiet", .group = messages, FLAG(quiet),
        .help = "Do not say at the end that tracking is complete; no summary on a terminal." },
    [OPT_DISABLE_LOGS] = { "disable-logs", .group = messages, FLAG(disable_logs),
        CONFIG("disable_logs"),
        .help = "Do not print warnings." },

    [OPT_TCONFIG] = { "tconfig", "<config-file>", .group = further,
        .kind = KIND_FILE, KEEP(tconfig),
        .help = "JSON file with the Tracker's keyword arguments, e.g. {\"sleep_time\": 0.5}; "
                "options of the command line win over it." },
    [OPT_HELP] = { "help", .letter = 'h', .group = further, FLAG(help), .is_last = true,
        .help = "Show this help message and exit." },
    [OPT_VERSION] = { "version", .letter = 'v', .group = further, FLAG(version), .is_last = true,
        .help = "Show the version and exit." },
    [OPT_NO_WATCH] = { "no-watch", .group = further, FLAG(no_watch) },
};
/* clang-format on */

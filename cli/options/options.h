/* options.h - the options of a run, and what was given. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "gput.h"
#include "options/option.h"
#include "run/exports.h"

/* In the order of --help. */
enum option_id {
    OPT_EXECUTE,
    OPT_PID,
    OPT_TIMEOUT,
    OPT_BUDGET,
    OPT_KILL_OVER_BUDGET,
    OPT_WAIT_DESCENDANTS,
    OPT_NO_SUBREAPER,
    OPT_CGROUP,
    OPT_OUTPUT,
    OPT_FORMAT,
    OPT_APPEND,
    OPT_FULL,
    OPT_REPORT,
    OPT_PLOT,
    OPT_JOB_NAME,
    OPT_TAG,
    OPT_HISTORY,
    OPT_JUNIT,
    OPT_GITHUB_SUMMARY,
    OPT_NO_REDACT,
    OPT_RU,
    OPT_GRU,
    OPT_TU,
    OPT_ST,
    OPT_NEC,
    OPT_GUUIDS,
    OPT_GB,
    OPT_TF,
    OPT_TF_COLUMNS,
    OPT_OVERWRITE,
    OPT_CARBON,
    OPT_FLEET,
    OPT_RANK,
    OPT_SIZE,
    OPT_LOCAL_RANK,
    OPT_LOCAL_SIZE,
    OPT_NODE,
    OPT_JOB_ID,
    OPT_METRICS_FILE,
    OPT_KEEP_METRICS,
    OPT_LISTEN,
    OPT_PUSH,
    OPT_PUSH_DELETE,
    OPT_OTLP,
    OPT_LABEL,
    OPT_LIVE,
    OPT_SERVE,
    OPT_OPEN,
    OPT_QUIET,
    OPT_DISABLE_LOGS,
    OPT_TCONFIG,
    OPT_HELP,
    OPT_VERSION,
    OPT_NO_WATCH,
    N_OPTIONS
};

struct options { /* zero: nothing given */
    struct given given;
    const char *execute, *output, *tconfig;
    enum gput_format format;
    const char *ram_unit, *gpu_ram_unit, *time_unit;
    const char *gpu_uuids, *gpu_brand, *tracking_file, *tf_columns, *report, *job_name, *junit;
    const char *history; /* "": the user's own */
    struct many tags;
    struct exports exports;
    const char *budget;
    double sleep_time, timeout, carbon;
    const char *fleet, *node, *job_id;
    int rank, n_ranks, local_rank, n_local; /* where one was given: given.origin[] */
    int pid, n_expected_cores;
    const char *serve; /* "": any port on loopback */
    bool help, version, full, live, open, plot, no_redact, quiet, disable_logs, overwrite;
    bool wait_descendants, no_subreaper, cgroup, no_watch, kill_over_budget, github_summary, append;

    char **words; /* what follows the options, NULL-terminated */
    int n_words;
};
_Static_assert((int)N_OPTIONS <= (int)MOST_OPTIONS, "each option has a place in struct given");

/* By enum option_id, then an end. */
extern const struct option_def run_options[];

#endif

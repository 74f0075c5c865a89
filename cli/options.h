/* options.h - THE option table of the command, and what was given.
 *
 * Parsing, --help, the shell completions and the keys of --tconfig are all loops over the table:
 * a new option is one line there and one field of struct options. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "gput.h"
#include "say.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order of --help. */
enum option_id {
    OPT_EXECUTE,
    OPT_PID,
    OPT_TIMEOUT,
    OPT_WAIT_DESCENDANTS,
    OPT_NO_SUBREAPER,
    OPT_CGROUP,
    OPT_OUTPUT,
    OPT_FORMAT,
    OPT_FULL,
    OPT_REPORT,
    OPT_PLOT,
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
    OPT_LIVE,
    OPT_QUIET,
    OPT_DISABLE_LOGS,
    OPT_TCONFIG,
    OPT_HELP,
    OPT_VERSION,
    OPT_NO_WATCH,
    N_OPTIONS
};

/* With the type of the option's field in struct options. */
enum option_kind {
    KIND_FLAG,    /* bool */
    KIND_COMMAND, /* const char *: a command line */
    KIND_LIST,    /* const char *, comma separated; in the config file a list of strings */
    KIND_CHOICE,  /* const char *, one of `choices` */
    KIND_FILE,    /* const char * */
    KIND_SECONDS, /* double, at least 0.001 */
    KIND_COUNT,   /* int, at least 1 */
};

enum option_group { GROUP_JOB, GROUP_RESULT, GROUP_MEASURE, GROUP_MESSAGES, GROUP_OTHER, N_GROUPS };

struct option_def {
    const char *name;
    const char *argument;       /* its name in --help; NULL for a flag */
    const char *help;           /* NULL: hidden */
    const char *key;            /* as the library and the Tracker name it, or NULL */
    const char *const *choices; /* NULL-terminated, of a KIND_CHOICE */
    const char *fallback;       /* the choice that is taken if none is given, for --help */
    double max;                 /* of a KIND_SECONDS */
    size_t at;                  /* its field in struct options */
    enum option_kind kind;
    enum option_group group;
    char letter;    /* short form, or 0 */
    bool in_config; /* --tconfig takes `key` too */
};

enum option_origin { FROM_NOWHERE, FROM_CONFIG, FROM_LINE };

struct options { /* zero: nothing given */
    const char *execute, *output, *format, *tconfig;
    const char *ram_unit, *gpu_ram_unit, *time_unit;
    const char *gpu_uuids, *gpu_brand, *tracking_file, *tf_columns, *report;
    double sleep_time, timeout;
    int pid, n_expected_cores;
    bool help, version, full, live, plot, quiet, disable_logs, overwrite;
    bool wait_descendants, no_subreaper, cgroup, no_watch;

    enum option_origin origin[N_OPTIONS];
    char **words; /* what follows the options, NULL-terminated */
    int n_words;
    bool after_dashes; /* "--" stood in front of them: they are a command, never a subcommand */
};

const struct option_def *option_def(enum option_id id);
const char *option_group_title(enum option_group group);

/* The option that the library or the Tracker knows as `key`, or -1. */
int option_by_key(const char *key);

/* Options end at the first word that is not one.  -h and -v end them too.  0 or -EINVAL. */
int options_parse(struct options *ret, int argc, char **argv, struct refusal *ret_why);

/* Sets one option from text; checks it by its kind.  What the command line gave stays.  Text from
 * FROM_CONFIG is copied. */
int option_set_text(struct options *o, enum option_id id, enum option_origin origin,
                    const char *text, struct refusal *ret_why);
int option_set_number(struct options *o, enum option_id id, enum option_origin origin, double value,
                      struct refusal *ret_why);
void option_set_flag(struct options *o, enum option_id id, enum option_origin origin, bool value);

/* "--ru", or "FILE: ram_unit" where the config file gave it: how messages name an option. */
void option_label(const struct options *o, enum option_id id, enum option_origin origin, char *ret,
                  size_t size);

/* What -f asks for. */
enum gput_format option_format(const struct options *o);

/* Frees what came from the config file. */
void options_free(struct options *o);

#endif

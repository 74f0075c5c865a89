/* history.h - the file of all runs: one row each, written by many processes at once. */
#ifndef GPUT_STORE_HISTORY_H
#define GPUT_STORE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "gput.h"
#include "model/named_figure.h"

/* One run.  Texts may be NULL: not known. */
struct gput__history_run {
    int64_t number; /* by which it is asked for; given when it is added */
    const char *run_id, *job_name, *command, *folder, *host, *version;
    const char *tags;   /* lines of "key=value" */
    const char *ending; /* "exited", ... */
    const char *oom;    /* "no", ... */
    const char *demand; /* what it needs, as JSON: for `recommend` */
    double start;       /* seconds since 1970; NAN: not known */
    int code, timed_out;
    double figure[GPUT__N_NAMED_FIGURES]; /* NAN: not known */
};

/* Which runs are meant; zero: all. */
struct gput__history_filter {
    const char *job_name; /* exactly so */
    const char *command;  /* a part of it */
    const char *tag;      /* "key=value" */
    const char *run;      /* its number, or the beginning of its id */
    double since;         /* seconds since 1970 */
    int64_t limit;        /* so many at most, the newest; 0: all */
    bool wants_demand;    /* else it is left NULL */
};

/* Adds a run, in a file that is made where there is none (mode 0600, with its folders).  A file of an older
 * version gets what it has not.  -EBUSY: others held it for too long; -EREMOTE: it is on a file system of a
 * network, where locks cannot be trusted; -EBADMSG: it is no such file, or a newer version's. */
int gput__history_add(const char *path, const struct gput__history_run *run,
                      struct gput_error *ret_err);

/* Whether a run could be added: nothing is made or written. */
int gput__history_check(const char *path, struct gput_error *ret_err);

/* Gives each run to add(), the newest first; what it returns other than 0 ends it and is returned.  -ENOENT:
 * there is no such file. */
int gput__history_read(const char *path, const struct gput__history_filter *filter,
                       int (*add)(void *ctx, const struct gput__history_run *run), void *ctx,
                       struct gput_error *ret_err);

/* Removes the runs that began before `before` (0: none), and all but the newest `keep` (0: all stay) of
 * what is left.  `ret_n` is how many. */
int gput__history_prune(const char *path, double before, int64_t keep, int64_t *ret_n,
                        struct gput_error *ret_err);

#endif

/* tracker.c - the life of a tracker: open, spawn or attach, wait, close. */
#include "api/inside/helper.h"
#include "api/live/watched.h"
#include "api/run/cgroup.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/system.h"
#include "base/text/print.h"
#include "base/text/text.h"
#include "source/proc/proc_cost.h"

const char *gput_version(void)
{
    return GPUT_VERSION;
}

void gput__warn(const struct gput_tracker *t, const char *fmt, ...)
{
    char line[512];
    va_list args;

    if (!t->opts.on.warn)
        return;
    va_start(args, fmt);
    gput__vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
    t->opts.on.warn(t->opts.on.ctx, line);
}

/* A caller built against an older header has none. */
static const struct gput_launch *launch_of(const struct gput_options *opts)
{
    return opts && opts->size >= offsetof(struct gput_options, launch) + sizeof(opts->launch)
               ? opts->launch
               : NULL;
}

int gput_tracker_open(const struct gput_options *opts, struct gput_tracker **ret_t,
                      struct gput_error *ret_err)
{
    struct gput_tracker *t = calloc(1, sizeof(*t));
    int r;

    if (!t)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    t->job.pidfd = -1;
    gput__signals_init(t);
    gput__loop_init(t);
    gput__streams_init(&t->streams);
    r = gput__who_open(t);
    r = r < 0 ? gput__refuse(ret_err, r, "", "out of memory")
              : gput__options_copy(opts, &t->opts, ret_err);
    if (r == 0 && t->opts.fleet) {
        t->job.fleet = gput__fleet_open(t->opts.fleet, launch_of(opts));
        r = t->job.fleet ? 0 : gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    }
    if (r == 0)
        r = gput__budget_open(t, ret_err);
    if (r < 0) {
        gput_tracker_close(t);
        return r;
    }
    if (gput__budget_needs_all(t))
        t->opts.flags |= GPUT_WANT_ALL;
    *ret_t = t;
    return 0;
}

static char *find_program(const void *opts)
{
    char *path = NULL;

    return gput_helper_find(opts, &path, NULL) < 0 ? NULL : path;
}

int gput__engine_open(struct gput_tracker *t, struct gput_error *ret_err)
{
    bool has_all_columns = (t->opts.flags & GPUT_ALL_COLUMNS) && t->opts.tracking_file;
    int r;

    if (t->client || gput__sampler_is_open(&t->sampler))
        return gput__refuse(ret_err, -EALREADY, "", "it has been started before");
    r = gput__sampler_open(&t->sampler, t->opts.proc_root, t->opts.sys_root);
    if (r < 0)
        return gput__refuse(ret_err, r, "proc_root", "%s: %s",
                            t->opts.proc_root ? t->opts.proc_root : "/proc", strerror(-r));
    if (t->opts.flags & (GPUT_STREAM_OF_PROCESS | GPUT_KEEP_SERIES) || has_all_columns)
        gput__sampler_want_job(&t->sampler, t->opts.flags & GPUT_MAIN_ONLY);
    gput__sampler_use_helper_program(&t->sampler, &(struct gput__finder){ find_program, &t->opts });
    if (t->opts.flags & GPUT__STREAM_FLAGS)
        gput__sampler_be_frugal(&t->sampler);
    if ((t->opts.flags & GPUT_KEEP_SERIES) && !t->streams.series)
        (void)gput__streams_open_own(&t->streams, t->opts.flags); /* no memory: no charts */
    if (t->opts.flags & (GPUT_WANT_ALL | GPUT_ALL_COLUMNS | GPUT_KEEP_SERIES))
        gput__sampler_want_extras(&t->sampler);
    if (t->opts.flags & (GPUT_WANT_ALL | GPUT_STREAM_OF_SYSTEM | GPUT_KEEP_SERIES) ||
        has_all_columns)
        gput__sampler_want_machine(&t->sampler);
    if (t->opts.gpu_uuids)
        r = gput__gpu_begin(t, ret_err);
    return r < 0 ? r : gput__recording_open(t, ret_err);
}

void gput__tracker_serve(struct gput_tracker *t, struct gput__service *s,
                         const struct gput_callbacks *on)
{
    t->service = s;
    t->opts.flags |= GPUT_FINDABLE;
    t->opts.on = *on;
}

void gput__tracker_use_pidfd(struct gput_tracker *t, int fd)
{
    t->job.pidfd = fd;
}

void gput__tracker_discard(struct gput_tracker *t)
{
    t->job.start_ns = 0;
    gput_tracker_close(t);
}

struct gput_tracker *gput_tracker_close(struct gput_tracker *t)
{
    if (!t)
        return NULL;
    gput__watched_close(t);
    gput__client_close(t->client);
    gput__streams_close(&t->streams);
    gput_discovery_close(t->job.discovery);
    gput__fleet_close(t->job.fleet);
    gput__gpu_close(t);
    gput__who_close(t);
    gput__budget_close(t);
    gput__group_close(t);
    gput__waiting_close(t);
    if (gput__sampler_is_open(&t->sampler))
        gput__sampler_close(&t->sampler);
    if (!t->job.start_ns)
        gput__recording_drop(t);
    gput__recording_close(t);
    gput__signals_restore(t);
    gput__loop_close(t);
    if (t->job.pidfd >= 0)
        close(t->job.pidfd);
    free(t->job.command);
    gput__options_free(&t->opts);
    free(t);
    return NULL;
}

static void begin_run(struct gput_tracker *t)
{
    gput__measure_plan(t);
    gput__identity_begin(t, t->job.start_ns);
    if (t->job.pidfd < 0 && t->job.pid)
        t->job.pidfd = gput__process_handle(t->job.pid);
    gput__stop_begin(t);
    if (t->opts.discover) /* an address that is none: then nothing is found out */
        (void)gput_discovery_start(&t->opts, t->opts.discover, t->opts.metadata_url,
                                   &t->job.discovery);
    gput__gpu_begin_run(t);
}

static int prepare(struct gput_tracker *t, struct gput_error *ret_err)
{
    int r = gput__signals_block(t);

    if (r < 0)
        return gput__refuse(ret_err, r, "", "signalfd: %s", strerror(-r));
    r = gput__loop_open(t);
    if (r < 0)
        return gput__refuse(ret_err, r, "", "timerfd_create: %s", strerror(-r));
    return 0;
}

static char *join_words(char *const argv[])
{
    struct gput__buf b = { 0 };
    char *text = NULL;

    for (size_t i = 0; argv[i]; i++) {
        gput__buf_puts(&b, i ? " " : "");
        gput__shell_word(&b, argv[i], "");
    }
    (void)gput__buf_detach(&b, &text);
    return text;
}

/* Not getrusage's: that one begins at the size of the process that started us. */
uint64_t gput__own_peak(void)
{
    uint64_t peak = 0;

    (void)gput__proc_peak(0, &peak);
    return peak;
}

static void warn_of_blindness(const struct gput_tracker *t, const char *remedy)
{
    if (t->sampler.blind)
        gput__warn(t, "%s: only totals of the job are known%s", t->sampler.blind_why, remedy);
}

int gput_tracker_spawn(struct gput_tracker *t, char *const argv[], struct gput_error *ret_err)
{
    pid_t self = t->opts.flags & GPUT_NO_SUBREAPER ? 0 : getpid();
    int r = gput__engine_open(t, ret_err);

    if (r == 0)
        r = prepare(t, ret_err);
    if (r < 0)
        return r;
    t->job.command = join_words(argv);
    gput__group_begin(t);
    gput__fleet_begin(t);
    t->job.start_ns = gput__measure_begin(t);
    t->job.had_children = gput__has_children();
    if (!self)
        gput__sampler_listen_early(&t->sampler);
    r = gput__spawn(t, argv, &t->job.pid);
    if (r < 0) {
        t->job.start_ns = 0;
        gput__group_close(t);
        return gput__refuse(ret_err, r, "", "cannot run '%.200s': %s", argv[0], strerror(-r));
    }
    t->job.floor_rss =
        gput__own_peak(); /* the job runs already: it had ours as its own until exec */
    begin_run(t);
    r = gput__sampler_begin(&t->sampler, t->job.pid, self, false, t->job.start_ns);
    warn_of_blindness(t, "; mount a /proc of its own (unshare --mount-proc)");
    gput__fleet_started(t);
    if (r < 0) { /* the job runs; what cannot be read of it is unknown, no more */
        gput__sampler_set_blind(&t->sampler, "the stat of the command in /proc cannot be read");
        warn_of_blindness(t, "");
    }
    return 0;
}

static int begin_attached(struct gput_tracker *t, struct gput_error *ret_err)
{
    int r = gput__sampler_begin(&t->sampler, t->job.pid, 0, true, t->job.start_ns);

    if (r == -ESRCH)
        return gput__refuse(ret_err, r, "process_id", "there is no process %d", t->job.pid);
    if (r < 0)
        return gput__refuse(ret_err, r, "process_id", "process %d: %s", t->job.pid, strerror(-r));
    gput__measure_base_of_job(t);
    return 0;
}

int gput_tracker_attach(struct gput_tracker *t, pid_t pid, struct gput_error *ret_err)
{
    int r = gput__refuse_limits(t, ret_err);

    if (r == 0)
        r = gput__engine_open(t, ret_err);
    if (r < 0)
        return r;
    if (t->sampler.blind && pid)
        return gput__refuse(ret_err, -ENOTSUP, "", "/proc shows another pid namespace");
    r = prepare(t, ret_err);
    if (r < 0)
        return r;
    t->job.attached = true;
    t->job.pid = pid;
    gput__group_begin(t);
    gput__fleet_begin(t);
    t->job.start_ns = gput__measure_begin(t);
    if (pid)
        r = begin_attached(t, ret_err);
    else
        gput__sampler_begin_machine(&t->sampler, t->job.start_ns);
    if (r < 0) {
        t->job.start_ns = 0;
        return r;
    }
    begin_run(t);
    gput__measure_main(t);
    gput__fleet_started(t);
    return 0;
}

int gput_tracker_wait(struct gput_tracker *t)
{
    int r = gput__loop(t);

    gput__fleet_end(t);
    return r;
}

void gput_tracker_quit(struct gput_tracker *t)
{
    if (t->job.attached)
        gput__stop_ask(t);
}

void gput_tracker_now(const struct gput_tracker *t, struct gput_now *ret_now)
{
    int64_t end = t->end.at_ns ? t->end.at_ns : gput__now();
    struct gput__summary s = t->summary;

    if (t->client) {
        gput__client_now(t, ret_now);
        return;
    }
    if (!t->job.start_ns) {
        *ret_now = (struct gput_now){ 0 };
        return;
    }
    gput__raise_peaks(t, &s);
    *ret_now = (struct gput_now){
        .elapsed = gput__seconds(end - t->job.start_ns),
        .ram = t->now.value[GPUT__COMBINED_RAM],
        .ram_peak = s.max[GPUT__COMBINED_RAM],
        .cpu_percent = t->watch.cpu_percent,
        .n_processes = (int)t->now.value[GPUT__N_PROCESSES],
    };
}

int gput_tracker_left(const struct gput_tracker *t, pid_t *ret_pids, int max)
{
    return gput__sampler_descendants(&t->sampler, ret_pids, max);
}

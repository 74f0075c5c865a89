/* tracker.c - the life of a tracker: open, spawn or attach, wait, close. */
#include "api/cgroup.h"
#include "api/helper.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/print.h"
#include "model/unit.h"
#include "source/proc_cost.h"
#include "store/trap.h"

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

static unsigned expected_cores(const struct gput_tracker *t)
{
    return t->opts.n_expected_cores ? (unsigned)t->opts.n_expected_cores : t->sampler.n_cores;
}

static int open_tracking_file(struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__static_data data = {
        .ram_unit = t->opts.ram_unit,
        .gpu_ram_unit = t->opts.gpu_ram_unit,
        .time_unit = t->opts.time_unit,
        .ram_unit_size = gput__unit_of_memory(t->opts.ram_unit)->size,
        .gpu_ram_unit_size = gput__unit_of_memory(t->opts.gpu_ram_unit)->size,
        .ram_system_capacity = (double)t->sampler.ram_capacity,
        .system_core_count = t->sampler.n_cores,
        .n_expected_cores = expected_cores(t),
    };
    int r;

    if (!t->opts.tracking_file)
        return 0;
    r = gput__records_open(&t->records, t->opts.tracking_file, t->opts.flags & GPUT_OVERWRITE,
                           &data);
    if (r < 0)
        return gput__refuse(ret_err, r, "tracking_file", "'%.200s' cannot be written: %s",
                            t->opts.tracking_file, gput__why_unwritten(r));
    return 0;
}

/* Nothing has run: nothing is left behind. */
static void drop_tracking_file(struct gput_tracker *t)
{
    if (gput__records_is_open(&t->records) && t->records.is_new)
        (void)unlink(t->opts.tracking_file);
    (void)gput__records_close(&t->records);
}

void gput__close_records(struct gput_tracker *t)
{
    if (gput__records_close(&t->records) < 0)
        gput__warn(t, "%s: the last records are lost: another program held it",
                   t->opts.tracking_file);
}

int gput_tracker_open(const struct gput_options *opts, struct gput_tracker **ret_t,
                      struct gput_error *ret_err)
{
    struct gput_tracker *t = calloc(1, sizeof(*t));
    int r;

    if (!t)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    t->pidfd = t->signal_fd = t->timer_fd = t->streams.fd = -1;
    t->sampler.fd_stat = t->sampler.fd_meminfo = -1;
    t->sampler.proc = t->sampler.sys = GPUT__ROOT_NONE;
    t->sampler.tree.events = t->sampler.tree.fd_loadavg = t->sampler.early_events = -1;
    r = gput__options_take(opts, &t->opts, ret_err);
    if (r < 0) {
        gput_tracker_close(t);
        return r;
    }
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
    int r;

    if (t->client || t->sampler.n_cores)
        return gput__refuse(ret_err, -EALREADY, "", "it has been started before");
    r = gput__sampler_open(&t->sampler, t->opts.proc_root, t->opts.sys_root);
    if (r < 0)
        return gput__refuse(ret_err, r, "proc_root", "%s: %s",
                            t->opts.proc_root ? t->opts.proc_root : "/proc", strerror(-r));
    t->sampler.wants_job = t->opts.flags & (GPUT_STREAM_OF_PROCESS | GPUT_KEEP_SERIES);
    t->sampler.helper_program = (struct gput__finder){ find_program, &t->opts };
    t->sampler.is_frugal = t->opts.flags & GPUT__STREAM_FLAGS;
    t->sampler.job.main_only = t->opts.flags & GPUT_MAIN_ONLY;
    if ((t->opts.flags & GPUT_KEEP_SERIES) && !t->streams.series)
        (void)gput__streams_open_own(&t->streams, t->opts.flags); /* no memory: no charts */
    if (t->opts.flags & (GPUT_WANT_ALL | GPUT_STREAM_OF_SYSTEM | GPUT_KEEP_SERIES))
        gput__sampler_want_machine(&t->sampler);
    if (t->opts.gpu_uuids)
        r = gput__gpu_begin(t, ret_err);
    return r < 0 ? r : open_tracking_file(t, ret_err);
}

struct gput_tracker *gput_tracker_close(struct gput_tracker *t)
{
    int fds[3];

    if (!t)
        return NULL;
    gput__client_close(t->client);
    gput__streams_close(&t->streams);
    gput_discovery_close(t->discovery);
    gput__gpu_close(t);
    (void)gput__group_close(t->group);
    gput__sampler_close(&t->sampler);
    if (!t->start_ns)
        drop_tracking_file(t);
    gput__close_records(t);
    gput__signals_give_back(t);
    memcpy(fds, (int[]){ t->pidfd, t->signal_fd, t->timer_fd }, sizeof(fds));
    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
    free(t->command);
    gput__options_free(&t->opts);
    free(t);
    return NULL;
}

/* The counters at the start: the job has used nothing yet. */
static void begin_sample(struct gput_tracker *t)
{
    t->now = (struct gput__sample){ 0 };
    gput__sampler_system(&t->sampler, &t->now);
    gput__sample_set(&t->now, GPUT__MAIN_CPU, 0);
    gput__sample_set(&t->now, GPUT__DESCENDANTS_CPU, 0);
    gput__sample_set(&t->now, GPUT__COMBINED_CPU, 0);
    for (int m = GPUT__JOB_CPU; m <= GPUT__JOB_DISK_WRITE && t->sampler.wants_job; m++)
        gput__sample_set(&t->now, (enum gput__metric)m, 0);
    t->start_ns = gput__now();
    t->now.boot_ns = t->start_ns;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
}

/* Records by the wall clock; it is not looked at again. */
static void align(struct gput_tracker *t)
{
    double start = t->opts.start_time;
    int64_t start_ns = (int64_t)start * GPUT__NS_PER_S + (int64_t)((start - floor(start)) * 1e9);

    gput__schedule_align(&t->schedule, t->start_ns, t->start_ns + start_ns - t->now.real_ns);
}

static void begin_gpus(struct gput_tracker *t)
{
    struct gput_error err = { .text = "" };

    if (gput__gpu_begin(t, &err) < 0)
        gput__warn(t, "no GPU figures: %s", err.text);
}

static void begin_run(struct gput_tracker *t)
{
    int64_t period = (int64_t)(t->opts.sleep_time * 1e9);
    bool no_watch = (t->opts.flags & GPUT_NO_WATCH) || !t->pid;

    gput__summary_begin(&t->summary, period, 100.0 * t->sampler.n_cores, &t->now);
    gput__schedule_begin(&t->schedule, t->start_ns, period, no_watch);
    if (t->sampler.is_frugal)
        gput__schedule_be_frugal(&t->schedule);
    if (t->opts.flags & GPUT_ALIGN)
        align(t);
    t->sampler.memory.no_watch = no_watch;
    t->next_deaf = 1;
    if (t->pidfd < 0 && t->pid)
        t->pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
    if (t->opts.timeout > 0)
        t->deadline_ns = t->start_ns + (int64_t)(t->opts.timeout * 1e9);
    if (t->opts.discover) /* an address that is none: then nothing is found out */
        (void)gput_discovery_start(&t->opts, t->opts.discover, t->opts.metadata_url, &t->discovery);
    if (t->gpus)
        gput__gpus_restart(t->gpus, t->start_ns, t->now.real_ns / 1000);
    else
        begin_gpus(t);
}

static int prepare(struct gput_tracker *t, struct gput_error *ret_err)
{
    int r = gput__signals_take(t);

    if (r < 0)
        return gput__refuse(ret_err, r, "", "signalfd: %s", strerror(-r));
    t->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (t->timer_fd < 0)
        return gput__refuse(ret_err, -errno, "", "timerfd_create: %s", strerror(errno));
    return 0;
}

static char *join_words(char *const argv[])
{
    struct gput__buf b = { 0 };
    char *text = NULL;

    for (size_t i = 0; argv[i]; i++)
        gput__buf_printf(&b, "%s%s", i ? " " : "", argv[i]);
    (void)gput__buf_take(&b, &text);
    return text;
}

/* Not getrusage's: that one begins at the size of whoever started us. */
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
    t->command = join_words(argv);
    gput__group_begin(t);
    begin_sample(t);
    t->had_children = gput__has_children();
    if (!self)
        gput__sampler_listen_early(&t->sampler);
    r = gput__spawn(t, argv, &t->pid);
    if (r < 0) {
        t->start_ns = 0;
        t->group = gput__group_close(t->group);
        return gput__refuse(ret_err, r, "", "cannot run '%.200s': %s", argv[0], strerror(-r));
    }
    t->floor_rss = gput__own_peak(); /* the job runs already: it had ours as its own until exec */
    begin_run(t);
    r = gput__sampler_begin(&t->sampler, t->pid, self, false, t->start_ns);
    warn_of_blindness(t, "; mount a /proc of its own (unshare --mount-proc)");
    if (r < 0) { /* the job runs; what cannot be read of it is unknown, no more */
        t->sampler.blind = true;
        t->sampler.blind_why = "the stat of the command in /proc cannot be read";
        warn_of_blindness(t, "");
    }
    return 0;
}

static int begin_attached(struct gput_tracker *t, struct gput_error *ret_err)
{
    int r = gput__sampler_begin(&t->sampler, t->pid, 0, true, t->start_ns);

    if (r == -ESRCH)
        return gput__refuse(ret_err, r, "process_id", "there is no process %d", t->pid);
    if (r < 0)
        return gput__refuse(ret_err, r, "process_id", "process %d: %s", t->pid, strerror(-r));
    if (t->sampler.wants_job) /* what it had moved before is not of this run */
        gput__job_measure(&t->sampler.job, &t->sampler.memory, &t->sampler.tree, &t->now);
    return 0;
}

/* Only what the machine did: there is no process to look at. */
static int begin_machine(struct gput_tracker *t)
{
    t->sampler.blind = true;
    t->sampler.blind_why = "there is no process to look at";
    gput__tree_open(&t->sampler.tree, &t->sampler.proc, 0, t->start_ns);
    return 0;
}

int gput_tracker_attach(struct gput_tracker *t, pid_t pid, struct gput_error *ret_err)
{
    int r = t->opts.timeout > 0 ? gput__refuse_timeout(ret_err) : gput__engine_open(t, ret_err);

    if (r < 0)
        return r;
    if (t->sampler.blind && pid)
        return gput__refuse(ret_err, -ENOTSUP, "", "/proc shows another pid namespace");
    r = prepare(t, ret_err);
    if (r < 0)
        return r;
    t->attached = true;
    t->pid = pid;
    gput__group_begin(t);
    begin_sample(t);
    r = pid ? begin_attached(t, ret_err) : begin_machine(t);
    if (r < 0) {
        t->start_ns = 0;
        return r;
    }
    begin_run(t);
    gput__sampler_look_at_main(&t->sampler, t->start_ns, &t->now);
    gput__summary_look(&t->summary, &t->now);
    return 0;
}

int gput_tracker_wait(struct gput_tracker *t)
{
    return gput__loop(t);
}

void gput_tracker_quit(struct gput_tracker *t)
{
    t->stop_asked = t->attached;
}

void gput_tracker_now(const struct gput_tracker *t, struct gput_now *ret_now)
{
    int64_t end = t->end_ns ? t->end_ns : gput__now();
    struct gput__summary s = t->summary;

    if (t->client) {
        gput__client_now(t, ret_now);
        return;
    }
    if (!t->start_ns) {
        *ret_now = (struct gput_now){ 0 };
        return;
    }
    gput__raise_marks(t, &s);
    *ret_now = (struct gput_now){
        .elapsed = gput__seconds(end - t->start_ns),
        .ram = t->now.value[GPUT__COMBINED_RAM],
        .ram_peak = s.max[GPUT__COMBINED_RAM],
        .cpu_percent = t->cpu_percent,
        .n_processes = (int)t->now.value[GPUT__N_PROCESSES],
    };
}

int gput_tracker_left(const struct gput_tracker *t, pid_t *ret_pids, int max)
{
    const struct gput__tree *tree = &t->sampler.tree;
    int n = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->tasks[i].is_main || !gput__task_is_alive(&tree->tasks[i]))
            continue;
        if (n < max)
            ret_pids[n] = tree->tasks[i].pid;
        n++;
    }
    return n;
}

/* sampler.c - the sources and the tree put together: one call, one sample. */
#include "sample/sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text/scan.h"
#include "sample/facts.h"
#include "sample/tree/cpu.h"
#include "sample/tree/discover.h"
#include "sample/tree/helpers.h"
#include "sample/tree/io.h"
#include "sample/tree/task_poll.h"
#include "source/machine/sys_cpu.h"
#include "source/machine/sys_memory.h"
#include "source/proc/proc_events.h"

/* Descriptors that are left for what is no process: files of the machine, those of which few are kept
 * where descriptors are short (root.c), sockets and libraries. */
#define FDS_RESERVED 40

static bool proc_is_of_another_namespace(const struct gput__root *proc)
{
    char text[32] = "";
    const char *p = text;
    uint64_t pid;

    if (!proc->live)
        return false;
    if (readlinkat(proc->fd, "self", text, sizeof(text) - 1) < 0)
        return errno == ENOENT;
    return gput__scan_u64(&p, &pid) < 0 || (pid_t)pid != getpid();
}

/* A dump has a line per core in its whole of /proc/stat, which of a large machine is long. */
static unsigned count_cores_of_dump(const struct gput__root *proc)
{
    size_t cap = 256 * 1024;
    char *text = malloc(cap);
    unsigned n = 0;

    if (text && gput__root_read(proc, "stat", text, cap) > 0)
        n = gput__sys_cpu_count(text);
    free(text);
    return n;
}

static unsigned count_cores(const struct gput__root *proc)
{
    long n = proc->live ? sysconf(_SC_NPROCESSORS_ONLN) : (long)count_cores_of_dump(proc);

    return n > 0 ? (unsigned)n : 1;
}

static void read_capacity(struct gput__sampler *s)
{
    struct gput__sys_memory memory;
    char text[4096];

    if (gput__root_reread(&s->proc, "meminfo", &s->fd_meminfo, text, sizeof(text)) > 0 &&
        gput__sys_memory_parse(text, &memory) == 0)
        s->ram_capacity = memory.total;
}

int gput__sampler_open(struct gput__sampler *s, const char *proc_root, const char *sys_root)
{
    int r;

    *s = (struct gput__sampler){
        .proc = GPUT__ROOT_NONE,
        .sys = GPUT__ROOT_NONE,
        .fd_stat = -1,
        .fd_meminfo = -1,
        .early_events = -1,
        .tree.births = { .events = -1, .fd_loadavg = -1 }, /* it may be closed without a job */
    };
    r = gput__root_open(proc_root, "/proc", &s->proc);
    if (r < 0)
        return r;
    (void)gput__root_open(sys_root, "/sys", &s->sys); /* limits, counts of groups, disks */
    s->n_cores = count_cores(&s->proc);
    read_capacity(s);
    s->blind = proc_is_of_another_namespace(&s->proc);
    s->blind_why = s->blind ? "/proc shows another pid namespace" : NULL;
    return 0;
}

void gput__sampler_close(struct gput__sampler *s)
{
    gput__memory_close(&s->memory);
    gput__tree_close(&s->tree);
    gput__proc_events_close(s->early_events);
    if (s->wants_machine)
        gput__machine_close(&s->machine);
    if (s->fd_stat >= 0)
        close(s->fd_stat);
    if (s->fd_meminfo >= 0)
        close(s->fd_meminfo);
    gput__root_close(&s->proc);
    gput__root_close(&s->sys);
}

/* More descriptors for the tracker, not for the job: it was started with the limit as it was. */
static int raise_fd_limit(const struct gput__root *proc)
{
    struct rlimit limit;

    if (!proc->live || getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return 0;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < 65536 ? limit.rlim_max : 65536;
        if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
            (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur > FDS_RESERVED ? (int)limit.rlim_cur - FDS_RESERVED : 0;
}

int gput__sampler_begin(struct gput__sampler *s, pid_t main_pid, pid_t tracker, bool older,
                        int64_t now)
{
    int r;

    gput__tree_open(&s->tree, &s->proc, tracker, now);
    gput__helpers_use_program(&s->tree, &s->helper_program);
    gput__births_listen(&s->tree, s->early_events);
    s->early_events = -1;
    if (s->proc.live)
        gput__tree_scan_sparingly(&s->tree, now,
                                  s->is_frugal ? GPUT__FRUGAL_SHARE : GPUT__WATCH_SHARE);
    gput__memory_open(&s->memory, &s->proc, &s->sys, now);
    if (s->is_frugal)
        gput__memory_be_frugal(&s->memory, now);
    gput__fds_return(&s->tree.fds, raise_fd_limit(&s->proc));
    if (s->blind)
        return 0;
    r = gput__tree_set_main(&s->tree, main_pid, older);
    /* Without main there are no figures at all: a failure that passes must not cost them. */
    return r < 0 && r != -ESRCH ? gput__tree_set_main(&s->tree, main_pid, older) : r;
}

void gput__sampler_listen_early(struct gput__sampler *s)
{
    if (s->proc.live && !s->blind)
        s->early_events = gput__proc_events_open();
}

void gput__sampler_listen(struct gput__sampler *s)
{
    if (s->proc.live && !s->blind && s->tree.births.events < 0)
        gput__births_listen(&s->tree, gput__proc_events_open());
    gput__tree_recheck(&s->tree); /* finds processes that started before the tracker listened */
    gput__births_forget_foreign(&s->tree);
}

void gput__sampler_unlisten(struct gput__sampler *s)
{
    gput__births_listen(&s->tree, -1);
    gput__tree_recheck(&s->tree);
}

/* Threads and processes as the poll found them. */
static void count_heads(const struct gput__tree *tree, struct gput__sample *ret)
{
    double main_threads = 0, other_threads = 0, processes = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];

        if (!gput__task_is_alive(t) || t->life.is_starting)
            continue;
        processes++;
        if (t->is_main)
            main_threads = t->life.threads;
        else
            other_threads += t->life.threads;
    }
    if (processes == 0)
        return; /* all exited before a poll: how many there were is not known */
    gput__sample_set(ret, GPUT__MAIN_N_THREADS, main_threads);
    gput__sample_set(ret, GPUT__DESCENDANTS_N_THREADS, other_threads);
    gput__sample_set(ret, GPUT__COMBINED_N_THREADS, main_threads + other_threads);
    gput__sample_set(ret, GPUT__N_PROCESSES, processes);
}

/* Sums are only taken again when something moved. */
static bool is_as_before(const struct gput__sampler *s)
{
    return s->proc.live && !gput__metric_set_is_empty(&s->last.sample.known) &&
           s->tree.poll.n_reads == s->last.n_reads && s->tree.version == s->last.version;
}

static void work_out(struct gput__sampler *s, int64_t now)
{
    s->last.sample = (struct gput__sample){ 0 };
    gput__memory_measure(&s->memory, &s->tree, &s->last.sample);
    count_heads(&s->tree, &s->last.sample);
    gput__sampler_cpu(s, &s->last.sample);
    if (s->wants_job) {
        gput__job_measure_memory(&s->job, &s->memory, &s->tree, &s->last.sample);
        gput__io_glance(&s->tree);
    }
    s->last.n_reads = s->tree.poll.n_reads;
    s->last.version = s->tree.version;
    if (s->proc.live)
        gput__memory_consider_scan(&s->memory, &s->tree, now);
    else
        gput__memory_scan_now(&s->memory, &s->tree);
}

void gput__sampler_poll_main(struct gput__sampler *s, int64_t now, struct gput__sample *ret)
{
    struct gput__task *task = gput__tree_main(&s->tree);

    if (!task)
        return;
    gput__task_poll(&s->tree, task, now);
    gput__memory_measure(&s->memory, &s->tree, ret);
    count_heads(&s->tree, ret);
}

void gput__sampler_last_scan(struct gput__sampler *s, int64_t now, struct gput__sample *ret)
{
    if (s->blind || s->memory.scanned.has_full)
        return;
    gput__memory_first_scan(&s->memory, &s->tree, now);
    gput__memory_measure(&s->memory, &s->tree, ret);
}

static void poll_once(struct gput__sampler *s, int64_t now, bool is_record,
                      struct gput__sample *ret)
{
    s->last.n_polls++;
    if (!s->blind) {
        gput__memory_check_scan(&s->memory, &s->tree);
        if (is_record)
            gput__tree_poll_for_record(&s->tree, now);
        else
            gput__tree_poll(&s->tree, now);
        if (s->wants_extras)
            gput__delays_poll(&s->extras.delays, &s->tree, s->tree.poll.at_ns);
        if (gput__memory_apply_scan(&s->memory, &s->tree, now) || !is_as_before(s))
            work_out(s, now);
        else if (s->memory.plan.wanted_ns)
            gput__memory_consider_scan(&s->memory, &s->tree, now);
    }
    *ret = s->last.sample;
    ret->boot_ns = s->blind ? now : s->tree.poll.at_ns;
}

void gput__sampler_poll(struct gput__sampler *s, int64_t now, struct gput__sample *ret)
{
    poll_once(s, now, false, ret);
}

void gput__sampler_want_machine(struct gput__sampler *s)
{
    gput__machine_open(&s->machine, &s->proc, &s->sys, NULL);
    if (s->wants_extras)
        gput__machine_want_waiting(&s->machine, s->n_cores);
    s->wants_machine = true;
}

void gput__sampler_system(struct gput__sampler *s, struct gput__sample *ret)
{
    struct gput__sys_memory memory;
    char text[4096];
    struct gput__sys_cpu cpu;

    if (!s->ram_capacity)
        read_capacity(s);
    if (s->wants_machine) {
        gput__machine_read(&s->machine, ret);
        return;
    }
    if (gput__root_reread(&s->proc, "stat", &s->fd_stat, text, sizeof(text)) > 0 &&
        gput__sys_cpu_parse(text, &cpu) == 0)
        gput__sample_set(ret, GPUT__SYSTEM_CPU, (double)cpu.busy / (double)sysconf(_SC_CLK_TCK));
    if (gput__root_reread(&s->proc, "meminfo", &s->fd_meminfo, text, sizeof(text)) > 0 &&
        gput__sys_memory_parse(text, &memory) == 0)
        gput__sample_set(ret, GPUT__SYSTEM_RAM, (double)(memory.total - memory.available));
}

void gput__sampler_cpu(const struct gput__sampler *s, struct gput__sample *ret)
{
    uint64_t main_ns, descendants_ns;

    gput__tree_cpu(&s->tree, &main_ns, &descendants_ns);
    gput__sample_set(ret, GPUT__MAIN_CPU, (double)main_ns / 1e9);
    gput__sample_set(ret, GPUT__DESCENDANTS_CPU, (double)descendants_ns / 1e9);
    gput__sample_set(ret, GPUT__COMBINED_CPU, (double)(main_ns + descendants_ns) / 1e9);
}

static void tell_faults(const struct gput__sampler *s, struct gput__sample *ret)
{
    struct gput__totals totals;

    gput__sampler_totals(s, NULL, &totals);
    gput__sample_set(ret, GPUT__JOB_MAJOR_FAULTS, totals.major_faults);
}

void gput__sampler_record(struct gput__sampler *s, int64_t now, int64_t real_ns,
                          struct gput__sample *ret)
{
    gput__tree_scan_freely(&s->tree); /* a record finds all processes */
    poll_once(s, now, true, ret);
    ret->real_ns = real_ns;
    if (s->wants_job && !s->blind && s->memory.scanned.n_scans == 0)
        gput__memory_first_scan(&s->memory, &s->tree, now);
    gput__sampler_complete(s, ret);
}

void gput__sampler_complete(struct gput__sampler *s, struct gput__sample *ret)
{
    gput__sampler_system(s, ret);
    if (s->wants_job && !s->blind)
        gput__job_measure(&s->job, &s->memory, &s->tree, ret);
    if (s->wants_extras && !s->blind)
        gput__extras_measure(&s->extras, &s->tree, s->job.main_only, s->machine.is_swap_unused,
                             ret);
    if (s->wants_extras && !s->blind)
        tell_faults(s, ret);
}

/* doctor.c - what can be measured on this machine, what cannot, and what would change it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "api/host/launch.h"
#include "api/run/cgroup.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "base/system.h"
#include "report/text/findings.h"
#include "source/proc/proc_events.h"
#include "source/proc/proc_smaps.h"
#include "source/proc/task_clock.h"

#define PAST_US INT64_C(10000000)
#define DRIVER_PATIENCE_NS (10 * GPUT__NS_PER_S)

static const char processes[] = "Processes", system_wide[] = "System", gpus[] = "GPUs";

static void ignore_vma(void *ctx, const struct gput__vma *vma)
{
    *(bool *)ctx |= vma->has_pss_anon || vma->has_pss_dirty;
}

static void check_memory_maps(struct gput__findings *f, const struct gput__root *proc)
{
    bool detailed = false;
    int r = gput__smaps_read(proc, "self/smaps_rollup", NULL, ignore_vma, &detailed);

    if (r == 0)
        gput__findings_add(f, processes, "private and shared RAM", GPUT__GOOD, NULL,
                           "smaps_rollup is there%s",
                           detailed ? ", with anonymous memory apart" : "");
    else
        gput__findings_add(f, processes, "private and shared RAM", GPUT__PARTLY,
                           "Linux 4.14 or newer", "smaps_rollup cannot be read: %s; smaps is used",
                           strerror(-r));
}

static void check_other_users(struct gput__findings *f, const struct gput__root *proc)
{
    char text[1024];
    bool seen = gput__root_read(proc, "1/stat", text, sizeof(text)) > 0;
    int r = gput__root_read(proc, "1/smaps_rollup", text, sizeof(text)) > 0 ? 0 : -1;

    if (!seen)
        gput__findings_add(f, processes, "other users' processes", GPUT__MISSING,
                           "mount /proc without hidepid, or run as root",
                           "/proc hides them (hidepid)");
    else if (r < 0)
        gput__findings_add(f, processes, "other users' processes", GPUT__PARTLY,
                           geteuid() ? "run as root" : "none: this system keeps it even from root",
                           "CPU and total RAM; not what of it is shared");
    else
        gput__findings_add(f, processes, "other users' processes", GPUT__GOOD, NULL,
                           "everything of them can be read");
}

static void check_events(struct gput__findings *f)
{
    int fd = gput__proc_events_open();

    gput__findings_add(f, processes, "births of processes", fd >= 0 ? GPUT__GOOD : GPUT__PARTLY,
                       "run as root in the first pid namespace, or Linux 6.6 or newer",
                       fd >= 0 ? "the kernel tells of them at once (proc connector)"
                               : "no process events: /proc is looked through instead");
    gput__proc_events_close(fd);
}

static void check_counters(struct gput__findings *f)
{
    int fd = gput__task_clock_open(getpid(), false);

    gput__findings_add(f, processes, "CPU of unwaited children",
                       fd >= 0 ? GPUT__GOOD : GPUT__PARTLY,
                       "set /proc/sys/kernel/perf_event_paranoid to 2, or use --cgroup",
                       fd >= 0 ? "counted to their end (perf events)"
                               : "no perf events: what they use last is estimated");
    if (fd >= 0)
        close(fd);
}

static void check_calls(struct gput__findings *f)
{
    int fd = gput__process_handle(getpid());
    bool kcmp = gput__same_memory(getpid(), getpid());

    if (fd >= 0)
        close(fd);
    gput__findings_add(f, processes, "end of a process with --pid",
                       fd >= 0 ? GPUT__GOOD : GPUT__PARTLY, "Linux 5.3 or newer",
                       fd >= 0 ? "noticed at once (pidfd)" : "noticed at the next record");
    gput__findings_add(f, processes, "children before exec", kcmp ? GPUT__GOOD : GPUT__PARTLY,
                       "a kernel with CONFIG_KCMP",
                       kcmp ? "told from workers (kcmp)" : "told from workers by their age");
}

static void check_processes(struct gput__findings *f, const struct gput__sampler *s)
{
    struct rlimit limit = { 0 };

    if (s->blind) {
        gput__findings_add(f, processes, "RAM and CPU", GPUT__PARTLY,
                           "mount a /proc of this pid namespace (unshare --mount-proc)",
                           "/proc shows another pid namespace: totals of a command only");
        return;
    }
    gput__findings_add(f, processes, "RAM and CPU", GPUT__GOOD, NULL,
                       "of each process of the job, those that die included");
    check_memory_maps(f, &s->proc);
    check_other_users(f, &s->proc);
    check_events(f);
    check_counters(f);
    check_calls(f);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    gput__findings_add(f, processes, "kept files",
                       limit.rlim_max >= 1024 ? GPUT__GOOD : GPUT__PARTLY,
                       "raise the hard limit (ulimit -Hn)", "up to %llu open at a time",
                       (unsigned long long)limit.rlim_max);
}

static void check_system(struct gput__findings *f, const struct gput__sampler *s)
{
    struct utsname name;
    struct gput__cgroup c;

    if (uname(&name) == 0)
        gput__findings_add(f, system_wide, "kernel", GPUT__GOOD, NULL, "%s %s, %u cores, %.1f GB",
                           name.sysname, name.release, s->n_cores, (double)s->ram_capacity / 1e9);
    gput__cgroup_read(&s->proc, &s->sys, 0, &c);
    if (!c.version)
        gput__findings_add(f, system_wide, "limits of the cgroup", GPUT__MISSING,
                           "mount the cgroup file system at /sys/fs/cgroup",
                           "no memory controller was found");
    else
        gput__findings_add(f, system_wide, "limits of the cgroup", GPUT__GOOD, NULL,
                           "version %d; memory %s, CPU %s", c.version,
                           c.has_memory_limit ? "limited" : "not limited",
                           c.has_cpu_limit ? "limited" : "not limited");
    gput__findings_add(
        f, system_wide, "killed for memory", c.has_oom_kills ? GPUT__GOOD : GPUT__PARTLY,
        "a kernel that counts kills per cgroup (4.13 or newer)",
        c.has_oom_kills ? "counted for the job's own cgroup" : "known for the whole machine only");
    gput__group_check(f, system_wide, s);
}

/* --- GPUs ----------------------------------------------------------------------------------- */

static void add_offer(struct gput__findings *f, const char *what, bool is_there, const char *step)
{
    char name[64];

    snprintf(name, sizeof(name), "  %s", what);
    gput__findings_add(f, gpus, name, is_there ? GPUT__GOOD : GPUT__MISSING, step, "%s",
                       is_there ? "offered by the driver" : "not offered by the driver");
}

static const char *step_for_processes(int error)
{
    if (error == -EACCES || error == -EPERM)
        return "run as the user whose processes these are, or as root";
    return "none is known for this driver; the change of the device is used instead";
}

static void check_device(struct gput__findings *f, const struct gput__gpus *g, unsigned i)
{
    const struct gput__gpu_device *d = &g->found.devices[i];

    gput__findings_add(f, gpus, d->info.name, d->is_lost ? GPUT__MISSING : GPUT__GOOD,
                       "look into the kernel's log (dmesg); a reset or reboot may bring it back",
                       "%s, %.1f GB%s, %s", d->info.uuid, (double)d->info.memory_total / 1e9,
                       d->info.is_unified ? " shared with the system" : "",
                       d->is_lost ? "lost" : gput_gpu_brand(d->info.brand));
    add_offer(f, "memory in use", d->memory.is_known, NULL);
    add_offer(f, "memory of each process", d->processes.error == 0,
              step_for_processes(d->processes.error));
    add_offer(f, "utilization", d->utilization.was_read, NULL);
    add_offer(f, "history of utilization", d->utilization.had_history, NULL);
    add_offer(f, "power", d->sensors.has_power, NULL);
    add_offer(f, "energy", d->energy.is_known, NULL);
    add_offer(f, "temperature", d->sensors.has_temperature, NULL);
    add_offer(f, "clocks", d->sensors.has_clocks, NULL);
}

static void check_gpus(struct gput__findings *f, struct gput_tracker *t)
{
    int64_t now_us = gput__clock_ns(CLOCK_REALTIME) / 1000;
    bool answers =
        gput__gpu_begin(t, NULL) == 0 && gput__gpus_wait(t->gpu.thread, DRIVER_PATIENCE_NS);

    if (answers &&
        t->gpu.thread->found.n) /* a run that began a while ago has a history to ask for */
        gput__gpus_restart(t->gpu.thread, gput__now(), now_us - PAST_US);
    if (!answers || !gput__gpus_finish(t->gpu.thread, now_us, DRIVER_PATIENCE_NS)) {
        gput__findings_add(f, gpus, "driver", GPUT__MISSING, "look into the kernel's log (dmesg)",
                           "the GPU driver does not answer");
        return;
    }
    if (t->gpu.thread->found.n ==
        0) /* where something was there to ask, it has said itself what to do */
        gput__findings_add(
            f, gpus, "devices", GPUT__MISSING,
            t->gpu.thread->has_thread ? NULL : "install the vendor's driver where there is a GPU",
            "%s", t->gpu.thread->found.why);
    for (unsigned i = 0; i < t->gpu.thread->found.n; i++)
        check_device(f, t->gpu.thread, i);
}

int gput_doctor(const struct gput_options *opts, enum gput_format format, char **ret_text)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput__findings f = { 0 };
    struct gput__buf out = { 0 };
    struct gput_tracker *t = NULL;
    int r;

    if (opts) /* as many options as the caller knows of */
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    o.flags |= GPUT_WANT_ALL;
    r = gput_tracker_open(&o, &t, NULL);
    if (r == 0)
        r = gput__engine_open(t, NULL);
    if (r == 0) {
        check_system(&f, &t->sampler);
        check_processes(&f, &t->sampler);
        check_gpus(&f, t);
        gput__launch_check(&f);
        r = format == GPUT_JSON ? gput__findings_json(&f, &out) : gput__findings_text(&f, &out);
    }
    gput_tracker_close(t);
    gput__findings_free(&f);
    if (r < 0) {
        gput__buf_free(&out);
        return r;
    }
    return gput__buf_detach(&out, ret_text);
}

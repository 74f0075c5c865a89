/* limits.c - the control groups that the job is in: what they allow it, and whom they killed. */
#include <string.h>

#include "api/run/cgroup.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "source/stalls/sys_vmstat.h"

/* A job that moves into a group of its own does so early on; the first time after this. */
#define FIRST_WATCH_NS (2 * GPUT__NS_PER_MS)
/* Limits change seldom, and a row a second must not pay for opening all these files. */
#define FIRST_LIMITS_NS (2 * GPUT__NS_PER_S)
#define SLOWEST_WATCH_NS (10 * GPUT__NS_PER_S)
/* How a shell tells that a child was ended by SIGKILL. */
#define EXIT_KILLED (128 + SIGKILL)

static uint64_t machine_oom_kills(const struct gput__root *proc)
{
    struct gput__sys_vmstat v = { 0 };
    char text[GPUT__VMSTAT_SIZE];

    if (gput__root_read(proc, "vmstat", text, sizeof(text)) > 0)
        gput__sys_vmstat_parse(text, &v);
    return v.oom_kills;
}

/* A process that is about to end is shown in the root of each version 1 hierarchy: that is where
 * nobody is limited, so a process that went there has the limits that it had. */
static bool is_at_root(const char *text)
{
    size_t len = 0;
    const char *path = gput__cgroup_path(text, "memory", &len);

    if (!path)
        path = gput__cgroup_path(text, "", &len);
    return path && len == 1;
}

/* The groups of main are the job's; ours only where those of main cannot be read.  Whether they are
 * others than before. */
static bool read_groups(struct gput_tracker *t)
{
    struct gput__job_groups *g = &t->groups;
    char text[sizeof(g->text)];
    bool is_main =
        t->job.pid && gput__cgroup_text(&t->sampler.proc, t->job.pid, text, sizeof(text)) == 0;

    if (!is_main && (g->is_main || gput__cgroup_text(&t->sampler.proc, 0, text, sizeof(text)) < 0))
        return false;
    if (g->text[0] && (strcmp(text, g->text) == 0 || is_at_root(text)))
        return false;
    memcpy(g->text, text, sizeof(text));
    g->is_main = is_main;
    gput__cgroup_parse(&t->sampler.sys, text, &g->at_start);
    return true;
}

static void read_limits(const struct gput_tracker *t, struct gput__cgroup *ret)
{
    const struct gput__job_groups *g = &t->groups;

    if (!g->text[0]) { /* it was over before we looked: it was started in ours */
        gput__cgroup_read(&t->sampler.proc, &t->sampler.sys, t->job.attached ? t->job.pid : 0, ret);
        return;
    }
    gput__cgroup_parse(&t->sampler.sys, g->text, ret);
    if (g->at_start.has_memory_limit && !ret->has_memory_limit)
        *ret = g->at_start; /* the group has been removed since */
}

void gput__limits_begin(struct gput_tracker *t, int64_t now)
{
    (void)read_groups(t);
    t->groups.now = t->groups.at_start;
    t->groups.machine_oom_kills = machine_oom_kills(&t->sampler.proc);
    t->groups.affinity = gput__affinity(&t->sampler.proc, t->job.attached ? t->job.pid : 0);
    t->groups.next_ns = now + FIRST_WATCH_NS;
    t->groups.next_limits_ns = now + FIRST_LIMITS_NS;
}

void gput__limits_watch(struct gput_tracker *t, int64_t now)
{
    int64_t wait = 2 * (now - t->job.start_ns);

    if (now < t->groups.next_ns || t->end.how != GPUT_RUNNING)
        return;
    wait = wait < SLOWEST_WATCH_NS ? wait : SLOWEST_WATCH_NS;
    t->groups.next_ns = now + wait;
    if (!read_groups(t) && now < t->groups.next_limits_ns)
        return;
    read_limits(t, &t->groups.now);
    t->groups.next_limits_ns = now + 2 * wait;
}

void gput__limits_now(const struct gput_tracker *t, struct gput__cgroup *ret)
{
    if (t->end.how == GPUT_RUNNING && t->groups.text[0])
        *ret = t->groups.now;
    else
        read_limits(t, ret);
}

/* SIGKILL has many senders.  The job's own cgroup counts its kills for memory; the machine's count
 * alone may be of somebody else.  Whom the kernel kills need not be main: a shell passes the status
 * of its child on, others fail in their own way or go on without it. */
enum gput_oom gput__judge_kill(const struct gput_tracker *t)
{
    bool by_us = t->stop.was_killed || t->stop.timed_out;
    bool is_killed = !by_us && ((t->end.how == GPUT_SIGNALED && t->end.code == SIGKILL) ||
                                (t->end.how == GPUT_EXITED && t->end.code == EXIT_KILLED));
    bool is_good = (t->end.how == GPUT_EXITED && t->end.code == 0) || t->job.attached;
    struct gput__cgroup now;
    bool is_ours;

    if (!t->watch.is_settled)
        return GPUT_OOM_NO;
    read_limits(t, &now);
    is_ours = gput__group_kills(t) > 0;
    if (is_ours || (now.has_oom_kills && now.oom_kills > t->groups.at_start.oom_kills)) {
        if (is_killed)
            return GPUT_OOM_YES;
        /* Without a limit the group is no more the job's than anybody's. */
        if (is_ours || now.has_memory_limit)
            return is_good ? GPUT_OOM_PROBABLY : GPUT_OOM_YES;
    }
    if (is_killed && machine_oom_kills(&t->sampler.proc) > t->groups.machine_oom_kills)
        return GPUT_OOM_PROBABLY;
    return GPUT_OOM_NO;
}

/* waiting.c - what the job waited for: its CPU quota, and the pressure on it or on the machine. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/run/cgroup.h"
#include "api/tracker.h"
#include "base/least.h"

static const char of_machine[] = "of the whole machine: no control group is the job's alone";
static const char at_records[] = "of threads that were seen at records, until then";
static const char at_polls[] = "by the states seen at polls";
static const char not_asked[] = "only with --full";
static const char not_kept[] = "the kernel keeps no pressure: it has none, or psi=1 is not set";

/* --- the quota ------------------------------------------------------------------------------- */

static bool read_quota(const struct gput_tracker *t, int *fd, struct gput__throttled *ret)
{
    char path[GPUT__CGROUP_PATH + 16], text[1024];

    snprintf(path, sizeof(path), "%s/cpu.stat", t->groups.quota.folder);
    return gput__root_reread(&t->sampler.sys, path, fd, text, sizeof(text)) > 0 &&
           gput__throttled_parse(text, ret) == 0;
}

static void add_gained(struct gput__throttled *sum, const struct gput__throttled *from,
                       const struct gput__throttled *to)
{
    sum->periods += gput__minus(to->periods, from->periods);
    sum->held_back += gput__minus(to->held_back, from->held_back);
    sum->ns += gput__minus(to->ns, from->ns);
}

static void close_quota(struct gput__job_quota *q)
{
    if (q->folder[0] && q->fd >= 0)
        close(q->fd);
    q->folder[0] = '\0';
    q->fd = -1;
}

/* Main may move, and a quota may be set while it runs: counts begin at each group's own. */
static void follow_quota(struct gput_tracker *t)
{
    struct gput__job_quota *q = &t->groups.quota;

    if (strcmp(q->folder, t->groups.now.cpu_folder) == 0)
        return;
    add_gained(&q->before, &q->base, &q->now);
    close_quota(q);
    memcpy(q->folder, t->groups.now.cpu_folder, sizeof(q->folder));
    q->base = q->now = (struct gput__throttled){ 0 };
    if (!read_quota(t, &q->fd, &q->base))
        return;
    q->is_known = true;
    q->now = q->base;
}

void gput__waiting_watch(struct gput_tracker *t)
{
    if (t->groups.text[0] && t->sampler.wants_extras)
        follow_quota(t);
}

static void measure_quota(struct gput_tracker *t, struct gput__sample *ret)
{
    struct gput__job_quota *q = &t->groups.quota;
    struct gput__throttled sum;

    gput__waiting_watch(t);
    if (q->folder[0])
        (void)read_quota(t, &q->fd, &q->now);
    if (!q->is_known)
        return;
    sum = q->before;
    add_gained(&sum, &q->base, &q->now);
    gput__sample_set(ret, GPUT__JOB_THROTTLED, (double)sum.ns / 1e9);
    gput__sample_set(ret, GPUT__JOB_THROTTLED_PERIODS, (double)sum.held_back);
    gput__sample_set(ret, GPUT__JOB_QUOTA_PERIODS, (double)sum.periods);
}

/* --- the run --------------------------------------------------------------------------------- */

void gput__waiting_record(struct gput_tracker *t, struct gput__sample *ret)
{
    measure_quota(t, ret);
}

void gput__waiting_end(struct gput_tracker *t, struct gput__sample *ret)
{
    measure_quota(t, ret);
}

void gput__waiting_close(struct gput_tracker *t)
{
    close_quota(&t->groups.quota);
}

/* --- figures --------------------------------------------------------------------------------- */

static struct gput_figure *figure_at(struct gput_usage *u, enum gput__metric m)
{
    return (struct gput_figure *)((char *)u + gput__metrics[m].figure[0].at);
}

/* The job's, of a group that it has for itself. */
static bool fill_from_group(const struct gput_tracker *t, struct gput_usage *u)
{
    static const enum gput__cgroup_value first = GPUT__CGROUP_CPU_SOME_US;
    bool any = false;

    for (int i = 0; i <= GPUT__CGROUP_IO_FULL_US - (int)first; i++) {
        struct gput_figure f = gput__group_counter(t, first + (unsigned)i, 1e6);

        any |= f.source != GPUT_UNAVAILABLE;
        *figure_at(u, GPUT__JOB_CPU_PRESSURE + (unsigned)i) = f;
    }
    return any;
}

static bool fill_from_machine(const struct gput__summary *s, struct gput_usage *u)
{
    static const enum gput__metric of[] = {
        GPUT__SYSTEM_CPU_PRESSURE, GPUT__SYSTEM_MEMORY_PRESSURE,  GPUT__SYSTEM_MEMORY_PRESSURE_FULL,
        GPUT__SYSTEM_IO_PRESSURE,  GPUT__SYSTEM_IO_PRESSURE_FULL,
    };
    bool any = false;

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct gput_figure *f = figure_at(u, of[i]);

        if (!gput__sample_has(&s->last, of[i]) || !gput__sample_has(&s->first, of[i])) {
            f->why = not_kept;
            continue;
        }
        any = true;
        *f = (struct gput_figure){ gput__sample_gain(&s->first, &s->last, of[i]), GPUT_SAMPLED,
                                   of_machine };
    }
    return any;
}

static void set_exact(struct gput_figure *f)
{
    if (f->source != GPUT_UNAVAILABLE)
        *f = (struct gput_figure){ f->value, GPUT_EXACT, NULL };
}

static void set_sampled(struct gput_figure *f, const char *why)
{
    if (f->source != GPUT_UNAVAILABLE)
        *f = (struct gput_figure){ f->value, GPUT_SAMPLED, why };
}

void gput__waiting_fill(const struct gput_tracker *t, const struct gput__summary *s,
                        struct gput_usage *u)
{
    if (!gput__sampler_machine(&t->sampler)) {
        for (unsigned i = 0; i <= GPUT__JOB_IO_PRESSURE_FULL - GPUT__JOB_CPU_PRESSURE; i++)
            *figure_at(u, GPUT__JOB_CPU_PRESSURE + i) =
                (struct gput_figure){ 0, GPUT_UNAVAILABLE, not_asked };
        return;
    }
    if (fill_from_group(t, u))
        u->waiting.pressure_of = "cgroup";
    else if (fill_from_machine(s, u))
        u->waiting.pressure_of = "machine";
    set_sampled(&u->waiting.run_queue_seconds, at_records);
    set_sampled(&u->waiting.io_wait_seconds, at_records);
    set_sampled(&u->waiting.blocked_seconds, at_polls);
    set_exact(&u->waiting.throttled_seconds);
    set_exact(&u->waiting.throttled_periods);
    set_exact(&u->waiting.quota_periods);
}

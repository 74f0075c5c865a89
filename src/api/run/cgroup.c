/* cgroup.c - the control group of the job: one made for it, or one that it has for itself. */
#include "api/run/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/tracker.h"

/* The group's count moves when the scheduler looks at a running process, a process's own clock
 * always: while the job runs, less than this is no time of somebody else's. */
#define LAG_S 0.010
/* When all is over both stand still; what a process does before it is in the group is less. */
#define END_LAG_S 0.001
/* The kernel's work of ending a thread is in the group's count and in nobody's clock: of a job that
 * had no descendants, as far as anybody saw, this share of its time may be that. */
#define THREADS_SHARE 0.1
/* Counters of those whom nobody waits for may have a little that the hypervisor stole. */
#define COUNTED_TOO_MUCH 0.02

/* --- who is in it --------------------------------------------------------------------------- */

struct census {
    const struct gput_tracker *t;
    bool has_strangers, has_tracker;
    uint64_t n;
};

static void count_member(void *ctx, pid_t pid)
{
    struct census *c = ctx;

    c->n++;
    if (pid == getpid())
        c->has_tracker = true;
    else if (!c->has_strangers) /* one is enough */
        c->has_strangers = !gput__sampler_owns(&c->t->sampler, pid);
}

static void count_any(void *ctx, pid_t pid)
{
    (void)pid;
    ++*(uint64_t *)ctx;
}

/* In a group that we found, others may turn up at any time. */
static void find_strangers(struct gput_tracker *t)
{
    struct gput__job_group *g = t->group;

    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        struct census c = { .t = t };

        if (!*g->place.folder[k] || (g->shared >> k & 1))
            continue;
        if (g->place.version == 2 && k > 0) { /* all in one */
            g->shared |= (g->shared & 1) << k;
            continue;
        }
        if (gput__cgroup_members(&t->sampler.sys, g->place.folder[k], count_member, &c) < 0 ||
            c.has_strangers)
            g->shared |= 1u << k;
        g->has_tracker |= c.has_tracker;
    }
}

static void count_processes(struct gput_tracker *t)
{
    struct gput__job_group *g = t->group;
    uint64_t tasks = g->now.value[GPUT__CGROUP_N_TASKS], n = 0;
    int kind = *g->place.folder[GPUT__CGROUP_TASKS] ? GPUT__CGROUP_TASKS : GPUT__CGROUP_CPU;

    /* No more processes than tasks: only a new high can have more of them. */
    if (gput__cgroup_knows(&g->now, GPUT__CGROUP_N_TASKS) &&
        (tasks <= g->max_processes || tasks == g->counted_tasks))
        return;
    g->counted_tasks = tasks;
    if (*g->place.folder[kind] &&
        gput__cgroup_members(&t->sampler.sys, g->place.folder[kind], count_any, &n) == 0 &&
        n > g->max_processes)
        g->max_processes = n;
}

/* --- beginning ------------------------------------------------------------------------------ */

static void use_place(struct gput_tracker *t, const struct gput__cgroup_place *place)
{
    struct gput__job_group *g = t->group;

    g->place = *place;
    snprintf(g->path, sizeof(g->path), "%s", place->version ? gput__cgroup_name(place) : "");
    gput__cgroup_files_begin(&g->files, &t->sampler.sys, &g->place);
    gput__cgroup_files_read(&g->files, GPUT__CGROUP_ALL, &g->base);
}

static void find_present(struct gput_tracker *t)
{
    struct gput__cgroup_place place;

    gput__cgroup_find(&t->sampler.proc, &t->sampler.sys, t->job.attached ? t->job.pid : 0, &place);
    use_place(t, &place);
}

static bool make(struct gput_tracker *t)
{
    struct gput__job_group *g = t->group;
    const char *why = "";

    if (t->job.attached) {
        gput__warn(t, "no cgroup is made for a process that runs already");
        return false;
    }
    if (gput__cgroup_make(&t->sampler.proc, &t->sampler.sys, &g->made, &why) < 0) {
        gput__warn(t, "no cgroup is made for the job: %s", why);
        return false;
    }
    g->is_made = true;
    use_place(t, &g->made.place);
    return true;
}

void gput__group_begin(struct gput_tracker *t)
{
    if (!(t->opts.flags & (GPUT_CGROUP | GPUT_WANT_ALL)) || t->group ||
        (t->job.attached && !t->job.pid))
        return;
    t->group = calloc(1, sizeof(*t->group));
    if (!t->group)
        return;
    if (!(t->opts.flags & GPUT_CGROUP) || !make(t))
        find_present(t);
}

unsigned gput__group_enter(const struct gput_tracker *t)
{
    return t->group && t->group->is_made ? gput__cgroup_enter(&t->group->made) : 0;
}

void gput__group_entered(struct gput_tracker *t, unsigned failed)
{
    struct gput__job_group *g = t->group;
    bool any = false;

    if (!failed)
        return;
    gput__cgroup_files_close(&g->files);
    gput__cgroup_drop(&g->made, failed);
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        if (failed >> k & 1)
            g->place.folder[k][0] = '\0';
        any |= *g->place.folder[k] != '\0';
    }
    if (any)
        return;
    gput__warn(t, "no cgroup is made for the job: it could not enter it");
    g->is_made = false;
    find_present(t);
}

/* --- while it runs -------------------------------------------------------------------------- */

static void raise_to(uint64_t *max, uint64_t v)
{
    *max = v > *max ? v : *max;
}

/* Shared memory that is mapped is in both of the others; what of it is not mapped is in one. */
static uint64_t memory_of(const struct gput__cgroup_use *u)
{
    uint64_t shmem = u->value[GPUT__CGROUP_SHMEM], mapped = u->value[GPUT__CGROUP_MAPPED_FILE];

    return u->value[GPUT__CGROUP_ANON] + (mapped > shmem ? mapped : shmem);
}

static void read_group(struct gput_tracker *t, enum gput__cgroup_depth depth)
{
    static const enum gput__cgroup_value gauges[] = { GPUT__CGROUP_ANON, GPUT__CGROUP_SHMEM,
                                                      GPUT__CGROUP_MAPPED_FILE,
                                                      GPUT__CGROUP_N_TASKS };
    struct gput__job_group *g = t->group;

    gput__cgroup_files_read(&g->files, depth, &g->now);
    for (size_t i = 0; i < sizeof(gauges) / sizeof(*gauges); i++)
        raise_to(&g->max[gauges[i]], g->now.value[gauges[i]]);
    raise_to(&g->max_memory, memory_of(&g->now));
    raise_to(&g->max_mapped, gput__sampler_mapped_files(&t->sampler));
}

/* Of groups in which others are nothing is told: then nothing is read. */
static bool is_of_use(const struct gput__job_group *g)
{
    unsigned ours = 0;

    for (int k = 0; g && k < GPUT__N_CGROUP_KINDS; k++)
        ours |= *g->place.folder[k] && !(g->shared >> k & 1);
    return g && !g->is_over && ours;
}

void gput__group_poll(struct gput_tracker *t)
{
    if (t->group && !t->group->is_made && !t->group->was_checked) {
        t->group->was_checked = true;
        find_strangers(t);
    }
    if (!is_of_use(t->group))
        return;
    read_group(t, GPUT__CGROUP_POLL);
    if (gput__cgroup_knows(&t->group->now, GPUT__CGROUP_N_TASKS))
        count_processes(t);
}

/* Of those whom nobody waited for, and whom nobody saw, only the group knows.  Helpers of other
 * trackers are in its count, but not of the job. */
static void correct_cpu(struct gput_tracker *t, struct gput__sample *ret, double lag)
{
    struct gput__job_group *g = t->group;
    double all = (double)g->now.value[GPUT__CGROUP_CPU_NS] / 1e9;
    double own = ret->value[GPUT__MAIN_CPU], others = ret->value[GPUT__DESCENDANTS_CPU];
    struct gput__cpu_doubts doubts = gput__sampler_cpu_doubts(&t->sampler);
    /* Whoever was not waited for was read or counted a moment before its end. */
    bool was_guessed = doubts.may_guess && all >= own;

    if (!g->is_made || !gput__cgroup_knows(&g->now, GPUT__CGROUP_CPU_NS) ||
        !gput__sample_has(ret, GPUT__MAIN_CPU) || doubts.has_helpers)
        return;
    if (!was_guessed && all <= own + others + (g->corrects_cpu ? 0 : lag))
        return;
    g->corrects_cpu = true;
    gput__sample_set(ret, GPUT__DESCENDANTS_CPU, all - own);
    gput__sample_set(ret, GPUT__COMBINED_CPU, all);
}

/* Of a group that others are in, the pressure is not the job's. */
static void tell_pressure(const struct gput__job_group *g, struct gput__sample *ret)
{
    static const struct {
        enum gput__cgroup_value value;
        enum gput__metric metric;
    } of[] = {
        { GPUT__CGROUP_CPU_SOME_US, GPUT__JOB_CPU_PRESSURE },
        { GPUT__CGROUP_CPU_FULL_US, GPUT__JOB_CPU_PRESSURE_FULL },
        { GPUT__CGROUP_MEMORY_SOME_US, GPUT__JOB_MEMORY_PRESSURE },
        { GPUT__CGROUP_MEMORY_FULL_US, GPUT__JOB_MEMORY_PRESSURE_FULL },
        { GPUT__CGROUP_IO_SOME_US, GPUT__JOB_IO_PRESSURE },
        { GPUT__CGROUP_IO_FULL_US, GPUT__JOB_IO_PRESSURE_FULL },
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        uint64_t base = g->base.value[of[i].value], now = g->now.value[of[i].value];

        if (!gput__cgroup_knows(&g->now, of[i].value) || (g->shared >> GPUT__CGROUP_PRESSURE & 1))
            continue;
        gput__sample_set(ret, of[i].metric, (double)(now > base ? now - base : 0) / 1e6);
    }
}

void gput__group_record(struct gput_tracker *t, struct gput__sample *ret)
{
    if (!is_of_use(t->group))
        return;
    read_group(t, GPUT__CGROUP_RECORD);
    count_processes(t);
    if (!t->group->is_made)
        find_strangers(t);
    tell_pressure(t->group, ret);
    correct_cpu(t, ret, LAG_S);
}

/* --- the end -------------------------------------------------------------------------------- */

static void remove_group(struct gput_tracker *t)
{
    struct gput__job_group *g = t->group;

    gput__cgroup_files_close(&g->files);
    if (g->is_made && gput__cgroup_remove(&g->made) < 0)
        gput__warn(t, "the cgroup %s cannot be removed: processes of the job are still in it",
                   g->path);
}

void gput__group_end(struct gput_tracker *t, struct gput__sample *ret)
{
    struct gput__job_group *g = t->group;
    double all, seen;

    if (!is_of_use(g))
        return;
    seen = ret->value[GPUT__COMBINED_CPU] -
           (double)gput__sampler_cpu_doubts(&t->sampler).guessed_ns / 1e9;
    read_group(t, GPUT__CGROUP_ALL);
    count_processes(t);
    if (!g->is_made)
        find_strangers(t);
    tell_pressure(g, ret);
    all = (double)g->now.value[GPUT__CGROUP_CPU_NS] / 1e9;
    g->somebody_left = seen > all * (1 + COUNTED_TOO_MUCH) + LAG_S;
    if (!g->somebody_left)
        correct_cpu(t, ret, t->end.main.was_alone ? LAG_S + THREADS_SHARE * all : END_LAG_S);
    if (g->corrects_cpu)
        gput__main_was_not_alone(t); /* somebody was there whom nobody has seen */
    g->is_over = true;
    remove_group(t);
}

void gput__group_close(struct gput_tracker *t)
{
    struct gput__job_group *g = t->group;

    if (!g)
        return;
    gput__cgroup_files_close(&g->files);
    if (g->is_made)
        (void)gput__cgroup_remove(&g->made);
    free(g);
    t->group = NULL;
}

uint64_t gput__group_kills(const struct gput_tracker *t)
{
    return t->group && t->group->is_made ? t->group->now.value[GPUT__CGROUP_OOM_KILLS] : 0;
}

bool gput__group_has_all_cpu(const struct gput_tracker *t)
{
    const struct gput__job_group *g = t->group;

    return g && g->is_over && g->is_made && gput__cgroup_knows(&g->now, GPUT__CGROUP_CPU_NS) &&
           !g->somebody_left && !gput__sampler_cpu_doubts(&t->sampler).has_helpers;
}

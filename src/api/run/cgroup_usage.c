/* cgroup_usage.c - the figures of the job's control group, and what they say of the others. */
#include <stdio.h>
#include <string.h>

#include "api/run/cgroup.h"
#include "api/tracker.h"

static const char not_asked[] = "only with --full or --cgroup";
static const char not_mounted[] = "no control groups are mounted below /sys/fs/cgroup";
static const char strangers[] =
    "other processes are in the job's cgroup; --cgroup makes one for it";
static const char no_controller[] = "the cgroup has no such controller";
static const char not_told[] = "the kernel does not tell it";
static const char not_polled[] = "the job ended before it could be polled";
static const char at_polls[] = "the largest seen at polls and records";
static const char with_tracker[] =
    "with the tracker's own, which is in the same cgroup: at most this";
static const char older_peak[] = "the cgroup's highest use lies before the run";
static const char since_made[] =
    "of the cgroup since it exists, with all that was in it: at most this";
static const char not_written[] = "without what was still to be written to disk at the end";
static const char written_later[] = "version 1 counts only what a process writes to disk itself";

/* What each value is of, and which of them are counters. */
static const struct {
    enum gput__cgroup_kind kind;
    bool is_counter;
} of[GPUT__N_CGROUP_VALUES] = {
    [GPUT__CGROUP_CPU_NS] = { GPUT__CGROUP_CPU, true },
    [GPUT__CGROUP_USER_NS] = { GPUT__CGROUP_CPU, true },
    [GPUT__CGROUP_SYSTEM_NS] = { GPUT__CGROUP_CPU, true },
    [GPUT__CGROUP_ANON] = { GPUT__CGROUP_MEMORY, false },
    [GPUT__CGROUP_SHMEM] = { GPUT__CGROUP_MEMORY, false },
    [GPUT__CGROUP_MAPPED_FILE] = { GPUT__CGROUP_MEMORY, false },
    [GPUT__CGROUP_MEMORY_PEAK] = { GPUT__CGROUP_MEMORY, false },
    [GPUT__CGROUP_N_TASKS] = { GPUT__CGROUP_TASKS, false },
    [GPUT__CGROUP_TASKS_PEAK] = { GPUT__CGROUP_TASKS, false },
    [GPUT__CGROUP_READ_BYTES] = { GPUT__CGROUP_IO, true },
    [GPUT__CGROUP_WRITTEN_BYTES] = { GPUT__CGROUP_IO, true },
    [GPUT__CGROUP_OOM_KILLS] = { GPUT__CGROUP_MEMORY, true },
    [GPUT__CGROUP_CPU_SOME_US] = { GPUT__CGROUP_PRESSURE, true },
    [GPUT__CGROUP_CPU_FULL_US] = { GPUT__CGROUP_PRESSURE, true },
    [GPUT__CGROUP_MEMORY_SOME_US] = { GPUT__CGROUP_PRESSURE, true },
    [GPUT__CGROUP_MEMORY_FULL_US] = { GPUT__CGROUP_PRESSURE, true },
    [GPUT__CGROUP_IO_SOME_US] = { GPUT__CGROUP_PRESSURE, true },
    [GPUT__CGROUP_IO_FULL_US] = { GPUT__CGROUP_PRESSURE, true },
};

/* What every kernel tells of a controller that is there. */
static const enum gput__cgroup_value always[GPUT__N_CGROUP_KINDS] = {
    [GPUT__CGROUP_CPU] = GPUT__CGROUP_CPU_NS,
    [GPUT__CGROUP_MEMORY] = GPUT__CGROUP_ANON,
    [GPUT__CGROUP_TASKS] = GPUT__CGROUP_N_TASKS,
    [GPUT__CGROUP_IO] = GPUT__CGROUP_READ_BYTES,
    [GPUT__CGROUP_PRESSURE] = GPUT__CGROUP_MEMORY_SOME_US,
};

static struct gput_figure unknown(const char *why)
{
    return (struct gput_figure){ .source = GPUT_UNAVAILABLE, .why = why };
}

static struct gput_figure known(double value, const char *why)
{
    return (struct gput_figure){ value, why ? GPUT_SAMPLED : GPUT_EXACT, why };
}

/* Why a value cannot be told; NULL: it can. */
static const char *why_unknown(const struct gput__job_group *g, enum gput__cgroup_value v)
{
    if (!g)
        return not_asked;
    if (!g->place.version)
        return not_mounted;
    if (!*g->place.folder[of[v].kind])
        return no_controller;
    if (g->shared >> of[v].kind & 1)
        return strangers;
    if (gput__cgroup_knows(&g->now, v))
        return NULL;
    return gput__cgroup_knows(&g->now, always[of[v].kind]) ? not_told : no_controller;
}

/* Since the run began. */
static struct gput_figure counter(const struct gput__job_group *g, enum gput__cgroup_value v,
                                  double unit, const char *why)
{
    const char *unavailable = why_unknown(g, v);
    uint64_t now, base;

    if (unavailable)
        return unknown(unavailable);
    now = g->now.value[v];
    base = g->base.value[v];
    return known((double)(now > base ? now - base : 0) / unit, g->has_tracker ? with_tracker : why);
}

struct gput_figure gput__group_counter(const struct gput_tracker *t, enum gput__cgroup_value v,
                                       double unit)
{
    return counter(t->group, v, unit, NULL);
}

static struct gput_figure largest(const struct gput__job_group *g, enum gput__cgroup_value v,
                                  uint64_t max)
{
    const char *unavailable = why_unknown(g, v);

    if (!unavailable && g->max[always[of[v].kind]] == 0)
        unavailable = not_polled; /* who lives has some */
    if (unavailable)
        return unknown(unavailable);
    return known((double)max, g->has_tracker ? with_tracker : at_polls);
}

/* The kernel's high-water marks are of the group's whole life, which is the job's if we made it. */
static struct gput_figure high_water_mark(const struct gput__job_group *g,
                                          enum gput__cgroup_value v)
{
    const char *unavailable = why_unknown(g, v);

    if (unavailable)
        return unknown(unavailable);
    if (!g->is_made && g->now.value[v] <= g->base.value[v])
        return unknown(older_peak);
    return known((double)g->now.value[v], g->is_made ? NULL : since_made);
}

static struct gput_figure tasks(const struct gput__job_group *g)
{
    struct gput_figure peak = high_water_mark(g, GPUT__CGROUP_TASKS_PEAK);

    if (peak.source != GPUT_UNAVAILABLE)
        return peak;
    return g ? largest(g, GPUT__CGROUP_N_TASKS, g->max[GPUT__CGROUP_N_TASKS]) : peak;
}

/* Between those that were counted and all tasks there were. */
static struct gput_figure processes(const struct gput__job_group *g, struct gput_figure most)
{
    const char *unavailable = why_unknown(g, GPUT__CGROUP_CPU_NS);

    if (unavailable)
        return unknown(unavailable);
    if (most.source == GPUT_EXACT && (most.value <= 1 || (double)g->max_processes >= most.value))
        return known(most.value, NULL);
    if (g->max_processes == 0)
        return unknown(not_polled);
    return known((double)g->max_processes, g->has_tracker ? with_tracker : at_polls);
}

static void fill_group(const struct gput__job_group *g, struct gput_usage *u)
{
    const char *written = g && g->place.version == 1 ? written_later : not_written;

    u->cgroup.path = g && g->place.version ? g->path : NULL;
    u->cgroup.version = g ? g->place.version : 0;
    u->cgroup.made = g && g->is_made;
    u->cgroup.cpu_seconds = counter(g, GPUT__CGROUP_CPU_NS, 1e9, NULL);
    u->cgroup.cpu_user_seconds = counter(g, GPUT__CGROUP_USER_NS, 1e9, NULL);
    u->cgroup.cpu_system_seconds = counter(g, GPUT__CGROUP_SYSTEM_NS, 1e9, NULL);
    u->cgroup.max_memory = largest(g, GPUT__CGROUP_ANON, g ? g->max_memory : 0);
    u->cgroup.max_anon = largest(g, GPUT__CGROUP_ANON, g ? g->max[GPUT__CGROUP_ANON] : 0);
    u->cgroup.max_shmem = largest(g, GPUT__CGROUP_SHMEM, g ? g->max[GPUT__CGROUP_SHMEM] : 0);
    u->cgroup.max_mapped_file =
        largest(g, GPUT__CGROUP_MAPPED_FILE, g ? g->max[GPUT__CGROUP_MAPPED_FILE] : 0);
    u->cgroup.memory_peak = high_water_mark(g, GPUT__CGROUP_MEMORY_PEAK);
    u->cgroup.max_tasks = tasks(g);
    u->cgroup.max_processes = processes(g, u->cgroup.max_tasks);
    u->cgroup.disk_read_bytes = counter(g, GPUT__CGROUP_READ_BYTES, 1, NULL);
    u->cgroup.disk_write_bytes = counter(g, GPUT__CGROUP_WRITTEN_BYTES, 1, written);
    u->cgroup.oom_kills = counter(g, GPUT__CGROUP_OOM_KILLS, 1, NULL);
    if (u->cgroup.oom_kills.source != GPUT_UNAVAILABLE) /* we live */
        u->cgroup.oom_kills = known(u->cgroup.oom_kills.value, NULL);
}

/* --- what follows for others ---------------------------------------------------------------- */

/* User and system time of those whom nobody waited for are known to the group alone. */
static void correct_totals(const struct gput_tracker *t, struct gput_usage *u)
{
    double seen = u->totals.cpu_user_seconds.value + u->totals.cpu_system_seconds.value;

    if (!gput__group_has_all_cpu(t) || !t->group->corrects_cpu ||
        u->cgroup.cpu_user_seconds.source == GPUT_UNAVAILABLE ||
        seen >= u->cgroup.cpu_seconds.value)
        return;
    u->totals.cpu_user_seconds = u->cgroup.cpu_user_seconds;
    u->totals.cpu_system_seconds = u->cgroup.cpu_system_seconds;
}

static void correct_processes(struct gput_usage *u)
{
    struct gput_figure *n = &u->totals.max_n_processes, counted = u->cgroup.max_processes;

    if (counted.source == GPUT_EXACT ||
        (n->source == GPUT_SAMPLED && counted.source == GPUT_SAMPLED && counted.value > n->value))
        *n = counted;
}

static void lower(struct gput_figure *f, double bound)
{
    if (f->source == GPUT_SAMPLED && f->value > bound)
        f->value = bound;
}

/* The kernel's high_water_mark has all that was charged to the job.  What it maps of files may be charged to
 * those who read them first, so that much may come on top.  Marks of single processes stand. */
static double most_ram(const struct gput_tracker *t, const struct gput_usage *u)
{
    struct gput__peaks peaks = gput__sampler_peaks(&t->sampler);
    double floors[] = { u->max_ram.main.total_rss.value, (double)peaks.descendants,
                        (double)peaks.orphan };
    double bound = u->cgroup.memory_peak.value + (double)t->group->max_mapped;

    for (size_t i = 0; i < sizeof(floors) / sizeof(*floors); i++)
        bound = floors[i] > bound ? floors[i] : bound;
    return bound;
}

static void bound_ram(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput_rss *groups[] = { &u->max_ram.descendants, &u->max_ram.combined };
    double bound = most_ram(t, u);

    if (u->cgroup.memory_peak.source != GPUT_EXACT || t->group->somebody_left)
        return;
    for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
        lower(&groups[i]->total_rss, bound);
        lower(&groups[i]->private_rss, bound);
        lower(&groups[i]->shared_rss, bound);
    }
}

void gput__group_fill(const struct gput_tracker *t, struct gput_usage *u)
{
    const struct gput__job_group *g = t->group;

    fill_group(g, u);
    if (!g || !g->is_made)
        return;
    correct_totals(t, u);
    correct_processes(u);
    bound_ram(t, u);
}

/* --- doctor --------------------------------------------------------------------------------- */

static void list_controllers(const struct gput__cgroup_use *u, char *ret, size_t cap)
{
    static const struct {
        enum gput__cgroup_value value;
        const char *name;
    } parts[] = { { GPUT__CGROUP_CPU_NS, "CPU time" },
                  { GPUT__CGROUP_ANON, "memory" },
                  { GPUT__CGROUP_N_TASKS, "processes" },
                  { GPUT__CGROUP_READ_BYTES, "disks" } };

    *ret = '\0';
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        size_t used = strlen(ret);

        if (gput__cgroup_knows(u, parts[i].value))
            snprintf(ret + used, cap - used, "%s%s", used ? ", " : "", parts[i].name);
    }
}

static void count(void *ctx, pid_t pid)
{
    (void)pid;
    ++*(unsigned *)ctx;
}

static void check_present(struct gput__findings *f, const char *heading,
                          const struct gput__sampler *s, const struct gput__cgroup_place *home)
{
    enum gput__cgroup_kind kind =
        *home->folder[GPUT__CGROUP_MEMORY] ? GPUT__CGROUP_MEMORY : GPUT__CGROUP_CPU;
    unsigned n = 0;
    bool alone = gput__cgroup_members(&s->sys, home->folder[kind], count, &n) == 0 && n == 1;

    gput__findings_add(f, heading, "present cgroup", alone ? GPUT__GOOD : GPUT__PARTLY,
                       "--cgroup, or a container or scope of the job's own",
                       alone ? "nobody else is in it: --full tells what it counts"
                             : "others are in it: only its limits are told");
}

static void check_made(struct gput__findings *f, const char *heading, const struct gput__sampler *s,
                       const struct gput__cgroup_made *made)
{
    struct gput__cgroup_files files;
    struct gput__cgroup_use use = { 0 };
    char parts[100];

    gput__cgroup_files_begin(&files, &s->sys, &made->place);
    gput__cgroup_files_read(&files, GPUT__CGROUP_ALL, &use);
    gput__cgroup_files_close(&files);
    list_controllers(&use, parts, sizeof(parts));
    gput__findings_add(f, heading, "cgroup for a job",
                       gput__cgroup_knows(&use, GPUT__CGROUP_ANON) ? GPUT__GOOD : GPUT__PARTLY,
                       "start the tracker in a scope without limits of its own",
                       "--cgroup makes one, version %d: %s", made->place.version, parts);
}

/* Makes one, as a run would, and removes it again. */
void gput__group_check(struct gput__findings *f, const char *heading, const struct gput__sampler *s)
{
    struct gput__cgroup_made made;
    const char *why = "";
    int r = gput__cgroup_make(&s->proc, &s->sys, &made, &why);

    if (r == 0)
        check_made(f, heading, s, &made);
    else
        gput__findings_add(
            f, heading, "cgroup for a job", GPUT__MISSING,
            made.home.version
                ? "run as root, or in a scope of your own (systemd-run --user --scope)"
                : "mount the cgroup file system at /sys/fs/cgroup",
            "none can be made: %s", why);
    (void)gput__cgroup_remove(&made);
    if (made.home.version)
        check_present(f, heading, s, &made.home);
}

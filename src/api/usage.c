/* usage.c - the figures of a run out of summary, tree and marks, each with how it is known. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/cgroup.h"
#include "api/helper.h"
#include "base/clock.h"
#include "report/usage.h"
#include "source/proc_status.h"

static const char not_looked[] = "the job ended before it could be looked at";
static const char no_map[] = "the job ended before its memory map could be read";
static const char of_whom[] = "of main or of the largest descendant that it waited for";
static const char at_looks[] = "the largest seen at looks and records";
static const char once[] = "the largest seen; shared pages counted once at memory passes";
static const char hidden[] = "processes whose memory map cannot be read count in full";
static const char after_look[] = "a rise between the last look and the end is not known";
static const char earlier[] = "the process ran before tracking began";
static const char at_records[] = "the largest seen at records";
static const char of_living[] = "of the processes seen alive";
static const char no_limit[] = "no limit is set";
static const char no_cgroup[] = "the limits of the control groups cannot be read";
static const char still_running[] = "the job is still running";

static struct gput_figure figure(double value, enum gput_source source, const char *why)
{
    return (struct gput_figure){ .value = source == GPUT_UNAVAILABLE ? 0 : value,
                                 .source = source,
                                 .why = source == GPUT_EXACT ? NULL : why };
}

/* The maximum of a gauge, sampled where it was seen at all. */
static struct gput_figure largest(const struct gput__summary *s, enum gput__metric m,
                                  const char *why, const char *why_unknown)
{
    if (!gput__summary_has(s, m))
        return figure(0, GPUT_UNAVAILABLE, why_unknown);
    return figure(s->max[m], GPUT_SAMPLED, why);
}

/* --- RAM ------------------------------------------------------------------------------------ */

static void fill_rss(const struct gput_tracker *t, const struct gput__summary *s,
                     enum gput__group g, struct gput_rss *ret)
{
    const char *why = t->sampler.memory.n_hidden ? hidden : once;
    const char *unseen = t->sampler.blind ? t->sampler.blind_why : not_looked;

    ret->total_rss = largest(s, GPUT__MAIN_RAM + g, why, unseen);
    ret->private_rss = largest(s, GPUT__MAIN_PRIVATE_RAM + g, why, unseen);
    ret->shared_rss =
        largest(s, GPUT__MAIN_SHARED_RAM + g, why, t->sampler.blind ? unseen : no_map);
}

/* Nothing is not sampled: if main never had a child, its descendants have used exactly nothing. */
static void fill_without_descendants(struct gput_usage *u)
{
    struct gput_figure zero = figure(0, GPUT_EXACT, NULL);

    u->max_ram.descendants = (struct gput_rss){ zero, zero, zero };
    u->max_ram.combined = u->max_ram.main;
}

static void fill_ram(const struct gput_tracker *t, const struct gput__summary *s,
                     struct gput_usage *u)
{
    struct gput_figure *main_total = &u->max_ram.main.total_rss;
    double capacity = (double)t->sampler.ram_capacity;

    u->max_ram.system_capacity = figure(capacity, capacity > 0 ? GPUT_EXACT : GPUT_UNAVAILABLE,
                                        "/proc/meminfo cannot be read");
    u->max_ram.system = largest(s, GPUT__SYSTEM_RAM, at_records, "/proc/meminfo cannot be read");
    fill_rss(t, s, GPUT__MAIN, &u->max_ram.main);
    fill_rss(t, s, GPUT__DESCENDANTS, &u->max_ram.descendants);
    fill_rss(t, s, GPUT__COMBINED, &u->max_ram.combined);
    if (t->main_peak_exact)
        *main_total = figure(main_total->value, GPUT_EXACT, NULL);
    else if (main_total->source == GPUT_SAMPLED && t->sampler.blind)
        main_total->why = of_whom;
    else if (main_total->source == GPUT_SAMPLED)
        main_total->why = t->attached ? earlier : t->end_ns ? after_look : still_running;
    if (t->main_only)
        fill_without_descendants(u);
}

/* What was certain and what was possible at a look.  What is more than was ever told at one is a mark
 * of the kernel's, and certain. */
static void fill_bounds(const struct gput_tracker *t, enum gput__group g,
                        const struct gput_figure *total, struct gput_figure *ret_least,
                        struct gput_figure *ret_most)
{
    const struct gput__memory *m = &t->sampler.memory;
    double low = (double)m->at_least[g], high = (double)m->at_most[g];

    *ret_least = *ret_most = *total;
    if (total->source != GPUT_SAMPLED)
        return;
    if (total->value <= (double)m->told[g] && low < total->value)
        ret_least->value = low;
    ret_most->value = high > total->value ? high : total->value;
}

/* --- CPU ------------------------------------------------------------------------------------ */

static void fill_percentages(const struct gput__summary *s, enum gput__metric m, double cores,
                             enum gput_source source, const char *why, struct gput_percentages *ret)
{
    double max = s->max[m], mean = gput__summary_mean(s, m);

    /* A rate that was never known between two records is only known for the whole run. */
    if (!gput__summary_has(s, m) || max < mean)
        max = mean;
    ret->max_sum_percent = figure(max, source, why);
    ret->max_hardware_percent = figure(max / cores, source, why);
    ret->mean_sum_percent = figure(mean, source, why);
    ret->mean_hardware_percent = figure(mean / cores, source, why);
}

/* Time of processes whose parent never waited for them is what was last seen of it. */
static bool cpu_is_exact(const struct gput_tracker *t)
{
    const struct gput__task *main_task = gput__tree_main(&t->sampler.tree);

    if (gput__group_has_all_cpu(t))
        return t->has_usage;
    return t->has_usage && t->sampler.tree.lost_ns == 0 &&
           !(main_task && main_task->vanished_ns > gput__count_used(&main_task->waited_ns));
}

static void fill_cpu(const struct gput_tracker *t, const struct gput__summary *s,
                     struct gput_usage *u)
{
    double cores = t->sampler.n_cores;
    double expected = t->opts.n_expected_cores ? t->opts.n_expected_cores : cores;
    enum gput_source source = cpu_is_exact(t) ? GPUT_EXACT : GPUT_SAMPLED;
    enum gput_source main_source = t->has_usage || t->main_cpu_exact ? GPUT_EXACT : GPUT_SAMPLED;
    const char *unseen = t->sampler.blind ? t->sampler.blind_why : not_looked;

    u->cpu_utilization.system_core_count = figure(cores, GPUT_EXACT, NULL);
    u->cpu_utilization.n_expected_cores = figure(expected, GPUT_EXACT, NULL);
    fill_percentages(s, GPUT__SYSTEM_CPU, cores,
                     gput__sample_has(&s->last, GPUT__SYSTEM_CPU) ? GPUT_EXACT : GPUT_UNAVAILABLE,
                     "/proc/stat cannot be read", &u->cpu_utilization.system);
    fill_percentages(s, GPUT__MAIN_CPU, expected, main_source, of_living, &u->cpu_utilization.main);
    fill_percentages(s, GPUT__DESCENDANTS_CPU, expected, source, of_living,
                     &u->cpu_utilization.descendants);
    fill_percentages(s, GPUT__COMBINED_CPU, expected, source, of_living,
                     &u->cpu_utilization.combined);
    u->cpu_utilization.main_n_threads = largest(s, GPUT__MAIN_N_THREADS, at_looks, unseen);
    u->cpu_utilization.descendants_n_threads =
        largest(s, GPUT__DESCENDANTS_N_THREADS, at_looks, unseen);
    u->cpu_utilization.combined_n_threads = largest(s, GPUT__COMBINED_N_THREADS, at_looks, unseen);
}

/* --- the further groups --------------------------------------------------------------------- */

struct sums { /* of the living: what wait4 has not told yet */
    double user_s, system_s, minor, major;
};

static struct sums sum_living(const struct gput_tracker *t)
{
    const struct gput__tree *tree = &t->sampler.tree;
    double tick_s = gput__seconds(tree->tick_ns);
    struct sums sum = { 0 };

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *task = &tree->tasks[i];

        if (task->is_main && t->has_usage)
            continue;
        sum.user_s += (double)gput__count_used(&task->user_ticks) * tick_s;
        sum.system_s += (double)gput__count_used(&task->system_ticks) * tick_s;
        sum.minor += (double)gput__count_used(&task->minor);
        sum.major += (double)gput__count_used(&task->major);
    }
    return sum;
}

/* What wait4 told of main has the helpers of other trackers in it. */
static void leave_out_helpers(const struct gput_tracker *t, struct sums *sum)
{
    const struct gput__debt *helpers = &t->sampler.tree.helpers_used;
    double ticks = (double)(helpers->user_ticks + helpers->system_ticks);
    double seconds = (double)helpers->waited_ns / 1e9;
    /* Most live for less than a tick: the sum is right, its parts are as the ticks say. */
    double user_part = ticks > 0 ? (double)helpers->user_ticks / ticks : 0.5;

    sum->user_s -= seconds * user_part;
    sum->system_s -= seconds * (1 - user_part);
    sum->minor -= (double)helpers->minor;
    sum->major -= (double)helpers->major;
}

static double seconds_of(const struct timeval *tv)
{
    return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

static void fill_totals(const struct gput_tracker *t, const struct gput__summary *s,
                        struct gput_usage *u)
{
    const struct rusage *orphans = &t->sampler.tree.reaped, *m = &t->usage;
    struct sums living = sum_living(t);
    bool has_survivors = living.user_s + living.system_s > 0;
    bool is_exact = cpu_is_exact(t) && !has_survivors;
    enum gput_source source = is_exact ? GPUT_EXACT : GPUT_SAMPLED;
    enum gput_source waited = t->has_usage ? source : GPUT_UNAVAILABLE;
    const char *why = t->attached ? "only its parent gets to know it" : still_running;

    if (t->has_usage) /* in the living's counts they are settled already */
        leave_out_helpers(t, &living);
    u->totals.cpu_user_seconds =
        figure(living.user_s + seconds_of(&m->ru_utime) + seconds_of(&orphans->ru_utime), source,
               of_living);
    u->totals.cpu_system_seconds =
        figure(living.system_s + seconds_of(&m->ru_stime) + seconds_of(&orphans->ru_stime), source,
               of_living);
    u->totals.main_cpu_seconds =
        figure(s->last.value[GPUT__MAIN_CPU],
               t->has_usage || t->main_cpu_exact ? GPUT_EXACT : GPUT_SAMPLED, of_living);
    u->totals.descendants_cpu_seconds =
        figure(s->last.value[GPUT__DESCENDANTS_CPU], cpu_is_exact(t) ? GPUT_EXACT : GPUT_SAMPLED,
               of_living);
    u->totals.max_n_processes = largest(s, GPUT__N_PROCESSES, at_looks,
                                        t->sampler.blind ? t->sampler.blind_why : not_looked);
    u->totals.minor_faults =
        figure(living.minor + (double)(m->ru_minflt + orphans->ru_minflt), source, of_living);
    u->totals.major_faults =
        figure(living.major + (double)(m->ru_majflt + orphans->ru_majflt), source, of_living);
    if (waited == GPUT_SAMPLED)
        why = has_survivors ? "without descendants that live on"
                            : "without descendants that nobody waited for";
    u->totals.voluntary_switches = figure((double)(m->ru_nvcsw + orphans->ru_nvcsw), waited, why);
    u->totals.involuntary_switches =
        figure((double)(m->ru_nivcsw + orphans->ru_nivcsw), waited, why);
    u->totals.disk_read_bytes =
        figure(512.0 * (double)(m->ru_inblock + orphans->ru_inblock), waited, why);
    u->totals.disk_write_bytes =
        figure(512.0 * (double)(m->ru_oublock + orphans->ru_oublock), waited, why);
}

unsigned gput__affinity(const struct gput__root *proc, pid_t pid)
{
    struct gput__proc_status st = { 0 };
    char name[32] = "self/status", text[4096];

    if (pid)
        snprintf(name, sizeof(name), "%d/status", pid);
    if (gput__root_read(proc, name, text, sizeof(text)) > 0)
        (void)gput__proc_status_parse(text, &st);
    return st.n_cpus;
}

static double least_of(struct gput_figure a, struct gput_figure b)
{
    return b.source != GPUT_UNAVAILABLE && b.value < a.value ? b.value : a.value;
}

static void fill_limits(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput__cgroup c;
    unsigned affinity = t->affinity;
    const char *why;

    gput__limits_now(t, &c);
    if (!t->attached || !t->settled) /* else its own, and it may be gone by now */
        affinity = gput__affinity(&t->sampler.proc, t->attached ? t->pid : 0);
    why = c.version ? no_limit : no_cgroup;
    u->limits.memory_host = u->max_ram.system_capacity;
    u->limits.memory_cgroup =
        figure((double)c.memory_limit, c.has_memory_limit ? GPUT_EXACT : GPUT_UNAVAILABLE, why);
    u->limits.memory_effective = u->limits.memory_host;
    u->limits.memory_effective.value = least_of(u->limits.memory_host, u->limits.memory_cgroup);
    u->limits.cores_host = figure(t->sampler.n_cores, GPUT_EXACT, NULL);
    u->limits.cores_cgroup =
        figure(c.cpu_limit, c.has_cpu_limit ? GPUT_EXACT : GPUT_UNAVAILABLE, why);
    u->limits.cores_affinity = figure(affinity, affinity ? GPUT_EXACT : GPUT_UNAVAILABLE,
                                      "/proc/self/status cannot be read");
    u->limits.cores_effective = u->limits.cores_host;
    u->limits.cores_effective.value = least_of(u->limits.cores_effective, u->limits.cores_affinity);
    u->limits.cores_effective.value = least_of(u->limits.cores_effective, u->limits.cores_cgroup);
}

static void fill_tracker(const struct gput_tracker *t, const struct gput__summary *s,
                         struct gput_usage *u)
{
    struct rusage self = { 0 };

    getrusage(RUSAGE_SELF, &self);
    u->tracker.cpu_seconds =
        figure(seconds_of(&self.ru_utime) + seconds_of(&self.ru_stime), GPUT_EXACT, NULL);
    u->tracker.max_rss =
        figure((double)(t->own_peak ? t->own_peak : gput__own_peak()), GPUT_EXACT, NULL);
    u->tracker.n_records = figure((double)s->n_records, GPUT_EXACT, NULL);
    u->tracker.n_looks = figure((double)t->sampler.n_looks, GPUT_EXACT, NULL);
    u->tracker.n_memory_passes = figure(t->sampler.memory.n_scans, GPUT_EXACT, NULL);
    u->tracker.process_events = t->sampler.tree.events >= 0;
}

static void fill_job(const struct gput_tracker *t, struct gput_usage *u)
{
    u->job.command = t->command;
    u->job.pid = t->pid;
    u->job.ending = t->ending;
    u->job.code = t->code;
    u->job.timed_out = t->timed_out;
    u->job.oom = t->oom;
    u->job.n_left = t->end_ns ? gput_tracker_left(t, NULL, 0) : 0;
}

int gput_tracker_usage(const struct gput_tracker *t, struct gput_usage *ret_usage)
{
    struct gput_usage u = { .size = sizeof(u),
                            .ram_unit = t->opts.ram_unit,
                            .gpu_ram_unit = t->opts.gpu_ram_unit,
                            .time_unit = t->opts.time_unit };
    struct gput__summary s = t->summary;
    int64_t end = t->end_ns ? t->end_ns : gput__now();

    if (ret_usage->size < sizeof(ret_usage->size))
        return -EINVAL;
    if (t->client)
        return gput__client_usage(t, ret_usage);
    if (!t->start_ns)
        return -ENODATA;
    if (!t->end_ns) {
        struct gput__sample so_far = t->now;

        if (!gput__sample_has(&so_far, GPUT__COMBINED_CPU)) /* the last look was no record */
            so_far = t->summary.last;
        gput__summary_end(&s, &so_far);
        gput__raise_marks(t, &s);
    }
    fill_ram(t, &s, &u);
    fill_cpu(t, &s, &u);
    gput__gpu_fill(t, &s, &u);
    u.compute_time.time = figure(gput__seconds(end - t->start_ns), GPUT_EXACT, NULL);
    fill_job(t, &u);
    fill_totals(t, &s, &u);
    fill_limits(t, &u);
    gput__machine_fill(t, &s, &u);
    fill_tracker(t, &s, &u);
    gput__group_fill(t, &u);
    fill_bounds(t, GPUT__DESCENDANTS, &u.max_ram.descendants.total_rss,
                &u.ram_bounds.descendants_at_least, &u.ram_bounds.descendants_at_most);
    fill_bounds(t, GPUT__COMBINED, &u.max_ram.combined.total_rss, &u.ram_bounds.combined_at_least,
                &u.ram_bounds.combined_at_most);
    /* A caller built against an older header has less room. */
    u.size = ret_usage->size < sizeof(u) ? ret_usage->size : (uint32_t)sizeof(u);
    memcpy(ret_usage, &u, u.size);
    return 0;
}

int gput_usage_format(const struct gput_usage *u, enum gput_format format, int full,
                      char **ret_text)
{
    struct gput_usage longer = { .size = sizeof(longer) };
    struct gput__buf out = { 0 };
    int r;

    if (u->size && u->size < sizeof(longer)) { /* of a caller built against an older header */
        memcpy((char *)&longer + sizeof(u->size), (const char *)u + sizeof(u->size),
               u->size - sizeof(u->size));
        u = &longer;
    }
    r = format == GPUT_JSON ? gput__usage_json(u, full != 0, &out)
                            : gput__usage_text(u, full != 0, &out);
    if (r < 0) {
        gput__buf_free(&out);
        return r;
    }
    return gput__buf_take(&out, ret_text);
}

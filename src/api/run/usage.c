/* usage.c - the figures of a run out of summary, tree and marks, each with how it is known. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "api/run/cgroup.h"
#include "base/clock.h"
#include "model/levels.h"
#include "report/formats/formats.h"
#include "report/usage.h"
#include "source/proc/proc_status.h"

static const char not_polled[] = "the job ended before the first poll";
static const char no_map[] = "the job ended before its memory map could be read";
static const char of_whom[] = "of main or of the largest descendant that it waited for";
static const char once[] = "the largest seen; shared pages counted once at memory scans";
static const char hidden[] = "processes whose memory map cannot be read count in full";
static const char after_poll[] = "a rise between the last poll and the end is not known";
static const char earlier[] = "the process ran before tracking began";
static const char at_polls[] = "as seen at polls and records";
static const char at_records[] = "the largest seen at records";
static const char in_part[] = "without processes that may not be read";
static const char no_record[] = "the job ended before the first record";
static const char at_first_record[] = "it is known from the first record on";
static const char not_asked[] = "only with --full";
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

/* --- every metric, by the table --------------------------------------------------------------- */

static bool cpu_is_exact(const struct gput_tracker *t)
{
    return t->end.main.has_usage &&
           (gput__group_has_all_cpu(t) || !gput__sampler_cpu_doubts(&t->sampler).has_losses);
}

static const char *why_unknown(const struct gput_tracker *t, const struct gput__summary *s,
                               enum gput__metric m, const struct gput__metric_figure *f)
{
    const struct gput__metric_info *info = &gput__metrics[m];

    if ((f->group == GPUT__MACHINE && !gput__sampler_machine(&t->sampler)) ||
        ((f->group == GPUT__TOTALS || f->group == GPUT__WAITING) &&
         !gput__sampler_wants_extras(&t->sampler)))
        return not_asked;
    if (f->group == GPUT__TOTALS && t->sampler.blind)
        return t->sampler.blind_why;
    if (f->group == GPUT__TOTALS && s->n_records == 0)
        return t->end.at_ns ? no_record : at_first_record;
    if (info->scope == GPUT__SCOPE_MACHINE && !t->end.at_ns && t->summary.n_records == 0)
        return at_first_record;
    if (info->why_unknown)
        return info->why_unknown;
    return t->sampler.blind ? t->sampler.blind_why : not_polled;
}

static double hardware_of(const struct gput_tracker *t, enum gput__metric m)
{
    bool is_expected = gput__metrics[m].hardware == GPUT__EXPECTED_CORES;

    return is_expected && t->opts.n_expected_cores ? (double)t->opts.n_expected_cores
                                                   : (double)t->sampler.n_cores;
}

/* How well a counter is known: CPU time best. */
static enum gput_source source_of(const struct gput_tracker *t, const struct gput__summary *s,
                                  enum gput__metric m)
{
    enum gput__metric_scope scope = gput__metrics[m].scope;

    if (scope == GPUT__SCOPE_MACHINE)
        return gput__sample_has(&s->last, m) ? GPUT_EXACT : GPUT_UNAVAILABLE;
    if (gput__metrics[m].unit != GPUT__SECONDS)
        return GPUT_SAMPLED;
    if (scope == GPUT__SCOPE_MAIN)
        return t->end.main.cpu_is_exact ? GPUT_EXACT : GPUT_SAMPLED;
    return cpu_is_exact(t) ? GPUT_EXACT : GPUT_SAMPLED;
}

static void fill_percentages(const struct gput_tracker *t, const struct gput__summary *s,
                             enum gput__metric m, const char *unknown, struct gput_percentages *ret)
{
    double max = s->max[m], mean = gput__summary_mean(s, m), units = hardware_of(t, m);
    enum gput_source source = source_of(t, s, m);
    const char *why = source == GPUT_UNAVAILABLE ? unknown : of_living;

    /* A rate that was never known between two records is only known for the whole run. */
    if (!gput__summary_has(s, m) || max < mean)
        max = mean;
    ret->max_sum_percent = figure(max, source, why);
    ret->max_hardware_percent = figure(max / units, source, why);
    ret->mean_sum_percent = figure(mean, source, why);
    ret->mean_hardware_percent = figure(mean / units, source, why);
}

static struct gput_figure total(const struct gput_tracker *t, const struct gput__summary *s,
                                enum gput__metric m, const char *why, const char *unknown)
{
    if (gput__metrics[m].unit == GPUT__SECONDS)
        why = of_living;
    if (!gput__sample_has(&s->last, m))
        return figure(0, GPUT_UNAVAILABLE, unknown);
    return figure(gput__sample_gain(&s->first, &s->last, m), source_of(t, s, m), why);
}

/* Where more is known of a figure, what fills its group says so afterwards. */
static void fill_figure(const struct gput_tracker *t, const struct gput__summary *s,
                        enum gput__metric m, const struct gput__metric_figure *f,
                        struct gput_usage *u)
{
    const struct gput__metric_info *info = &gput__metrics[m];
    const char *why = gput__metric_set_has(&s->parts, m) ? in_part
                      : info->why_sampled                ? info->why_sampled
                                                         : at_records;
    const char *unknown = why_unknown(t, s, m, f);
    void *at = (char *)u + f->at;

    if (f->kind == GPUT__FIGURE_PERCENTAGES && info->kind == GPUT__RATE)
        fill_percentages(t, s, m, unknown, at);
    else if (f->kind == GPUT__FIGURE_TOTAL)
        *(struct gput_figure *)at = total(t, s, m, why, unknown);
    else if (f->kind != GPUT__FIGURE_PERCENTAGES && !gput__summary_has(s, m))
        *(struct gput_figure *)at = figure(0, GPUT_UNAVAILABLE, unknown);
    else if (f->kind == GPUT__FIGURE_MAX)
        *(struct gput_figure *)at = figure(s->max[m], GPUT_SAMPLED, why);
    else if (f->kind == GPUT__FIGURE_LAST)
        *(struct gput_figure *)at = figure(s->last.value[m], GPUT_SAMPLED, why);
}

static void fill_metrics(const struct gput_tracker *t, const struct gput__summary *s,
                         struct gput_usage *u)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        for (int i = 0; i < GPUT__MOST_FIGURES; i++)
            if (gput__metrics[m].figure[i].group)
                fill_figure(t, s, (enum gput__metric)m, &gput__metrics[m].figure[i], u);
}

/* --- RAM ------------------------------------------------------------------------------------ */

static void explain(struct gput_figure *f, const char *sampled, const char *unknown)
{
    if (f->source == GPUT_SAMPLED)
        f->why = sampled;
    else if (f->source == GPUT_UNAVAILABLE && unknown)
        f->why = unknown;
}

static void explain_rss(const struct gput_tracker *t, struct gput_rss *rss)
{
    const char *why = gput__sampler_effort(&t->sampler).n_hidden ? hidden : once;

    explain(&rss->total_rss, why, NULL);
    explain(&rss->private_rss, why, NULL);
    explain(&rss->shared_rss, why, t->sampler.blind ? NULL : no_map);
}

/* Nothing is not sampled: if main never had a child, its descendants have used exactly nothing. */
static void fill_without_descendants(struct gput_usage *u)
{
    struct gput_figure zero = figure(0, GPUT_EXACT, NULL);

    u->max_ram.descendants = (struct gput_rss){ zero, zero, zero };
    u->max_ram.combined = u->max_ram.main;
}

static void explain_ram(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput_figure *main_total = &u->max_ram.main.total_rss;
    double capacity = (double)t->sampler.ram_capacity;

    u->max_ram.system_capacity = figure(capacity, capacity > 0 ? GPUT_EXACT : GPUT_UNAVAILABLE,
                                        "/proc/meminfo cannot be read");
    explain_rss(t, &u->max_ram.main);
    explain_rss(t, &u->max_ram.descendants);
    explain_rss(t, &u->max_ram.combined);
    if (t->end.main.peak_is_exact)
        *main_total = figure(main_total->value, GPUT_EXACT, NULL);
    else if (main_total->source == GPUT_SAMPLED && t->sampler.blind)
        main_total->why = of_whom;
    else if (main_total->source == GPUT_SAMPLED)
        main_total->why = t->job.attached ? earlier : t->end.at_ns ? after_poll : still_running;
    if (t->end.main.was_alone)
        fill_without_descendants(u);
}

/* What was certain and what was possible at a poll.  What is more than was ever told at one is a mark
 * of the kernel's, and certain. */
static void fill_bounds(const struct gput_tracker *t, enum gput__group g,
                        const struct gput_figure *total, struct gput_figure *ret_least,
                        struct gput_figure *ret_most)
{
    struct gput__ram_bounds seen = gput__sampler_ram_bounds(&t->sampler, g);
    double low = (double)seen.at_least, high = (double)seen.at_most;

    *ret_least = *ret_most = *total;
    if (total->source != GPUT_SAMPLED)
        return;
    if (total->value <= (double)seen.told && low < total->value)
        ret_least->value = low;
    ret_most->value = high > total->value ? high : total->value;
}

/* --- the further groups --------------------------------------------------------------------- */

static void fill_cores(const struct gput_tracker *t, struct gput_usage *u)
{
    u->cpu_utilization.system_core_count = figure(t->sampler.n_cores, GPUT_EXACT, NULL);
    u->cpu_utilization.n_expected_cores =
        figure(hardware_of(t, GPUT__COMBINED_CPU), GPUT_EXACT, NULL);
}

static double seconds_of(const struct timeval *tv)
{
    return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

/* Replaces what the table of metrics has filled in: wait4 knows better. */
static void fill_totals(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput__totals sum;
    enum gput_source source, waited;
    const char *why = t->job.attached ? "only its parent gets to know it" : still_running;

    gput__sampler_totals(&t->sampler, t->end.main.has_usage ? &t->end.main.usage : NULL, &sum);
    source = cpu_is_exact(t) && !sum.has_living ? GPUT_EXACT : GPUT_SAMPLED;
    waited = t->end.main.has_usage ? source : GPUT_UNAVAILABLE;
    u->totals.cpu_user_seconds = figure(sum.user_s, source, of_living);
    u->totals.cpu_system_seconds = figure(sum.system_s, source, of_living);
    u->totals.minor_faults = figure(sum.minor_faults, source, of_living);
    u->totals.major_faults = figure(sum.major_faults, source, of_living);
    if (waited == GPUT_SAMPLED)
        why = sum.has_living ? "without descendants that live on"
                             : "without descendants that nobody waited for";
    u->totals.voluntary_switches = figure(sum.voluntary_switches, waited, why);
    u->totals.involuntary_switches = figure(sum.involuntary_switches, waited, why);
    u->totals.disk_read_bytes = figure(512.0 * sum.blocks_read, waited, why);
    u->totals.disk_write_bytes = figure(512.0 * sum.blocks_written, waited, why);
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
    unsigned affinity = t->groups.affinity;
    const char *why;

    gput__limits_now(t, &c);
    /* The job's own as it was at the start: it may be gone by now. */
    if (!t->watch.is_settled)
        affinity = gput__affinity(&t->sampler.proc, t->job.attached ? t->job.pid : 0);
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

/* Without a memory that is known nothing was near to it. */
static void fill_use(const struct gput__summary *s, struct gput_usage *u)
{
    const struct gput__summary_use *use = &s->use;
    bool is_known = gput__levels_seconds(use->cpu_seconds_at) > 0 &&
                    gput__summary_has(s, GPUT__COMBINED_RAM) &&
                    u->limits.memory_effective.value > 0;

    memcpy(u->cpu_levels.seconds, use->cpu_seconds_at, sizeof(use->cpu_seconds_at));
    u->limits.near_memory_seconds =
        figure(use->near_memory_s, is_known ? GPUT_SAMPLED : GPUT_UNAVAILABLE,
               is_known ? at_polls : not_polled);
}

static void fill_tracker(const struct gput_tracker *t, const struct gput__summary *s,
                         struct gput_usage *u)
{
    uint64_t own_peak =
        t->service && t->service->own_peak ? t->service->own_peak : gput__own_peak();
    struct gput__effort effort = gput__sampler_effort(&t->sampler);
    struct rusage self = { 0 };

    getrusage(RUSAGE_SELF, &self);
    u->tracker.cpu_seconds =
        figure(seconds_of(&self.ru_utime) + seconds_of(&self.ru_stime), GPUT_EXACT, NULL);
    u->tracker.max_rss = figure((double)own_peak, GPUT_EXACT, NULL);
    u->tracker.n_records = figure((double)s->n_records, GPUT_EXACT, NULL);
    u->tracker.n_polls = figure((double)effort.n_polls, GPUT_EXACT, NULL);
    u->tracker.n_memory_scans = figure(effort.n_scans, GPUT_EXACT, NULL);
    u->tracker.process_events = effort.has_events;
}

static void fill_job(const struct gput_tracker *t, struct gput_usage *u)
{
    u->job.command = t->job.command;
    u->job.pid = t->job.pid;
    u->job.ending = t->end.how;
    u->job.code = t->end.code;
    u->job.timed_out = t->stop.timed_out;
    u->job.oom = t->end.oom;
    u->job.n_left = t->end.at_ns ? gput_tracker_left(t, NULL, 0) : 0;
}

int gput_tracker_usage(const struct gput_tracker *t, struct gput_usage *ret_usage)
{
    struct gput_usage u = { .size = sizeof(u),
                            .ram_unit = t->opts.ram_unit,
                            .gpu_ram_unit = t->opts.gpu_ram_unit,
                            .time_unit = t->opts.time_unit };
    struct gput__summary s = t->summary;
    int64_t end = t->end.at_ns ? t->end.at_ns : gput__now();

    if (ret_usage->size < sizeof(ret_usage->size))
        return -EINVAL;
    if (t->client)
        return gput__client_usage(t, ret_usage);
    if (!t->job.start_ns)
        return -ENODATA;
    if (!t->end.at_ns) {
        struct gput__sample so_far = t->now;

        /* A poll has no counters of the machine: then the last record tells. */
        if (!gput__sample_has(&so_far, GPUT__SYSTEM_CPU) && t->summary.n_records > 0)
            so_far = t->summary.last;
        gput__summary_end(&s, &so_far);
        gput__raise_peaks(t, &s);
    }
    fill_metrics(t, &s, &u);
    explain_ram(t, &u);
    fill_cores(t, &u);
    gput__gpu_fill(t, &s, &u);
    u.compute_time.time = figure(gput__seconds(end - t->job.start_ns), GPUT_EXACT, NULL);
    fill_job(t, &u);
    gput__identity_fill(t, &u);
    fill_totals(t, &u);
    fill_limits(t, &u);
    fill_use(&s, &u);
    gput__machine_fill(t, &u);
    fill_tracker(t, &s, &u);
    gput__group_fill(t, &u);
    gput__who_fill(t, &s, &u);
    gput__waiting_fill(t, &s, &u);
    gput__energy_fill(t, &s, &u);
    fill_bounds(t, GPUT__DESCENDANTS, &u.max_ram.descendants.total_rss,
                &u.ram_bounds.descendants_at_least, &u.ram_bounds.descendants_at_most);
    fill_bounds(t, GPUT__COMBINED, &u.max_ram.combined.total_rss, &u.ram_bounds.combined_at_least,
                &u.ram_bounds.combined_at_most);
    gput__budget_fill(t, &u);
    /* A caller built against an older header has less room. */
    u.size = ret_usage->size < sizeof(u) ? ret_usage->size : (uint32_t)sizeof(u);
    memcpy(ret_usage, &u, u.size);
    return 0;
}

/* That of a caller built against an older header is copied to `room`. */
static const struct gput_usage *whole(const struct gput_usage *u, struct gput_usage *room)
{
    if (!u->size || u->size >= sizeof(*room))
        return u;
    *room = (struct gput_usage){ .size = sizeof(*room) };
    memcpy((char *)room + sizeof(u->size), (const char *)u + sizeof(u->size),
           u->size - sizeof(u->size));
    return room;
}

/* The formats of other programs. */
static void (*const of_others[])(const struct gput_usage *u, struct gput__buf *out) = {
    [GPUT_MARKDOWN] = gput__usage_markdown, [GPUT_CSV] = gput__usage_csv,
    [GPUT_TIME] = gput__usage_time,         [GPUT_SNAKEMAKE] = gput__usage_snakemake,
    [GPUT_NEXTFLOW] = gput__usage_nextflow, [GPUT_JUNIT] = gput__usage_junit,
};

int gput_usage_format(const struct gput_usage *u, enum gput_format format, int full,
                      char **ret_text)
{
    struct gput__buf out = { 0 };
    struct gput_usage room;

    u = whole(u, &room);
    if (format == GPUT_JSON)
        (void)gput__usage_json(u, full != 0, &out); /* the buffer keeps the error */
    else if ((unsigned)format < sizeof(of_others) / sizeof(*of_others) && of_others[format])
        of_others[format](u, &out);
    else
        (void)gput__usage_text(u, full != 0, &out);
    return gput__buf_detach(&out, ret_text);
}

int gput_usage_summary(const struct gput_usage *u, int width, int use_unicode, char **ret_text)
{
    struct gput__buf out = { 0 };
    struct gput_usage room;

    (void)gput__usage_summary(whole(u, &room), width, use_unicode != 0, &out);
    return gput__buf_detach(&out, ret_text);
}

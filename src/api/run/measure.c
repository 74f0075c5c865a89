/* measure.c - the moments of a run: its first one, polls, records, its last one. */
#include <math.h>

#include "api/inside/helper.h"
#include "api/live/watched.h"
#include "api/run/cgroup.h"
#include "base/clock.h"
#include "model/gpus.h"
#include "model/stream.h"

/* --- the first moment ------------------------------------------------------------------------ */

/* The counters at the start: the job has used nothing yet. */
int64_t gput__measure_begin(struct gput_tracker *t)
{
    int64_t now;

    t->now = (struct gput__sample){ 0 };
    gput__sampler_system(&t->sampler, &t->now);
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (!gput__metric_is_gauge((enum gput__metric)m) &&
            (gput__metric_is_of_job((enum gput__metric)m) ||
             (gput__metrics[m].scope == GPUT__SCOPE_JOB &&
              (t->sampler.wants_job || t->sampler.wants_extras))))
            gput__sample_set(&t->now, (enum gput__metric)m, 0);
    now = gput__now();
    t->now.boot_ns = now;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    return now;
}

/* Records by the wall clock, which is read only here. */
static void align(struct gput_tracker *t)
{
    double start = t->opts.start_time;
    int64_t start_ns = (int64_t)start * GPUT__NS_PER_S + (int64_t)((start - floor(start)) * 1e9);

    gput__schedule_align(&t->watch.schedule, t->job.start_ns,
                         t->job.start_ns + start_ns - t->now.real_ns);
}

void gput__measure_plan(struct gput_tracker *t)
{
    int64_t period = (int64_t)(t->opts.sleep_time * 1e9);
    bool no_watch = (t->opts.flags & GPUT_NO_WATCH) || !t->job.pid;

    gput__summary_begin(&t->summary, period, 100.0 * t->sampler.n_cores, &t->now);
    gput__schedule_begin(&t->watch.schedule, t->job.start_ns, period, no_watch);
    if (t->sampler.is_frugal)
        gput__schedule_be_frugal(&t->watch.schedule);
    if (t->opts.flags & GPUT_ALIGN)
        align(t);
    gput__sampler_leave_alone(&t->sampler, no_watch);
    gput__forecast_begin(&t->watch.growth);
}

void gput__measure_main(struct gput_tracker *t)
{
    gput__sampler_poll_main(&t->sampler, t->job.start_ns, &t->now);
    gput__summary_poll(&t->summary, &t->now);
}

void gput__measure_base_of_job(struct gput_tracker *t)
{
    gput__sampler_measure_job(&t->sampler, &t->now);
}

/* --- rows ------------------------------------------------------------------------------------ */

/* Rows that only a report shows are closer than records at first: at the first moment 20 ms apart, then a
 * hundredth of the time so far, and never so close that they cost more than 1 %. */
#define FINEST_ROW_NS (20 * GPUT__NS_PER_MS)
#define ROWS_SO_FAR 100
#define ROW_COSTS 100

static int64_t row_distance(const struct gput_tracker *t, int64_t now)
{
    const struct gput__watching *w = &t->watch;
    int64_t period = t->summary.period_ns, distance = (now - t->job.start_ns) / ROWS_SO_FAR;

    if ((t->opts.flags & GPUT__ROW_FLAGS) != GPUT_KEEP_SERIES)
        return period;
    distance = distance > FINEST_ROW_NS ? distance : FINEST_ROW_NS;
    distance = distance > w->row_cost_ns * ROW_COSTS ? distance : w->row_cost_ns * ROW_COSTS;
    return distance < period ? distance : period;
}

const struct gput__sample *gput__measure_last_row(const struct gput_tracker *t)
{
    return t->streams.has_row ? &t->streams.to : &t->summary.last;
}

static void add_row(struct gput_tracker *t, const struct gput__sample *now)
{
    double values[GPUT__MOST_GPUS][2];
    struct gput__series_gpus gpus = { (const double(*)[2])values, 0 };

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    if (t->opts.flags & GPUT_KEEP_SERIES)
        gpus.n = gput__gpu_values(t, values, GPUT__MOST_GPUS);
    gput__streams_record(&t->streams, gput__measure_last_row(t), now, &gpus);
}

/* The rest of the run, as a row or with those before. */
static void add_last_row(struct gput_tracker *t)
{
    int64_t polled_ns = gput__sampler_last_poll(&t->sampler).at_ns;
    int64_t remainder_ns = t->now.boot_ns - gput__measure_last_row(t)->boot_ns;
    struct gput__sample row;

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    /* What it had used by then was read a moment later. */
    if (t->job.attached && polled_ns > t->now.boot_ns)
        t->now.boot_ns = polled_ns;
    gput__sampler_measure_job(&t->sampler, &t->now);
    if (t->streams.has_row && remainder_ns * 2 < row_distance(t, t->now.boot_ns)) {
        gput__streams_rest(&t->streams, gput__measure_last_row(t), &t->now);
        return;
    }
    row = t->now; /* the sums of the run are as they are */
    gput__sample_hold_back(gput__measure_last_row(t), &row, t->sampler.n_cores);
    add_row(t, &row);
    if (t->opts.on.record && (t->opts.flags & GPUT__STREAM_FLAGS))
        t->opts.on.record(t->opts.on.ctx, t);
}

/* --- while it runs --------------------------------------------------------------------------- */

/* What need not delay the start of the job. */
static void begin_watching(struct gput_tracker *t, int64_t now)
{
    t->watch.is_settled = true;
    gput__limits_begin(t, now);
    gput__listening_begin(&t->watch.listening, &t->sampler, now);
    gput__watched_begin(t);
    t->watch.spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID); /* no part of a poll */
}

double gput__memory_limit(const struct gput_tracker *t)
{
    const struct gput__cgroup *c = &t->groups.now;
    uint64_t all = t->sampler.ram_capacity;

    return (double)(c->has_memory_limit && c->memory_limit < all ? c->memory_limit : all);
}

static void follow_growth(struct gput_tracker *t, int64_t now)
{
    if (t->job.pid && gput__sample_has(&t->now, GPUT__COMBINED_RAM))
        gput__forecast_add(&t->watch.growth, now, t->now.value[GPUT__COMBINED_RAM]);
}

/* After a poll, if it is time for a row and the next record is not about to make one.  Rows that are
 * told are told at records: what one between them held would be in none of those. */
static void add_row_of_poll(struct gput_tracker *t, int64_t now)
{
    struct gput__sample row = t->now;
    int64_t begin;

    if ((t->opts.flags & GPUT__ROW_FLAGS) != GPUT_KEEP_SERIES ||
        now - gput__measure_last_row(t)->boot_ns < row_distance(t, now) ||
        t->watch.schedule.next_record_ns - now < FINEST_ROW_NS / 2)
        return;
    begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    row.real_ns = gput__clock_ns(CLOCK_REALTIME);
    gput__sampler_complete(&t->sampler, &row);
    gput__group_record(t, &row);
    gput__sample_hold_back(gput__measure_last_row(t), &row, t->sampler.n_cores);
    add_row(t, &row);
    t->watch.row_cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    t->watch.spent_ns += t->watch.row_cost_ns; /* no part of a poll */
}

static void add_row_of_record(struct gput_tracker *t)
{
    struct gput__sample row;

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    row = t->now;
    gput__sample_hold_back(gput__measure_last_row(t), &row, t->sampler.n_cores);
    add_row(t, &row);
}

static void record(struct gput_tracker *t, int64_t now)
{
    gput__sampler_record(&t->sampler, now, gput__clock_ns(CLOCK_REALTIME), &t->now);
    gput__group_record(t, &t->now);
    gput__waiting_record(t, &t->now);
    gput__machine_warn(t);
    gput__gpu_poll(t, &t->now);
    gput__sample_hold_back(&t->summary.last, &t->now, t->sampler.n_cores);
    t->watch.cpu_percent = gput__sample_rate(&t->summary.last, &t->now, GPUT__COMBINED_CPU);
    gput__recording_write(t);
    add_row_of_record(t);
    gput__summary_record(&t->summary, &t->now);
    gput__laps_see(t, &t->now);
    gput__summary_use(&t->summary, &t->now, gput__memory_limit(t));
    follow_growth(t, now);
    gput__schedule_recorded(&t->watch.schedule, now);
    gput__listening_recorded(&t->watch.listening);
    if (t->opts.on.record)
        t->opts.on.record(t->opts.on.ctx, t);
    if (t->service)
        gput__service_show(t, now);
    if (gput__sampler_last_poll(&t->sampler).moved)
        gput__schedule_saw_activity(&t->watch.schedule, now);
    if (t->job.fleet)
        gput__fleet_record(t);
}

/* While the whole job sleeps, its next page fault wakes us. */
static void let_sleep(struct gput_tracker *t, int64_t now)
{
    bool may_sleep = !t->watch.schedule.no_watch && t->signals.hear_faults;

    gput__schedule_set_asleep(&t->watch.schedule, now, gput__sampler_sleep(&t->sampler, may_sleep));
}

static void poll_job(struct gput_tracker *t, int64_t now)
{
    struct gput__last_poll last;
    int64_t spent;

    gput__sampler_poll(&t->sampler, now, &t->now);
    gput__group_poll(t);
    gput__gpu_poll(t, &t->now);
    gput__summary_poll(&t->summary, &t->now);
    gput__laps_see(t, &t->now);
    if (!t->group || !t->group->corrects_cpu) /* else only records have all of it */
        gput__summary_use(&t->summary, &t->now, gput__memory_limit(t));
    follow_growth(t, now);
    add_row_of_poll(t, now);
    last = gput__sampler_last_poll(&t->sampler);
    spent = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - t->watch.spent_ns - last.scan_cost_ns;
    gput__schedule_poll_more(&t->watch.schedule, last.wants_more);
    gput__schedule_polled(&t->watch.schedule, now, spent, last.moved);
    let_sleep(t, now);
    if (t->service)
        gput__service_show(t, now);
}

static int64_t probe_due(const struct gput_tracker *t)
{
    return t->watch.schedule.no_watch ? INT64_MAX : gput__probes_due(&t->watch.probes, &t->sampler);
}

int64_t gput__measure_due(const struct gput_tracker *t)
{
    int64_t scheduled = gput__schedule_next(&t->watch.schedule), probe = probe_due(t);

    return probe < scheduled ? probe : scheduled;
}

/* A tick is a record; else a poll; else, if none is due and no memory scan has ended, a probe. */
void gput__measure_tick(struct gput_tracker *t, int64_t now, bool is_scanned)
{
    if (!t->watch.is_settled)
        begin_watching(t, now);
    gput__limits_watch(t, now);
    gput__waiting_watch(t);
    gput__listening_weigh(&t->watch.listening, &t->sampler, now);
    if (gput__schedule_record_due(&t->watch.schedule, now))
        record(t, now);
    else if (now < t->watch.schedule.next_poll_ns && !is_scanned && probe_due(t) < INT64_MAX)
        gput__probes_make(&t->watch.probes, &t->sampler, now);
    else
        poll_job(t, now);
    gput__recording_retry(t);
    gput__budget_watch(t, now);
    gput__stop_keep_time(t, now);
    gput__watched_tick(t, now);
    t->watch.spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void gput__measure_births(struct gput_tracker *t)
{
    gput__listening_heard(&t->watch.listening, gput__sampler_last_poll(&t->sampler).moved);
}

/* A newcomer may hold GPU memory: it is found first, and nothing is read of it. */
void gput__measure_gpus(struct gput_tracker *t, int64_t now)
{
    struct gput__sample gpus = { .boot_ns = now };

    gput__sampler_discover(&t->sampler, now);
    gput__gpu_poll(t, &gpus);
    gput__summary_poll(&t->summary, &gpus);
    gput__laps_see(t, &gpus);
}

void gput__measure_wake(struct gput_tracker *t, int64_t now)
{
    gput__sampler_wake(&t->sampler);
    gput__schedule_set_asleep(&t->watch.schedule, now, false);
    gput__schedule_saw_activity(&t->watch.schedule, now);
}

void gput__measure_moment(struct gput_tracker *t, int64_t now)
{
    if (!t->watch.is_settled)
        begin_watching(t, now);
    gput__measure_wake(t, now);
    gput__sampler_search(&t->sampler);
    t->watch.spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    poll_job(t, now);
    t->watch.spent_ns =
        gput__clock_ns(CLOCK_THREAD_CPUTIME_ID); /* the caller's work is no poll's */
}

/* --- the last moment ------------------------------------------------------------------------- */

void gput__measure_processes(struct gput_tracker *t, int64_t now)
{
    gput__sampler_poll(&t->sampler, now, &t->now);
}

void gput__measure_last_scan(struct gput_tracker *t, int64_t now)
{
    gput__sampler_last_scan(&t->sampler, now, &t->now);
}

/* Parts are from memory scans, the total from polls: it is at least each part. */
static void raise_to_parts(struct gput__summary *s, int group)
{
    static const enum gput__metric parts[] = { GPUT__MAIN_PRIVATE_RAM, GPUT__MAIN_SHARED_RAM };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        enum gput__metric m = parts[i] + (enum gput__metric)group;

        if (gput__summary_has(s, m))
            gput__summary_raise(s, GPUT__MAIN_RAM + (enum gput__metric)group, s->max[m]);
    }
}

void gput__raise_peaks(const struct gput_tracker *t, struct gput__summary *s)
{
    struct gput__peaks peaks = gput__sampler_peaks(&t->sampler);
    double whole;

    if (t->sampler.blind && t->end.at_ns == 0)
        return;
    for (int g = GPUT__MAIN; g <= GPUT__COMBINED; g++)
        raise_to_parts(s, g);
    gput__summary_raise(s, GPUT__MAIN_RAM, (double)peaks.main);
    if (!t->sampler.blind) /* else it is not known whether there were any */
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)peaks.descendants);
    /* An orphan's mark begins at that of the process that forked it: only above main's it is a
     * descendant's own. */
    if ((double)peaks.orphan > s->max[GPUT__MAIN_RAM] + (double)peaks.uncertainty &&
        peaks.orphan > t->job.floor_rss)
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)peaks.orphan);
    whole = s->max[GPUT__MAIN_RAM] > s->max[GPUT__DESCENDANTS_RAM] ? s->max[GPUT__MAIN_RAM]
                                                                   : s->max[GPUT__DESCENDANTS_RAM];
    gput__summary_raise(s, GPUT__COMBINED_RAM, whole);
    /* What probes between polls found and a poll has confirmed. */
    gput__summary_raise(s, GPUT__COMBINED_RAM, (double)peaks.probed);
}

void gput__measure_end(struct gput_tracker *t, int64_t now)
{
    gput__sampler_end(&t->sampler, &t->now);
    gput__machine_warn(t);
    gput__main_end_cpu(&t->sampler, &t->end.main, &t->now);
    gput__waiting_end(t, &t->now); /* before the group is removed */
    gput__group_end(t, &t->now);
    t->now.boot_ns = now;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    gput__gpu_end(t, &t->now);
    /* A job shorter than one interval still leaves one row. */
    if (t->summary.n_records == 0)
        gput__recording_write(t);
    add_last_row(t);
    gput__summary_end(&t->summary, &t->now);
    gput__summary_use_rest(&t->summary, &t->now, gput__memory_limit(t));
    gput__raise_peaks(t, &t->summary);
}

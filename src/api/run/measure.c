/* measure.c - the moments of a run: its first one, looks, records, its last one. */
#include <math.h>

#include "api/inside/helper.h"
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
             (gput__metrics[m].scope == GPUT__SCOPE_JOB && t->sampler.wants_job)))
            gput__sample_set(&t->now, (enum gput__metric)m, 0);
    now = gput__now();
    t->now.boot_ns = now;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    return now;
}

/* Records by the wall clock; it is not looked at again. */
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
}

void gput__measure_main(struct gput_tracker *t)
{
    gput__sampler_look_at_main(&t->sampler, t->job.start_ns, &t->now);
    gput__summary_look(&t->summary, &t->now);
}

void gput__measure_base_of_job(struct gput_tracker *t)
{
    gput__sampler_measure_job(&t->sampler, &t->now);
}

/* --- rows ------------------------------------------------------------------------------------ */

static void put_row(struct gput_tracker *t, const struct gput__sample *now)
{
    double values[GPUT__MOST_GPUS][2];
    struct gput__series_gpus gpus = { (const double(*)[2])values, 0 };

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    if (t->opts.flags & GPUT_KEEP_SERIES)
        gpus.n = gput__gpu_values(t, values, GPUT__MOST_GPUS);
    gput__streams_record(&t->streams, &t->summary.last, now, &gpus);
}

/* The rest of the run, as a row or with those before. */
static void put_last_row(struct gput_tracker *t)
{
    int64_t looked_ns = gput__sampler_last_look(&t->sampler).at_ns;
    int64_t remainder_ns = t->now.boot_ns - t->summary.last.boot_ns;
    struct gput__sample row;

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return;
    /* What it had used by then was read a moment later. */
    if (t->job.attached && looked_ns > t->now.boot_ns)
        t->now.boot_ns = looked_ns;
    gput__sampler_measure_job(&t->sampler, &t->now);
    if (t->summary.n_records > 0 && remainder_ns * 2 < t->summary.period_ns) {
        gput__streams_rest(&t->streams, &t->summary.last, &t->now);
        return;
    }
    row = t->now; /* the sums of the run are as they are */
    gput__sample_hold_back(&t->summary.last, &row, t->sampler.n_cores);
    put_row(t, &row);
    if (t->opts.on.record && (t->opts.flags & GPUT__STREAM_FLAGS))
        t->opts.on.record(t->opts.on.ctx, t);
}

/* --- while it runs --------------------------------------------------------------------------- */

/* What need not delay the start of the job. */
static void settle_in(struct gput_tracker *t, int64_t now)
{
    t->watch.is_settled = true;
    gput__limits_begin(t, now);
    gput__listening_begin(&t->watch.listening, &t->sampler, now);
    t->watch.spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID); /* no look's price */
}

static void record(struct gput_tracker *t, int64_t now)
{
    gput__sampler_record(&t->sampler, now, gput__clock_ns(CLOCK_REALTIME), &t->now);
    gput__group_record(t, &t->now);
    gput__machine_warn(t);
    gput__gpu_look(t, &t->now);
    gput__sample_hold_back(&t->summary.last, &t->now, t->sampler.n_cores);
    t->watch.cpu_percent = gput__sample_rate(&t->summary.last, &t->now, GPUT__COMBINED_CPU);
    gput__recording_write(t);
    put_row(t, &t->now);
    gput__summary_record(&t->summary, &t->now);
    gput__schedule_recorded(&t->watch.schedule, now);
    gput__listening_recorded(&t->watch.listening);
    if (t->opts.on.record)
        t->opts.on.record(t->opts.on.ctx, t);
    if (t->service)
        gput__service_show(t, now);
    if (gput__sampler_last_look(&t->sampler).moved)
        gput__schedule_stir(&t->watch.schedule, now);
}

/* While the whole job sleeps, its next page fault wakes us. */
static void let_sleep(struct gput_tracker *t, int64_t now)
{
    const struct gput__schedule *s = &t->watch.schedule;
    bool may_sleep = s->is_quiet && !s->no_watch && t->signals.hear_faults;

    gput__schedule_rest(&t->watch.schedule, now, gput__sampler_sleep(&t->sampler, may_sleep));
}

static void look(struct gput_tracker *t, int64_t now)
{
    struct gput__last_look last;
    int64_t spent;

    gput__sampler_look(&t->sampler, now, &t->now);
    gput__group_poll(t);
    gput__gpu_look(t, &t->now);
    gput__summary_look(&t->summary, &t->now);
    last = gput__sampler_last_look(&t->sampler);
    spent = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - t->watch.spent_ns - last.scan_cost_ns;
    gput__schedule_hurry(&t->watch.schedule, last.wants_more);
    gput__schedule_looked(&t->watch.schedule, now, spent, last.moved);
    let_sleep(t, now);
    if (t->service)
        gput__service_show(t, now);
}

static int64_t poll_due(const struct gput_tracker *t)
{
    return t->watch.schedule.no_watch ? INT64_MAX : gput__polls_due(&t->watch.polls, &t->sampler);
}

int64_t gput__measure_due(const struct gput_tracker *t)
{
    int64_t scheduled = gput__schedule_next(&t->watch.schedule), poll = poll_due(t);

    return poll < scheduled ? poll : scheduled;
}

/* A tick is a record; else a look; else, if none is due and no memory scan has ended, a poll. */
void gput__measure_tick(struct gput_tracker *t, int64_t now, bool is_scanned)
{
    if (!t->watch.is_settled)
        settle_in(t, now);
    gput__limits_watch(t, now);
    gput__listening_weigh(&t->watch.listening, &t->sampler, now);
    if (gput__schedule_record_due(&t->watch.schedule, now))
        record(t, now);
    else if (now < t->watch.schedule.next_look_ns && !is_scanned && poll_due(t) < INT64_MAX)
        gput__polls_make(&t->watch.polls, &t->sampler, now);
    else
        look(t, now);
    gput__recording_retry(t);
    gput__stop_keep_time(t, now);
    t->watch.spent_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void gput__measure_births(struct gput_tracker *t)
{
    gput__listening_heard(&t->watch.listening, gput__sampler_last_look(&t->sampler).moved);
}

/* A newcomer may hold GPU memory: it is found first, and nothing is read of it. */
void gput__measure_gpus(struct gput_tracker *t, int64_t now)
{
    struct gput__sample gpus = { .boot_ns = now };

    gput__sampler_discover(&t->sampler, now);
    gput__gpu_look(t, &gpus);
    gput__summary_look(&t->summary, &gpus);
}

void gput__measure_wake(struct gput_tracker *t, int64_t now)
{
    gput__sampler_wake(&t->sampler);
    gput__schedule_rest(&t->watch.schedule, now, false);
    gput__schedule_stir(&t->watch.schedule, now);
}

/* --- the last moment ------------------------------------------------------------------------- */

void gput__measure_processes(struct gput_tracker *t, int64_t now)
{
    gput__sampler_look(&t->sampler, now, &t->now);
}

void gput__measure_last_scan(struct gput_tracker *t, int64_t now)
{
    gput__sampler_last_scan(&t->sampler, now, &t->now);
}

/* Parts are from memory scans, the total from looks: it is at least each part. */
static void raise_to_parts(struct gput__summary *s, int group)
{
    static const enum gput__metric parts[] = { GPUT__MAIN_PRIVATE_RAM, GPUT__MAIN_SHARED_RAM };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        enum gput__metric m = parts[i] + (enum gput__metric)group;

        if (gput__summary_has(s, m))
            gput__summary_raise(s, GPUT__MAIN_RAM + (enum gput__metric)group, s->max[m]);
    }
}

void gput__raise_marks(const struct gput_tracker *t, struct gput__summary *s)
{
    struct gput__peaks peaks = gput__sampler_peaks(&t->sampler);
    double whole;

    if (t->sampler.blind && t->end.at_ns == 0)
        return;
    for (int g = GPUT__MAIN; g <= GPUT__COMBINED; g++)
        raise_to_parts(s, g);
    gput__summary_raise(s, GPUT__MAIN_RAM, (double)peaks.main);
    if (!t->sampler.blind) /* else nobody looked whether there were any */
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)peaks.descendants);
    /* An orphan's mark begins at that of whoever forked it: only above main's it is a
     * descendant's own. */
    if ((double)peaks.orphan > s->max[GPUT__MAIN_RAM] + (double)peaks.uncertainty &&
        peaks.orphan > t->job.floor_rss)
        gput__summary_raise(s, GPUT__DESCENDANTS_RAM, (double)peaks.orphan);
    whole = s->max[GPUT__MAIN_RAM] > s->max[GPUT__DESCENDANTS_RAM] ? s->max[GPUT__MAIN_RAM]
                                                                   : s->max[GPUT__DESCENDANTS_RAM];
    gput__summary_raise(s, GPUT__COMBINED_RAM, whole);
    /* What polls between looks found and a look has confirmed. */
    gput__summary_raise(s, GPUT__COMBINED_RAM, (double)peaks.polled);
}

void gput__measure_end(struct gput_tracker *t, int64_t now)
{
    gput__sampler_end(&t->sampler, &t->now);
    gput__machine_warn(t);
    gput__main_end_cpu(&t->sampler, &t->end.main, &t->now);
    gput__group_end(t, &t->now);
    t->now.boot_ns = now;
    t->now.real_ns = gput__clock_ns(CLOCK_REALTIME);
    gput__gpu_end(t, &t->now);
    /* A job shorter than one interval still leaves one row. */
    if (t->summary.n_records == 0)
        gput__recording_write(t);
    put_last_row(t);
    gput__summary_end(&t->summary, &t->now);
    gput__raise_marks(t, &t->summary);
}

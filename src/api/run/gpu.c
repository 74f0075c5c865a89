/* gpu.c - the GPUs of a run: from the first look for them to their figures. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/run/gpu_work.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "base/system.h"

/* A driver that is asked for its UUIDs before the start has so long to answer. */
#define PATIENCE_NS (10 * GPUT__NS_PER_S)
/* At the end of a run nobody waits longer for a driver; expensive calls get more. */
#define LAST_WAIT_NS (15 * GPUT__NS_PER_MS)
#define FIRST_ROW_WAIT_NS (50 * GPUT__NS_PER_MS)
#define LAST_WAIT_FOR_ALL_NS (200 * GPUT__NS_PER_MS)

struct gput__gpu_usage {

    struct gput_gpu *gpus;
    struct gput_gpu_work *work;
    struct gput_gpu_process *processes;
};

static const char no_answer[] = "the GPU driver did not answer in time";
static const char not_found[] = "no GPU was found";
static const char not_told[] = "the driver does not tell";
static const char at_reads[] = "the largest seen by the driver's figures at readings";
static const char by_driver[] = "while the driver sampled it";
static const char lost[] = "the GPU was lost during the run";
static const char by_change[] = "by the change of the device since the start";
static const char others_note[] = "other processes used a GPU at the same time";

/* --- the run -------------------------------------------------------------------------------- */

static int refuse_uuid(struct gput_tracker *t, const char *bad, struct gput_error *ret_err)
{
    struct gput__gpus *g = t->gpu.thread;
    char list[400] = "";
    size_t len = 0;

    if (g->found.n == 0)
        return gput__refuse(ret_err, -EINVAL, "gpu_uuids", "'%.100s': no GPU was found: %s", bad,
                            g->found.why);
    for (unsigned i = 0; i < g->found.n && len < sizeof(list); i++)
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
                                g->found.devices[i].info.uuid);
    if (!*bad)
        return gput__refuse(ret_err, -EINVAL, "gpu_uuids",
                            "a UUID is missing beside a comma; "
                            "there are: %s",
                            list);
    return gput__refuse(ret_err, -EINVAL, "gpu_uuids", "'%.100s' is not one of: %s", bad, list);
}

static int choose(struct gput_tracker *t, struct gput_error *ret_err)
{
    char bad[100] = "";

    if (!gput__gpus_wait(t->gpu.thread, PATIENCE_NS))
        return gput__refuse(ret_err, -ETIMEDOUT, "gpu_uuids", "%s", no_answer);
    if (gput__gpus_choose(t->gpu.thread, t->opts.gpu_uuids, bad, sizeof(bad)) < 0)
        return refuse_uuid(t, bad, ret_err);
    return 0;
}

int gput__gpu_begin(struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__gpu_plan plan = {
        .config = { .proc = &t->sampler.proc,
                    .sys = &t->sampler.sys,
                    .nvml_path = t->opts.nvml_path,
                    .dev_is_live = t->sampler.proc.live },
        .brand = t->opts.gpu_brand,
        .start_ns = t->job.start_ns ? t->job.start_ns : gput__now(),
        .start_us = (t->job.start_ns ? t->now.real_ns : gput__clock_ns(CLOCK_REALTIME)) / 1000,
        .period_ns = (int64_t)(t->opts.sleep_time * 1e9),
        .no_watch = t->opts.flags & GPUT_NO_WATCH,
        .has_rows = t->opts.tracking_file || (t->opts.flags & GPUT__ROW_FLAGS),
        .want_all = (t->opts.flags & GPUT_WANT_ALL) && gput__fleet_asks_all_of_gpus(t),
        .want_uses = t->opts.flags & (GPUT_WANT_ALL | GPUT_STREAM_OF_PROCESS | GPUT_ALL_COLUMNS),
    };
    int r = gput__gpus_start(&plan, &t->gpu.thread);

    if (t->opts.flags & GPUT__STREAM_FLAGS)
        t->gpu.is_warned_of = true; /* in a stream, none used is nothing to talk about */
    if (r < 0)
        return gput__refuse(ret_err, r, "", "no thread for the GPUs: %s", strerror(-r));
    return t->opts.gpu_uuids ? choose(t, ret_err) : 0;
}

void gput__gpu_begin_run(struct gput_tracker *t)
{
    struct gput_error err = { .text = "" };

    if (t->gpu.thread)
        gput__gpus_restart(t->gpu.thread, t->job.start_ns, t->now.real_ns / 1000);
    else if (gput__gpu_begin(t, &err) < 0)
        gput__warn(t, "no GPU figures: %s", err.text);
}

/* Once, as soon as it is known. */
static void warn_of_none(struct gput_tracker *t)
{
    if (t->gpu.is_warned_of || !gput__gpus_wait(t->gpu.thread, 0) ||
        t->gpu.thread->found.state != GPUT__GPUS_NONE)
        return;
    t->gpu.is_warned_of = true;
    if (t->gpu.thread->found.is_bare && t->opts.flags & GPUT_NO_GPU_IS_NO_NEWS)
        return;
    gput__warn(t, "no GPU figures: %s",
               t->gpu.thread->found.why[0] ? t->gpu.thread->found.why : not_found);
}

/* Errors of all GPUs in one line, when the first is known. */
static void warn_of_errors(struct gput_tracker *t)
{
    struct gput__gpus *g = t->gpu.thread;
    char line[400] = "", errors[200];

    if (t->gpu.errors_are_told || g->changed < 0)
        return;
    pthread_mutex_lock(&g->lock);
    for (unsigned i = 0; g->found.state == GPUT__GPUS_READY && i < g->found.n; i++) {
        size_t len = strlen(line);

        if (gput__gpu_errors(&g->found.devices[i].works, errors, sizeof(errors)))
            snprintf(line + len, sizeof(line) - len, "%sGPU %u had errors: %s", len ? "; " : "", i,
                     errors);
    }
    pthread_mutex_unlock(&g->lock);
    if (!line[0])
        return;
    t->gpu.errors_are_told = true;
    gput__warn(t, "%s", line);
}

/* Once, of the first GPU that is. */
static void warn_of_stuck(struct gput_tracker *t)
{
    struct gput__gpus *g = t->gpu.thread;
    char words[200] = "";
    unsigned i = 0;

    if (t->gpu.stuck_is_told || g->changed < 0)
        return;
    pthread_mutex_lock(&g->lock);
    if (g->found.state == GPUT__GPUS_READY)
        while (i < g->found.n && !gput__gpu_works_is_stuck(&g->found.devices[i].works))
            i++;
    if (i < g->found.n && g->found.state == GPUT__GPUS_READY)
        gput__gpu_stuck(&g->found.devices[i].works, words, sizeof(words));
    pthread_mutex_unlock(&g->lock);
    if (!words[0])
        return;
    t->gpu.stuck_is_told = true;
    gput__warn(t, "GPU %u %s", i, words);
}

void gput__gpu_poll(struct gput_tracker *t, struct gput__sample *ret)
{

    if (!t->gpu.thread)
        return;
    if (t->gpu.thread->changed >= 0) {
        gput__event_clear(t->gpu.thread->changed);
        gput__sampler_measure_gpus(&t->sampler, t->gpu.thread, &t->gpu.share, ret);
    }
    warn_of_none(t);
    warn_of_errors(t);
    warn_of_stuck(t);
}

uint32_t gput__gpu_values(const struct gput_tracker *t, double (*ret)[2], uint32_t most)
{
    struct gput__gpus *g = t->gpu.thread;
    uint32_t n = 0;

    if (!g || g->changed < 0)
        return 0;
    pthread_mutex_lock(&g->lock);
    for (; g->found.state == GPUT__GPUS_READY && n < g->found.n && n < most; n++) {
        const struct gput__gpu_device *d = &g->found.devices[n];

        ret[n][0] = d->utilization.was_read ? d->utilization.percent : NAN;
        ret[n][1] = d->memory.is_known ? (double)d->memory.used : NAN;
    }
    pthread_mutex_unlock(&g->lock);
    return n;
}

void gput__gpu_end(struct gput_tracker *t, struct gput__sample *ret)
{
    bool want_all = t->opts.flags & GPUT_WANT_ALL;
    int64_t end_us = ret->real_ns / 1000;

    if (!t->gpu.thread)
        return;
    t->gpu.has_answered =
        gput__gpus_finish(t->gpu.thread, end_us, want_all ? LAST_WAIT_FOR_ALL_NS : LAST_WAIT_NS);
    gput__gpu_poll(t, ret);
    if (!t->gpu.has_answered && !t->gpu.is_warned_of)
        gput__warn(t, "no or incomplete GPU figures: %s", no_answer);
}

void gput__gpu_close(struct gput_tracker *t)
{
    gput__gpus_close(t->gpu.thread);
    t->gpu.thread = NULL;
    if (t->gpu.usage) {
        free(t->gpu.usage->gpus);
        free(t->gpu.usage->work);
        free(t->gpu.usage->processes);
        free(t->gpu.usage);
    }
    t->gpu.usage = NULL;
}

/* --- the figures ---------------------------------------------------------------------------- */

static struct gput_figure known(double value, enum gput_source source, const char *why)
{
    return (struct gput_figure){ value, source, source == GPUT_EXACT ? NULL : why };
}

static struct gput_figure unknown(const char *why)
{
    return (struct gput_figure){ 0, GPUT_UNAVAILABLE, why };
}

static struct gput_figure if_known(bool is, double value, enum gput_source source, const char *why,
                                   const char *why_not)
{
    return is ? known(value, source, why) : unknown(why_not);
}

static const char *why_none(const struct gput_tracker *t)
{
    if (!t->gpu.thread || t->gpu.thread->found.state == GPUT__GPUS_STARTING)
        return no_answer;
    return t->gpu.thread->found.why[0] ? t->gpu.thread->found.why : not_found;
}

static void fill_unknown(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput_figure none = unknown(why_none(t));
    bool counted = t->gpu.thread && t->gpu.thread->found.state == GPUT__GPUS_NONE;
    struct gput_figure count = counted ? known(0, GPUT_EXACT, NULL) : none;

    u->max_gpu_ram.system_capacity = u->max_gpu_ram.system = none;
    u->max_gpu_ram.main = u->max_gpu_ram.descendants = u->max_gpu_ram.combined = none;
    u->gpu_utilization.system_gpu_count = u->gpu_utilization.n_expected_gpus = count;
    u->gpu_utilization.gpu_percentages = (struct gput_percentages){ none, none, none, none };
}

static const char *words_for(enum gput__gpu_how how)
{
    static const char *const words[] = {
        [GPUT__BY_PID] = "by process id",
        [GPUT__BY_NAMESPACE] = "by process id in another pid namespace",
        [GPUT__BY_MIG] = "by MIG instance and process id",
        [GPUT__BY_CHANGE] = by_change,
    };

    return words[how];
}

/* Of what the machine has: instances are parts of their GPU, and those beside the true ones are of the
 * processor. */
static bool is_left_out(const struct gput__gpus *g, unsigned i)
{
    return g->found.devices[i].info.is_mig ||
           (!g->busy.lanes[i].counts && !gput__gpus_counts(g, i));
}

static bool capacity_of(const struct gput__gpus *g, double *ret)
{
    bool is_told = false;

    *ret = 0;
    for (unsigned i = 0; i < g->found.n; i++) {
        const struct gput__gpu_info *info = &g->found.devices[i].info;

        if (is_left_out(g, i) || !info->has_memory_total)
            continue;
        *ret += (double)info->memory_total;
        is_told = true;
    }
    return is_told;
}

/* Instances of a partitioned GPU are its parts, and count only if they were chosen. */
static unsigned count_expected(const struct gput_tracker *t)
{
    unsigned n = 0;

    for (unsigned i = 0; i < t->gpu.thread->found.n; i++)
        n += t->gpu.thread->busy.lanes[i].counts &&
             !(t->gpu.thread->found.devices[i].info.is_mig && !t->opts.gpu_uuids);
    return n;
}

static unsigned count_whole(const struct gput__gpus *g)
{
    unsigned n = 0;

    for (unsigned i = 0; i < g->found.n; i++)
        n += !is_left_out(g, i);
    return n;
}

void gput__gpu_tell_static(const struct gput_tracker *t, struct gput__static_data *ret)
{
    if (!t->gpu.thread || !gput__gpus_wait(t->gpu.thread, FIRST_ROW_WAIT_NS))
        return;
    pthread_mutex_lock(&t->gpu.thread->lock);
    (void)capacity_of(t->gpu.thread, &ret->gpu_ram_system_capacity);
    ret->system_gpu_count = count_whole(t->gpu.thread);
    ret->n_expected_gpus = count_expected(t);
    pthread_mutex_unlock(&t->gpu.thread->lock);
}

int gput__gpu_capacity(const struct gput_tracker *t, double *ret_bytes)
{
    struct gput__gpus *g = t->gpu.thread;
    int n = 0;

    *ret_bytes = NAN;
    if (!g || !gput__gpus_wait(g, 0))
        return 0;
    pthread_mutex_lock(&g->lock);
    if (!capacity_of(g, ret_bytes))
        *ret_bytes = NAN;
    n = (int)count_expected(t);
    pthread_mutex_unlock(&g->lock);
    return n;
}

static void fill_memory(const struct gput_tracker *t, const struct gput__summary *s,
                        struct gput_usage *u)
{
    const struct gput__gpus *g = t->gpu.thread;
    const char *why = t->gpu.share.how == GPUT__BY_CHANGE ? by_change : at_reads;
    double capacity;
    bool has_capacity = capacity_of(g, &capacity);

    u->max_gpu_ram.system_capacity = if_known(has_capacity, capacity, GPUT_EXACT, NULL, not_told);
    u->max_gpu_ram.system =
        if_known(gput__summary_has(s, GPUT__SYSTEM_GPU_RAM), s->max[GPUT__SYSTEM_GPU_RAM],
                 GPUT_SAMPLED, at_reads, not_told);
    u->max_gpu_ram.main = if_known(gput__summary_has(s, GPUT__MAIN_GPU_RAM),
                                   s->max[GPUT__MAIN_GPU_RAM], GPUT_SAMPLED, why, not_told);
    u->max_gpu_ram.descendants =
        if_known(gput__summary_has(s, GPUT__DESCENDANTS_GPU_RAM), s->max[GPUT__DESCENDANTS_GPU_RAM],
                 GPUT_SAMPLED, why, not_told);
    u->max_gpu_ram.combined = if_known(gput__summary_has(s, GPUT__COMBINED_GPU_RAM),
                                       s->max[GPUT__COMBINED_GPU_RAM], GPUT_SAMPLED, why, not_told);
}

static void fill_utilization(const struct gput_tracker *t, struct gput_usage *u)
{
    const struct gput__gpus *g = t->gpu.thread;
    struct gput_percentages *p = &u->gpu_utilization.gpu_percentages;
    double expected = count_expected(t), max = g->busy.max, mean = gput__gpu_busy_mean(&g->busy);
    const char *why = t->end.at_ns && !t->gpu.has_answered ? no_answer : at_reads;
    bool told = false, all_history = t->gpu.has_answered;
    enum gput_source source;

    for (unsigned i = 0; i < g->found.n; i++) {
        told |= g->busy.lanes[i].counts && g->busy.lanes[i].newest_us;
        all_history &= g->found.devices[i].utilization.had_history || !g->busy.lanes[i].counts;
    }
    source = all_history ? GPUT_EXACT : GPUT_SAMPLED;
    u->gpu_utilization.system_gpu_count = known(count_whole(g), GPUT_EXACT, NULL);
    u->gpu_utilization.n_expected_gpus = known(expected, GPUT_EXACT, NULL);
    max = max > mean ? max : mean;
    expected = expected > 0 ? expected : 1;
    p->max_sum_percent = if_known(told, max, source, why, not_told);
    p->max_hardware_percent = if_known(told, max / expected, source, why, not_told);
    p->mean_sum_percent = if_known(told, mean, source, why, not_told);
    p->mean_hardware_percent = if_known(told, mean / expected, source, why, not_told);
}

static void fill_device(const struct gput_tracker *t, unsigned i, struct gput_gpu *ret)
{
    const struct gput__gpus *g = t->gpu.thread;
    const struct gput__gpu_device *d = &g->found.devices[i];
    const struct gput__gpu_lane *lane = &g->busy.lanes[i];
    bool busy = lane->newest_us != 0;
    enum gput_source steps =
        d->utilization.had_history && t->gpu.has_answered ? GPUT_EXACT : GPUT_SAMPLED;
    double joules = d->energy.last - d->energy.first;

    *ret = (struct gput_gpu){
        .index = (int)i,
        .name = d->info.name,
        .uuid = d->info.uuid,
        .brand = gput_gpu_brand(d->info.brand),
        .is_mig = d->info.is_mig,
        .is_counted = lane->counts,
        .state = d->is_lost ? lost : "ok",
        .max_utilization = if_known(busy, lane->max, steps, at_reads, not_told),
        .mean_utilization =
            if_known(busy, gput__gpu_lane_mean(&g->busy, i), steps, at_reads, not_told),
        .max_memory =
            if_known(d->memory.is_known, (double)d->memory.max, GPUT_SAMPLED, at_reads, not_told),
        .memory_total = if_known(d->info.has_memory_total, (double)d->info.memory_total, GPUT_EXACT,
                                 NULL, not_told),
        .max_power =
            if_known(d->sensors.has_power, d->sensors.max_power, GPUT_SAMPLED, at_reads, not_told),
        .mean_power =
            if_known(d->sensors.power_s > 0,
                     d->sensors.power_s > 0 ? d->sensors.power_ws / d->sensors.power_s : 0,
                     GPUT_SAMPLED, at_reads, not_told),
        /* The counter begins anew when the driver is loaded. */
        .energy = if_known(d->energy.is_known && joules >= 0, joules, GPUT_EXACT, NULL, not_told),
        .max_temperature = if_known(d->sensors.has_temperature, d->sensors.max_temperature,
                                    GPUT_SAMPLED, at_reads, not_told),
        .max_clock =
            if_known(d->sensors.has_clocks, d->sensors.max_clock, GPUT_SAMPLED, at_reads, not_told),
        .max_memory_clock = if_known(d->sensors.max_memory_clock > 0, d->sensors.max_memory_clock,
                                     GPUT_SAMPLED, at_reads, not_told),
        .throttled = d->sensors.was_throttled ? d->sensors.throttle : NULL,
    };
}

static const struct gput__gpu_use *use_of(const struct gput__gpus *g,
                                          const struct gput__gpu_user *user)
{
    const struct gput__gpu_device *d = &g->found.devices[user->device];

    for (unsigned i = 0; i < d->uses.n; i++)
        if (d->uses.list[i].pid == user->named || d->uses.list[i].pid == user->pid)
            return &d->uses.list[i];
    return NULL;
}

static void fill_user(const struct gput__gpus *g, const struct gput__gpu_user *from,
                      struct gput_gpu_process *ret)
{
    const struct gput__gpu_use *use = use_of(g, from);

    *ret = (struct gput_gpu_process){
        .pid = from->pid,
        .gpu = (int)from->device,
        .attribution = words_for(from->how),
        .max_memory =
            if_known(from->has_memory, (double)from->max_memory, GPUT_SAMPLED, at_reads, not_told),
        .max_utilization =
            if_known(use != NULL, use ? use->max : 0, GPUT_SAMPLED, by_driver, not_told),
        .mean_utilization =
            if_known(use != NULL, use ? use->sum / use->n : 0, GPUT_SAMPLED, by_driver, not_told),
    };
}

static struct gput__gpu_usage *make_room(const struct gput_tracker *t)
{
    struct gput__gpu_usage *room = calloc(1, sizeof(*room));

    if (!room)
        return NULL;
    room->gpus = calloc(t->gpu.thread->found.n, sizeof(*room->gpus));
    room->work = calloc(t->gpu.thread->found.n, sizeof(*room->work));
    room->processes = calloc(GPUT__MOST_GPU_USERS, sizeof(*room->processes));
    if (room->gpus && room->work && room->processes)
        return room;
    free(room->gpus);
    free(room->work);
    free(room->processes);
    free(room);
    return NULL;
}

static void fill_tables(const struct gput_tracker *t, struct gput_usage *u)
{
    const struct gput__gpu_share *share = &t->gpu.share;
    struct gput__gpu_usage *room = t->gpu.usage;

    if (!room)
        return;
    for (unsigned i = 0; i < t->gpu.thread->found.n; i++) {
        fill_device(t, i, &room->gpus[i]);
        gput__gpu_fill_work(&t->gpu.thread->found.devices[i].works, &room->work[i]);
    }
    for (unsigned i = 0; i < share->n_users; i++)
        fill_user(t->gpu.thread, &share->users[i], &room->processes[i]);
    u->gpu.gpus = room->gpus;
    u->gpu.work = room->work;
    u->gpu.n_gpus = (int)t->gpu.thread->found.n;
    u->gpu.processes = room->processes;
    u->gpu.n_processes = (int)share->n_users;
}

void gput__gpu_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u)
{
    if (!t->gpu.thread || !gput__gpus_wait(t->gpu.thread, 0) || t->gpu.thread->found.n == 0) {
        fill_unknown(t, u);
        return;
    }
    /* Room that outlives the call belongs to the tracker, whose figures the call leaves alone. */
    if (!t->gpu.usage)
        ((struct gput_tracker *)t)->gpu.usage = make_room(t);
    pthread_mutex_lock(&t->gpu.thread->lock);
    fill_memory(t, s, u);
    fill_utilization(t, u);
    fill_tables(t, u);
    pthread_mutex_unlock(&t->gpu.thread->lock);
    u->gpu.attribution = words_for(t->gpu.share.how);
    u->gpu.note = t->gpu.share.others ? others_note : NULL;
}

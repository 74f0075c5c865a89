/* client_lap.c - laps at the tracker's end: asks the helper for what was used since the one before. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/clock.h"
#include "model/usage_rows.h"

/* A driver that has to start first takes seconds. */
#define PATIENCE_NS (30 * GPUT__NS_PER_S)

static const char of_laps[] = "not measured for a part of a run";
static const char at_polls[] = "the most that was seen at polls";
static const char of_living[] = "of the processes seen alive";
static const char not_told[] = "no process was polled";

static int ask(const struct gput_tracker *t, struct gput__client *c, bool wait_for_gpus)
{
    struct gput__answer a;
    const char *word = wait_for_gpus ? GPUT__WORD_LAP_WITH_GPUS : GPUT__WORD_LAP;
    int64_t until = gput__now() + PATIENCE_NS;
    int r = send(c->socket, word, 1, MSG_NOSIGNAL) < 0 ? -EPIPE : 0;

    while (r == 0) {
        r = gput__client_await(t, c, until, &a);
        if (r == 0 && a.kind == GPUT__ANSWER_LAP) {
            c->lap = a.lap;
            return 0;
        }
        if (r == 0 && a.kind == GPUT__ANSWER_DONE)
            r = -EPIPE;
    }
    return r;
}

int gput_tracker_lap(struct gput_tracker *t, int wait_for_gpus, struct gput_error *ret_err)
{
    struct gput__client *c = t->client;
    int r;

    if (!c || c->stopped)
        return gput__refuse(ret_err, -EINVAL, "", "no lap: there is one from start to stop only");
    if (c->owner != getpid())
        return gput__refuse(ret_err, -EINVAL, "", "no lap: it is the tracker of the process %d",
                            c->owner);
    r = gput__client_is_ours(c) ? ask(t, c, wait_for_gpus != 0) : -EPIPE;
    if (r < 0)
        return gput__refuse(ret_err, r, "", "no lap: the helper process %s",
                            r == -ETIMEDOUT ? "did not answer" : "has died");
    return 0;
}

/* --- as figures ------------------------------------------------------------------------------ */

static struct gput_figure figure(double value, bool is_exact, const char *why)
{
    if (isnan(value))
        return (struct gput_figure){ 0, GPUT_UNAVAILABLE, not_told };
    return (struct gput_figure){ value, is_exact ? GPUT_EXACT : GPUT_SAMPLED,
                                 is_exact ? NULL : why };
}

/* Why there is none is known of the whole run. */
static struct gput_figure gpu_ram(const struct gput_tracker *t, double value)
{
    struct gput_usage u = { .size = sizeof(u) };

    if (!isnan(value) || gput__client_usage(t, &u) < 0)
        return figure(value, false, at_polls);
    if (u.max_gpu_ram.combined.source == GPUT_UNAVAILABLE)
        return u.max_gpu_ram.combined;
    return (struct gput_figure){ 0, GPUT_UNAVAILABLE, not_told };
}

static void set_unknown(struct gput_usage *u)
{
    static const struct gput_figure none = { 0, GPUT_UNAVAILABLE, of_laps };

    for (int which = GPUT__DEFAULT_ROWS; which <= GPUT__FULL_ROWS; which++) {
        struct gput__row room[GPUT__MOST_ROWS];
        struct gput__rows rows = gput__usage_rows((enum gput__rows_of)which, room);

        for (size_t i = 0; i < rows.n; i++)
            if (gput__row_is_figure(&rows.row[i]))
                memcpy((char *)u + rows.row[i].offset, &none, sizeof(none));
    }
}

int gput_lap_usage(const struct gput_tracker *t, struct gput_usage *ret_usage)
{
    const struct gput__lap *l = t->client ? &t->client->lap : NULL;
    struct gput_usage u = { .size = sizeof(u) };

    if (!l)
        return -ENODATA;
    set_unknown(&u);
    u.ram_unit = t->opts.ram_unit;
    u.gpu_ram_unit = t->opts.gpu_ram_unit;
    u.time_unit = t->opts.time_unit;
    u.max_ram.combined.total_rss = figure(l->ram, l->ram_is_exact, at_polls);
    u.max_gpu_ram.combined = gpu_ram(t, l->gpu_ram);
    u.totals.main_cpu_seconds = figure(l->main_cpu, l->cpu_is_exact, of_living);
    u.totals.descendants_cpu_seconds = figure(l->descendants_cpu, l->cpu_is_exact, of_living);
    u.compute_time.time = figure(l->seconds, true, NULL);
    u.totals.max_n_processes = figure(l->n_processes, false, at_polls);
    u.cpu_utilization.combined_n_threads = figure(l->n_threads, false, at_polls);
    u.job.ending = GPUT_DETACHED;
    u.job.n_left = l->n_left;
    u.size = ret_usage->size < sizeof(u) ? ret_usage->size : (uint32_t)sizeof(u);
    memcpy(ret_usage, &u, u.size);
    return 0;
}

int gput_lap_left(const struct gput_tracker *t, pid_t *ret_pids, int max)
{
    const struct gput__lap *l = t->client ? &t->client->lap : NULL;

    for (int i = 0; l && i < l->n_left && i < max && i < GPUT__LAP_PIDS; i++)
        ret_pids[i] = l->left[i];
    return l ? l->n_left : 0;
}

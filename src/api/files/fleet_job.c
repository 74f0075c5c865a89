/* fleet_job.c - a job on many nodes rank by rank, for those who watch it.
 *
 * What is missing and what failed comes first.  A file is written once a minute while its ranks run, so
 * what is told of them is as old as that. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/fleet.h"
#include "base/buf.h"
#include "base/clock.h"
#include "report/fleet/fleet_report.h"

/* Seconds after which a node that wrote no new file, as it does each minute, is taken for silent. */
static const double silent_after = 180;
/* Of a job whose size is wrong: nobody looks at more. */
enum { MOST_MISSING = 100000 };

struct making {
    const struct gput__fleet_job *job;
    struct gput_fleet_rank *ranks;
    double now; /* seconds since 1970 */
};

static double known(double value)
{
    return value >= 0 ? value : NAN;
}

static double latest(const struct gput__fleet_series *s, int column)
{
    return s->n > 0 && s->value[column] ? (double)s->value[column][s->n - 1] : NAN;
}

/* By the job's clock. */
static double age_of(const struct making *m, const struct gput__job_rank *r)
{
    return fmax(m->now - (r->file->written - m->job->nodes[r->node].clock_ahead), 0);
}

static enum gput_rank_state state_of(const struct gput__job_rank *r, double age)
{
    if (r->rank->ending.how != GPUT__FLEET_RUNNING)
        return GPUT_RANK_ENDED;
    return age > silent_after ? GPUT_RANK_SILENT : GPUT_RANK_RUNNING;
}

static void fill_rank(const struct making *m, size_t i)
{
    const struct gput__job_rank *r = &m->job->ranks[i];
    const struct gput__fleet_rank *is = r->rank;
    double age = age_of(m, r);

    m->ranks[i] = (struct gput_fleet_rank){
        .rank = is->rank,
        .state = state_of(r, age),
        .elapsed = known(is->wall_seconds),
        .cpu_seconds = known(is->cpu_seconds),
        .cpu_percent = gput__fleet_figure_of(r, GPUT__FLEET_CPU),
        .gpu_percent = gput__fleet_figure_of(r, GPUT__FLEET_GPU),
        .ram_peak = known(is->max_ram),
        .gpu_ram_peak = known(is->max_gpu_ram),
        .ram_latest = latest(&is->series, GPUT__RANK_RAM),
        .cpu_latest = latest(&is->series, GPUT__RANK_CPU),
        .age = age,
    };
    snprintf(m->ranks[i].node, sizeof(m->ranks[i].node), "%s", m->job->nodes[r->node].name);
    gput_text_plain(m->ranks[i].node);
}

/* One that runs is no failure yet. */
static void add_failures(const struct making *m)
{
    char words[GPUT__FLEET_WORDS];

    for (size_t i = 0; i < m->job->n_failures; i++) {
        const struct gput__fleet_failure *f = &m->job->failures[i];
        struct gput_fleet_rank *r = &m->ranks[f->rank];

        if (f->what == GPUT__FAILED_RUNNING && r->state != GPUT_RANK_ENDED)
            continue;
        r->state = GPUT_RANK_FAILED;
        snprintf(r->failure, sizeof(r->failure), "%s", gput__fleet_failure_words(f, words));
    }
}

/* The first thing of each rank. */
static void add_stragglers(const struct making *m)
{
    struct gput__buf words = GPUT__BUF_INIT;

    for (size_t i = 0; i < m->job->n_stragglers; i++) {
        struct gput_fleet_rank *r = &m->ranks[m->job->stragglers[i].rank];

        if (r->apart[0])
            continue;
        gput__buf_clear(&words);
        gput__fleet_straggler_words(&m->job->stragglers[i], &words);
        snprintf(r->apart, sizeof(r->apart), "%.*s", (int)words.len, words.data ? words.data : "");
    }
    gput__buf_free(&words);
}

static int add_missing(const struct making *m, size_t n)
{
    const struct gput__fleet_missing *missing = &m->job->missing_ranks;

    for (size_t i = 0; i < missing->n; i++)
        for (int k = missing->range[i].from; k <= missing->range[i].to; k++) {
            if (n == m->job->n_ranks + MOST_MISSING)
                return (int)n;
            m->ranks[n++] = (struct gput_fleet_rank){ .rank = k,
                                                      .state = GPUT_RANK_MISSING,
                                                      .elapsed = NAN,
                                                      .cpu_seconds = NAN,
                                                      .cpu_percent = NAN,
                                                      .gpu_percent = NAN,
                                                      .ram_peak = NAN,
                                                      .gpu_ram_peak = NAN,
                                                      .ram_latest = NAN,
                                                      .cpu_latest = NAN,
                                                      .age = NAN };
        }
    return (int)n;
}

static int by_state(const void *a, const void *b)
{
    const struct gput_fleet_rank *one = a, *other = b;
    int c = (one->state > other->state) - (one->state < other->state);

    c = c ? c : (one->rank > other->rank) - (one->rank < other->rank);
    return c ? c : strverscmp(one->node, other->node);
}

static int make_ranks(struct making *m, struct gput_fleet_job *ret)
{
    size_t n_missing = m->job->missing_ranks.n_missing, n = m->job->n_ranks;

    n_missing = n_missing < MOST_MISSING ? n_missing : MOST_MISSING;
    m->ranks = calloc(n + n_missing + 1, sizeof(*m->ranks));
    if (!m->ranks)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        fill_rank(m, i);
    add_failures(m);
    add_stragglers(m);
    ret->n_ranks = add_missing(m, n);
    qsort(m->ranks, (size_t)ret->n_ranks, sizeof(*m->ranks), by_state);
    for (int i = 0; i < ret->n_ranks; i++)
        ret->n_in_state[m->ranks[i].state]++;
    if (m->job->expected_ranks - (int)n > ret->n_in_state[GPUT_RANK_MISSING])
        ret->n_in_state[GPUT_RANK_MISSING] = m->job->expected_ranks - (int)n;
    ret->ranks = m->ranks;
    return 0;
}

/* --- the job ----------------------------------------------------------------------------------- */

static void write_ranges(const struct gput__fleet_missing *missing, char ret[100])
{
    struct gput__buf text = GPUT__BUF_INIT;

    gput__fleet_ranges(&text, missing);
    snprintf(ret, 100, "%.*s", (int)text.len, text.data ? text.data : "");
    gput__buf_free(&text);
}

static bool is_at_work(const struct gput_fleet_rank *r)
{
    return r->state == GPUT_RANK_RUNNING || r->state == GPUT_RANK_SILENT;
}

static void fill_times(const struct making *m, struct gput_fleet_job *ret)
{
    const struct gput__fleet_totals *t = &m->job->totals;

    ret->start = t->start;
    ret->elapsed = t->wall_seconds;
    ret->newest = ret->oldest = NAN;
    for (int i = 0; i < ret->n_ranks; i++)
        if (is_at_work(&ret->ranks[i])) {
            ret->newest = fmin(ret->newest, ret->ranks[i].age);
            ret->oldest = fmax(ret->oldest, ret->ranks[i].age);
        }
    if (ret->n_in_state[GPUT_RANK_RUNNING] > 0)
        ret->elapsed = fmax(ret->elapsed, m->now - t->start);
}

static void fill_job(const struct making *m, struct gput_fleet_job *ret)
{
    const struct gput__fleet_totals *t = &m->job->totals;

    ret->n_nodes = (int)m->job->n_nodes;
    ret->n_expected_nodes = m->job->expected_nodes;
    gput__fleet_job_words(m->job, ret->title);
    snprintf(ret->command, sizeof(ret->command), "%s", m->job->command ? m->job->command : "");
    gput_text_plain(ret->command);
    write_ranges(&m->job->missing_ranks, ret->missing_ranks);
    write_ranges(&m->job->missing_nodes, ret->missing_nodes);
    ret->cpu_seconds = known(t->cpu_seconds);
    ret->cpu_seconds_given = known(t->cpu_seconds_given);
    ret->gpu_seconds_busy = known(t->gpu_seconds_busy);
    ret->gpu_seconds_held = known(t->gpu_seconds_held);
    ret->ram_peak = known(t->max_ram_at_once);
    fill_times(m, ret);
}

int gput_fleet_jobs(const struct gput_fleet *f)
{
    return (int)f->n_jobs;
}

int gput_fleet_job(struct gput_fleet *f, int i, struct gput_fleet_job *ret_job)
{
    struct gput_fleet_job job = { .size = sizeof(job) };
    struct making m = { .now = gput__seconds(gput__clock_ns(CLOCK_REALTIME)) };
    int r;

    if (i < 0 || (size_t)i >= f->n_jobs || ret_job->size != sizeof(job))
        return -EINVAL;
    if (!f->ranks)
        f->ranks = calloc(f->n_jobs, sizeof(*f->ranks));
    if (!f->ranks)
        return -ENOMEM;
    m.job = &f->jobs[i];
    r = make_ranks(&m, &job);
    if (r < 0)
        return r;
    free(f->ranks[i]);
    f->ranks[i] = m.ranks;
    fill_job(&m, &job);
    *ret_job = job;
    return 0;
}

void gput__fleet_ranks_free(struct gput_fleet *f)
{
    for (size_t i = 0; f->ranks && i < f->n_jobs; i++)
        free(f->ranks[i]);
    free(f->ranks);
}

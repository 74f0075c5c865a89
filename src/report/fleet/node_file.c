/* node_file.c - the file of a node of a fleet, out of what its trackers have stored. */
#include "report/fleet/node_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/fleet/series_json.h"

#define SCHEMA 1
#define MOST_POINTS_OF_NODE 200
#define MOST_POINTS_OF_RANK 60
/* Above so many ranks each has fewer points, so that the file stays small. */
#define RANKS_WITH_ALL_POINTS 8

static double at(const struct gput__rank_state *r, enum gput__rank_number n)
{
    return r->number[n];
}

static bool is_final(const struct gput__rank_state *r)
{
    return at(r, GPUT__RANK_IS_FINAL) == 1;
}

/* Unknown ranks last. */
static int compare(const void *a, const void *b)
{
    const struct gput__rank_state *x = a, *y = b;
    double of_x = at(x, GPUT__RANK_RANK), of_y = at(y, GPUT__RANK_RANK);

    of_x = isnan(of_x) ? HUGE_VAL : of_x;
    of_y = isnan(of_y) ? HUGE_VAL : of_y;
    if (of_x != of_y)
        return of_x < of_y ? -1 : 1;
    return at(x, GPUT__RANK_START_BOOT) < at(y, GPUT__RANK_START_BOOT) ? -1 : 1;
}

/* The one that has seen most of what happened here; among equals the one that was elected, which has asked
 * the GPUs for all that they tell. */
static const struct gput__rank_state *choose_measurer(const struct gput__node_file *f)
{
    const struct gput__rank_state *best = NULL;
    double longest = 0;

    for (size_t i = 0; i < f->n; i++)
        if (f->ranks[i].text[GPUT__RANK_NODE])
            longest = fmax(longest, at(&f->ranks[i], GPUT__RANK_WALL));
    for (size_t i = 0; i < f->n; i++) {
        const struct gput__rank_state *r = &f->ranks[i];
        double wall = at(r, GPUT__RANK_WALL);

        if (!r->text[GPUT__RANK_NODE] || isnan(wall))
            continue;
        if (at(r, GPUT__RANK_MAY_NODE) == 1 && wall >= 0.95 * longest - 2)
            return r;
        if (!best || wall > at(best, GPUT__RANK_WALL))
            best = r;
    }
    return best;
}

/* --- one rank --------------------------------------------------------------------------------- */

static void write_number(struct gput__json *j, const char *key, double value)
{
    gput__json_double(j, key, value);
}

static void write_rank_series(struct gput__json *j, const struct gput__rank_state *r,
                              size_t n_ranks)
{
    const struct gput__moments *m = &r->moments;
    size_t most = n_ranks > RANKS_WITH_ALL_POINTS
                      ? MOST_POINTS_OF_RANK * RANKS_WITH_ALL_POINTS / n_ranks / 2 * 2
                      : MOST_POINTS_OF_RANK;
    struct gput__series_json s = {
        .n = m->n,
        .t = m->value[GPUT__MOMENT_TIME],
        .column = { { "ram", m->value[GPUT__MOMENT_RAM], 0 },
                    { "pss", at(r, GPUT__RANK_MAX_PSS) > 0 ? m->value[GPUT__MOMENT_PSS] : NULL, 0 },
                    { "cpu", m->value[GPUT__MOMENT_CPU], 1 },
                    { "gpu", m->value[GPUT__MOMENT_HELD_GPU], 1 },
                    { "gpu_ram", m->value[GPUT__MOMENT_OWN_GPU_RAM], 0 } },
        .n_columns = 5,
        .most = most < 12 ? 12 : most,
    };

    gput__series_json(j, "series", &s);
}

static void write_ending(struct gput__json *j, const struct gput__rank_state *r)
{
    const char *ending = r->text[GPUT__RANK_ENDING];

    gput__json_string(j, "ending",
                      r->was_killed           ? "killed"
                      : is_final(r) && ending ? ending
                                              : "running");
    gput__json_count(j, "exit_code", is_final(r) ? at(r, GPUT__RANK_CODE) : NAN);
    gput__json_count(j, "signal", is_final(r) ? at(r, GPUT__RANK_SIGNAL) : NAN);
}

static void write_rank(struct gput__json *j, const struct gput__node_file *f, size_t i,
                       size_t provenance, const struct gput__rank_state *measurer)
{
    const struct gput__rank_state *r = &f->ranks[i];
    double wall = at(r, GPUT__RANK_WALL);
    bool has_end = is_final(r) || r->was_killed;

    gput__json_open(j, NULL);
    gput__json_count(j, "rank", at(r, GPUT__RANK_RANK));
    gput__json_count(j, "local_rank", at(r, GPUT__RANK_LOCAL));
    gput__json_count(j, "pid", at(r, GPUT__RANK_PID));
    write_ending(j, r);
    write_number(j, "start", at(r, GPUT__RANK_START));
    write_number(j, "start_boot", at(r, GPUT__RANK_START_BOOT));
    write_number(j, "end", has_end ? at(r, GPUT__RANK_START) + wall : NAN);
    write_number(j, "wall_seconds", wall);
    write_number(j, "cpu_seconds", at(r, GPUT__RANK_CPU));
    gput__json_count(j, "max_ram", at(r, GPUT__RANK_MAX_RAM));
    gput__json_count(j, "max_gpu_ram", at(r, GPUT__RANK_MAX_GPU_RAM));
    gput__json_count(j, "max_pss", at(r, GPUT__RANK_MAX_PSS) > 0 ? at(r, GPUT__RANK_MAX_PSS) : NAN);
    gput__json_bool(j, "measures_node", r == measurer);
    if (r->text[GPUT__RANK_REST])
        gput__json_members(j, r->text[GPUT__RANK_REST]);
    else
        gput__json_members(j, "\"timed_out\":false,\"killed_for_memory\":\"no\",\"gpus\":null,"
                              "\"result\":null");
    gput__json_count(j, "provenance", r->text[GPUT__RANK_PROVENANCE] ? (double)provenance : NAN);
    write_rank_series(j, r, f->n);
    gput__json_close(j);
}

/* --- provenance: each list once --------------------------------------------------------------- */

/* The first rank with the same one. */
static size_t first_with(const struct gput__node_file *f, size_t i)
{
    const char *text = f->ranks[i].text[GPUT__RANK_PROVENANCE];

    for (size_t k = 0; k < i; k++)
        if (f->ranks[k].text[GPUT__RANK_PROVENANCE] && text &&
            strcmp(f->ranks[k].text[GPUT__RANK_PROVENANCE], text) == 0)
            return k;
    return i;
}

/* Which place the list of a rank has. */
static size_t provenance_of(const struct gput__node_file *f, size_t i)
{
    size_t first = first_with(f, i), n = 0;

    for (size_t k = 0; k < first; k++)
        n += f->ranks[k].text[GPUT__RANK_PROVENANCE] && first_with(f, k) == k;
    return n;
}

static void write_provenance(struct gput__json *j, const struct gput__node_file *f)
{
    gput__json_open_list(j, "provenance");
    for (size_t i = 0; i < f->n; i++)
        if (f->ranks[i].text[GPUT__RANK_PROVENANCE] && first_with(f, i) == i)
            gput__json_raw(j, NULL, f->ranks[i].text[GPUT__RANK_PROVENANCE]);
    gput__json_close_list(j);
}

/* --- the node --------------------------------------------------------------------------------- */

static double sum_of(const struct gput__node_file *f, enum gput__rank_number n)
{
    double sum = NAN;

    for (size_t i = 0; i < f->n; i++)
        if (!isnan(at(&f->ranks[i], n)))
            sum = (isnan(sum) ? 0 : sum) + at(&f->ranks[i], n);
    return sum;
}

/* From the first start to the last end. */
static double wall_of(const struct gput__node_file *f)
{
    double first = NAN, last = NAN;

    for (size_t i = 0; i < f->n; i++) {
        double start = at(&f->ranks[i], GPUT__RANK_START_BOOT);
        double end = start + at(&f->ranks[i], GPUT__RANK_WALL);

        first = fmin(first, start); /* what is no number counts for nothing */
        last = fmax(last, end);
    }
    return last - first;
}

static void write_result(struct gput__json *j, const struct gput__node_file *f,
                         const struct gput__rank_state *measurer)
{
    bool is_pss;
    double most = gput__node_memory(f, NULL, 0, NULL, &is_pss);
    double sum = sum_of(f, GPUT__RANK_MAX_RAM);

    gput__json_open(j, "result");
    if (measurer)
        gput__json_members(j, measurer->text[GPUT__RANK_NODE]);
    write_number(j, "wall_seconds", wall_of(f));
    write_number(j, "cpu_seconds", sum_of(f, GPUT__RANK_CPU));
    gput__json_count(j, "sum_of_peak_ram", sum);
    gput__json_count(j, "max_ram_job", isnan(sum) ? NAN : fmin(most, sum));
    gput__json_string(j, "max_ram_job_source", is_pss ? "pss" : "rss");
    gput__json_close(j);
}

static void write_node_series(struct gput__json *j, const struct gput__node_file *f,
                              const struct gput__rank_state *measurer)
{
    const struct gput__moments *m = &measurer->moments;
    double *job = malloc((m->n ? m->n : 1) * sizeof(*job));
    struct gput__series_json s = {
        .n = m->n,
        .t = m->value[GPUT__MOMENT_TIME],
        .column = { { "ram_system", m->value[GPUT__MOMENT_SYSTEM_RAM], 0 },
                    { "ram_job", job, 0 },
                    { "cpu_system", m->value[GPUT__MOMENT_SYSTEM_CPU], 1 },
                    { "gpu", m->value[GPUT__MOMENT_GPU], 1 },
                    { "gpu_ram", m->value[GPUT__MOMENT_GPU_RAM], 0 } },
        .n_columns = 5,
        .most = MOST_POINTS_OF_NODE,
    };
    bool is_pss;

    if (job && m->n)
        (void)gput__node_memory(f, s.t, m->n, job, &is_pss);
    gput__series_json(j, "series", &s);
    free(job);
}

static void write_verdicts(struct gput__json *j, const struct gput__node_file *f,
                           const struct gput__rank_state *teller)
{
    double expected = at(teller, GPUT__RANK_N_LOCAL);

    gput__json_open_list(j, "verdicts");
    for (size_t i = 0; i < f->n; i++) {
        if (!f->ranks[i].was_killed)
            continue;
        gput__json_open(j, NULL);
        gput__json_string(j, "what", "rank-killed");
        gput__json_count(j, "rank", at(&f->ranks[i], GPUT__RANK_RANK));
        gput__json_open(j, "evidence");
        write_number(j, "last_figures",
                     at(&f->ranks[i], GPUT__RANK_START) + at(&f->ranks[i], GPUT__RANK_WALL));
        gput__json_close(j);
        gput__json_close(j);
    }
    if (expected > (double)f->n) {
        gput__json_open(j, NULL);
        gput__json_string(j, "what", "rank-missing");
        gput__json_null(j, "rank");
        gput__json_open(j, "evidence");
        gput__json_count(j, "expected", expected);
        gput__json_count(j, "seen", (double)f->n);
        gput__json_close(j);
        gput__json_close(j);
    }
    if (at(teller, GPUT__RANK_SYNCHRONIZED) == 0) {
        gput__json_open(j, NULL);
        gput__json_string(j, "what", "clock-not-synchronized");
        gput__json_null(j, "rank");
        gput__json_open(j, "evidence");
        gput__json_close(j);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

/* Who has said who the job is. */
static const struct gput__rank_state *choose_teller(const struct gput__node_file *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->ranks[i].text[GPUT__RANK_JOB])
            return &f->ranks[i];
    return NULL;
}

static void write_head(struct gput__json *j, const struct gput__node_file *f,
                       const struct gput__rank_state *teller)
{
    gput__json_count(j, "schema", SCHEMA);
    gput__json_string(j, "kind", "gpu-tracker-node");
    gput__json_raw(j, "run", teller->text[GPUT__RANK_RUN]);
    gput__json_string(j, "gathering", f->gathering);
    gput__json_raw(j, "job", teller->text[GPUT__RANK_JOB]);
    gput__json_raw(j, "node", teller->text[GPUT__RANK_PLACE]);
    gput__json_open(j, "clock");
    write_number(j, "wall", f->wall);
    write_number(j, "boot", f->boot);
    gput__json_members(j, teller->text[GPUT__RANK_CLOCK]);
    gput__json_close(j);
    gput__json_open(j, "written");
    write_number(j, "wall", f->written_wall);
    write_number(j, "boot", f->written_boot);
    gput__json_bool(j, "is_final", f->is_final);
    gput__json_close(j);
}

int gput__node_file_print(struct gput__node_file *f, struct gput__buf *out)
{
    const struct gput__rank_state *measurer, *teller;
    struct gput__json j = { .out = out };

    qsort(f->ranks, f->n, sizeof(*f->ranks), compare);
    measurer = choose_measurer(f);
    teller = measurer ? measurer : choose_teller(f);
    if (!teller)
        return -ENODATA;
    gput__json_open(&j, NULL);
    write_head(&j, f, teller);
    gput__json_open_list(&j, "ranks");
    for (size_t i = 0; i < f->n; i++)
        write_rank(&j, f, i, provenance_of(f, i), measurer);
    gput__json_close_list(&j);
    write_provenance(&j, f);
    write_result(&j, f, measurer);
    gput__json_raw(&j, "gpus", measurer ? measurer->text[GPUT__RANK_GPUS] : "[]");
    if (measurer)
        write_node_series(&j, f, measurer);
    else
        gput__json_null(&j, "series");
    write_verdicts(&j, f, teller);
    gput__json_close(&j);
    if (out->err)
        return out->err;
    out->len = gput__json_compact(out->data);
    gput__buf_putc(out, '\n');
    return out->err;
}

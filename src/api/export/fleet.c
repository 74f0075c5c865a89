/* fleet.c - jobs on many nodes for export: each rank is a run, and so is each node. */
#include "api/export/fleet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/fleet/fleet_files.h"

#define WHY "a fleet's file does not say how it is known"

/* NAN stays unavailable. */
static void set(struct gput_figure *f, double value)
{
    if (isfinite(value))
        *f = (struct gput_figure){ value, GPUT_SAMPLED, WHY };
}

static int64_t in_ns(double seconds)
{
    return seconds > 0 ? (int64_t)(seconds * 1e9) : 0;
}

/* --- which job, which rank ------------------------------------------------------------------- */

static char *id_of(const struct gput__fleet_job_id *id)
{
    char *text = NULL, restart[16] = "";

    if (id->restart > 0)
        snprintf(restart, sizeof(restart), ".r%d", id->restart);
    return asprintf(&text, "%s.%s%s", id->id, id->step ? id->step : "0", restart) < 0 ? NULL : text;
}

/* Labels that tell ranks apart; of nodes `r` is NULL. */
static char *make_labels(const char *id, const struct gput__job_rank *r)
{
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;

    if (r && r->rank->rank >= 0)
        gput__buf_printf(&out, "rank=%d\n", r->rank->rank);
    if (r && (r->rank->rank < 0 || r->is_twice))
        gput__buf_printf(&out, "pid=%d\nstart=%.3f\n", r->rank->pid, r->rank->start);
    if (id)
        gput__buf_printf(&out, "run_id=%s\n", id);
    return gput__buf_detach(&out, &text) < 0 ? NULL : text;
}

static int refuse_labels(const char *labels, struct gput_error *err)
{
    static const char *const ours[] = { "rank", "pid", "start" };
    struct gput__pair pair;

    while (gput__pair_next(&labels, &pair))
        for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
            if (pair.key_len == strlen(ours[i]) && strncmp(pair.key, ours[i], pair.key_len) == 0)
                return gput__refuse(err, -EINVAL, "labels", "'%s' is a label of our own in a fleet",
                                    ours[i]);
    return 0;
}

/* --- a rank ---------------------------------------------------------------------------------- */

static void set_ending(struct gput_usage *u, const struct gput__fleet_end *end)
{
    static const enum gput_ending endings[] = {
        [GPUT__FLEET_UNKNOWN] = GPUT_RUNNING,   [GPUT__FLEET_EXITED] = GPUT_EXITED,
        [GPUT__FLEET_SIGNALED] = GPUT_SIGNALED, [GPUT__FLEET_GONE] = GPUT_GONE,
        [GPUT__FLEET_DETACHED] = GPUT_DETACHED, [GPUT__FLEET_RUNNING] = GPUT_RUNNING,
        [GPUT__FLEET_KILLED] = GPUT_RUNNING, /* nobody saw how it ended */
    };

    u->job.ending = endings[end->how];
    u->job.code = end->how == GPUT__FLEET_EXITED ? end->exit_code : end->signal;
    if (end->killed_for_memory)
        u->job.oom = strcmp(end->killed_for_memory, "yes") == 0 ? GPUT_OOM_YES : GPUT_OOM_PROBABLY;
}

static void fill_rank(const struct gput__job_rank *r, struct gput__export_material *m)
{
    const struct gput__fleet_rank *rank = r->rank;
    struct gput__points *points = &m->exposed.points;
    struct gput_usage *u = &m->usage;

    set(&u->max_ram.combined.total_rss, rank->max_ram);
    set(&u->max_gpu_ram.combined, rank->max_gpu_ram);
    set(&u->totals.disk_read_bytes, rank->disk_read);
    set(&u->totals.disk_write_bytes, rank->disk_write);
    set(&u->compute_time.time, rank->wall_seconds);
    set(&u->limits.cores_effective, rank->cores);
    set_ending(u, &rank->ending);
    gput__points_of_usage(points, u);
    gput__points_of_total(points, GPUT__COMBINED_CPU, rank->cpu_seconds);
    gput__points_of_peak(points, GPUT__JOB_PSS, rank->max_pss);
    m->exposed.head.start_ns = in_ns(r->start);
    m->exposed.head.now_ns = in_ns(r->end);
}

/* --- a node ---------------------------------------------------------------------------------- */

static int fill_gpus(const struct gput__fleet_file *f, struct gput_usage *u)
{
    struct gput_gpu *gpus = calloc(f->n_gpus + 1, sizeof(*gpus));

    if (!gpus)
        return -ENOMEM;
    for (uint32_t i = 0; i < f->n_gpus; i++) {
        const struct gput__fleet_gpu *g = &f->gpus[i];

        gpus[i].index = g->index >= 0 ? g->index : (int)i;
        gpus[i].name = g->name;
        gpus[i].uuid = g->uuid;
        set(&gpus[i].mean_utilization, g->mean_use);
        set(&gpus[i].max_memory, g->max_memory);
        set(&gpus[i].memory_total, g->memory);
        set(&gpus[i].energy, g->energy);
    }
    u->gpu.gpus = gpus;
    u->gpu.n_gpus = (int)f->n_gpus;
    return 0;
}

/* Of one of several files; what is not known adds nothing. */
static void add(struct gput_figure *f, double value)
{
    if (isfinite(value))
        set(f, f->value + value);
}

static int fill_node(const struct gput__job_node *node, struct gput__export_material *m)
{
    struct gput_usage *u = &m->usage;
    int r;

    u->job.ending = node->is_final ? GPUT_GONE : GPUT_RUNNING;
    u->job.command = node->files[0]->command;
    u->run.version = node->files[0]->version;
    set(&u->max_ram.system, node->max_ram_system);
    for (size_t i = 0; i < node->n_files; i++) {
        const struct gput__fleet_result *result = &node->files[i]->result;

        add(&u->machine.disk_read_bytes, result->disk_read);
        add(&u->machine.disk_write_bytes, result->disk_write);
        add(&u->machine.net_received_bytes, result->net_received);
        add(&u->machine.net_sent_bytes, result->net_sent);
    }
    r = fill_gpus(node->files[0], u);
    gput__points_of_usage(&m->exposed.points, u);
    gput__points_of_total(&m->exposed.points, GPUT__SYSTEM_CPU, node->cpu_seconds_system);
    m->exposed.head.start_ns = in_ns(node->start);
    m->exposed.head.now_ns = in_ns(node->end);
    return r;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* The last of the list, whose figures are there; `r` NULL: it is a node. */
static int prepare(struct gput__export_fleet *f, size_t job, const char *node,
                   const struct gput__job_rank *r, bool needs_id,
                   const struct gput_export_options *o)
{
    struct gput__export_material *m = &f->list[f->n - 1];
    char *labels = make_labels(needs_id ? f->ids[job] : NULL, r);
    int s;

    m->usage.run.job_name = f->jobs[job].id->name;
    m->usage.run.host = node;
    m->usage.run.id = f->ids[job];
    gput__points_trim(&m->exposed.points);
    s = labels ? gput__export_prepare(m, o, labels) : -ENOMEM;
    m->exposed.head.rank = r ? r->rank->rank : -1;
    free(labels);
    return s;
}

static int add_job(struct gput__export_fleet *f, size_t job, bool needs_id,
                   const struct gput_export_options *o)
{
    const struct gput__fleet_job *j = &f->jobs[job];
    int r = 0;

    for (size_t i = 0; r == 0 && i < j->n_ranks; i++) {
        fill_rank(&j->ranks[i], &f->list[f->n++]);
        r = prepare(f, job, j->nodes[j->ranks[i].node].name, &j->ranks[i], needs_id, o);
    }
    for (size_t i = 0; r == 0 && i < j->n_nodes; i++) {
        r = fill_node(&j->nodes[i], &f->list[f->n++]);
        r = r < 0 ? r : prepare(f, job, j->nodes[i].name, NULL, needs_id, o);
    }
    return r;
}

static int add_jobs(struct gput__export_fleet *f, bool has_others,
                    const struct gput_export_options *o)
{
    size_t n = 0;
    int r = 0;

    for (size_t i = 0; i < f->n_jobs; i++)
        n += f->jobs[i].n_ranks + f->jobs[i].n_nodes;
    f->list = calloc(n + 1, sizeof(*f->list));
    f->ids = calloc(f->n_jobs + 1, sizeof(*f->ids));
    if (!f->list || !f->ids)
        return -ENOMEM;
    for (size_t i = 0; r == 0 && i < f->n_jobs; i++) {
        f->ids[i] = id_of(f->jobs[i].id);
        r = f->ids[i] ? add_job(f, i, has_others || f->n_jobs > 1, o) : -ENOMEM;
    }
    return r;
}

int gput__export_fleet_read(const char *const *paths, size_t n, bool has_others,
                            const struct gput_export_options *o, const struct gput_callbacks *on,
                            struct gput__export_fleet *ret, struct gput_error *err)
{
    int r = refuse_labels(o->labels, err);

    *ret = (struct gput__export_fleet){ 0 };
    if (r == 0)
        r = gput__fleet_read(paths, n, &ret->fleet, err);
    if (r < 0)
        return r;
    for (size_t i = 0; on && on->warn && i < ret->fleet.n_faults; i++)
        if (!ret->fleet.faults[i].is_harmless)
            on->warn(on->ctx, ret->fleet.faults[i].text);
    r = gput__fleet_jobs(&ret->fleet, &ret->jobs, &ret->n_jobs);
    if (r == 0)
        r = add_jobs(ret, has_others, o);
    return r < 0 ? gput__refuse(err, r, "", "%s", strerror(-r)) : 0;
}

void gput__export_fleet_free(struct gput__export_fleet *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free((void *)f->list[i].usage.gpu.gpus);
        gput__export_free(&f->list[i]);
    }
    for (size_t i = 0; f->ids && i < f->n_jobs; i++)
        free(f->ids[i]);
    free(f->ids);
    free(f->list);
    gput__fleet_jobs_free(f->jobs, f->n_jobs);
    gput__fleet_free(&f->fleet);
    *f = (struct gput__export_fleet){ 0 };
}

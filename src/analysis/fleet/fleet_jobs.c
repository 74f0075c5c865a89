/* fleet_jobs.c - puts files together to jobs, their nodes and their ranks. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet/fleet_job.h"

/* "node9" comes before "node10". */
static int compare_names(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strverscmp(a, b);
}

static int compare_jobs(const struct gput__fleet_job_id *a, const struct gput__fleet_job_id *b)
{
    int c = compare_names(a->id, b->id), restart = a->restart > 0 ? a->restart : 0;
    int other = b->restart > 0 ? b->restart : 0;

    c = c ? c : (restart > other) - (restart < other);
    return c ? c : compare_names(a->step, b->step);
}

static int by_job_and_node(const void *a, const void *b)
{
    const struct gput__fleet_file *one = *(const struct gput__fleet_file *const *)a;
    const struct gput__fleet_file *other = *(const struct gput__fleet_file *const *)b;
    int c = compare_jobs(&one->job, &other->job);

    c = c ? c : (one->node_index > other->node_index) - (one->node_index < other->node_index);
    c = c ? c : compare_names(one->node, other->node);
    return c ? c : compare_names(one->path, other->path);
}

static int by_number(const void *a, const void *b)
{
    const struct gput__job_rank *one = a, *other = b;

    if (one->rank->rank != other->rank->rank)
        return one->rank->rank < other->rank->rank ? -1 : 1;
    if (one->node != other->node)
        return one->node < other->node ? -1 : 1;
    return (one->start > other->start) - (one->start < other->start);
}

static double end_of(const struct gput__fleet_file *f, const struct gput__fleet_rank *r)
{
    if (r->end >= r->start)
        return r->end;
    return r->wall_seconds >= 0 ? r->start + r->wall_seconds : fmax(f->written, r->start);
}

/* --- a job ------------------------------------------------------------------------------------- */

static void begin_node(struct gput__job_node *node, const struct gput__fleet_file *const *file)
{
    *node = (struct gput__job_node){ .name = (*file)->node,
                                     .index = (*file)->node_index,
                                     .files = file,
                                     .local_size = -1,
                                     .start = NAN,
                                     .end = NAN,
                                     .cores = NAN,
                                     .max_ram_system = NAN,
                                     .ram_capacity = NAN,
                                     .cpu_seconds_system = NAN,
                                     .max_ram_job = NAN,
                                     .cpu_seconds = NAN,
                                     .gpu_held = NAN,
                                     .gpu_busy = NAN,
                                     .is_final = true };
}

static void add_file(struct gput__fleet_job *job, const struct gput__fleet_file *const *at)
{
    const struct gput__fleet_file *f = *at;
    struct gput__job_node *node = job->n_nodes > 0 ? &job->nodes[job->n_nodes - 1] : NULL;

    if (!node || strcmp(node->name, f->node) != 0)
        begin_node(node = &job->nodes[job->n_nodes++], at);
    node->n_files++;
    node->n_ranks += f->n_ranks;
    node->is_final &= f->is_final;
    node->local_size = f->local_size > node->local_size ? f->local_size : node->local_size;
    for (uint32_t i = 0; i < f->n_ranks; i++)
        job->ranks[job->n_ranks++] = (struct gput__job_rank){ .file = f,
                                                              .rank = &f->ranks[i],
                                                              .node = job->n_nodes - 1,
                                                              .start = f->ranks[i].start,
                                                              .end = end_of(f, &f->ranks[i]),
                                                              .gpu_held = NAN,
                                                              .gpu_busy = NAN };
    if (f->job.size > job->expected_ranks)
        job->expected_ranks = f->job.size;
    if (f->job.n_nodes > job->expected_nodes)
        job->expected_nodes = f->job.n_nodes;
    job->command = job->command ? job->command : f->command;
}

/* Where no launcher says how many there are in all, each node may know its own. */
static void expect_local(struct gput__fleet_job *job)
{
    int sum = 0;

    for (size_t i = 0; i < job->n_nodes; i++) {
        if (job->nodes[i].local_size < 0 || job->nodes[i].local_size > (1 << 20))
            return;
        sum += job->nodes[i].local_size;
    }
    job->expected_ranks = sum;
}

static int collect(struct gput__fleet_job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_files; i++)
        n += job->files[i]->n_ranks;
    job->ranks = calloc(n, sizeof(*job->ranks));
    job->nodes = calloc(job->n_files, sizeof(*job->nodes));
    if (!job->ranks || !job->nodes)
        return -ENOMEM;
    for (size_t i = 0; i < job->n_files; i++)
        add_file(job, &job->files[i]);
    if (job->expected_ranks < 0)
        expect_local(job);
    qsort(job->ranks, job->n_ranks, sizeof(*job->ranks), by_number);
    for (size_t i = 1; i < job->n_ranks; i++)
        if (job->ranks[i].rank->rank >= 0 &&
            job->ranks[i].rank->rank == job->ranks[i - 1].rank->rank)
            job->ranks[i].is_twice = true;
    return 0;
}

static int find_missing(struct gput__fleet_job *job)
{
    size_t most = job->n_ranks > job->n_nodes ? job->n_ranks : job->n_nodes, n_indexed = 0;
    int *has = calloc(most, sizeof(*has)), r = has ? 0 : -ENOMEM;

    for (size_t i = 0; has && i < job->n_ranks; i++)
        has[i] = job->ranks[i].rank->rank;
    if (r == 0 && has[job->n_ranks - 1] >= 0) /* else none has a number */
        r = gput__fleet_find_missing(has, job->n_ranks, job->expected_ranks, &job->missing_ranks);
    for (size_t i = 0; r == 0 && i < job->n_nodes; i++) {
        has[i] = job->nodes[i].index;
        n_indexed += has[i] >= 0;
    }
    if (r == 0 && n_indexed == job->n_nodes)
        r = gput__fleet_find_missing(has, job->n_nodes, job->expected_nodes, &job->missing_nodes);
    job->n_missing_nodes = job->missing_nodes.n_missing;
    if (job->n_missing_nodes == 0 && job->expected_nodes > (int)job->n_nodes)
        job->n_missing_nodes = (size_t)job->expected_nodes - job->n_nodes;
    free(has);
    return r;
}

static int analyse(struct gput__fleet_job *job)
{
    static int (*const parts[])(struct gput__fleet_job *) = {
        collect,
        find_missing,
        gput__fleet_job_clocks,
        gput__fleet_job_totals,
        gput__fleet_job_memory,
        gput__fleet_job_spreads,
        gput__fleet_job_stragglers,
        gput__fleet_job_failures,
    };
    int r = 0;

    for (size_t i = 0; r == 0 && i < sizeof(parts) / sizeof(*parts); i++)
        r = parts[i](job);
    return r;
}

/* --- all jobs ---------------------------------------------------------------------------------- */

static void free_job(struct gput__fleet_job *job)
{
    free(job->ranks);
    free(job->nodes);
    free(job->missing_ranks.range);
    free(job->missing_nodes.range);
    free(job->stragglers);
    free(job->failures);
}

void gput__fleet_jobs_free(struct gput__fleet_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_job(&jobs[i]);
    if (n > 0)
        free(jobs[0].files); /* of all of them */
    free(jobs);
}

/* Cuts the sorted files into jobs. */
static size_t cut(const struct gput__fleet_file **files, size_t n, struct gput__fleet_job *jobs)
{
    size_t n_jobs = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_jobs(&files[i - 1]->job, &files[i]->job) != 0)
            jobs[n_jobs++] = (struct gput__fleet_job){
                .id = &files[i]->job, .files = files + i, .expected_ranks = -1, .expected_nodes = -1
            };
        jobs[n_jobs - 1].n_files++;
    }
    return n_jobs;
}

int gput__fleet_jobs(const struct gput__fleet *fleet, struct gput__fleet_job **ret, size_t *ret_n)
{
    const struct gput__fleet_file **files = calloc(fleet->n + 1, sizeof(*files));
    struct gput__fleet_job *jobs = calloc(fleet->n + 1, sizeof(*jobs));
    size_t n = 0;
    int r = files && jobs ? 0 : -ENOMEM;

    for (size_t i = 0; r == 0 && i < fleet->n; i++)
        files[i] = &fleet->files[i];
    if (r == 0) {
        qsort(files, fleet->n, sizeof(*files), by_job_and_node);
        n = cut(files, fleet->n, jobs);
    }
    for (size_t i = 0; r == 0 && i < n; i++)
        r = analyse(&jobs[i]);
    if (r < 0 || n == 0) {
        for (size_t i = 0; i < n; i++)
            free_job(&jobs[i]);
        free(files);
        free(jobs);
        return r;
    }
    *ret = jobs;
    *ret_n = n;
    return 0;
}

bool gput__fleet_job_is_complete(const struct gput__fleet_job *job)
{
    int missing = job->expected_ranks - (int)job->n_ranks;

    return job->missing_ranks.n_missing == 0 && job->n_missing_nodes == 0 && missing <= 0 &&
           job->n_failures == 0;
}

/* totals.c - what a whole job used, and each of its nodes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet/fleet_job.h"
#include "base/grow.h"

/* What is not known adds nothing, and nothing known stays unknown. */
static void add(double *sum, double value)
{
    if (value >= 0)
        *sum = *sum >= 0 ? *sum + value : value;
}

/* --- GPUs: one that several ranks hold counts once ---------------------------------------------- */

struct use {
    const char *uuid;
    int index;
    double start, end, held, busy;
};

static int by_gpu(const void *a, const void *b)
{
    const struct use *one = a, *other = b;

    if (one->uuid && other->uuid)
        return strcmp(one->uuid, other->uuid);
    return (one->index > other->index) - (one->index < other->index);
}

/* uses[0..n) are of one GPU. */
static void add_gpu(struct gput__job_node *node, const struct use *uses, size_t n)
{
    double start = INFINITY, end = -INFINITY, held = 0, busy = 0, most = 0;

    for (size_t i = 0; i < n; i++) {
        start = fmin(start, uses[i].start);
        end = fmax(end, uses[i].end);
        held += uses[i].held;
        busy += uses[i].busy;
        most = fmax(most, uses[i].busy);
    }
    if (n > 1 && held > end - start) { /* at the same time */
        held = end - start;
        busy = most;
    }
    add(&node->gpu_held, held);
    add(&node->gpu_busy, fmin(busy, held));
}

static void add_node_gpus(struct gput__job_node *node, struct use *uses, size_t n)
{
    size_t first = 0;

    if (n > 1)
        qsort(uses, n, sizeof(*uses), by_gpu);
    for (size_t i = 1; i <= n; i++) {
        if (i < n && by_gpu(&uses[i], &uses[first]) == 0)
            continue;
        add_gpu(node, uses + first, i - first);
        first = i;
    }
}

struct use_list {
    struct use *use;
    size_t n, cap;
};

static int add_rank_gpus(struct gput__job_rank *r, struct use_list *l)
{
    const struct gput__fleet_rank *rank = r->rank;

    if (rank->has_gpus)
        r->gpu_held = r->gpu_busy = 0;
    for (uint32_t i = 0; i < rank->n_gpus; i++) {
        const struct gput__fleet_held *g = &rank->gpus[i];

        r->gpu_held += g->held;
        r->gpu_busy += g->busy;
        if (!(g->held >= 0) || !(g->busy >= 0))
            continue;
        if (GPUT__GROW(l->use, l->cap, l->n + 1) < 0)
            return -ENOMEM;
        l->use[l->n++] = (struct use){ .uuid = g->uuid,
                                       .index = g->index,
                                       .start = r->start,
                                       .end = r->end,
                                       .held = g->held,
                                       .busy = g->busy };
    }
    return 0;
}

/* Ranks are sorted by number, so those of a node are picked out by a list for each. */
static int add_gpus(struct gput__fleet_job *job)
{
    struct use_list *lists = calloc(job->n_nodes, sizeof(*lists));
    int r = lists ? 0 : -ENOMEM;

    for (size_t i = 0; r == 0 && i < job->n_ranks; i++)
        r = add_rank_gpus(&job->ranks[i], &lists[job->ranks[i].node]);
    for (size_t i = 0; r == 0 && i < job->n_nodes; i++)
        add_node_gpus(&job->nodes[i], lists[i].use, lists[i].n);
    for (size_t i = 0; lists && i < job->n_nodes; i++)
        free(lists[i].use);
    free(lists);
    return r;
}

/* --- the node ---------------------------------------------------------------------------------- */

static void file_span(const struct gput__fleet_file *f, double *ret_start, double *ret_end)
{
    *ret_start = INFINITY;
    *ret_end = -INFINITY;
    for (uint32_t i = 0; i < f->n_ranks; i++) {
        *ret_start = fmin(*ret_start, f->ranks[i].start);
        *ret_end = fmax(*ret_end, f->ranks[i].end);
    }
}

/* Whether two files of a node are of the same time: then both measured the whole machine. */
static bool overlaps_before(const struct gput__job_node *node, size_t i)
{
    double start, end, other_start, other_end;

    file_span(node->files[i], &start, &end);
    for (size_t k = 0; k < i; k++) {
        file_span(node->files[k], &other_start, &other_end);
        if (start < other_end && other_start < end)
            return true;
    }
    return false;
}

static void add_machine(struct gput__fleet_totals *t, struct gput__job_node *node,
                        const struct gput__fleet_result *result)
{
    add(&t->energy, result->energy);
    add(&t->net_received, result->net_received);
    add(&t->net_sent, result->net_sent);
    add(&node->cpu_seconds_system, result->cpu_seconds_system);
}

static void add_file(struct gput__fleet_totals *t, struct gput__job_node *node, size_t i)
{
    const struct gput__fleet_result *result = &node->files[i]->result;

    if (!overlaps_before(node, i))
        add_machine(t, node, result);
    add(&node->max_ram_job, result->max_ram_job);
    node->max_ram_system = fmax(node->max_ram_system, result->max_ram_system);
    node->ram_capacity = fmax(node->ram_capacity, result->ram_capacity);
    if (!result->max_ram_job_source || strcmp(result->max_ram_job_source, "pss") != 0)
        t->is_ram_shared_once = false;
}

static void add_rank(struct gput__fleet_totals *t, struct gput__job_node *node,
                     const struct gput__job_rank *r)
{
    const struct gput__fleet_rank *rank = r->rank;

    node->start = fmin(node->start, r->start);
    node->end = fmax(node->end, r->end);
    add(&node->cores, rank->cores);
    add(&node->cpu_seconds, rank->cpu_seconds);
    add(&t->cpu_seconds, rank->cpu_seconds);
    add(&t->sum_of_peak_ram, rank->max_ram);
    add(&t->disk_read, rank->disk_read);
    add(&t->disk_write, rank->disk_write);
    t->start = fmin(t->start, r->start);
    t->end = fmax(t->end, r->end);
}

static void add_node(struct gput__fleet_totals *t, struct gput__job_node *node)
{
    node->cores = fmin(node->cores, node->files[0]->result.cores);
    add(&t->cpu_seconds_given, node->cores * (node->end - node->start));
    add(&t->sum_of_node_peaks, node->max_ram_job);
    add(&t->gpu_seconds_held, node->gpu_held);
    add(&t->gpu_seconds_busy, node->gpu_busy);
}

int gput__fleet_job_totals(struct gput__fleet_job *job)
{
    struct gput__fleet_totals *t = &job->totals;
    int r;

    *t = (struct gput__fleet_totals){ NAN,  NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                      true, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    for (size_t i = 0; i < job->n_ranks; i++)
        add_rank(t, &job->nodes[job->ranks[i].node], &job->ranks[i]);
    for (size_t i = 0; i < job->n_nodes; i++)
        for (size_t k = 0; k < job->nodes[i].n_files; k++)
            add_file(t, &job->nodes[i], k);
    r = add_gpus(job);
    for (size_t i = 0; i < job->n_nodes; i++)
        add_node(t, &job->nodes[i]);
    t->wall_seconds = t->end - t->start;
    return r;
}

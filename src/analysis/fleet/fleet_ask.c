/* fleet_ask.c - what to ask for, for a job on many nodes: each rank is a run to go by. */
#include "analysis/fleet/fleet_ask.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recommend.h"

#define MIB (1024.0 * 1024.0)

static double highest(const struct gput__fleet_series *s, int column)
{
    double most = NAN;

    for (uint32_t i = 0; s->value[column] && i < s->n; i++)
        most = fmax(most, (double)s->value[column][i]);
    return most;
}

static enum gput_ending ending_of(const struct gput__fleet_end *end)
{
    switch (end->how) {
    case GPUT__FLEET_EXITED:
        return GPUT_EXITED;
    case GPUT__FLEET_SIGNALED:
    case GPUT__FLEET_KILLED:
        return GPUT_SIGNALED;
    default:
        return GPUT_RUNNING;
    }
}

static struct gput_demand demand_of(const struct gput__job_rank *r)
{
    const struct gput__fleet_rank *rank = r->rank;
    double most = highest(&rank->series, GPUT__RANK_CPU) / 100, mean = NAN;
    struct gput_demand d = { .gpu_mean = NAN, .gpu_max = NAN, .is_sampled = 1 };

    if (rank->wall_seconds > 0)
        mean = rank->cpu_seconds / rank->wall_seconds;
    d.cpu_mean = mean;
    d.cpu_max = fmin(fmax(mean, most), fmax(mean, rank->cores));
    d.memory_peak = rank->max_pss > 0 ? rank->max_pss : rank->max_ram;
    d.vram_peak = rank->max_gpu_ram;
    d.duration = rank->wall_seconds;
    d.cores_limit = rank->cores;
    if (rank->n_gpus > 0 && r->gpu_held > 0) {
        d.gpu_mean = r->gpu_busy / r->gpu_held * rank->n_gpus;
        d.n_gpus = d.gpu_mean > 0 ? (int)rank->n_gpus : 0;
    }
    d.oom = rank->ending.killed_for_memory ? GPUT_OOM_YES : GPUT_OOM_NO;
    d.ending = ending_of(&rank->ending);
    d.code = rank->ending.exit_code > 0 ? rank->ending.exit_code : 0;
    d.timed_out = rank->ending.timed_out;
    return d;
}

static bool is_same(const struct gput__fleet_held *a, const struct gput__fleet_held *b)
{
    return a->uuid && b->uuid ? strcmp(a->uuid, b->uuid) == 0 : a->index == b->index;
}

/* GPUs that worked for ranks of a file, each once. */
static int count_gpus(const struct gput__fleet_file *f)
{
    const struct gput__fleet_held *seen[64];
    int n = 0;

    for (uint32_t i = 0; i < f->n_ranks; i++)
        for (uint32_t k = 0; k < f->ranks[i].n_gpus && n < 64; k++) {
            const struct gput__fleet_held *g = &f->ranks[i].gpus[k];
            int old = 0;

            while (old < n && !is_same(seen[old], g))
                old++;
            if (old == n && g->busy > 0)
                seen[n++] = g;
        }
    return n;
}

static void ask_for_nodes(const struct gput__fleet_job *job, double margin,
                          struct gput__fleet_ask *ask)
{
    size_t most = 0;
    struct gput_demand node = { .is_sampled = 1 };

    ask->node_peak = NAN;
    for (size_t i = 0; i < job->n_nodes; i++) {
        int gpus = count_gpus(job->nodes[i].files[0]);

        most = job->nodes[i].n_ranks > most ? job->nodes[i].n_ranks : most;
        ask->gpus_per_node = gpus > ask->gpus_per_node ? gpus : ask->gpus_per_node;
        ask->node_peak = fmax(ask->node_peak, job->nodes[i].max_ram_job);
    }
    node.memory_peak = ask->node_peak;
    ask->nodes = job->expected_nodes > 0 ? job->expected_nodes : (int)job->n_nodes;
    ask->tasks_per_node = (int)most;
    if (ask->node_peak > 0)
        ask->node_memory_mib = gput_round_memory(gput__demand_memory(&node, margin) / MIB);
}

int gput__fleet_ask(const struct gput__fleet_job *job, double margin, struct gput__fleet_ask *ret)
{
    struct gput__fleet_ask ask = { .n_ranks = job->n_ranks,
                                   .is_short = !gput__fleet_job_is_complete(job) };
    struct gput_demand *runs = calloc(job->n_ranks, sizeof(*runs));

    if (!runs)
        return -ENOMEM;
    for (size_t i = 0; i < job->n_ranks; i++)
        runs[i] = demand_of(&job->ranks[i]);
    gput_recommend_margin(runs, job->n_ranks, margin, &ask.task);
    ask_for_nodes(job, margin, &ask);
    free(runs);
    *ret = ask;
    return 0;
}

/* plan.c - a job of many nodes that never ran. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GB 1e9

const char *const fault_names[N_FAULTS] = {
    [FAULT_NONE] = "none",       [FAULT_SLOW] = "slow",     [FAULT_STALL] = "stall",
    [FAULT_BIG] = "big",         [FAULT_IDLE] = "idle",     [FAULT_KILLED] = "killed",
    [FAULT_MISSING] = "missing", [FAULT_SKEWED] = "skewed",
};

struct planted *plan_faults(struct options *o, size_t *ret_n)
{
    struct planted *list = calloc((size_t)o->nodes, sizeof(*list));
    bool *taken = calloc((size_t)o->nodes, sizeof(*taken));

    *ret_n = 0;
    if (!list || !taken)
        abort();
    for (int fault = FAULT_SLOW; fault < N_FAULTS; fault++) {
        for (int i = 0; i < o->n_of[fault] && *ret_n < (size_t)o->nodes; i++) {
            int node;

            do
                node = (int)(noise_bits(&o->noise) % (uint64_t)o->nodes);
            while (taken[node]);
            taken[node] = true;
            list[(*ret_n)++] =
                (struct planted){ .fault = (enum fault)fault,
                                  .node = node,
                                  .local = (int)(noise_bits(&o->noise) % (uint64_t)o->ranks) };
        }
    }
    free(taken);
    return list;
}

double plan_length(const struct options *o)
{
    return o->seconds * (o->n_of[FAULT_SLOW] > 0 ? 1.45 : 1.05);
}

static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void begin_rank(struct options *o, struct rank *r)
{
    double noise = noise_draw(&o->noise, 3);

    r->start = 0.5 * noise_uniform(&o->noise);
    r->end = o->seconds * within(1 + 0.0005 * noise, 0.5, 1.05);
    r->level = 96 * within(1 + 0.003 * noise_draw(&o->noise, 5), 0.2, 3);
    r->ram = 4 * GB * within(1 + 0.005 * noise_draw(&o->noise, 5), 0.2, 10);
    r->gpu_level = 90 * within(1 - fabs(0.005 * noise_draw(&o->noise, 5)), 0.1, 1);
    if (r->fault == FAULT_SLOW) {
        r->level /= 2;
        r->end *= 1.4;
    }
    if (r->fault == FAULT_BIG)
        r->ram *= 2.5;
    if (r->fault == FAULT_IDLE)
        r->gpu_level *= 0.3;
    if (r->fault == FAULT_KILLED)
        r->end *= 0.2 + 0.6 * noise_uniform(&o->noise);
}

/* Memory grows during the first fifth of the run, and has a hump at three quarters of it. */
static double memory_at(const struct rank *r, double share)
{
    double grown = share < 0.2 ? 0.2 + 3.6 * share : 0.92;
    double hump = 0.08 * exp(-pow((share - 0.75) / 0.05, 2));

    return r->ram * (within(grown, 0.2, 0.92) + hump);
}

static void run_rank(struct options *o, struct rank *r)
{
    double length = r->end - r->start, step = length / MOMENTS;

    for (int k = 0; k < MOMENTS; k++) {
        double share = (r->start + k * step) / o->seconds;
        bool stalls = r->fault == FAULT_STALL && share > 0.4 && share < 0.5;
        double noise = 1 + 0.02 * noise_draw(&o->noise, 3);

        r->cpu[k] = (float)(stalls ? 1 : within(r->level * noise, 0, 400));
        r->memory[k] = (float)floor(memory_at(r, share));
        r->gpu[k] = (float)within(r->gpu_level * noise, 0, 100);
        r->cpu_seconds += (double)r->cpu[k] / 100 * step;
        r->gpu_busy += (double)r->gpu[k] / 100 * step;
        r->max_ram = fmax(r->max_ram, (double)r->memory[k]);
    }
}

static const struct planted *find(const struct planted *planted, size_t n, int node)
{
    for (size_t i = 0; i < n; i++)
        if (planted[i].node == node)
            return &planted[i];
    return NULL;
}

void plan_node(struct options *o, const struct planted *planted, size_t n, int index,
               struct node *ret)
{
    const struct planted *p = find(planted, n, index);
    double length = plan_length(o);

    memset(ret, 0, sizeof(*ret));
    ret->index = index;
    ret->n_ranks = o->ranks;
    ret->fault = p && p->fault >= FAULT_MISSING ? p->fault : FAULT_NONE;
    if (ret->fault == FAULT_SKEWED)
        ret->skew = (noise_bits(&o->noise) & 1 ? 1 : -1) * (2 + 3 * noise_uniform(&o->noise));
    for (int i = 0; i < o->ranks; i++) {
        struct rank *r = &ret->rank[i];

        if (p && p->fault < FAULT_MISSING && p->local == i)
            r->fault = p->fault;
        begin_rank(o, r);
        run_rank(o, r);
    }
    for (int k = 0; k < MOMENTS; k++) {
        double t = length * k / MOMENTS;

        for (int i = 0; i < o->ranks; i++) {
            const struct rank *r = &ret->rank[i];
            int at = (int)((t - r->start) / (r->end - r->start) * MOMENTS);

            if (t < r->start || at >= MOMENTS)
                continue;
            ret->ram_job[k] += r->memory[at];
            ret->cpu[k] += r->cpu[at];
        }
    }
}

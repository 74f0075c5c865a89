/* spread.c - lowest, middle and highest of the ranks and of the nodes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/fleet/fleet_job.h"

struct valued {
    double value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct valued *one = a, *other = b;

    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return (one->at > other->at) - (one->at < other->at);
}

static struct gput__spread spread_of(struct valued *list, size_t n)
{
    struct gput__spread s = { .min = NAN, .median = NAN, .max = NAN, .mean = NAN };
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (!isfinite(list[i].value))
            continue;
        sum += list[i].value;
        list[s.n++] = list[i];
    }
    if (s.n == 0)
        return s;
    qsort(list, s.n, sizeof(*list), by_value);
    s.min = list[0].value;
    s.at_min = list[0].at;
    s.max = list[s.n - 1].value;
    s.at_max = list[s.n - 1].at;
    s.median = (list[s.n / 2].value + list[(s.n - 1) / 2].value) / 2;
    s.mean = sum / (double)s.n;
    return s;
}

double gput__spread_imbalance(const struct gput__spread *s)
{
    return s->n > 0 && s->mean > 0 ? s->max / s->mean - 1 : NAN;
}

#define SPREAD(target, list, room, expression)                                                     \
    do {                                                                                           \
        for (size_t i_ = 0; i_ < job->n_##list; i_++) {                                            \
            item = &job->list[i_];                                                                 \
            (room)[i_] = (struct valued){ (expression), i_ };                                      \
        }                                                                                          \
        (target) = spread_of((room), job->n_##list);                                               \
    } while (0)

static void spread_ranks(struct gput__fleet_job *job, struct valued *room)
{
    struct gput__fleet_spreads *s = &job->spread;
    const struct gput__job_rank *item;

    SPREAD(s->wall, ranks, room, gput__fleet_figure_of(item, GPUT__FLEET_WALL));
    SPREAD(s->cpu_percent, ranks, room, gput__fleet_figure_of(item, GPUT__FLEET_CPU));
    SPREAD(s->max_ram, ranks, room, gput__fleet_figure_of(item, GPUT__FLEET_RAM));
    SPREAD(s->gpu_busy, ranks, room, gput__fleet_figure_of(item, GPUT__FLEET_GPU));
    SPREAD(s->cpu_seconds, ranks, room, item->rank->cpu_seconds);
    SPREAD(s->max_gpu_ram, ranks, room, item->rank->max_gpu_ram);
    SPREAD(s->start, ranks, room, item->start - job->totals.start);
    SPREAD(s->end, ranks, room, item->end - job->totals.start);
}

static void spread_nodes(struct gput__fleet_job *job, struct valued *room)
{
    struct gput__fleet_spreads *s = &job->spread;
    const struct gput__job_node *item;

    SPREAD(s->node_ram_system, nodes, room, item->max_ram_system);
    SPREAD(s->node_ram_job, nodes, room, item->max_ram_job);
    SPREAD(s->node_cpu_seconds, nodes, room, item->cpu_seconds);
    SPREAD(s->node_gpu_busy, nodes, room,
           item->gpu_held > 0 ? 100 * item->gpu_busy / item->gpu_held : NAN);
}

int gput__fleet_job_spreads(struct gput__fleet_job *job)
{
    size_t n = job->n_ranks > job->n_nodes ? job->n_ranks : job->n_nodes;
    struct valued *room = calloc(n, sizeof(*room));

    if (!room)
        return -ENOMEM;
    spread_ranks(job, room);
    spread_nodes(job, room);
    free(room);
    return 0;
}

/* who.c - who used it: the processes of the job by their commands. */
#include <errno.h>
#include <stdlib.h>

#include "api/inside/shared_snapshot.h"
#include "api/tracker.h"
#include "base/clock.h"

#define MOST_NAMED (GPUT__SHARED_GROUPS - 1)

/* The names stand in the commands. */
struct gput__who {
    struct gput__command named[MOST_NAMED];
    struct gput_process_group groups[MOST_NAMED + 1];
};

static const char by_polls[] = "by polls, and by what parents have waited for";
static const char too_brief[] = "they ended before they could be read";
static const char largest[] = "the largest process seen";

int gput__who_open(struct gput_tracker *t)
{
    t->lists.who = calloc(1, sizeof(*t->lists.who));
    return t->lists.who ? 0 : -ENOMEM;
}

void gput__who_close(struct gput_tracker *t)
{
    free(t->lists.who);
    t->lists.who = NULL;
}

static struct gput_figure sampled(double value, const char *why)
{
    return (struct gput_figure){ value, GPUT_SAMPLED, why };
}

static struct gput_figure unavailable(const char *why)
{
    return (struct gput_figure){ 0, GPUT_UNAVAILABLE, why };
}

static struct gput_process_group group_of(const struct gput_tracker *t, const char *name,
                                          const struct gput__command *c, const struct gput_usage *u)
{
    struct gput_figure gpu = u->max_gpu_ram.combined;
    int64_t start = t->job.start_ns, first = c->first_ns > start ? c->first_ns : start;
    int64_t last = c->last_ns > first ? c->last_ns : first;
    struct gput_process_group g = {
        .name = name,
        .count = sampled((double)c->count, by_polls),
        .cpu_seconds = sampled((double)c->cpu_ns / 1e9, by_polls),
        .max_rss = sampled((double)c->max_rss, largest),
        .first_seen = sampled(gput__seconds(first - start), by_polls),
        .last_seen = sampled(gput__seconds(last - start), by_polls),
    };

    g.gpu_ram = gpu.source == GPUT_UNAVAILABLE ? gpu : sampled((double)c->gpu_ram, largest);
    if (c->count && !c->max_rss)
        g.max_rss = unavailable(too_brief);
    if (!c->last_ns)
        g.first_seen = g.last_seen = unavailable(c->count ? too_brief : "nobody else was seen");
    return g;
}

/* What the whole job used and no group has. */
static double rest_of_cpu(const struct gput__summary *s, const struct gput__who *who, size_t n)
{
    double rest = gput__sample_gain(&s->first, &s->last, GPUT__COMBINED_CPU);

    for (size_t i = 0; i < n; i++)
        rest -= who->groups[i].cpu_seconds.value;
    return rest > 0 ? rest : 0;
}

void gput__who_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u)
{
    struct gput__who *who = t->lists.who;
    struct gput__command others;
    size_t n;

    if (t->sampler.blind || !who)
        return;
    n = gput__sampler_commands(&t->sampler, who->named, MOST_NAMED, &others);
    for (size_t i = 0; i < n; i++)
        who->groups[i] = group_of(t, who->named[i].name, &who->named[i], u);
    who->groups[n] = group_of(t, "others", &others, u);
    if (gput__sample_has(&s->last, GPUT__COMBINED_CPU))
        who->groups[n].cpu_seconds = sampled(rest_of_cpu(s, who, n), by_polls);
    u->processes.groups = who->groups;
    u->processes.n_groups = n ? (int)n + 1 : 0;
}

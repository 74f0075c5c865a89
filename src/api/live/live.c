/* live.c - what a run holds just now, and how far that is from each limit. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "api/inside/helper.h"
#include "api/run/cgroup.h"
#include "base/clock.h"

/* Since the last record where the last poll had none of it. */
static double latest(const struct gput_tracker *t, enum gput__metric m)
{
    if (gput__sample_has(&t->now, m))
        return t->now.value[m];
    return gput__sample_has(&t->summary.last, m) ? t->summary.last.value[m] : NAN;
}

/* What the group holds that cannot simply be dropped, where that is known. */
static double held_by_group(const struct gput_tracker *t)
{
    const struct gput__cgroup_use *use = t->group ? &t->group->now : NULL;

    if (!use || !gput__cgroup_knows(use, GPUT__CGROUP_ANON) ||
        !gput__cgroup_knows(use, GPUT__CGROUP_SHMEM))
        return 0;
    return (double)(use->value[GPUT__CGROUP_ANON] + use->value[GPUT__CGROUP_SHMEM]);
}

static void fill_memory(const struct gput_tracker *t, struct gput_live *l)
{
    double all = (double)t->sampler.ram_capacity, used = latest(t, GPUT__SYSTEM_RAM);
    double held = fmax(l->ram, held_by_group(t)), growth;

    l->ram_limit = gput__memory_limit(t);
    l->limit_is_group = l->ram_limit < all;
    l->ram_room = fmin(l->limit_is_group ? l->ram_limit - held : NAN, all - used);
    if (l->ram_room < 0)
        l->ram_room = 0;
    growth = t->end.at_ns ? 0 : gput__forecast_growth(&t->watch.growth);
    l->ram_growth = growth;
    if (growth > 0)
        l->seconds_to_limit = l->ram_room / growth;
}

static void fill_cores(const struct gput_tracker *t, struct gput_live *l)
{
    l->cores = t->sampler.n_cores;
    if (t->groups.affinity && t->groups.affinity < l->cores)
        l->cores = t->groups.affinity;
    if (t->groups.now.has_cpu_limit)
        l->cores = fmin(l->cores, t->groups.now.cpu_limit);
}

static void fill_gpus(const struct gput_tracker *t, struct gput_live *l)
{
    l->n_gpus = gput__gpu_capacity(t, &l->gpu_ram_capacity);
    if (l->n_gpus == 0)
        return;
    l->gpu_percent = latest(t, GPUT__GPU_PERCENT);
    l->gpu_ram = latest(t, GPUT__COMBINED_GPU_RAM);
}

static void fill(const struct gput_tracker *t, struct gput_live *l)
{
    struct gput_now now;
    double threads = latest(t, GPUT__COMBINED_N_THREADS);

    gput_tracker_now(t, &now);
    l->elapsed = now.elapsed;
    l->ram = now.ram;
    l->ram_peak = now.ram_peak;
    l->cpu_percent = now.cpu_percent;
    l->n_processes = now.n_processes;
    if (t->client || !t->job.start_ns) /* a helper knows the rest */
        return;
    if (!isnan(threads))
        l->n_threads = (int)threads;
    if (t->opts.timeout > 0)
        l->time_limit = t->opts.timeout;
    l->cpu_seconds = latest(t, GPUT__COMBINED_CPU);
    fill_memory(t, l);
    fill_cores(t, l);
    fill_gpus(t, l);
}

int gput_tracker_live(const struct gput_tracker *t, struct gput_live *ret_live)
{
    struct gput_live l = { .n_threads = -1,
                           .time_limit = NAN,
                           .ram_limit = NAN,
                           .ram_room = NAN,
                           .seconds_to_limit = NAN,
                           .cpu_seconds = NAN,
                           .cores = NAN,
                           .gpu_percent = NAN,
                           .gpu_ram = NAN,
                           .gpu_ram_capacity = NAN };
    uint32_t size = ret_live->size;

    if (size < offsetof(struct gput_live, elapsed) || size > sizeof(l))
        return -EINVAL;
    fill(t, &l);
    l.size = size;
    memcpy(ret_live, &l, size);
    return 0;
}

double gput_process_gpu_ram(const struct gput_usage *u, pid_t pid)
{
    double sum = NAN;

    for (int i = 0; i < u->gpu.n_processes; i++) {
        const struct gput_gpu_process *p = &u->gpu.processes[i];

        if (p->pid == pid && p->max_memory.source != GPUT_UNAVAILABLE)
            sum = (isnan(sum) ? 0 : sum) + p->max_memory.value;
    }
    return sum;
}

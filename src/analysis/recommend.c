/* recommend.c - what a run needs, from what it used. */
#include "analysis/recommend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/figure.h"
#include "model/levels.h"

#define MIB 1048576.0
#define DEFAULT_MARGIN 0.2
/* What was only seen at some moments, and no bound is known of what it was between them. */
#define MARGIN_OF_SAMPLED 1.5
/* So much of the time in which a run used any cores fits in those that are asked for. */
#define BUSY_SHARE 0.95
/* Where a run had too little, nobody knows how much is enough: twice as much is tried. */
#define MORE 2.0
/* A bound that is less above the peak than this says nothing more. */
#define WORTH_A_WORD 1.01
/* A GPU with less use than this did nothing. */
#define BUSY_PERCENT 1.0
/* Seconds; more than anybody waits is not worth an overflow. */
#define LONGEST 1e15

/* NAN and 0 alike are not known. */
static int is_known(double v)
{
    return isfinite(v) && v > 0;
}

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static void fill_job(const struct gput_usage *u, struct gput_demand *d)
{
    const struct gput_figure *memory = &u->max_ram.combined.total_rss;
    const struct gput_percentages *cpu = &u->cpu_utilization.combined;

    /* Only the machine is known: better than nothing. */
    d->is_machine = memory->source == GPUT_UNAVAILABLE &&
                    cpu->mean_sum_percent.source == GPUT_UNAVAILABLE &&
                    u->max_ram.system.source != GPUT_UNAVAILABLE;
    if (d->is_machine) {
        memory = &u->max_ram.system;
        cpu = &u->cpu_utilization.system;
    }
    d->memory_peak = gput__figure_value(*memory);
    d->is_sampled = memory->source == GPUT_SAMPLED;
    d->memory_most = d->is_machine ? NAN : gput__figure_value(u->ram_bounds.combined_at_most);
    memcpy(d->cpu_seconds_at, u->cpu_levels.seconds, sizeof(d->cpu_seconds_at));
    d->cpu_mean = gput__figure_value(cpu->mean_sum_percent) * 0.01;
    d->cpu_max = gput__figure_value(cpu->max_sum_percent) * 0.01;
}

static int is_of_job(const struct gput_usage *u, const struct gput_gpu *gpu)
{
    for (int i = 0; i < u->gpu.n_processes; i++)
        if (u->gpu.processes[i].gpu == gpu->index)
            return 1;
    return 0;
}

int gput__gpus_at_work(const struct gput_usage *u)
{
    int n = 0;

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        const struct gput_gpu *gpu = &u->gpu.gpus[i];

        n += gpu->mean_utilization.source != GPUT_UNAVAILABLE &&
             gpu->mean_utilization.value >= BUSY_PERCENT && is_of_job(u, gpu);
    }
    return n;
}

static void fill_gpu(const struct gput_usage *u, int is_use_of_job, struct gput_demand *d)
{
    const struct gput_percentages *gpu = &u->gpu_utilization.gpu_percentages;
    struct gput_figure vram = d->is_machine ? u->max_gpu_ram.system : u->max_gpu_ram.combined;

    if (u->gpu.n_gpus > 0 && u->gpu.gpus[0].brand)
        snprintf(d->gpu_brand, sizeof(d->gpu_brand), "%s", u->gpu.gpus[0].brand);
    d->vram_peak = gput__figure_value(vram);
    d->is_gpu_sampled = vram.source == GPUT_SAMPLED;
    d->gpu_mean = gput__figure_value(gpu->mean_sum_percent) * 0.01;
    d->gpu_max = gput__figure_value(gpu->max_sum_percent) * 0.01;
    d->n_gpus = gput__gpus_at_work(u);
    /* The use is that of the GPUs, by all programs: a job that had none of their memory used none. */
    if (!is_use_of_job && d->vram_peak == 0)
        d->gpu_mean = d->gpu_max = 0;
    if (gput__figure_value(u->gpu_utilization.system_gpu_count) == 0)
        d->gpu_mean = d->gpu_max = d->vram_peak = 0;
}

static void fill_limits(const struct gput_usage *u, struct gput_demand *d)
{
    d->memory_limit = gput__known_or(u->limits.memory_effective, u->limits.memory_host);
    d->cores_limit = gput__known_or(u->limits.cores_effective, u->limits.cores_host);
}

static void fill_demand(const struct gput_usage *u, int is_use_of_job, struct gput_demand *ret)
{
    struct gput_demand d = { .oom = u->job.oom,
                             .ending = u->job.ending,
                             .code = u->job.code,
                             .timed_out = u->job.timed_out };

    fill_job(u, &d);
    fill_gpu(u, is_use_of_job || d.is_machine, &d);
    fill_limits(u, &d);
    d.duration = gput__figure_value(u->compute_time.time);
    *ret = d;
}

void gput_demand_of(const struct gput_usage *u, struct gput_demand *ret)
{
    fill_demand(u, 0, ret);
}

void gput__demand_of_run(const struct gput__run *run, struct gput_demand *ret)
{
    fill_demand(&run->usage, run->series.value[GPUT__JOB_GPU_PERCENT] != NULL, ret);
}

int gput__demand_is_known(const struct gput_demand *d)
{
    return isfinite(d->memory_peak) || isfinite(d->cpu_mean);
}

int gput__demand_is_bounded(const struct gput_demand *d)
{
    return d->memory_most > WORTH_A_WORD * d->memory_peak;
}

static unsigned notes_of_end(const struct gput_demand *d)
{
    if (d->oom != GPUT_OOM_NO)
        return GPUT__NOTE_OOM;
    if (d->timed_out)
        return GPUT__NOTE_TIMED_OUT;
    if (d->ending == GPUT_RUNNING || d->ending == GPUT_DETACHED)
        return GPUT__NOTE_RUNNING;
    if (d->ending == GPUT_SIGNALED || (d->ending == GPUT_EXITED && d->code != 0))
        return GPUT__NOTE_FAILED;
    return 0;
}

unsigned gput__demand_notes(const struct gput_demand *d)
{
    unsigned notes = notes_of_end(d);

    if (d->is_machine)
        notes |= GPUT__NOTE_MACHINE;
    if (gput__demand_is_bounded(d))
        notes |= GPUT__NOTE_BOUNDS;
    else if (d->is_sampled && !is_known(d->memory_most))
        notes |= GPUT__NOTE_SAMPLED;
    if (gput__levels_seconds(d->cpu_seconds_at) == 0 && isfinite(d->cpu_mean) &&
        gput__demand_cores(d) > gput__whole_cores(d->cpu_mean))
        notes |= GPUT__NOTE_NO_LEVELS;
    return notes;
}

/* The limit of its cgroup killed a process there, of the job for all that is known; else the machine
 * was full, which had less than its limit left. */
static int hit_its_limit(const struct gput_demand *d)
{
    int ended_well = d->ending == GPUT_EXITED && d->code == 0;

    return is_known(d->memory_limit) &&
           (d->oom == GPUT_OOM_YES || (d->oom == GPUT_OOM_PROBABLY && ended_well));
}

static double with_margin(double peak, double margin, int is_sampled)
{
    return peak * (1 + margin * (is_sampled ? MARGIN_OF_SAMPLED : 1));
}

double gput__demand_memory(const struct gput_demand *d, double margin)
{
    int has_bound = is_known(d->memory_most);
    double need = with_margin(d->memory_peak, margin, d->is_sampled && !has_bound);

    need = has_bound ? larger(need, d->memory_most) : need;
    if (d->oom == GPUT_OOM_NO)
        return need;
    margin = 1 + margin > MORE ? 1 + margin : MORE;
    need = larger(need, d->memory_peak * margin);
    return hit_its_limit(d) ? larger(need, d->memory_limit * margin) : need;
}

int gput__demand_cores(const struct gput_demand *d)
{
    double most = larger(d->cpu_mean, is_known(d->cpu_max) ? d->cpu_max : NAN);

    if (gput__levels_seconds(d->cpu_seconds_at) > 0)
        return gput__levels_cores(d->cpu_seconds_at, BUSY_SHARE, d->cpu_max);
    if (!isfinite(most))
        return 0;
    /* Of little more than one core the little is noise. */
    return gput__whole_cores(fmin(most, gput_cpu_level(gput__level_of(most))));
}

/* How many times as long it would have taken on so many cores, at most. */
static double slowdown(const struct gput_demand *d, int cores)
{
    double slow = gput__levels_slowdown(d->cpu_seconds_at, cores, d->cpu_max);
    bool has_levels = gput__levels_seconds(d->cpu_seconds_at) > 0;

    slow = fmax(slow, d->cpu_mean / cores);
    return has_levels ? slow : fmax(slow, d->cpu_max / cores);
}

static double needed_time(const struct gput_demand *d, int cores, double margin)
{
    double slow = cores > 0 ? slowdown(d, cores) : 1;

    return d->duration * slow * (d->timed_out && 1 + margin < MORE ? MORE : 1 + margin);
}

/* The mean of those that are known. */
static double mean(const struct gput_demand *runs, size_t n, size_t offset)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < n; i++) {
        /* cppcheck-suppress invalidPointerCast; offset is that of a double */
        double v = *(const double *)((const char *)&runs[i] + offset);

        if (!isfinite(v))
            continue;
        sum += v;
        known++;
    }
    return known > 0 ? sum / (double)known : NAN;
}

void gput__demand_combine(const struct gput_demand *runs, size_t n, struct gput_demand *ret)
{
    struct gput_demand all = {
        .cpu_max = NAN, .memory_peak = NAN, .gpu_max = NAN, .vram_peak = NAN, .duration = NAN
    };

    for (size_t i = 0; i < n; i++) {
        all.cpu_max = larger(all.cpu_max, runs[i].cpu_max);
        all.memory_peak = larger(all.memory_peak, runs[i].memory_peak);
        all.memory_most = larger(all.memory_most, runs[i].memory_most);
        all.gpu_max = larger(all.gpu_max, runs[i].gpu_max);
        all.vram_peak = larger(all.vram_peak, runs[i].vram_peak);
        all.duration = larger(all.duration, runs[i].duration);
    }
    all.cpu_mean = mean(runs, n, offsetof(struct gput_demand, cpu_mean));
    all.gpu_mean = mean(runs, n, offsetof(struct gput_demand, gpu_mean));
    *ret = all;
}

/* At least one. */
static int needed_gpus(const struct gput_demand *runs, size_t n)
{
    int most = 1;

    for (size_t i = 0; i < n; i++) {
        double of_run = runs[i].n_gpus > 0 ? runs[i].n_gpus : runs[i].gpu_max;

        if (is_known(of_run) && of_run > most)
            most = (int)ceil(fmin(of_run, 1e6));
    }
    return most;
}

void gput_recommend_margin(const struct gput_demand *runs, size_t n, double margin,
                           struct gput_resources *ret)
{
    struct gput_resources ask = { 0 };
    struct gput_demand all;
    double memory = NAN, vram = NAN, time = NAN;

    gput__demand_combine(runs, n, &all);
    for (size_t i = 0; i < n; i++) {
        int cores = gput__demand_cores(&runs[i]);

        ask.cpu = cores > ask.cpu ? cores : ask.cpu;
        memory = larger(memory, gput__demand_memory(&runs[i], margin));
        vram = larger(vram, with_margin(runs[i].vram_peak, margin, runs[i].is_gpu_sampled));
    }
    for (size_t i = 0; i < n; i++)
        time = larger(time, needed_time(&runs[i], ask.cpu, margin));
    if (isfinite(memory))
        ask.memory_mib = gput_round_memory(memory / MIB);
    if (is_known(all.gpu_mean) || is_known(all.vram_peak))
        ask.gpu = needed_gpus(runs, n);
    if (is_known(all.vram_peak))
        ask.vram_mib = gput_round_memory(vram / MIB);
    if (time > 0)
        ask.time = 60 * ceil(fmin(time, LONGEST) / 60);
    *ret = ask;
}

void gput_recommend(const struct gput_demand *runs, size_t n, struct gput_resources *ret)
{
    gput_recommend_margin(runs, n, DEFAULT_MARGIN, ret);
}

uint64_t gput_round_memory(double mib)
{
    static const uint64_t steps[] = { 128, 256, 512, 1024, 2048 };

    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        if (!(mib > (double)steps[i]))
            return steps[i];
    /* More than any machine has is not worth an overflow. */
    return 1024 * (uint64_t)ceil((mib < 1e15 ? mib : 1e15) / 1024);
}

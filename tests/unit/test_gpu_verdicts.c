/* test_gpu_verdicts.c - from what a GPU's hardware counted to what limited the run: kinds of work as they
 * were measured on an H200, each with its verdicts and no other. */
#include <string.h>

#include "api/run/gpu_work.h"
#include "model/levels.h"
#include "report/bottlenecks.h"
#include "run_fixture.h"
#include "sample/gpu/gpu_kinds.h"
#include "tap.h"

/* Percent of the time; MiB per second; watts. */
struct work {
    const char *name;
    double engine, sm, tensor, fp32, dram, pcie_rx, watts;
    const char *verdicts; /* in the order of their weight */
};

static const struct work bf16 = {
    "bf16 matmul", 98.8, 95.3, 92.5, 0, 15.6, 2, 692, "gpu-power-cap gpu-tensor"
};
static const struct work kinds[] = {
    { "tf32 matmul", 98.7, 95.2, 92.0, 0.1, 17.3, 1, 692, "gpu-tensor" },
    { "fp32 matmul", 99.5, 96.4, 0, 76.4, 4.6, 0, 697, "gpu-sm" },
    { "elementwise", 95.2, 93.9, 0, 1.5, 83.3, 6, 633, "gpu-memory-bandwidth" },
    { "one spinning block", 99.9, 0.76, 0, 0, 0, 0, 129, "gpu-stuck" },
    { "copies only", 0.01, 0, 0, 0, 1.1, 55900, 136, "gpu-copies" },
    { "tiny kernels", 18.7, 0, 0, 0, 0, 158, 120, "gpu-idle gpu-small-kernels" },
};

static struct gput__gpu_work reading(const struct work *k, double seconds)
{
    struct gput__gpu_work w = { .seconds = seconds,
                                .power_watts = k->watts,
                                .power_limit_watts = 700,
                                .clock_mhz = 1485,
                                .max_clock_mhz = 1980,
                                .pcie_most = 63e9 };

    gput__gpu_work_set(&w, GPUT__WORK_ENGINE, k->engine);
    gput__gpu_work_set(&w, GPUT__WORK_SM, k->sm);
    gput__gpu_work_set(&w, GPUT__WORK_TENSOR, k->tensor);
    gput__gpu_work_set(&w, GPUT__WORK_FP32, k->fp32);
    gput__gpu_work_set(&w, GPUT__WORK_DRAM, k->dram);
    gput__gpu_work_set(&w, GPUT__WORK_PCIE_RX, k->pcie_rx * 1048576);
    return w;
}

static void add(struct gput__gpu_works *w, const struct work *k, double seconds)
{
    struct gput__gpu_work r = reading(k, 1);

    for (double at = 0; at < seconds; at++)
        (void)gput__gpu_works_add(w, &r);
}

/* The run of a minute with that GPU. */
static void fill(struct gput__run *run, struct gput_gpu *gpu, struct gput_gpu_work *work,
                 const struct gput__gpu_works *w, double utilization)
{
    struct gput_usage *u = &run->usage;

    gput__gpu_fill_work(w, work);
    *gpu = (struct gput_gpu){ .is_counted = 1, .mean_utilization = exact(utilization) };
    u->gpu.gpus = gpu;
    u->gpu.work = work;
    u->gpu.n_gpus = 1;
    u->gpu_utilization.n_expected_gpus = exact(1);
    u->gpu_utilization.gpu_percentages.mean_hardware_percent = exact(utilization);
    u->gpu_utilization.gpu_percentages.mean_sum_percent = exact(utilization);
    u->max_gpu_ram.combined = exact(1e9);
}

static bool judged(const struct gput__run *run, const char *wanted)
{
    struct gput_bottleneck found[GPUT_MOST_BOTTLENECKS];
    int n = gput_bottlenecks(&run->usage, found);
    char got[400] = "", words[GPUT__BOTTLENECK_SIZE];

    for (int i = 0; i < n; i++) {
        snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? " " : "", found[i].what);
        gput_bottleneck_words(&found[i], words, sizeof(words));
        printf("# %s. %s\n", words, found[i].advice);
        if (strlen(words) + 1 == sizeof(words) || strchr(words, '{'))
            return false;
    }
    printf("# %s\n", got);
    return !strcmp(got, wanted);
}

static void each_kind(void)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        struct gput__gpu_works w = { 0 };
        struct gput__run run = a_run();
        struct gput_gpu_work work;
        struct gput_gpu gpu;

        add(&w, &kinds[i], 60);
        fill(&run, &gpu, &work, &w, 99);
        OK(judged(&run, kinds[i].verdicts), "%s: %s", kinds[i].name, kinds[i].verdicts);
    }
}

/* The driver counts the time at the power limit. */
static void capped(void)
{
    struct gput__gpu_works w = { 0 };
    struct gput__run run = a_run();
    struct gput__gpu_counts counts = { 0 };
    struct gput_gpu_work work;
    struct gput_gpu gpu;

    gput__gpu_counts_set(&counts, GPUT__COUNT_POWER_CAPPED, 5000);
    gput__gpu_counts_set(&counts, GPUT__COUNT_THERMAL, 7);
    gput__gpu_works_count(&w, &counts, true);
    add(&w, &bf16, 60);
    counts.value[GPUT__COUNT_POWER_CAPPED] = 5060;
    gput__gpu_works_count(&w, &counts, false);
    fill(&run, &gpu, &work, &w, 99);
    OK(work.power_capped_seconds.value == 60 && work.power_capped_seconds.source == GPUT_EXACT,
       "60 s at the power limit");
    OK(judged(&run, bf16.verdicts), "%s: %s", bf16.name, bf16.verdicts);
    OK(fabs(work.dense_ceiling.value - 92.5 * 0.75) < 1e-9 && work.clock_percent.value == 75,
       "the ceiling of its efficiency: %g", work.dense_ceiling.value);
    counts.value[GPUT__COUNT_THERMAL] = 10;
    gput__gpu_works_count(&w, &counts, false);
    fill(&run, &gpu, &work, &w, 99);
    OK(judged(&run, "gpu-power-cap gpu-tensor gpu-thermal"), "3 s of heat too");
    counts.value[GPUT__COUNT_POWER_CAPPED] = 1;
    gput__gpu_works_count(&w, &counts, false);
    fill(&run, &gpu, &work, &w, 99);
    OK(work.power_capped_seconds.source == GPUT_UNAVAILABLE, "a counter that began anew");
}

/* 0.7 s on, 1.1 s off; then with one core busy meanwhile. */
static void mixed(void)
{
    static const struct work at_rest = { .watts = 120 };
    struct gput__gpu_work on = reading(&bf16, 0.7), off = reading(&at_rest, 1.1);
    struct gput__gpu_works w = { 0 };
    struct gput__run run = a_run();
    struct gput_gpu_work work;
    struct gput_gpu gpu;

    for (int i = 0; i < 33; i++) {
        (void)gput__gpu_works_add(&w, &on);
        (void)gput__gpu_works_add(&w, &off);
    }
    fill(&run, &gpu, &work, &w, 39);
    OK(fabs(work.tensor_active.mean.value - 92.5 * 0.7 / 1.8) < 0.01, "weighted by time: %g",
       work.tensor_active.mean.value);
    OK(judged(&run, "gpu-idle gpu-tensor"), "on and off");
    run.usage.cpu_levels.seconds[gput__level_of(1)] = 24;
    run.usage.cpu_levels.seconds[gput__level_of(0.2)] = 36;
    OK(judged(&run, "gpu-idle gpu-tensor"),
       "one core is busy as long as the GPU, which it may wait for");
    run.usage.cpu_levels.seconds[gput__level_of(1)] = 40;
    run.usage.cpu_levels.seconds[gput__level_of(0.2)] = 20;
    OK(judged(&run, "gpu-tensor gpu-starved-cpu"), "one core feeds it");
    run.usage.cpu_levels.seconds[gput__level_of(1)] = 0;
    run.usage.waiting.pressure_of = "cgroup";
    run.usage.waiting.io_some_seconds = exact(30);
    OK(judged(&run, "gpu-starved-io io gpu-tensor"), "disks feed it");
    run.usage.waiting.pressure_of = "machine";
    OK(judged(&run, "gpu-idle gpu-tensor"), "others wait for disks");
}

/* Programs that wait for their GPU keep a core busy. */
static void spinning(void)
{
    struct gput__gpu_work on = reading(&bf16, 1);
    struct gput__gpu_works w = { 0 };
    struct gput__run run = a_run();
    struct gput_gpu_work work;
    struct gput_gpu gpu;

    for (int i = 0; i < 60; i++)
        (void)gput__gpu_works_add(&w, &on);
    fill(&run, &gpu, &work, &w, 99);
    run.usage.cpu_levels.seconds[gput__level_of(1)] = 60;
    OK(judged(&run, "gpu-tensor"), "a core that is busy while the GPU is limits nothing");
}

static void stuck(void)
{
    struct gput__gpu_work spins = reading(&kinds[3], 1), draws = spins;
    struct gput__gpu_works w = { 0 };
    char words[200];
    bool told = false;

    for (int i = 0; i < 29; i++)
        told |= gput__gpu_works_add(&w, &spins);
    OK(!told && !gput__gpu_works_is_stuck(&w) && w.time.seconds[GPUT__KIND_STUCK] == 0,
       "29 s: small kernels");
    OK(gput__gpu_works_add(&w, &spins) && gput__gpu_works_is_stuck(&w), "30 s: stuck");
    OK(w.time.seconds[GPUT__KIND_STUCK] > 29.9 && w.time.seconds[GPUT__KIND_SMALL] < 0.1,
       "all along");
    OK(!gput__gpu_works_add(&w, &spins) && w.time.seconds[GPUT__KIND_STUCK] > 30.9,
       "which is news once");
    gput__gpu_stuck(&w, words, sizeof(words));
    OK(!strcmp(words,
               "looks stuck since 31 s: a kernel is on it all the time, but less than 2 % of "
               "it works, and it draws 129 of 700 W"),
       "%s", words);
    draws.power_watts = 400;
    (void)gput__gpu_works_add(&w, &draws);
    OK(!gput__gpu_works_is_stuck(&w) && w.time.seconds[GPUT__KIND_STUCK] > 30.9,
       "then it works on: what was is still told");
    spins.power_limit_watts = 0;
    OK(gput__gpu_looks_stuck(&spins), "without a power limit the rest must do");
}

static void several(void)
{
    struct gput_gpu gpus[3] = { { .is_counted = 1, .mean_utilization = exact(90) },
                                { .is_counted = 1, .mean_utilization = exact(40) },
                                { .is_counted = 1, .mean_utilization = exact(0) } };
    struct gput__run run = a_run();
    struct gput_gpu_work work;
    struct gput__gpu_works w = { 0 };
    struct gput_gpu gpu;

    fill(&run, &gpu, &work, &w, 80);
    run.usage.gpu.work = NULL;
    run.usage.gpu.gpus = gpus;
    run.usage.gpu.n_gpus = 3;
    OK(judged(&run, "gpu-imbalance"), "two of three are used unevenly");
    gpus[1].mean_utilization = exact(75);
    OK(judged(&run, ""), "or evenly");
    run.usage.gpu_utilization.gpu_percentages.mean_hardware_percent = exact(55);
    OK(judged(&run, "gpu-idle"), "idle for half of the time, as utilization tells");
    run.usage.compute_time.time = exact(1);
    OK(judged(&run, ""), "of so short a run nothing is said");
}

int main(void)
{
    each_kind();
    capped();
    mixed();
    spinning();
    stuck();
    several();
    return DONE();
}

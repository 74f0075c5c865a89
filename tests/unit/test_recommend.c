/* test_recommend.c - what to ask for, from what runs used. */
#include "analysis/recommend.h"

#include <math.h>
#include <string.h>

#include "report/recommend.h"
#include "tap.h"

#define MIB 1048576.0
#define GIB (1024 * MIB)

static void rounding(void)
{
    static const struct {
        double mib;
        uint64_t want;
    } cases[] = {
        { 0, 128 },       { 68, 128 },       { 128, 128 },   { 128.001, 256 }, { 256, 256 },
        { 257, 512 },     { 512.5, 1024 },   { 896, 1024 },  { 1024, 1024 },   { 1025, 2048 },
        { 2048, 2048 },   { 2048.5, 3072 },  { 3072, 3072 }, { 3863, 4096 },   { 4096, 4096 },
        { 4096.1, 5120 }, { 1e7, 10000384 }, { -1, 128 },    { NAN, 128 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t got = gput_round_memory(cases[i].mib);

        OK(got == cases[i].want, "%g MiB become %llu", cases[i].mib, (unsigned long long)got);
    }
    OK(gput_round_memory(INFINITY) > 0 && gput_round_memory(1e30) % 1024 == 0,
       "no amount overflows");
}

static int asks(struct gput_demand d, int cpu, uint64_t memory, int gpu, uint64_t vram)
{
    struct gput_resources r;

    gput_recommend(&d, 1, &r);
    if (r.cpu == cpu && r.memory_mib == memory && r.gpu == gpu && r.vram_mib == vram)
        return 1;
    printf("# %d %llu %d %llu\n", r.cpu, (unsigned long long)r.memory_mib, r.gpu,
           (unsigned long long)r.vram_mib);
    return 0;
}

static void one_run(void)
{
    OK(asks((struct gput_demand){ .cpu_mean = 0.02, .memory_peak = 5 * MIB }, 1, 128, 0, 0),
       "at least one core and 128 MiB");
    OK(asks((struct gput_demand){ .cpu_mean = 2.4, .memory_peak = 3 * GIB }, 3, 4096, 0, 0),
       "whole cores; 3.6 GiB in whole GiB");
    OK(asks((struct gput_demand){ .cpu_mean = 1.48, .cpu_max = 2, .memory_peak = 1 }, 2, 128, 0,
            0) &&
           asks((struct gput_demand){ .cpu_mean = 1, .cpu_max = 1.05, .memory_peak = 1 }, 1, 128, 0,
                0),
       "as many as it ever used, but for noise");
    OK(asks((struct gput_demand){ .memory_peak = 90 * MIB, .is_sampled = 1 }, 1, 128, 0, 0) &&
           asks((struct gput_demand){ .memory_peak = 100 * MIB, .is_sampled = 1 }, 1, 256, 0, 0) &&
           asks((struct gput_demand){ .memory_peak = 100 * MIB }, 1, 128, 0, 0),
       "30 %% more of what was only seen at some moments");
    OK(asks((struct gput_demand){ .memory_peak = 100 * MIB,
                                  .memory_most = 300 * MIB,
                                  .is_sampled = 1 },
            1, 512, 0, 0) &&
           asks((struct gput_demand){ .memory_peak = 100 * MIB,
                                      .memory_most = 120 * MIB,
                                      .is_sampled = 1 },
                1, 128, 0, 0),
       "and never less than it may have been");
    OK(asks((struct gput_demand){ .cpu_mean = 1,
                                  .memory_peak = 1,
                                  .gpu_mean = 0.1,
                                  .gpu_max = 0.3,
                                  .vram_peak = 10 * GIB },
            1, 128, 1, 12 * 1024),
       "a GPU that was used a little is one; its memory with the margin");
    OK(asks((struct gput_demand){ .cpu_mean = 1,
                                  .memory_peak = 1,
                                  .gpu_mean = 1.2,
                                  .gpu_max = 2.6,
                                  .vram_peak = 10 * GIB },
            1, 128, 3, 12 * 1024),
       "as many GPUs as were busy at once");
    OK(asks((struct gput_demand){ .cpu_mean = 1,
                                  .memory_peak = 1,
                                  .gpu_mean = 3,
                                  .gpu_max = 5.49,
                                  .vram_peak = 340 * GIB,
                                  .n_gpus = 6 },
            1, 128, 6, 408 * 1024),
       "six that were never busy to the full are six");
    OK(asks((struct gput_demand){ .cpu_mean = 1,
                                  .memory_peak = 1,
                                  .gpu_mean = 3,
                                  .gpu_max = 7.8,
                                  .vram_peak = 10 * GIB,
                                  .n_gpus = 2 },
            1, 128, 2, 12 * 1024),
       "those of others do not count");
    OK(asks((struct gput_demand){ .cpu_mean = 1,
                                  .memory_peak = 1,
                                  .gpu_mean = NAN,
                                  .gpu_max = NAN,
                                  .vram_peak = 10 * GIB },
            1, 128, 1, 12 * 1024),
       "GPU memory without a figure of use: one");
    OK(asks((struct gput_demand){ .cpu_mean = NAN, .memory_peak = NAN }, 0, 0, 0, 0),
       "nothing is known: nothing is asked for");
}

static void gpus_at_work(void)
{
    const struct gput_figure busy = { 55, GPUT_EXACT, NULL }, idle = { 0.2, GPUT_EXACT, NULL };
    const struct gput_gpu gpus[] = { { .index = 0, .mean_utilization = busy },
                                     { .index = 1, .mean_utilization = idle },
                                     { .index = 2, .mean_utilization = busy },
                                     { .index = 3, .mean_utilization = busy } };
    const struct gput_gpu_process processes[] = {
        { .gpu = 0 }, { .gpu = 0 }, { .gpu = 1 }, { .gpu = 3 }
    };
    struct gput_usage u = { .size = sizeof(u), .gpu = { .gpus = gpus, .n_gpus = 4 } };
    struct gput_demand d;

    OK(gput__gpus_at_work(&u) == 0, "nobody knows whose they are");
    u.gpu.processes = processes;
    u.gpu.n_processes = 4;
    gput_demand_of(&u, &d);
    OK(d.n_gpus == 2, "GPUs with the job on them that did something");
}

static void several_runs(void)
{
    const struct gput_demand runs[] = {
        { .cpu_mean = 1, .memory_peak = 100 * MIB, .gpu_mean = 0, .duration = 61 },
        { .cpu_mean = 4,
          .memory_peak = 900 * MIB,
          .gpu_mean = 0.5,
          .gpu_max = 1.8,
          .duration = 30 },
        { .cpu_mean = NAN,
          .memory_peak = NAN,
          .gpu_mean = NAN,
          .gpu_max = NAN,
          .vram_peak = NAN,
          .duration = NAN },
    };
    struct gput_resources r;

    gput_recommend(runs, 3, &r);
    OK(r.cpu == 4 && r.memory_mib == 2048 && r.gpu == 2, "enough for each of them");
    OK(r.time == 120, "the longest time, 73.2 s, in whole minutes");
    gput_recommend_margin(runs, 2, 0, &r);
    OK(r.memory_mib == 1024 && r.time == 120, "no margin");
}

static void killed_runs(void)
{
    struct gput_demand d = { .cpu_mean = 1,
                             .memory_peak = 3 * GIB,
                             .memory_limit = 4 * GIB,
                             .oom = GPUT_OOM_YES,
                             .ending = GPUT_SIGNALED,
                             .code = 9 };

    OK(asks(d, 1, 8 * 1024, 0, 0), "killed by its limit: twice that");
    d.oom = GPUT_OOM_PROBABLY;
    OK(asks(d, 1, 6 * 1024, 0, 0), "killed by the machine: twice the peak");
    d.ending = GPUT_EXITED;
    d.code = 0;
    d.memory_peak = 1 * GIB;
    OK(asks(d, 1, 8 * 1024, 0, 0), "a process was killed and the job ended well: twice its limit");
    d.memory_peak = 3 * GIB;
    d.oom = GPUT_OOM_YES;
    d.memory_limit = 0;
    OK(asks(d, 1, 6 * 1024, 0, 0), "a limit that nobody knows");
}

static void notes(void)
{
    struct gput_demand d = { .cpu_mean = 1,
                             .memory_peak = 1 * GIB,
                             .memory_limit = 2 * GIB,
                             .cores_limit = 2,
                             .cpu_seconds_at = { [8] = 60 },
                             .ending = GPUT_EXITED };

    OK(gput__demand_notes(&d) == 0, "nothing to bear in mind");
    d.cpu_seconds_at[8] = 0;
    d.cpu_max = 1.9;
    OK(gput__demand_notes(&d) == GPUT__NOTE_NO_LEVELS, "its use is not known over time");
    d.cpu_seconds_at[8] = 60;
    d.is_sampled = 1;
    d.memory_most = 1 * GIB;
    OK(gput__demand_notes(&d) == 0, "what was sampled has reached its bound");
    d.memory_most = 1.005 * GIB;
    OK(gput__demand_notes(&d) == 0, "or nearly");
    d.memory_most = 1.5 * GIB;
    OK(gput__demand_notes(&d) == GPUT__NOTE_BOUNDS, "or not");
    d.memory_most = d.is_sampled = 0;
    d.memory_peak = 2 * GIB;
    d.oom = GPUT_OOM_YES;
    d.ending = GPUT_SIGNALED;
    OK(gput__demand_notes(&d) == GPUT__NOTE_OOM, "killed for memory says it all");
    d = (struct gput_demand){
        .ending = GPUT_EXITED, .code = 2, .is_sampled = 1, .cpu_seconds_at = { 60 }
    };
    OK(gput__demand_notes(&d) == (GPUT__NOTE_FAILED | GPUT__NOTE_SAMPLED), "failed; sampled");
    d = (struct gput_demand){
        .ending = GPUT_SIGNALED, .code = 15, .timed_out = 1, .cpu_seconds_at = { 60 }
    };
    OK(gput__demand_notes(&d) == GPUT__NOTE_TIMED_OUT, "its time was over");
    d = (struct gput_demand){ .ending = GPUT_DETACHED, .is_machine = 1, .cpu_seconds_at = { 60 } };
    OK(gput__demand_notes(&d) == (GPUT__NOTE_RUNNING | GPUT__NOTE_MACHINE), "still running");
}

/* --- in words ------------------------------------------------------------------------------- */

static const struct gput_demand nothing = { .cpu_mean = NAN,
                                            .cpu_max = NAN,
                                            .memory_peak = NAN,
                                            .gpu_mean = NAN,
                                            .gpu_max = NAN,
                                            .vram_peak = NAN,
                                            .duration = NAN,
                                            .ending = GPUT_SIGNALED,
                                            .code = 11 };

static struct gput__recommendation recommendation_for(const struct gput_demand *runs, size_t n)
{
    static const char *const names[] = { "a.csv", "b.csv" };
    static const char *const kinds[] = { "a tracking file", "a result" };

    return (struct gput__recommendation){
        .runs = runs, .files = names, .names = names, .kinds = kinds, .n = n, .margin = 0.2
    };
}

static int says(const struct gput__buf *out, const char *want)
{
    if (strstr(gput__buf_text(out), want))
        return 1;
    printf("# no <%s> in: %s\n", want, gput__buf_text(out));
    return 0;
}

static void words_for_nothing(void)
{
    struct gput_demand two[] = { nothing, nothing };
    struct gput__recommendation r = recommendation_for(two, 1);
    struct gput__buf out = { 0 };

    r.all = nothing;
    gput__recommend_text(&r, &out);
    OK(says(&out, "CPU         not known\n   Memory      not known\n   GPUs        not known\n"),
       "what was not measured is not known");
    OK(says(&out,
            "20 %):\n   CPU         not known\n   Memory      not known\n   GPUs        none\n"),
       "and nothing is made up to ask for");
    OK(says(&out, "\nNote: the job was ended by signal 11: a whole run may need more.\n"),
       "a signal is told");
    OK(!strstr(gput__buf_text(&out), "nan"), "no number that is none");
    gput__buf_clear(&out);
    two[1].gpu_mean = 1;
    two[1].vram_peak = GIB;
    r = recommendation_for(two, 2);
    r.all = nothing;
    r.all.vram_peak = GIB;
    gput__recommend_text(&r, &out);
    OK(says(&out, "   a.csv (a tracking file): CPU not known, memory not known\n"),
       "a run of several");
    OK(says(&out, "memory not known, GPU memory 1.00 GiB\n"), "one that had a GPU");
    OK(says(&out, "GPUs        used; how much is not known\n"),
       "a GPU of which only memory is known");
    gput__buf_free(&out);
}

static void words_for_a_crowd(void)
{
    struct gput_demand one = nothing;
    struct gput__bottleneck_list found = { .crowd_waited = 152, .crowd_cores = 1.87 };
    struct gput__recommendation r = recommendation_for(&one, 1);
    struct gput__buf out = { 0 };

    r.found = &found;
    gput__recommend_text(&r, &out);
    OK(says(&out, "\nNote: its threads waited 2 min 32 s for a CPU, while others used 1.9 cores on "
                  "average: measure it where nobody else is, it may use more cores there.\n"),
       "a run among others may have wanted more cores");
    gput__buf_clear(&out);
    found.crowd_waited = 0;
    gput__recommend_text(&r, &out);
    OK(!strstr(gput__buf_text(&out), "waited"), "one by itself has not");
    gput__buf_free(&out);
}

/* Lines for what is known, and none for the rest. */
static void lines_of_targets(void)
{
    static const struct {
        const char *name, *nothing, *gpu;
    } want[] = {
        { "slurm", "", "#SBATCH --gres=gpu:2\n#SBATCH --time=2-01:05:00\n" },
        { "kubernetes", "resources:\n  requests:\n",
          "resources:\n  requests:\n  limits:\n    nvidia.com/gpu: 2\n" },
        { "nextflow", "", "    accelerator 2\n    time '49h 5m'\n" },
        { "snakemake", "", "    resources:\n        runtime=2945,\n" },
    };
    const struct gput__recommendation none = { 0 };
    const struct gput__recommendation gpu = { .ask = { .gpu = 2, .time = 49 * 3600 + 5 * 60 } };

    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        const struct gput__recommend_target *t = gput__recommend_targets;
        struct gput__buf out = { 0 };

        while (t->name && strcmp(t->name, want[i].name))
            t++;
        t->write(&none, &out);
        OK(!strcmp(gput__buf_text(&out), want[i].nothing), "%s: nothing is known", want[i].name);
        gput__buf_clear(&out);
        t->write(&gpu, &out);
        OK(!strncmp(gput__buf_text(&out), want[i].gpu, strlen(want[i].gpu)),
           "%s: GPUs and time alone", want[i].name);
        gput__buf_free(&out);
    }
    for (const struct gput__recommend_target *t = gput__recommend_targets; t->name; t++) {
        struct gput__buf out = { 0 };

        t->write(&none, &out);
        OK(!strpbrk(gput__buf_text(&out), "0123456789"), "%s: no figure is made up", t->name);
        gput__buf_free(&out);
    }
}

/* GPUs of Kubernetes have the name that their maker's plugin gives them. */
static void gpus_of_kubernetes(void)
{
    static const char *const want[][2] = { { "nvidia", "    nvidia.com/gpu: 1\n" },
                                           { "amd", "    amd.com/gpu: 1\n" },
                                           { "intel", "    gpu.intel.com/i915: 1\n" },
                                           { "", "    nvidia.com/gpu: 1\n" },
                                           { "another", "    nvidia.com/gpu: 1\n" } };

    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        struct gput_demand runs[2] = { { .gpu_brand = "" } };
        const struct gput__recommendation r = { .runs = runs, .n = 2, .ask = { .gpu = 1 } };
        const struct gput__recommend_target *t = gput__recommend_targets;
        struct gput__buf out = { 0 };

        snprintf(runs[1].gpu_brand, sizeof(runs[1].gpu_brand), "%s", want[i][0]);
        while (strcmp(t->name, "kubernetes"))
            t++;
        t->write(&r, &out);
        OK(says(&out, want[i][1]), "a GPU of '%s'", want[i][0]);
        gput__buf_free(&out);
    }
}

/* A file may say anything: no figure of it is too large for a line. */
static void beyond_all_measure(void)
{
    struct gput_demand d = { .cpu_mean = 1e300,
                             .memory_peak = 1e300,
                             .vram_peak = 1e300,
                             .gpu_mean = 1e300,
                             .gpu_max = 1e300,
                             .duration = 1e300 };
    struct gput__recommendation r = { .runs = &d, .n = 1 };

    gput_recommend(&d, 1, &r.ask);
    OK(r.ask.cpu > 0 && r.ask.gpu > 0 && r.ask.time > 0 && r.ask.time < 1e16,
       "a time that can be counted");
    for (const struct gput__recommend_target *t = gput__recommend_targets; t->name; t++) {
        struct gput__buf out = { 0 };

        t->write(&r, &out);
        OK(out.len > 0 && !out.err && !strstr(gput__buf_text(&out), "inf"), "%s", t->name);
        gput__buf_free(&out);
    }
}

static struct gput_figure known(double value)
{
    return (struct gput_figure){ .value = value, .source = GPUT_EXACT };
}

static void demand_of_usage(void)
{
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_demand d;

    u.max_ram.combined.total_rss = known(5e9);
    u.max_ram.system = known(20e9);
    u.cpu_utilization.combined.mean_sum_percent = known(150);
    u.gpu_utilization.system_gpu_count = known(4);
    u.gpu_utilization.gpu_percentages.mean_sum_percent = known(300);
    u.gpu_utilization.gpu_percentages.max_sum_percent = known(400);
    u.max_gpu_ram.combined = known(0);
    u.limits.memory_effective = known(8e9);
    gput_demand_of(&u, &d);
    OK(d.memory_peak == 5e9 && d.cpu_mean == 1.5 && d.memory_limit == 8e9 && !d.is_machine &&
           !d.is_sampled && isnan(d.duration),
       "the job's figures");
    OK(d.gpu_mean == 0 && d.gpu_max == 0, "GPUs that others use are not the job's");
    u.max_gpu_ram.combined = known(1e9);
    gput_demand_of(&u, &d);
    OK(d.gpu_mean == 3 && d.gpu_max == 4 && d.vram_peak == 1e9, "GPUs of the job");
    u.gpu_utilization.system_gpu_count = known(0);
    u.max_gpu_ram.combined = (struct gput_figure){ 0 };
    gput_demand_of(&u, &d);
    OK(d.gpu_mean == 0 && d.vram_peak == 0, "a machine without GPUs");
    u.max_ram.combined.total_rss = u.cpu_utilization.combined.mean_sum_percent =
        (struct gput_figure){ 0 };
    gput_demand_of(&u, &d);
    OK(d.is_machine && d.memory_peak == 20e9, "only the machine is known");
}

int main(void)
{
    rounding();
    one_run();
    gpus_at_work();
    several_runs();
    killed_runs();
    notes();
    words_for_nothing();
    words_for_a_crowd();
    lines_of_targets();
    gpus_of_kubernetes();
    beyond_all_measure();
    demand_of_usage();
    return DONE();
}

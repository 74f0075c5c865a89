/* bottlenecks.c - what limited a run: one table of verdicts. */
#include "report/bottlenecks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/figure.h"
#include "model/levels.h"
#include "report/advice.h"
#include "report/limits/verdict.h"

/* clang-format off */
static const struct gput__verdict verdicts[] = {
    { "memory-limit", 0, gput__judge_memory, NULL, gput__say_memory,
      "Ask for more, say twice as much, or let it hold less at a time: smaller batches, fewer workers.", 0 },
    { "cpu-all-cores", 0.1, gput__judge_all_cores, NULL, gput__say_all_cores,
      "More cores would make it faster if it spreads over them.", GPUT__VERDICT_GOOD },
    { "cpu-one-core", 0.25, gput__judge_one_core_alone, NULL, gput__say_one_core,
      "Let it use more cores (threads, worker processes), or ask for one.", 0 },
    { "gpu-stuck", 0, gput__judge_gpu_stuck,
      "The GPU looked stuck for {seconds s}: a kernel on it all the time, but hardly anything of it at work", NULL,
      "Look for a process that waits in a collective, or a kernel that does not end.", 0 },
    { "gpu-tensor", 0.2, gput__judge_gpu_tensor,
      "The GPU's tensor cores bound it {share} of the time", NULL,
      "They are well used: more or faster GPUs would make it faster, or smaller types (BF16, FP8).", GPUT__VERDICT_GOOD },
    { "gpu-sm", 0.2, gput__judge_gpu_pipes, NULL, gput__say_gpu_pipes,
      "Let matrix products run on tensor cores (TF32, BF16, FP16), or use a GPU with more of these pipes.", 0 },
    { "gpu-memory-bandwidth", 0.2, gput__judge_gpu_memory,
      "The bandwidth of the GPU's memory bound it {share} of the time", NULL,
      "Fuse kernels, use smaller types, or use each byte more often (larger batches); faster memory helps too.", 0 },
    { "gpu-copies", 0.2, gput__judge_gpu_copies,
      "The GPU did nothing but copies {share} of the time", NULL,
      "Keep data on the GPU, or copy the next piece while kernels run (pinned memory, prefetching).", 0 },
    { "gpu-small-kernels", 0.1, gput__judge_gpu_small,
      "Kernels that are too small kept the GPU {share} of the time", NULL,
      "Launch fewer and larger ones: larger batches, fused kernels, CUDA graphs, compilers such as torch.compile.", 0 },
    { "gpu-power-cap", 0.1, gput__judge_gpu_power,
      "GPU {gpu} was slowed down at its power limit {share} of the time", NULL,
      "Smaller types take less power for the same work; the limit itself is the administrator's.", 0 },
    { "gpu-thermal", 0.02, gput__judge_gpu_heat,
      "GPU {gpu} was slowed down by heat {share} of the time", NULL,
      "Tell who runs the machine: cooling, not the job, is the limit.", 0 },
    { "gpu-starved-cpu", 0.2, gput__judge_gpu_starved_cpu,
      "The GPU was idle {idle_percent %} of the time while one core was at its limit", NULL,
      "Prepare data in more worker processes or threads, or on the GPU.", 0 },
    { "gpu-starved-io", 0.2, gput__judge_gpu_starved_io,
      "The GPU was idle {idle_percent %} of the time while the job waited for disks", NULL,
      "Read ahead with more workers, in larger pieces, or from a faster disk.", 0 },
    { "gpu-idle", 0.3, gput__judge_gpu_idle,
      "The GPU was idle {share} of the time", NULL,
      "Look for what it waits for: loading of data, the network, another process; or ask for fewer GPUs.", 0 },
    { "gpu-imbalance", 0, gput__judge_gpu_imbalance,
      "Of {gpus} GPUs the busiest was in use {busiest_percent %} of the time, the idlest {idlest_percent %}", NULL,
      "Spread the work evenly: the busiest GPU sets the pace.", 0 },
    { "cpu-throttled", 0.05, gput__judge_throttled,
      "Its CPU quota of {cores_quota} cores held it back {share} of the time", NULL,
      "Ask for more cores, or run no more threads than the quota has cores.", 0 },
    { "cpu-stolen", 0.05, gput__judge_stolen,
      "The hypervisor took {share} of the CPU time that this machine wanted", NULL,
      "Run it on a machine that is shared with fewer others, or on one of its own.", 0 },
    { "memory-pressure", 0.1, gput__judge_memory_pressure, NULL, gput__say_memory_pressure,
      "With more memory it would be faster; or let it hold less at a time.", 0 },
    { "swap", 0, gput__judge_swap,
      "{max_swap B} of its memory were in swap, and the machine read {swapped_in_bytes B} back", NULL,
      "Ask for more memory, or let it hold less at a time: what is in swap is read at the speed of a disk.", 0 },
    { "io", 0.1, gput__judge_io, "It waited for disks {share} of the time", NULL,
      "Read ahead and in larger pieces, keep what is read often in memory, or use a faster disk.", 0 },
};
/* clang-format on */
enum { N_VERDICTS = sizeof(verdicts) / sizeof(*verdicts) };
_Static_assert((int)N_VERDICTS <= (int)GPUT_MOST_BOTTLENECKS, "each verdict has room");

static void gather(const struct gput_usage *u, struct gput__limit_facts *f)
{
    const struct gput_percentages *cpu = &u->cpu_utilization.combined;

    *f = (struct gput__limit_facts){
        .u = u,
        .seconds = gput__figure_value(u->compute_time.time),
        .known_seconds = gput__levels_seconds(u->cpu_levels.seconds),
        .cores = gput__figure_value(cpu->mean_sum_percent) / 100,
        .cores_max = gput__figure_value(cpu->max_sum_percent) / 100,
        .cores_limit =
            gput__known_or(u->limits.cores_effective, u->cpu_utilization.system_core_count),
        .memory = gput__figure_value(u->max_ram.combined.total_rss),
        .memory_limit = gput__known_or(u->limits.memory_effective, u->max_ram.system_capacity),
    };
    f->memory_most = fmax(f->memory, gput__figure_value(u->ram_bounds.combined_at_most));
}

/* What ended the run weighs more than all that slowed it down; what is not known, least. */
static double weight(const struct gput_bottleneck *b)
{
    if (gput__evidence(b, "killed") > 0)
        return INFINITY;
    return isnan(b->share_of_time) ? 0 : b->share_of_time;
}

static int heavier(const void *a, const void *b)
{
    double one = weight(a), other = weight(b);

    return (one < other) - (one > other);
}

int gput_bottlenecks(const struct gput_usage *u, struct gput_bottleneck ret[GPUT_MOST_BOTTLENECKS])
{
    struct gput__limit_facts f;
    int n = 0;

    gather(u, &f);
    for (int i = 0; i < N_VERDICTS; i++) {
        ret[n] = (struct gput_bottleneck){ .what = verdicts[i].what, .advice = verdicts[i].advice };
        n += verdicts[i].judge(&f, &ret[n]) && !(ret[n].share_of_time < verdicts[i].least_share);
    }
    qsort(ret, (size_t)n, sizeof(*ret), heavier);
    return n;
}

static const struct gput__verdict *verdict_of(const struct gput_bottleneck *b)
{
    for (int i = 0; i < N_VERDICTS; i++)
        if (strcmp(verdicts[i].what, b->what) == 0)
            return &verdicts[i];
    return NULL;
}

const char *gput_bottleneck_words(const struct gput_bottleneck *b, char *ret, size_t size)
{
    const struct gput__verdict *v = verdict_of(b);

    *ret = '\0';
    if (v && v->say)
        return v->say(b, ret, size);
    return v ? gput__verdict_fill(v->words, b, ret, size) : ret;
}

bool gput__bottleneck_is_good(const struct gput_bottleneck *b)
{
    const struct gput__verdict *v = verdict_of(b);

    return v && v->tone == GPUT__VERDICT_GOOD;
}

void gput__bottlenecks_json(struct gput__json *j, const struct gput_usage *u)
{
    struct gput_bottleneck list[GPUT_MOST_BOTTLENECKS];
    int n = gput_bottlenecks(u, list);
    char words[GPUT__BOTTLENECK_SIZE];

    gput__json_open_list(j, "bottlenecks");
    for (int i = 0; i < n; i++) {
        const struct gput_bottleneck *b = &list[i];

        gput__json_open(j, NULL);
        gput__json_string(j, "what", b->what);
        gput__json_double(j, "share_of_time", b->share_of_time);
        gput__json_string(j, "confidence", b->confidence);
        gput__json_open(j, "evidence");
        for (int k = 0; k < b->n_evidence; k++)
            gput__json_double(j, b->evidence[k].name, b->evidence[k].value);
        gput__json_close(j);
        gput__json_string(j, "words", gput_bottleneck_words(b, words, sizeof(words)));
        gput__json_string(j, "advice", b->advice);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

void gput__bottlenecks_text(struct gput__buf *out, const struct gput_usage *u)
{
    const struct gput__run run = { .usage = *u };
    struct gput_bottleneck list[GPUT_MOST_BOTTLENECKS];
    int n = gput_bottlenecks(u, list);
    char words[GPUT__BOTTLENECK_SIZE];

    gput__buf_puts(out, "What limited it:\n");
    for (int i = 0; i < n; i++)
        gput__buf_printf(out, "   %s (confidence: %s). %s\n",
                         gput_bottleneck_words(&list[i], words, sizeof(words)), list[i].confidence,
                         list[i].advice);
    if (n > 0)
        return;
    gput__limit_in_words(&run, words, sizeof(words));
    gput__buf_printf(out, "   %s\n", words);
}

/* gpu.c - verdicts on GPUs: what bound them, what they waited for, what slowed them down.
 *
 * Where hardware counters tell, the time is divided by what it went into (model/gpu_work.h); where not, by
 * utilization, which says no more than that a kernel was there. */
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "model/figure.h"
#include "report/limits/verdict.h"
#include "report/text/amount.h"

/* A GPU that has less to do than this was not used by the job. */
#define USED_PERCENT 1.0
/* So many points between the busiest and the idlest of several are uneven. */
#define UNEVEN_PERCENT 25.0
/* Less of one core than this does not feed anything. */
#define STARVING_SHARE 0.2

#define AT(member) offsetof(struct gput_gpu_work, member)

static double value_at(const struct gput_gpu_work *w, size_t at)
{
    return gput__figure_value(*(const struct gput_figure *)((const char *)w + at));
}

/* --- the GPUs that count, together ---------------------------------------------------------- */

static bool counts(const struct gput_usage *u, int i)
{
    return u->gpu.work && u->gpu.gpus[i].is_counted;
}

/* Of all that tell it; NAN: none does. */
static double sum_of(const struct gput_usage *u, size_t at)
{
    double sum = NAN;

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        double value = counts(u, i) ? value_at(&u->gpu.work[i], at) : NAN;

        if (!isnan(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum;
}

static double mean_of(const struct gput_usage *u, size_t at)
{
    double n = 0;

    for (int i = 0; i < u->gpu.n_gpus; i++)
        n += counts(u, i) && !isnan(value_at(&u->gpu.work[i], at));
    return sum_of(u, at) / n;
}

/* The seconds that are divided, of all GPUs. */
static double divided(const struct gput_usage *u)
{
    static const size_t kinds[] = { AT(tensor_seconds), AT(pipes_seconds), AT(memory_seconds),
                                    AT(other_seconds),  AT(small_seconds), AT(stuck_seconds),
                                    AT(copies_seconds), AT(idle_seconds) };
    double sum = 0;

    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        sum += fmax(sum_of(u, kinds[k]), 0);
    return sum;
}

/* Whether the job was long enough, and had any of them at work. */
static bool is_used(const struct gput__limit_facts *f)
{
    const struct gput_usage *u = f->u;
    double use = gput__figure_value(u->gpu_utilization.gpu_percentages.mean_sum_percent);

    return f->seconds >= GPUT__TOO_SHORT && u->gpu.n_gpus > 0 &&
           (gput__figure_value(u->max_gpu_ram.combined) > 0 || use >= USED_PERCENT);
}

static bool judge_kind(const struct gput__limit_facts *f, size_t kind, struct gput_bottleneck *ret)
{
    double all = divided(f->u), seconds = sum_of(f->u, kind);

    if (!is_used(f) || !(all > 0) || !(seconds > 0))
        return false;
    ret->share_of_time = seconds / all;
    ret->confidence = "high";
    gput__evidence_add(ret, "seconds", seconds);
    gput__evidence_add(ret, "engine_active", mean_of(f->u, AT(engine_active.mean)));
    gput__evidence_add(ret, "sm_active", mean_of(f->u, AT(sm_active.mean)));
    gput__evidence_add(ret, "tensor_active", mean_of(f->u, AT(tensor_active.mean)));
    gput__evidence_add(ret, "dram_active", mean_of(f->u, AT(dram_active.mean)));
    return true;
}

/* --- what bound it ---------------------------------------------------------------------------- */

bool gput__judge_gpu_tensor(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    if (!judge_kind(f, AT(tensor_seconds), ret))
        return false;
    gput__evidence_add(ret, "clock_percent", mean_of(f->u, AT(clock_percent)));
    gput__evidence_add(ret, "dense_ceiling", mean_of(f->u, AT(dense_ceiling)));
    return true;
}

bool gput__judge_gpu_pipes(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    if (!judge_kind(f, AT(pipes_seconds), ret))
        return false;
    gput__evidence_add(ret, "fp64_active", mean_of(f->u, AT(fp64_active.mean)));
    gput__evidence_add(ret, "fp32_active", mean_of(f->u, AT(fp32_active.mean)));
    gput__evidence_add(ret, "fp16_active", mean_of(f->u, AT(fp16_active.mean)));
    return true;
}

const char *gput__say_gpu_pipes(const struct gput_bottleneck *b, char *ret, size_t size)
{
    static const struct {
        const char *evidence, *name;
    } pipes[] = { { "fp32_active", "FP32" }, { "fp64_active", "FP64" }, { "fp16_active", "FP16" } };
    char share[GPUT__AMOUNT_SIZE];
    size_t most = 0;

    for (size_t k = 1; k < sizeof(pipes) / sizeof(*pipes); k++)
        if (gput__evidence(b, pipes[k].evidence) > gput__evidence(b, pipes[most].evidence))
            most = k;
    gput__snprintf(ret, size, "The GPU's %s pipes bound it %s of the time", pipes[most].name,
                   gput__amount_percent(100 * b->share_of_time, share));
    return ret;
}

bool gput__judge_gpu_memory(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_kind(f, AT(memory_seconds), ret);
}

bool gput__judge_gpu_copies(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    if (!judge_kind(f, AT(copies_seconds), ret))
        return false;
    ret->confidence = "medium"; /* by the speed that the link has */
    gput__evidence_add(ret, "pcie_rx_bytes", sum_of(f->u, AT(pcie_rx_bytes)));
    gput__evidence_add(ret, "pcie_tx_bytes", sum_of(f->u, AT(pcie_tx_bytes)));
    gput__evidence_add(ret, "nvlink_rx_bytes", sum_of(f->u, AT(nvlink_rx_bytes)));
    return true;
}

bool gput__judge_gpu_small(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_kind(f, AT(small_seconds), ret);
}

bool gput__judge_gpu_stuck(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_kind(f, AT(stuck_seconds), ret);
}

/* --- what slowed it down ---------------------------------------------------------------------- */

/* Of the GPU that it happened to most. */
static bool judge_slowed(const struct gput__limit_facts *f, size_t at, struct gput_bottleneck *ret)
{
    double most = 0;
    int which = 0;

    for (int i = 0; i < f->u->gpu.n_gpus; i++) {
        double seconds = counts(f->u, i) ? value_at(&f->u->gpu.work[i], at) : NAN;

        if (seconds > most) {
            most = seconds;
            which = i;
        }
    }
    if (!is_used(f) || !(most > 0))
        return false;
    ret->share_of_time = fmin(most / f->seconds, 1);
    ret->confidence = "high";
    gput__evidence_add(ret, "gpu", which);
    gput__evidence_add(ret, "seconds", most);
    gput__evidence_add(ret, "power_limit", value_at(&f->u->gpu.work[which], AT(power_limit)));
    return true;
}

bool gput__judge_gpu_power(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_slowed(f, AT(power_capped_seconds), ret);
}

bool gput__judge_gpu_heat(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    return judge_slowed(f, AT(thermal_seconds), ret);
}

/* --- what it waited for ----------------------------------------------------------------------- */

/* The share of the time that the GPUs had nothing to do: by counters, else by utilization. */
static double share_idle(const struct gput__limit_facts *f, const char **ret_confidence)
{
    double all = divided(f->u), idle = sum_of(f->u, AT(idle_seconds));
    double use = gput__figure_value(f->u->gpu_utilization.gpu_percentages.mean_hardware_percent);

    *ret_confidence = all > 0 ? "high" : "medium";
    return all > 0 ? idle / all : 1 - use / 100;
}

double gput__share_gpu_idle(const struct gput__limit_facts *f)
{
    const char *confidence;

    return is_used(f) ? fmax(share_idle(f, &confidence), 0) : NAN;
}

static bool judge_idle(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double idle = share_idle(f, &ret->confidence);

    if (!is_used(f) || !(idle > 0))
        return false;
    ret->share_of_time = fmin(idle, 1);
    gput__evidence_add(ret, "idle_percent", 100 * fmin(idle, 1));
    return true;
}

/* While another limit is reached the GPU waits for it: as long as both at most, and at least for what of both
 * has no room beside the other. */
static bool is_starved(const struct gput__limit_facts *f, struct gput_bottleneck *ret,
                       bool (*judge)(const struct gput__limit_facts *, struct gput_bottleneck *),
                       const char *evidence, double *ret_least)
{
    struct gput_bottleneck other = { .share_of_time = NAN };

    if (!judge_idle(f, ret) || !judge(f, &other) || !(other.share_of_time > 0))
        return false;
    *ret_least = ret->share_of_time + other.share_of_time - 1;
    gput__evidence_add(ret, evidence, 100 * other.share_of_time);
    ret->share_of_time = fmin(ret->share_of_time, other.share_of_time);
    ret->confidence = *ret_least > 0 ? "high" : "medium"; /* else they need not have been at once */
    return true;
}

/* A program that waits for its GPU keeps a core busy too: then it is not the core that is waited for. */
bool gput__judge_gpu_starved_cpu(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double least;

    if (!is_starved(f, ret, gput__judge_one_core, "one_core_percent", &least))
        return false;
    ret->share_of_time = least;
    return least >= STARVING_SHARE;
}

bool gput__judge_gpu_starved_io(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double least;

    return is_starved(f, ret, gput__judge_io, "io_percent", &least) &&
           ret->share_of_time >= STARVING_SHARE;
}

bool gput__judge_gpu_idle(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    struct gput_bottleneck cpu = { .share_of_time = NAN }, io = { .share_of_time = NAN };

    return judge_idle(f, ret) && !gput__judge_gpu_starved_cpu(f, &cpu) &&
           !gput__judge_gpu_starved_io(f, &io);
}

/* --- several ---------------------------------------------------------------------------------- */

bool gput__judge_gpu_imbalance(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double most = -INFINITY, least = INFINITY;
    int n = 0;

    for (int i = 0; i < f->u->gpu.n_gpus; i++) {
        double use = gput__figure_value(f->u->gpu.gpus[i].mean_utilization);

        if (!f->u->gpu.gpus[i].is_counted || !(use >= USED_PERCENT))
            continue; /* one that nothing uses is another matter */
        most = fmax(most, use);
        least = fmin(least, use);
        n++;
    }
    if (!is_used(f) || n < 2 || most - least < UNEVEN_PERCENT)
        return false;
    ret->share_of_time = (most - least) / 100;
    ret->confidence = "medium";
    gput__evidence_add(ret, "gpus", n);
    gput__evidence_add(ret, "busiest_percent", most);
    gput__evidence_add(ret, "idlest_percent", least);
    return true;
}

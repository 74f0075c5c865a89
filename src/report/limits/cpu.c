/* cpu.c - verdicts on the CPU: all cores busy, one core of several busy. */
#include <math.h>

#include "base/text/print.h"
#include "model/figure.h"
#include "model/levels.h"
#include "report/limits/verdict.h"
#include "report/text/amount.h"

/* One core, as a single thread keeps it busy. */
#define ONE_CORE_LEAST 0.85
#define ONE_CORE_MOST 1.1

/* Where only the mean is known it must be such a use itself, and the share is not known. */
static bool judge_cores(const struct gput__limit_facts *f, double least, double most,
                        struct gput_bottleneck *ret)
{
    bool has_levels = f->known_seconds > 0;
    double at = gput__levels_between(f->u->cpu_levels.seconds, least, most);

    if (!(f->seconds >= GPUT__TOO_SHORT))
        return false;
    ret->confidence = !has_levels ? "low" : f->u->tracker.n_polls.value > 0 ? "high" : "medium";
    ret->share_of_time = has_levels ? at / f->known_seconds : NAN;
    gput__evidence_add(ret, "cores_limit", f->cores_limit);
    gput__evidence_add(ret, "mean_cores", f->cores);
    gput__evidence_add(ret, "max_cores", f->cores_max);
    gput__evidence_add(ret, "seconds", has_levels ? at : NAN);
    return has_levels || (f->cores >= least && f->cores <= most && f->cores_max <= most * 1.4);
}

bool gput__judge_all_cores(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    /* How much a quota held it back is another verdict. */
    if (gput__figure_value(f->u->waiting.throttled_seconds) > 0 &&
        gput__figure_value(f->u->limits.cores_cgroup) <= f->cores_limit)
        return false;
    return f->cores_limit > 0 && judge_cores(f, GPUT__NEAR_LIMIT * f->cores_limit, INFINITY, ret);
}

/* Two threads that are half busy look like one: of several it is less certain. */
bool gput__judge_one_core(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    if (!(f->cores_limit >= 2) || !judge_cores(f, ONE_CORE_LEAST, ONE_CORE_MOST, ret))
        return false;
    if (ret->confidence[0] == 'h' && f->u->cpu_utilization.combined_n_threads.value != 1)
        ret->confidence = "medium";
    return true;
}

bool gput__judge_one_core_alone(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    /* At least so much of it was while they were not. */
    return gput__judge_one_core(f, ret) &&
           !(gput__share_gpu_idle(f) + ret->share_of_time - 1 < ret->share_of_time / 2);
}

/* Of what the machine wanted to run, of all programs. */
bool gput__judge_stolen(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double stolen = gput__figure_value(f->u->machine.stolen_cpu_seconds);
    double worked = gput__figure_value(f->u->cpu_utilization.system.mean_sum_percent) / 100;

    worked *= f->seconds;
    if (!(f->seconds >= GPUT__TOO_SHORT) || !(stolen > 0) || !(worked >= 0))
        return false;
    ret->confidence = "medium";
    ret->share_of_time = stolen / (stolen + worked);
    gput__evidence_add(ret, "stolen_cpu_seconds", stolen);
    gput__evidence_add(ret, "machine_cpu_seconds", worked);
    return true;
}

static const char *share_in_words(const struct gput_bottleneck *b, char *ret)
{
    return gput__amount_percent(100 * b->share_of_time, ret);
}

const char *gput__say_all_cores(const struct gput_bottleneck *b, char *ret, size_t size)
{
    char share[GPUT__AMOUNT_SIZE];
    double limit = gput__evidence(b, "cores_limit");

    if (isnan(b->share_of_time))
        gput__snprintf(ret, size, "It used %.3g of %.4g core%s on average",
                       gput__evidence(b, "mean_cores"), limit, limit == 1 ? "" : "s");
    else if (limit == 1)
        gput__snprintf(ret, size, "The one core was busy %s of the time", share_in_words(b, share));
    else
        gput__snprintf(ret, size, "All %.4g cores were busy %s of the time", limit,
                       share_in_words(b, share));
    return ret;
}

const char *gput__say_one_core(const struct gput_bottleneck *b, char *ret, size_t size)
{
    char share[GPUT__AMOUNT_SIZE];
    double limit = gput__evidence(b, "cores_limit");

    if (isnan(b->share_of_time))
        gput__snprintf(ret, size, "It used %.2g of %.4g cores, as a single thread does",
                       gput__evidence(b, "mean_cores"), limit);
    else
        gput__snprintf(ret, size, "Only one of %.4g cores was busy %s of the time", limit,
                       share_in_words(b, share));
    return ret;
}

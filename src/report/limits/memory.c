/* memory.c - the verdict on memory that ran out, or nearly. */
#include <math.h>

#include "base/text/print.h"
#include "model/figure.h"
#include "report/limits/verdict.h"
#include "report/text/amount.h"

/* Bytes; less is what the kernel puts away of anybody who sleeps. */
#define LEAST_SWAP 16e6

bool gput__judge_memory(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    enum gput_oom oom = f->u->job.oom;
    double share = gput__figure_value(f->u->limits.near_memory_seconds) / f->seconds;
    bool is_seen = f->memory >= GPUT__NEAR_LIMIT * f->memory_limit;

    ret->share_of_time = fmin(fmax(share, 0), fmax(share, 1));
    ret->confidence = oom == GPUT_OOM_YES || is_seen ? "high"
                      : oom != GPUT_OOM_NO           ? "medium"
                                                     : "low";
    gput__evidence_add(ret, "memory_limit", f->memory_limit > 0 ? f->memory_limit : NAN);
    gput__evidence_add(ret, "memory_peak", f->memory);
    gput__evidence_add(ret, "memory_at_most", f->memory_most);
    gput__evidence_add(ret, "killed", oom == GPUT_OOM_YES ? 1 : oom == GPUT_OOM_NO ? 0 : 0.5);
    return oom != GPUT_OOM_NO || is_seen || f->memory_most >= GPUT__NEAR_LIMIT * f->memory_limit;
}

/* Of the job's own memory; how long it waited for it, the pressure says. */
bool gput__judge_swap(const struct gput__limit_facts *f, struct gput_bottleneck *ret)
{
    double own = gput__figure_value(f->u->totals.max_swap);
    double in = gput__figure_value(f->u->machine.swapped_in_bytes);
    double out = gput__figure_value(f->u->machine.swapped_out_bytes);

    ret->confidence = "medium"; /* the machine's bytes may be of others */
    ret->share_of_time = gput__figure_value(f->u->waiting.memory_some_seconds) / f->seconds;
    if (ret->share_of_time > 1) /* fmin() would make a number of what is none */
        ret->share_of_time = 1;
    gput__evidence_add(ret, "max_swap", own);
    gput__evidence_add(ret, "swapped_in_bytes", in);
    gput__evidence_add(ret, "swapped_out_bytes", out);
    return own >= LEAST_SWAP && in >= LEAST_SWAP;
}

const char *gput__say_memory(const struct gput_bottleneck *b, char *ret, size_t size)
{
    double limit = gput__evidence(b, "memory_limit"), killed = gput__evidence(b, "killed");
    double peak = gput__evidence(b, "memory_peak") / limit;
    char amount[GPUT__AMOUNT_SIZE], share[GPUT__AMOUNT_SIZE];

    gput__amount_bytes(limit, amount);
    if (killed > 0)
        gput__snprintf(ret, size, "Memory %sran out%s%s", killed < 1 ? "probably " : "",
                       limit > 0 ? " at the limit of " : "", limit > 0 ? amount : "");
    else if (!(peak >= GPUT__NEAR_LIMIT))
        gput__snprintf(ret, size, "Memory may have reached %.0f %% of the limit of %s",
                       fmin(100 * gput__evidence(b, "memory_at_most") / limit, 100), amount);
    else if (b->share_of_time > 0)
        gput__snprintf(
            ret, size, "Memory reached %.0f %% of the limit of %s, and was near it %s of the time",
            fmin(100 * peak, 100), amount, gput__amount_percent(100 * b->share_of_time, share));
    else
        gput__snprintf(ret, size, "Memory reached %.0f %% of the limit of %s",
                       fmin(100 * peak, 100), amount);
    return ret;
}

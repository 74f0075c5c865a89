/* gpu_kinds.c - what the time of a GPU went into, from one reading of what it did.
 *
 * The shares of SMs, pipes and bandwidth are of all the time; what they bound is seen by their shares of
 * the time in which the engine was active.  Occupancy is left out: it says nothing of efficiency. */
#include "sample/gpu/gpu_kinds.h"

#include <math.h>

/* Of the time that the engine is active: so much of its peak bounds it, */
#define BOUND 0.5
/* with less than that nothing much is at work. */
#define HARDLY 0.1
/* Copies at so much of what the link carries leave no time beside them. */
#define FULL_LINK 0.75

static double share(const struct gput__gpu_work *w, int id)
{
    return gput__gpu_work_has(w, id) ? w->value[id] / 100 : 0;
}

static double flow(const struct gput__gpu_work *w, int one, int other)
{
    double a = gput__gpu_work_has(w, one) ? w->value[one] : 0;
    double b = gput__gpu_work_has(w, other) ? w->value[other] : 0;

    return fmax(a, b);
}

static enum gput__gpu_kind kind_of(const struct gput__gpu_work *w)
{
    double engine = share(w, GPUT__WORK_ENGINE);
    double tensor = share(w, GPUT__WORK_TENSOR) / engine;
    double dram = share(w, GPUT__WORK_DRAM) / engine;
    double pipes = fmax(share(w, GPUT__WORK_FP64),
                        fmax(share(w, GPUT__WORK_FP32), share(w, GPUT__WORK_FP16))) /
                   engine;
    double most = fmax(tensor, fmax(dram, pipes));

    if (share(w, GPUT__WORK_SM) / engine < HARDLY && most < HARDLY)
        return GPUT__KIND_SMALL;
    if (most < BOUND)
        return GPUT__KIND_OTHER;
    return most == tensor ? GPUT__KIND_TENSOR
           : most == dram ? GPUT__KIND_BANDWIDTH
                          : GPUT__KIND_PIPES;
}

/* Which part of the time the copies took, had they gone at the speed of the link. */
static double copying(const struct gput__gpu_work *w)
{
    double pcie = 0, nvlink = 0;

    if (w->pcie_most > 0)
        pcie = flow(w, GPUT__WORK_PCIE_RX, GPUT__WORK_PCIE_TX) / (FULL_LINK * w->pcie_most);
    if (w->nvlink_most > 0)
        nvlink = flow(w, GPUT__WORK_NVLINK_RX, GPUT__WORK_NVLINK_TX) / (FULL_LINK * w->nvlink_most);
    return fmin(fmax(pcie, nvlink), 1);
}

bool gput__gpu_kinds(const struct gput__gpu_work *w, double ret[GPUT__N_GPU_KINDS])
{
    double busy = share(w, GPUT__WORK_ENGINE), copies = fmin(copying(w), 1 - busy);

    if (!gput__gpu_work_has(w, GPUT__WORK_ENGINE) || !gput__gpu_work_has(w, GPUT__WORK_SM))
        return false;
    for (int k = 0; k < GPUT__N_GPU_KINDS; k++)
        ret[k] = 0;
    if (busy > 0)
        ret[kind_of(w)] += busy * w->seconds;
    ret[GPUT__KIND_COPIES] += copies * w->seconds;
    ret[GPUT__KIND_IDLE] += (1 - busy - copies) * w->seconds;
    return true;
}

/* Of a device that does not tell its power or its limit the rest must do. */
bool gput__gpu_looks_stuck(const struct gput__gpu_work *w)
{
    bool is_known = w->power_watts > 0 && w->power_limit_watts > 0;

    return gput__gpu_work_has(w, GPUT__WORK_ENGINE) && gput__gpu_work_has(w, GPUT__WORK_SM) &&
           share(w, GPUT__WORK_ENGINE) > 0.98 && share(w, GPUT__WORK_SM) < 0.02 &&
           share(w, GPUT__WORK_DRAM) < 0.02 && share(w, GPUT__WORK_TENSOR) < 0.02 &&
           flow(w, GPUT__WORK_PCIE_RX, GPUT__WORK_PCIE_TX) < 1e9 &&
           flow(w, GPUT__WORK_NVLINK_RX, GPUT__WORK_NVLINK_TX) < 1e9 &&
           (!is_known || w->power_watts < 0.35 * w->power_limit_watts);
}

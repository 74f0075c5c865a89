/* gpu_nvml_work.c - NVIDIA GPUs through their management library: what a device really did, counted by
 * its hardware between two samples (Hopper and later), or as far as older ones tell.
 *
 * Figures of SMs and their pipes are per clock cycle, and clocks fall under load: one pair of samples
 * over a long time is not the mean over that time.  So pairs are short, and weighted by their length. */
#include "source/gpu/gpu_nvml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"

/* The counters want at least 100 ms. */
#define SHORTEST_NS (110 * GPUT__NS_PER_MS)
/* How busy the engine was takes 1.3 ms to ask for, all other metrics together 0.01 ms (H200, driver
 * 580): it is asked for where the others say that something has changed, and after so long. */
#define ENGINE_NS (4 * GPUT__NS_PER_S)
#define CHANGED 10.0 /* percent */
#define MIB 1048576.0

static const char no_counters[] = "this GPU has no such counters: NVIDIA's begin with Hopper";
static const char old_driver[] = "the NVIDIA driver is too old to tell";
static const char refused[] = "the driver refuses its counters";
static const char of_whole[] = "the instances of this partitioned GPU have their own";

static const struct {
    enum gput__work_id id;
    uint32_t gpm;
    double unit;
} metrics[] = {
    { GPUT__WORK_ENGINE, 1, 1 }, /* the first: it is asked for apart */
    { GPUT__WORK_SM, 2, 1 },           { GPUT__WORK_OCCUPANCY, 3, 1 },
    { GPUT__WORK_TENSOR, 5, 1 },       { GPUT__WORK_TENSOR_FP64, 6, 1 },
    { GPUT__WORK_TENSOR_HALF, 7, 1 },  { GPUT__WORK_TENSOR_INT, 9, 1 },
    { GPUT__WORK_DRAM, 10, 1 },        { GPUT__WORK_FP64, 11, 1 },
    { GPUT__WORK_FP32, 12, 1 },        { GPUT__WORK_FP16, 13, 1 },
    { GPUT__WORK_PCIE_TX, 20, MIB },   { GPUT__WORK_PCIE_RX, 21, MIB },
    { GPUT__WORK_NVLINK_RX, 60, MIB }, { GPUT__WORK_NVLINK_TX, 61, MIB },
};
#define N_METRICS (sizeof(metrics) / sizeof(*metrics))
#define N_SAMPLES 3

/* --- whether it has counters ---------------------------------------------------------------- */

static bool has_calls(const struct gput__nvml_api *api)
{
    return api->gpm_support && api->gpm_alloc && api->gpm_free && api->gpm_sample &&
           api->gpm_metrics;
}

/* Of a MIG instance its GPU is asked. */
static struct gput__nvml_gpu *whole_of(struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    return g->info.is_mig ? &nvml->gpus[g->info.parent] : g;
}

static const char *search(struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    const struct gput__nvml_api *api = &nvml->api;
    struct gput__nvml_gpm_support support = { .version = GPUT__NVML_GPM_SUPPORT };
    int r;

    if (g->is_partitioned)
        return of_whole;
    if (!has_calls(api) || (g->info.is_mig && (!api->gpm_sample_mig || !api->instance_id)))
        return old_driver;
    r = gput__nvml_answer(g, api->gpm_support(whole_of(nvml, g)->device, &support));
    if (r == -EACCES)
        return refused;
    if (r < 0 || !support.is_supported)
        return no_counters;
    if (g->info.is_mig && gput__nvml_answer(g, api->instance_id(g->device, &g->work.instance)) < 0)
        return refused;
    for (int k = 0; k < N_SAMPLES; k++)
        if (!g->work.sample[k] && api->gpm_alloc(&g->work.sample[k]) != GPUT__NVML_SUCCESS)
            return refused;
    if (!nvml->gpm)
        nvml->gpm = calloc(1, sizeof(*nvml->gpm));
    return nvml->gpm ? NULL : refused;
}

/* --- a pair of samples ---------------------------------------------------------------------- */

/* Where the next one goes: neither of those that a pair begins with. */
static unsigned newer_of(const struct gput__nvml_work *w)
{
    unsigned k = 0;

    while (k == w->older || k == w->engine.since)
        k++;
    return k;
}

static int read_sample(struct gput__nvml *nvml, struct gput__nvml_gpu *g, unsigned newer)
{
    void *sample = g->work.sample[newer];
    int code = g->info.is_mig
                   ? nvml->api.gpm_sample_mig(whole_of(nvml, g)->device, g->work.instance, sample)
                   : nvml->api.gpm_sample(g->device, sample);

    return gput__nvml_answer(g, code);
}

/* Metrics `first` to before `end` of the table, between two samples. */
static int read_metrics(struct gput__nvml *nvml, void *from, void *to, size_t first, size_t end,
                        struct gput__gpu_work *ret)
{
    struct gput__nvml_gpm_metrics *gpm = nvml->gpm;

    gpm->version = GPUT__NVML_GPM_METRICS;
    gpm->n = (uint32_t)(end - first);
    gpm->from = from;
    gpm->to = to;
    for (size_t k = first; k < end; k++)
        gpm->metrics[k - first] =
            (struct gput__nvml_gpm_metric){ .id = metrics[k].gpm, .code = GPUT__NVML_UNKNOWN };
    if (nvml->api.gpm_metrics(gpm) != GPUT__NVML_SUCCESS)
        return -EIO;
    for (size_t k = first; k < end; k++) {
        const struct gput__nvml_gpm_metric *m = &gpm->metrics[k - first];
        double most = metrics[k].unit > 1 ? INFINITY : 100;

        if (m->code == GPUT__NVML_SUCCESS && isfinite(m->value) && m->value >= 0)
            gput__gpu_work_set(ret, (int)metrics[k].id, fmin(m->value * metrics[k].unit, most));
    }
    return 0;
}

/* What moves with it: the SMs, their pipes, the memory, and the driver's own word of the last moments. */
static double seen_beside(const struct gput__gpu_work *w, double of_late)
{
    double sum = of_late;

    for (size_t k = 1; k < N_METRICS; k++)
        if (metrics[k].unit <= 1 && gput__gpu_work_has(w, (int)metrics[k].id))
            sum += w->value[metrics[k].id];
    return sum;
}

static void tell_engine(struct gput__nvml_engine *e, double percent, struct gput__gpu_work *ret)
{
    e->told += percent * ret->seconds;
    gput__gpu_work_set(ret, GPUT__WORK_ENGINE, percent);
}

/* In between it is taken for what it was; what that was wrong by is put right when it is asked for. */
static void read_engine(struct gput__nvml *nvml, struct gput__nvml_work *w, unsigned newer,
                        int64_t now, double of_late, struct gput__gpu_work *ret)
{
    struct gput__nvml_engine *e = &w->engine;
    double seen = seen_beside(ret, of_late), span = gput__seconds(now - e->at_ns), percent;
    bool has_changed = fabs(seen - e->seen) > CHANGED;
    struct gput__gpu_work all = { 0 };

    if (!has_changed && now - e->at_ns < e->pause_ns) {
        tell_engine(e, e->percent, ret);
        return;
    }
    (void)read_metrics(nvml, w->sample[e->since], w->sample[newer], 0, 1, &all);
    if (gput__gpu_work_has(&all, GPUT__WORK_ENGINE)) {
        double was = e->percent;

        e->told -= all.value[GPUT__WORK_ENGINE] * span;
        percent = fmin(fmax(-e->told / ret->seconds, 0), 100);
        tell_engine(e, percent, ret);
        e->percent = has_changed ? percent : all.value[GPUT__WORK_ENGINE];
        e->pause_ns = fabs(e->percent - was) > CHANGED ? 0 : ENGINE_NS;
    }
    e->since = newer;
    e->at_ns = now;
    e->seen = seen;
}

/* --- beside them ------------------------------------------------------------------------------ */

/* How busy it was of late, and its memory: all that a device without counters tells; percent. */
static double read_utilization(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                               struct gput__gpu_work *ret)
{
    struct gput__nvml_utilization u = { 0 };

    if (g->info.is_mig || !nvml->api.utilization ||
        gput__nvml_answer(g, nvml->api.utilization(g->device, &u)) != 0)
        return 0;
    if (u.memory <= 100)
        gput__gpu_work_set(ret, GPUT__WORK_MEMORY, u.memory);
    return u.gpu <= 100 ? u.gpu : 0;
}

static uint32_t u32_of(struct gput__nvml_gpu *g, gput__nvml_u32_fn *fn)
{
    uint32_t v = 0;

    return fn && gput__nvml_answer(g, fn(g->device, &v)) == 0 && v != GPUT__NVML_NO_U32 ? v : 0;
}

static uint32_t clock_of(struct gput__nvml_gpu *g, gput__nvml_pick_fn *fn)
{
    uint32_t v = 0;

    return fn && gput__nvml_answer(g, fn(g->device, GPUT__NVML_CLOCK_SM, &v)) == 0 &&
                   v != GPUT__NVML_NO_U32
               ? v
               : 0;
}

/* What a link of a generation carries, of each lane in one direction. */
static double pcie_most(struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    static const double lanes[] = { 0, 250e6, 500e6, 984.6e6, 1969e6, 3938e6, 7563e6 };
    uint32_t generation = u32_of(g, nvml->api.pcie_generation);

    if (generation >= sizeof(lanes) / sizeof(*lanes))
        return 0;
    return lanes[generation] * u32_of(g, nvml->api.pcie_width);
}

#define NVLINK_SPEED 164 /* of one link, MB/s */
enum { MOST_LINKS = 18 };

static double nvlink_most(struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    struct gput__nvml_field f[MOST_LINKS] = { 0 };
    double sum = 0;

    for (unsigned k = 0; k < MOST_LINKS; k++)
        f[k] = (struct gput__nvml_field){ NVLINK_SPEED, k, .code = GPUT__NVML_NOT_SUPPORTED };
    if (!nvml->api.fields || gput__nvml_answer(g, nvml->api.fields(g->device, MOST_LINKS, f)) < 0)
        return 0;
    for (unsigned k = 0; k < MOST_LINKS; k++)
        if (f[k].code == GPUT__NVML_SUCCESS && f[k].type == GPUT__NVML_UINT)
            sum += f[k].value.u32 * 1e6;
    return sum;
}

/* What does not change is asked for once. */
static void read_limits(struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    g->work.power_limit_watts = u32_of(g, nvml->api.power_limit) / 1000.0;
    g->work.max_clock_mhz = clock_of(g, nvml->api.max_clock);
    g->work.pcie_most = pcie_most(nvml, g);
    g->work.nvlink_most = nvlink_most(nvml, g);
}

static void read_beside(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                        struct gput__gpu_work *ret)
{
    if (g->info.is_mig)
        return;
    ret->power_watts = u32_of(g, nvml->api.power) / 1000.0;
    ret->clock_mhz = clock_of(g, nvml->api.clock);
    ret->power_limit_watts = g->work.power_limit_watts;
    ret->max_clock_mhz = g->work.max_clock_mhz;
    ret->pcie_most = g->work.pcie_most;
    ret->nvlink_most = g->work.nvlink_most;
}

/* --- both -------------------------------------------------------------------------------------- */

/* What lies between two samples; without the older one it only begins. */
static int read_work(struct gput__nvml *nvml, struct gput__nvml_gpu *g, int64_t now,
                     struct gput__gpu_work *ret)
{
    struct gput__nvml_work *w = &g->work;
    bool is_first = w->at_ns == 0;
    unsigned newer = newer_of(w);
    double of_late = 0;
    int r = 0;

    *ret = (struct gput__gpu_work){ .seconds = is_first ? 0 : gput__seconds(now - w->at_ns) };
    if (w->has_gpm)
        r = read_sample(nvml, g, newer);
    if (r == 0 && !is_first && w->has_gpm)
        r = read_metrics(nvml, w->sample[w->older], w->sample[newer], 1, N_METRICS, ret);
    if (r == 0 && !is_first) {
        of_late = read_utilization(nvml, g, ret);
        read_beside(nvml, g, ret);
    }
    if (g->is_lost)
        return -ENODEV;
    if (r < 0)
        return r;
    if (w->has_gpm && is_first)
        w->engine = (struct gput__nvml_engine){ .since = newer, .at_ns = now };
    else if (w->has_gpm)
        read_engine(nvml, w, newer, now, of_late, ret);
    w->older = newer;
    w->at_ns = now;
    if (is_first)
        return -EAGAIN;
    return ret->known ? 0 : -ENOTSUP;
}

int gput__nvml_work(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why)
{
    int none;
    struct gput__nvml_gpu *g = gput__nvml_pick(gpus, i, &none);
    int64_t now = gput__now();

    if (!g)
        return none;
    if (!g->work.was_asked) {
        g->work.why = search(gpus, g);
        g->work.has_gpm = !g->work.why;
        g->work.was_asked = true;
        if (g->work.has_gpm && !g->info.is_mig)
            read_limits(gpus, g);
    }
    *ret_why = g->work.why;
    if (g->is_lost)
        return -ENODEV;
    if (!g->work.has_gpm && (g->is_partitioned || g->info.is_mig))
        return -ENOTSUP;
    if (g->work.at_ns && now - g->work.at_ns < SHORTEST_NS)
        return -EALREADY;
    return read_work(gpus, g, now, ret);
}

void gput__nvml_work_close(struct gput__nvml *nvml)
{
    for (unsigned i = 0; i < nvml->n; i++)
        for (int k = 0; k < N_SAMPLES; k++)
            if (nvml->gpus[i].work.sample[k])
                nvml->api.gpm_free(nvml->gpus[i].work.sample[k]);
    free(nvml->gpm);
    nvml->gpm = NULL;
}

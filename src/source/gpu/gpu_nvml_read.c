/* gpu_nvml_read.c - NVIDIA GPUs through their management library: one moment of a device. */
#include "source/gpu/gpu_nvml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------- */

static int memory_v1(const struct gput__nvml *nvml, const struct gput__nvml_gpu *g,
                     struct gput__nvml_memory_v2 *ret)
{
    struct gput__nvml_memory m = { 0 };
    int code = nvml->api.memory(g->device, &m);

    ret->total = m.total;
    ret->used = m.used;
    return code;
}

/* The second version keeps the driver's reserve apart. */
int gput__nvml_memory_of(const struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                         struct gput__nvml_memory_v2 *ret)
{
    int code;

    *ret = (struct gput__nvml_memory_v2){ .version = GPUT__NVML_MEMORY_V2 };
    if (!nvml->api.memory_v2 || g->refuses_memory_v2)
        return memory_v1(nvml, g, ret);
    code = nvml->api.memory_v2(g->device, ret);
    switch (code) {
    case GPUT__NVML_INVALID_ARGUMENT:
    case GPUT__NVML_FUNCTION_NOT_FOUND:
    case GPUT__NVML_ARGUMENT_VERSION:
    case GPUT__NVML_NOT_SUPPORTED:
        g->refuses_memory_v2 = true;
        return memory_v1(nvml, g, ret);
    default:
        return code;
    }
}

/* Of unified memory only what each process has is known, not what the GPU has. */
static int sum_of_processes(struct gput__nvml *nvml, unsigned i, uint64_t *ret)
{
    struct gput__gpu_processes p = { 0 };
    uint64_t sum = 0;
    int r = gput__nvml_processes(nvml, i, NULL, 0, &p);

    for (size_t k = 0; r == 0 && k < p.n; k++) {
        sum += p.list[k].memory;
        if (!p.list[k].has_memory)
            r = -ENODATA;
    }
    free(p.list);
    if (r == 0)
        *ret = sum;
    return r;
}

static int read_memory(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                       struct gput__gpu_reading *ret)
{
    struct gput__nvml_memory_v2 m;
    int r;

    if (g->is_partitioned)
        return -ENOTSUP;
    if (g->info.is_unified)
        return sum_of_processes(nvml, (unsigned)(g - nvml->gpus), &ret->memory_used);
    r = gput__nvml_answer(g, gput__nvml_memory_of(nvml, g, &m));
    if (r == 0 && m.used == GPUT__NVML_NO_U64)
        r = -ENODATA;
    if (r == 0)
        ret->memory_used = m.used;
    return r;
}

/* --- the rest of a reading ------------------------------------------------------------------ */

static int read_utilization(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                            struct gput__gpu_reading *ret)
{
    struct gput__nvml_utilization u = { 0 };
    int r;

    if (!nvml->api.utilization)
        return -ENOTSUP;
    r = gput__nvml_answer(g, nvml->api.utilization(g->device, &u));
    if (r == 0 && u.gpu > 100)
        r = -ENODATA;
    if (r == 0)
        ret->utilization = u.gpu;
    return r;
}

static int read_power(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                      struct gput__gpu_reading *ret)
{
    uint32_t milliwatts = 0;
    int r;

    if (!nvml->api.power)
        return -ENOTSUP;
    r = gput__nvml_answer(g, nvml->api.power(g->device, &milliwatts));
    if (r == 0 && milliwatts == GPUT__NVML_NO_U32)
        r = -ENODATA;
    if (r == 0)
        ret->power_watts = milliwatts / 1000.0;
    return r;
}

static int pick_u32(struct gput__nvml_gpu *g, gput__nvml_pick_fn *fn, int which, uint32_t *ret)
{
    uint32_t v = 0;
    int r;

    if (!fn)
        return -ENOTSUP;
    r = gput__nvml_answer(g, fn(g->device, which, &v));
    if (r == 0 && v == GPUT__NVML_NO_U32)
        r = -ENODATA;
    if (r == 0)
        *ret = v;
    return r;
}

static int read_temperature(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                            struct gput__gpu_reading *ret)
{
    uint32_t degrees;
    int r = pick_u32(g, nvml->api.temperature, GPUT__NVML_SENSOR_GPU, &degrees);

    if (r == 0)
        ret->temperature_c = degrees;
    return r;
}

/* A GPU on the system's memory has no memory clock of its own. */
static int read_clocks(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                       struct gput__gpu_reading *ret)
{
    int r = pick_u32(g, nvml->api.clock, GPUT__NVML_CLOCK_SM, &ret->clock_mhz);

    if (r == 0)
        pick_u32(g, nvml->api.clock, GPUT__NVML_CLOCK_MEMORY, &ret->memory_clock_mhz);
    return r;
}

/* Left out: idle, and clocks that a user set. */
static const struct {
    uint64_t bit;
    const char *words;
} reasons[] = {
    { 0x004, "power limit" },
    { 0x010, "sync boost" },
    { 0x020, "heat" },
    { 0x040, "hardware: heat" },
    { 0x080, "hardware: power brake" },
    { 0x200, "card limit" },
    { 0x400, "reliability" },
};
#define HARDWARE_SLOWDOWN UINT64_C(0x008) /* mostly with one of the two that say why */
#define HARDWARE_REASONS UINT64_C(0x0c0)

static void add_word(char *text, size_t cap, const char *word)
{
    size_t n = strlen(text);

    if (n + strlen(word) + 3 <= cap)
        snprintf(text + n, cap - n, "%s%s", n ? ", " : "", word);
}

static int read_throttle(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                         struct gput__gpu_reading *ret)
{
    uint64_t bits = 0;
    int r;

    if (!nvml->api.throttle)
        return -ENOTSUP;
    r = gput__nvml_answer(g, nvml->api.throttle(g->device, &bits));
    if (r == 0 && bits == GPUT__NVML_NO_U64)
        r = -ENODATA;
    if (r < 0)
        return r;
    if ((bits & HARDWARE_SLOWDOWN) && !(bits & HARDWARE_REASONS))
        add_word(ret->throttle, sizeof(ret->throttle), "hardware slowdown");
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (bits & reasons[i].bit)
            add_word(ret->throttle, sizeof(ret->throttle), reasons[i].words);
    ret->is_throttled = ret->throttle[0] != '\0';
    return 0;
}

static const struct {
    unsigned what;
    int (*read)(struct gput__nvml *, struct gput__nvml_gpu *, struct gput__gpu_reading *);
} readers[] = {
    { GPUT__GPU_MEMORY, read_memory }, { GPUT__GPU_UTILIZATION, read_utilization },
    { GPUT__GPU_POWER, read_power },   { GPUT__GPU_TEMPERATURE, read_temperature },
    { GPUT__GPU_CLOCKS, read_clocks }, { GPUT__GPU_THROTTLE, read_throttle },
};

/* Of a MIG instance the library reports only the memory. */
static int read_one(struct gput__nvml *nvml, struct gput__nvml_gpu *g, size_t k,
                    struct gput__gpu_reading *ret)
{
    if (g->info.is_mig && readers[k].what != GPUT__GPU_MEMORY)
        return -ENOTSUP;
    return readers[k].read(nvml, g, ret);
}

int gput__nvml_read(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret)
{
    struct gput__gpu_reading reading = { 0 };
    int r, error = 0, none;
    struct gput__nvml_gpu *g = gput__nvml_pick(gpus, i, &none);

    if (!g)
        return none;
    for (size_t k = 0; k < sizeof(readers) / sizeof(*readers); k++) {
        if (!(what & readers[k].what))
            continue;
        r = read_one(gpus, g, k, &reading);
        if (g->is_lost)
            return -ENODEV;
        if (r == 0)
            reading.known |= readers[k].what;
        else if (error == 0 || error == -ENOTSUP)
            error = r; /* what was refused says more than what does not exist */
    }
    if (!reading.known && error)
        return error;
    *ret = reading;
    return 0;
}

int gput__nvml_energy(void *gpus, unsigned i, double *ret_joules)
{
    struct gput__nvml *nvml = gpus;
    uint64_t millijoules = 0;
    int r, none;
    struct gput__nvml_gpu *g = gput__nvml_pick(nvml, i, &none);

    if (!g)
        return none;
    if (!nvml->api.energy || g->info.is_mig)
        return -ENOTSUP;
    r = gput__nvml_answer(g, nvml->api.energy(g->device, &millijoules));
    if (r == 0 && millijoules == GPUT__NVML_NO_U64)
        r = -ENOTSUP;
    if (r == 0)
        *ret_joules = (double)millijoules / 1000;
    return r;
}

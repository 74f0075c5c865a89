/* standin_work.c - the stand-in's hardware counters of what a device does (GPM), and its other counters.
 *
 * Of SMs and their pipes the hardware counts clock cycles: a share of a time in which the clock changes
 * is one of its cycles, not of its seconds.  So it is here, where a device has a `clock`. */
#include <stdlib.h>
#include <string.h>

#include "standin.h"

struct sample {
    const device *of;
    double seconds;
};

static const struct counter {
    uint32_t id;
    const char *key;
    bool is_of_cycles;
} counters[] = {
    { 1, "engine", false },   { 2, "sm", true },         { 3, "occupancy", true },
    { 5, "tensor", true },    { 6, "tensor64", true },   { 7, "tensor16", true },
    { 9, "tensorint", true }, { 10, "dram", false },     { 11, "fp64", true },
    { 12, "fp32", true },     { 13, "fp16", true },      { 20, "pcietx", false },
    { 21, "pcierx", false },  { 60, "nvlinkrx", false }, { 61, "nvlinktx", false },
};

static double level(const device *d, const char *key, double seconds, double otherwise)
{
    const struct number *n = script_value(d, key, ~0u, seconds);

    return n && !n->code ? (double)n->v : otherwise;
}

/* When the next line of the script holds. */
static double next_change(const device *d, double at, double until)
{
    for (unsigned i = 0; i < d->n_values; i++)
        if (d->values[i].from.seconds > at && d->values[i].from.seconds < until)
            until = d->values[i].from.seconds;
    return until;
}

static double mean(const device *d, const struct counter *c, double from, double to)
{
    double sum = 0, weight = 0;

    for (double at = from, next; at < to; at = next) {
        double cycles;

        next = next_change(d, at, to);
        cycles = (next - at) * (c->is_of_cycles ? level(d, "clock", at, 1) : 1);
        sum += cycles * level(d, c->key, at, 0);
        weight += cycles;
    }
    return weight > 0 ? sum / weight : 0;
}

static double since_start(const device *d, const char *key)
{
    const struct counter c = { 0, key, false };
    double now = script_seconds(&standin_script);

    return now * mean(d, &c, 0, now);
}

/* --- hardware counters ---------------------------------------------------------------------- */

EXPORT int nvmlGpmQueryDeviceSupport(device *d, struct gput__nvml_gpm_support *ret);
int nvmlGpmQueryDeviceSupport(device *d, struct gput__nvml_gpm_support *ret)
{
    if (ret->version != 1)
        return GPUT__NVML_ARGUMENT_VERSION;
    ret->is_supported = level(d, "gpm", 0, 0) > 0;
    return standin_enter("nvmlGpmQueryDeviceSupport", d);
}

EXPORT int nvmlGpmSampleAlloc(struct sample **ret);
int nvmlGpmSampleAlloc(struct sample **ret)
{
    *ret = calloc(1, sizeof(**ret));
    return *ret ? standin_enter("nvmlGpmSampleAlloc", NULL) : GPUT__NVML_MEMORY;
}

EXPORT int nvmlGpmSampleFree(struct sample *s);
int nvmlGpmSampleFree(struct sample *s)
{
    free(s);
    return 0;
}

EXPORT int nvmlGpmSampleGet(device *d, struct sample *ret);
int nvmlGpmSampleGet(device *d, struct sample *ret)
{
    int code = standin_enter("nvmlGpmSampleGet", d);

    if (level(d, "gpm", 0, 0) <= 0 || d->is_mig)
        return GPUT__NVML_NOT_SUPPORTED;
    *ret = (struct sample){ d, script_seconds(&standin_script) };
    return code;
}

EXPORT int nvmlDeviceGetGpuInstanceId(device *d, uint32_t *ret);
int nvmlDeviceGetGpuInstanceId(device *d, uint32_t *ret)
{
    *ret = (uint32_t)(d - standin_script.devices);
    return d->is_mig ? 0 : GPUT__NVML_NOT_SUPPORTED;
}

/* The instance by its id, in the GPU that it is of. */
EXPORT int nvmlGpmMigSampleGet(device *whole, uint32_t instance, struct sample *ret);
int nvmlGpmMigSampleGet(device *whole, uint32_t instance, struct sample *ret)
{
    device *d = &standin_script.devices[instance];
    int code = standin_enter("nvmlGpmMigSampleGet", d);

    if (instance >= standin_script.n_devices || !d->is_mig || whole->is_mig || d <= whole)
        return GPUT__NVML_INVALID_ARGUMENT;
    *ret = (struct sample){ d, script_seconds(&standin_script) };
    return code;
}

static void fill(struct gput__nvml_gpm_metric *m, const struct sample *from,
                 const struct sample *to)
{
    m->code = GPUT__NVML_NOT_SUPPORTED;
    for (size_t k = 0; k < sizeof(counters) / sizeof(*counters); k++)
        if (counters[k].id == m->id && script_value(from->of, counters[k].key, ~0u, 1e9)) {
            m->code = GPUT__NVML_SUCCESS;
            m->value = mean(from->of, &counters[k], from->seconds, to->seconds);
        }
}

EXPORT int nvmlGpmMetricsGet(struct gput__nvml_gpm_metrics *ret);
int nvmlGpmMetricsGet(struct gput__nvml_gpm_metrics *ret)
{
    const struct sample *from = ret->from, *to = ret->to;
    int code = standin_enter("nvmlGpmMetricsGet", from->of);

    if (ret->version != 1 || ret->n > 333)
        return GPUT__NVML_ARGUMENT_VERSION;
    if (from->of != to->of || to->seconds - from->seconds < 0.1)
        return GPUT__NVML_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < ret->n; k++)
        fill(&ret->metrics[k], from, to);
    return code;
}

/* --- other counters ------------------------------------------------------------------------- */

static bool has(const device *d, const char *key)
{
    return script_value(d, key, ~0u, 1e9) != NULL;
}

static void fill_field(const device *d, struct gput__nvml_field *f)
{
    const char *key = f->id == 74 ? "powercap" : f->id == 252 ? "thermal" : NULL;

    f->code = GPUT__NVML_SUCCESS;
    if (key && has(d, key)) {
        f->type = GPUT__NVML_ULONGLONG;
        f->value.u64 = UINT64_C(5000000000000) + (uint64_t)(since_start(d, key) * 1e7);
    } else if ((f->id == 197 || f->id == 198) && has(d, "pcieraw")) {
        f->type = GPUT__NVML_UINT;
        f->value.u64 = 0;
        f->value.u32 =
            (uint32_t)(uint64_t)(level(d, "pcieraw", 0, 0) +
                                 1024 * since_start(d, f->id == 197 ? "pcietx" : "pcierx"));
    } else {
        f->code = GPUT__NVML_NOT_SUPPORTED;
    }
}

EXPORT int nvmlDeviceGetFieldValues(device *d, int n, struct gput__nvml_field *ret);
int nvmlDeviceGetFieldValues(device *d, int n, struct gput__nvml_field *ret)
{
    for (int k = 0; k < n; k++)
        fill_field(d, &ret[k]);
    return standin_enter("nvmlDeviceGetFieldValues", d);
}

EXPORT int nvmlDeviceGetTotalEccErrors(device *d, int kind, int since, uint64_t *ret);
int nvmlDeviceGetTotalEccErrors(device *d, int kind, int since, uint64_t *ret)
{
    if (since != GPUT__NVML_ECC_VOLATILE)
        return GPUT__NVML_INVALID_ARGUMENT;
    return standin_get("nvmlDeviceGetTotalEccErrors", d,
                       kind == GPUT__NVML_ECC_CORRECTED ? "ecc" : "eccbad", ret);
}

EXPORT int nvmlDeviceGetRemappedRows(device *d, uint32_t *ret_corrected, uint32_t *ret_uncorrected,
                                     uint32_t *ret_is_pending, uint32_t *ret_has_failed);
int nvmlDeviceGetRemappedRows(device *d, uint32_t *ret_corrected, uint32_t *ret_uncorrected,
                              uint32_t *ret_is_pending, uint32_t *ret_has_failed)
{
    uint64_t n = 0;
    int code = standin_get("nvmlDeviceGetRemappedRows", d, "remapped", &n);

    *ret_corrected = (uint32_t)n;
    *ret_uncorrected = *ret_is_pending = *ret_has_failed = 0;
    return code;
}

EXPORT int nvmlDeviceGetEnforcedPowerLimit(device *d, uint32_t *ret);
int nvmlDeviceGetEnforcedPowerLimit(device *d, uint32_t *ret)
{
    uint64_t v = 0;
    int code = standin_get("nvmlDeviceGetEnforcedPowerLimit", d, "limit", &v);

    *ret = (uint32_t)v;
    return code;
}

EXPORT int nvmlDeviceGetMaxClockInfo(device *d, int type, uint32_t *ret);
int nvmlDeviceGetMaxClockInfo(device *d, int type, uint32_t *ret)
{
    uint64_t v = 0;
    int code = standin_get("nvmlDeviceGetMaxClockInfo", d, "maxclock", &v);

    *ret = (uint32_t)v;
    return type == GPUT__NVML_CLOCK_SM ? code : GPUT__NVML_NOT_SUPPORTED;
}

EXPORT int nvmlDeviceGetMaxPcieLinkGeneration(device *d, uint32_t *ret);
int nvmlDeviceGetMaxPcieLinkGeneration(device *d, uint32_t *ret)
{
    uint64_t v = 0;
    int code = standin_get("nvmlDeviceGetMaxPcieLinkGeneration", d, "pciegen", &v);

    *ret = (uint32_t)v;
    return code;
}

EXPORT int nvmlDeviceGetMaxPcieLinkWidth(device *d, uint32_t *ret);
int nvmlDeviceGetMaxPcieLinkWidth(device *d, uint32_t *ret)
{
    uint64_t v = 0;
    int code = standin_get("nvmlDeviceGetMaxPcieLinkWidth", d, "pciewidth", &v);

    *ret = (uint32_t)v;
    return code;
}

/* --- events ----------------------------------------------------------------------------------- */

struct event_set {
    const device *of[8];
    unsigned n, n_told[8];
};

EXPORT int nvmlEventSetCreate(struct event_set **ret);
int nvmlEventSetCreate(struct event_set **ret)
{
    *ret = calloc(1, sizeof(**ret));
    return *ret ? standin_enter("nvmlEventSetCreate", NULL) : GPUT__NVML_MEMORY;
}

EXPORT int nvmlEventSetFree(struct event_set *set);
int nvmlEventSetFree(struct event_set *set)
{
    free(set);
    return 0;
}

EXPORT int nvmlDeviceRegisterEvents(device *d, uint64_t types, struct event_set *set);
int nvmlDeviceRegisterEvents(device *d, uint64_t types, struct event_set *set)
{
    if (types != GPUT__NVML_EVENT_XID || set->n == 8)
        return GPUT__NVML_INVALID_ARGUMENT;
    set->of[set->n++] = d;
    return standin_enter("nvmlDeviceRegisterEvents", d);
}

/* The next of the device's errors whose time has come. */
static const struct value *next_xid(const device *d, unsigned n_told)
{
    for (unsigned i = 0; i < d->n_values; i++)
        if (!strcmp(d->values[i].key, "xid") && n_told-- == 0)
            return script_seconds(&standin_script) >= d->values[i].from.seconds ? &d->values[i]
                                                                                : NULL;
    return NULL;
}

EXPORT int nvmlEventSetWait_v2(struct event_set *set, struct gput__nvml_event *ret, uint32_t ms);
int nvmlEventSetWait_v2(struct event_set *set, struct gput__nvml_event *ret, uint32_t ms)
{
    int code = standin_enter("nvmlEventSetWait_v2", NULL);

    (void)ms;
    for (unsigned i = 0; code == 0 && i < set->n; i++) {
        const struct value *v = next_xid(set->of[i], set->n_told[i]);

        if (!v)
            continue;
        set->n_told[i]++;
        *ret = (struct gput__nvml_event){ .device = (device *)(uintptr_t)set->of[i],
                                          .type = GPUT__NVML_EVENT_XID,
                                          .data = v->number.v };
        return 0;
    }
    return code ? code : GPUT__NVML_TIMEOUT;
}

/* standin_newer.c - the stand-in's calls that the oldest libraries do not have: histories, energy
 * and MIG. */
#include "standin.h"

#include <string.h>

/* --- histories ------------------------------------------------------------------------------ */

#define RING 71 /* entries that the driver keeps */

static void put(struct gput__nvml_sample *s, int type, uint64_t time_us, uint64_t v)
{
    memset(s, 0xee, sizeof(*s)); /* what stands beside a narrow value is not its own */
    s->time_us = time_us;
    switch (type) {
    case GPUT__NVML_DOUBLE:
        s->value.f64 = v == UINT64_MAX ? -1.0 : (double)v;
        break;
    case GPUT__NVML_UINT:
        s->value.u32 = (uint32_t)v;
        break;
    case GPUT__NVML_LONGLONG:
        s->value.i64 = (int64_t)v;
        break;
    case GPUT__NVML_INT:
        s->value.i32 = (int32_t)v;
        break;
    case GPUT__NVML_USHORT:
        s->value.u16 = (uint16_t)v;
        break;
    default:
        s->value.u64 = v;
        break;
    }
}

/* The ring as it stands now: its entry k of RING, the newest last. */
static void put_ring(const device *d, unsigned k, struct gput__nvml_sample *ret)
{
    double step = d->ring_ms / 1000.0;
    long last = (long)(script_seconds(&standin_script) / step);
    double seconds = (double)(last - RING + 1 + (long)k) * step;
    const struct number *n = script_value(d, "util", ~0u, seconds < 0 ? 0 : seconds);
    int64_t since_start = (int64_t)(seconds * 1e6);

    put(ret, d->sample_type, (uint64_t)((int64_t)standin_script.start_real_us + since_start),
        n && !n->code && seconds >= 0 ? n->v : 0);
}

/* Gives what it has, whatever `since` says: newer is for the caller to find out. */
EXPORT int nvmlDeviceGetSamples(device *d, int what, uint64_t since, int *ret_type, uint32_t *count,
                                struct gput__nvml_sample *ret);
int nvmlDeviceGetSamples(device *d, int what, uint64_t since, int *ret_type, uint32_t *count,
                         struct gput__nvml_sample *ret)
{
    int code = standin_enter("nvmlDeviceGetSamples", d);
    uint32_t n = d->ring_ms ? RING : d->n_samples;

    (void)since;
    if (code)
        return code;
    if (what != GPUT__NVML_SAMPLES_GPU_UTILIZATION)
        return GPUT__NVML_INVALID_ARGUMENT;
    if (n == 0)
        return GPUT__NVML_NOT_FOUND;
    *ret_type = d->sample_type;
    if (ret && n > *count)
        n = *count; /* silently */
    for (uint32_t i = 0; ret && i < n; i++) {
        if (d->ring_ms)
            put_ring(d, i, &ret[i]);
        else
            put(&ret[i], d->sample_type, d->samples[i].time_us, d->samples[i].number.v);
    }
    *count = n;
    return 0;
}

EXPORT int nvmlDeviceGetProcessUtilization(device *d, struct gput__nvml_process_sample *ret,
                                           uint32_t *count, uint64_t since);
int nvmlDeviceGetProcessUtilization(device *d, struct gput__nvml_process_sample *ret,
                                    uint32_t *count, uint64_t since)
{
    int code = standin_enter("nvmlDeviceGetProcessUtilization", d);
    uint32_t room = *count;

    (void)since;
    if (code)
        return code;
    if (d->n_users == 0)
        return GPUT__NVML_NOT_FOUND;
    *count = d->n_users;
    if (!ret || room < d->n_users)
        return GPUT__NVML_INSUFFICIENT_SIZE;
    for (unsigned i = 0; i < d->n_users; i++)
        ret[i] = (struct gput__nvml_process_sample){ .pid = script_pid(d->users[i].pid),
                                                     .time_us = d->users[i].time_us,
                                                     .sm = (uint32_t)d->users[i].number.v };
    return 0;
}

EXPORT int nvmlDeviceGetTotalEnergyConsumption(device *d, uint64_t *ret);
int nvmlDeviceGetTotalEnergyConsumption(device *d, uint64_t *ret)
{
    double seconds = script_seconds(&standin_script);
    const struct number *power = script_value(d, "power", ~0u, seconds);
    int code = standin_get("nvmlDeviceGetTotalEnergyConsumption", d, "energy", ret);

    if (code == 0 && *ret != UINT64_MAX && power && !power->code)
        *ret += (uint64_t)((double)power->v * seconds);
    return code;
}

/* --- MIG ------------------------------------------------------------------------------------ */

EXPORT int nvmlDeviceGetMigMode(device *d, uint32_t *ret_current, uint32_t *ret_pending);
int nvmlDeviceGetMigMode(device *d, uint32_t *ret_current, uint32_t *ret_pending)
{
    int code = standin_enter("nvmlDeviceGetMigMode", d);
    const struct number *n = script_value(d, "mig_mode", 1, 0);

    if (code == 0 && n)
        code = n->code;
    *ret_current = *ret_pending = n ? (uint32_t)n->v : d->has_instances;
    return code;
}

EXPORT int nvmlDeviceGetMaxMigDeviceCount(device *d, uint32_t *ret);
int nvmlDeviceGetMaxMigDeviceCount(device *d, uint32_t *ret)
{
    *ret = 7;
    return standin_enter("nvmlDeviceGetMaxMigDeviceCount", d);
}

EXPORT int nvmlDeviceGetMigDeviceHandleByIndex(device *d, uint32_t index, device **ret);
int nvmlDeviceGetMigDeviceHandleByIndex(device *d, uint32_t index, device **ret)
{
    int code = standin_enter("nvmlDeviceGetMigDeviceHandleByIndex", d);
    device *end = standin_script.devices + standin_script.n_devices;

    if (code)
        return code;
    for (device *m = d + 1; m < end && m->is_mig; m++) {
        if (index-- > 0)
            continue;
        *ret = m;
        return m->is_gap ? GPUT__NVML_NOT_FOUND : 0;
    }
    return GPUT__NVML_NOT_FOUND;
}

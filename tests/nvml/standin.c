/* standin.c - a stand-in for NVIDIA's management library that performs a script, see script.h.
 *
 * Built as several libraries that differ in the symbols they have (STANDIN):
 *     1  only unsuffixed ones: process records of 16 bytes, no newer calls
 *     2  up to _v2: records of 24 bytes
 *     3  all of today's: records of 24 bytes
 *     4  as early R535 drivers: the records of _v3 have 32 bytes
 * The file that GPUT_NVML_LOG names gets a line for each call: seconds, function, device. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "standin.h"

#ifndef STANDIN
#define STANDIN 3
#endif

struct script standin_script;
static unsigned started;
static int log_fd = -1;

/* --- each call ------------------------------------------------------------------------------ */

static void note(const char *function, const device *d)
{
    char line[128];
    int n;

    if (log_fd < 0)
        return;
    n = snprintf(line, sizeof(line), "%.6f %s %d\n", script_seconds(&standin_script), function,
                 d ? (int)(d - standin_script.devices) : -1);
    if (write(log_fd, line, (size_t)n) != n)
        abort();
}

int standin_enter(const char *function, const device *d)
{
    if (!started)
        return 1;
    note(function, d);
    return script_rules(&standin_script, function);
}

/* A call that reads one key. */
int standin_get(const char *function, device *d, const char *key, uint64_t *ret)
{
    int code = standin_enter(function, d);
    const struct number *n;

    if (code)
        return code;
    n = script_value(d, key, script_call(d, key), script_seconds(&standin_script));
    if (!n)
        return GPUT__NVML_NOT_SUPPORTED;
    if (n->code)
        return n->code;
    *ret = n->v;
    return 0;
}

static int get_u32(const char *function, device *d, const char *key, uint32_t *ret)
{
    uint64_t v = 0;
    int code = standin_get(function, d, key, &v);

    if (code == 0)
        *ret = (uint32_t)v;
    return code;
}

/* What a key holds beside the one that the call is for; 0 if nothing. */
static uint64_t beside(const device *d, const char *key)
{
    const struct number *n = script_value(d, key, ~0u, script_seconds(&standin_script));

    return n && !n->code ? n->v : 0;
}

/* --- starting and counting ------------------------------------------------------------------ */

/* Any thread may start it, as the real one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int start(const char *function)
{
    const char *log = getenv("GPUT_NVML_LOG");
    int code;

    if (started == 0) {
        script_read(&standin_script);
        if (log)
            log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    started++;
    code = standin_enter(function, NULL);
    if (code && --started == 0) {
        script_free(&standin_script);
        close(log_fd);
        log_fd = -1;
    }
    return code;
}

static int init(const char *function)
{
    int code;

    pthread_mutex_lock(&lock);
    code = start(function);
    pthread_mutex_unlock(&lock);
    return code;
}

EXPORT int nvmlInit(void);
int nvmlInit(void)
{
    return init("nvmlInit");
}

EXPORT int nvmlShutdown(void);
int nvmlShutdown(void)
{
    int code = standin_enter("nvmlShutdown", NULL);

    pthread_mutex_lock(&lock);
    if (code == 0 && --started == 0) {
        script_free(&standin_script);
        close(log_fd);
        log_fd = -1;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int count_gpus(const char *function, uint32_t *ret)
{
    int code = standin_enter(function, NULL);

    *ret = 0;
    for (unsigned i = 0; i < standin_script.n_devices; i++)
        *ret += !standin_script.devices[i].is_mig;
    return code;
}

EXPORT int nvmlDeviceGetCount(uint32_t *ret);
int nvmlDeviceGetCount(uint32_t *ret)
{
    return count_gpus("nvmlDeviceGetCount", ret);
}

static int by_index(const char *function, uint32_t index, device **ret)
{
    int code = standin_enter(function, NULL);

    for (unsigned i = 0; code == 0 && i < standin_script.n_devices; i++) {
        device *d = &standin_script.devices[i];
        const struct number *n = script_value(d, "handle", 1, script_seconds(&standin_script));

        if (d->is_mig || index-- > 0)
            continue;
        *ret = d;
        return n ? n->code : 0;
    }
    return code ? code : GPUT__NVML_INVALID_ARGUMENT;
}

EXPORT int nvmlDeviceGetHandleByIndex(uint32_t index, device **ret);
int nvmlDeviceGetHandleByIndex(uint32_t index, device **ret)
{
    return by_index("nvmlDeviceGetHandleByIndex", index, ret);
}

/* --- what a device is ----------------------------------------------------------------------- */

static int text(const char *function, const device *d, const char *value, char *ret, uint32_t cap)
{
    int code = standin_enter(function, d);

    if (code == 0 && strlen(value) >= cap)
        code = GPUT__NVML_INSUFFICIENT_SIZE;
    if (code == 0)
        strcpy(ret, value);
    return code;
}

EXPORT int nvmlDeviceGetName(device *d, char *ret, uint32_t cap);
int nvmlDeviceGetName(device *d, char *ret, uint32_t cap)
{
    return text("nvmlDeviceGetName", d, d->name, ret, cap);
}

EXPORT int nvmlDeviceGetUUID(device *d, char *ret, uint32_t cap);
int nvmlDeviceGetUUID(device *d, char *ret, uint32_t cap)
{
    const struct number *n = script_value(d, "uuid", 1, 0);

    return n ? n->code : text("nvmlDeviceGetUUID", d, d->uuid, ret, cap);
}

static int pci(const char *function, device *d, size_t size, struct gput__nvml_pci *ret)
{
    uint32_t index = (uint32_t)(d - standin_script.devices);
    const struct number *n = script_value(d, "pci", 1, 0);
    int code = n ? n->code : standin_enter(function, d);
    struct gput__nvml_pci p = { .bus_id = "legacy", .domain = 0, .bus = 16 + index, .device = 0 };

    if (code == 0)
        memcpy(ret, &p, size);
    return code;
}

EXPORT int nvmlDeviceGetPciInfo(device *d, struct gput__nvml_pci *ret);
int nvmlDeviceGetPciInfo(device *d, struct gput__nvml_pci *ret)
{
    return pci("nvmlDeviceGetPciInfo", d, 48, ret);
}

/* --- one moment ----------------------------------------------------------------------------- */

EXPORT int nvmlDeviceGetMemoryInfo(device *d, struct gput__nvml_memory *ret);
int nvmlDeviceGetMemoryInfo(device *d, struct gput__nvml_memory *ret)
{
    uint64_t used = 0;
    int code = standin_get("nvmlDeviceGetMemoryInfo", d, "used", &used);

    if (code == 0) {
        ret->total = beside(d, "total");
        ret->used = used == UINT64_MAX ? used : used + beside(d, "reserved");
        ret->free = ret->total - ret->used;
    }
    return code;
}

EXPORT int nvmlDeviceGetUtilizationRates(device *d, struct gput__nvml_utilization *ret);
int nvmlDeviceGetUtilizationRates(device *d, struct gput__nvml_utilization *ret)
{
    const struct number *n = script_value(d, "memutil", ~0u, script_seconds(&standin_script));

    ret->memory = n ? (uint32_t)n->v : 1;
    return get_u32("nvmlDeviceGetUtilizationRates", d, "util", &ret->gpu);
}

EXPORT int nvmlDeviceGetPowerUsage(device *d, uint32_t *ret);
int nvmlDeviceGetPowerUsage(device *d, uint32_t *ret)
{
    return get_u32("nvmlDeviceGetPowerUsage", d, "power", ret);
}

EXPORT int nvmlDeviceGetTemperature(device *d, int sensor, uint32_t *ret);
int nvmlDeviceGetTemperature(device *d, int sensor, uint32_t *ret)
{
    if (sensor != GPUT__NVML_SENSOR_GPU)
        return GPUT__NVML_INVALID_ARGUMENT;
    return get_u32("nvmlDeviceGetTemperature", d, "temp", ret);
}

EXPORT int nvmlDeviceGetClockInfo(device *d, int type, uint32_t *ret);
int nvmlDeviceGetClockInfo(device *d, int type, uint32_t *ret)
{
    return get_u32("nvmlDeviceGetClockInfo", d,
                   type == GPUT__NVML_CLOCK_MEMORY ? "memclock" : "clock", ret);
}

/* --- processes ------------------------------------------------------------------------------ */

static bool is_listed(const struct process *p, enum gput__nvml_list list, unsigned call,
                      double seconds)
{
    return p->list == list && script_has_come(&p->from, call, seconds) &&
           !script_has_come(&p->to, call, seconds) && script_pid(p->pid) > 0;
}

/* 16 bytes of it, 24 or all. */
struct record {
    uint32_t pid, pad;
    uint64_t memory;
    uint32_t gpu_instance, compute_instance;
    uint64_t protected_memory;
};

static int processes(const char *function, device *d, enum gput__nvml_list list, size_t stride,
                     uint32_t *count, char *ret)
{
    static const char *const list_keys[] = { "compute", "graphics", "mps" };
    double seconds = script_seconds(&standin_script);
    int code = standin_enter(function, d);
    unsigned call = script_call(d, list_keys[list]);
    const struct number *fault = script_value(d, "list", call, seconds);
    uint32_t n = 0, room = *count, instance = d->is_mig ? 3 : UINT32_MAX;

    if (code || (fault && fault->code))
        return code ? code : fault->code;
    if (standin_script.clears)
        memset(ret, 0, room * stride);
    for (unsigned i = 0; i < d->n_processes; i++) {
        const struct process *p = &d->processes[i];
        struct record r = { script_pid(p->pid), 0, p->memory.v, instance, instance, 0 };

        if (!is_listed(p, list, call, seconds))
            continue;
        if (n < room)
            memcpy(ret + n * stride, &r, stride);
        n++;
    }
    *count = n;
    return n > room ? GPUT__NVML_INSUFFICIENT_SIZE : 0;
}

EXPORT gput__nvml_list_fn nvmlDeviceGetComputeRunningProcesses;
int nvmlDeviceGetComputeRunningProcesses(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetComputeRunningProcesses", d, GPUT__NVML_COMPUTE, 16, count, ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetGraphicsRunningProcesses;
int nvmlDeviceGetGraphicsRunningProcesses(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetGraphicsRunningProcesses", d, GPUT__NVML_GRAPHICS, 16, count,
                     ret);
}

/* --- symbols of _v2 and their time ---------------------------------------------------------- */
#if STANDIN >= 2

EXPORT int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    return init("nvmlInit_v2");
}

EXPORT const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code)
{
    return code == GPUT__NVML_UNKNOWN ? "Unknown Error of the stand-in" : "";
}

EXPORT int nvmlDeviceGetCount_v2(uint32_t *ret);
int nvmlDeviceGetCount_v2(uint32_t *ret)
{
    return count_gpus("nvmlDeviceGetCount_v2", ret);
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(uint32_t index, device **ret);
int nvmlDeviceGetHandleByIndex_v2(uint32_t index, device **ret)
{
    return by_index("nvmlDeviceGetHandleByIndex_v2", index, ret);
}

EXPORT int nvmlDeviceGetPciInfo_v2(device *d, struct gput__nvml_pci *ret);
int nvmlDeviceGetPciInfo_v2(device *d, struct gput__nvml_pci *ret)
{
    return pci("nvmlDeviceGetPciInfo_v2", d, 52, ret);
}

EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(device *d, uint64_t *ret);
int nvmlDeviceGetCurrentClocksThrottleReasons(device *d, uint64_t *ret)
{
    return standin_get("nvmlDeviceGetCurrentClocksThrottleReasons", d, "throttle", ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetComputeRunningProcesses_v2;
int nvmlDeviceGetComputeRunningProcesses_v2(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetComputeRunningProcesses_v2", d, GPUT__NVML_COMPUTE, 24, count,
                     ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetGraphicsRunningProcesses_v2;
int nvmlDeviceGetGraphicsRunningProcesses_v2(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetGraphicsRunningProcesses_v2", d, GPUT__NVML_GRAPHICS, 24, count,
                     ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetMPSComputeRunningProcesses_v2;
int nvmlDeviceGetMPSComputeRunningProcesses_v2(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetMPSComputeRunningProcesses_v2", d, GPUT__NVML_MPS, 24, count,
                     ret);
}

#endif
/* --- symbols of _v3 and their time ---------------------------------------------------------- */
#if STANDIN >= 3
#define V3_STRIDE (STANDIN == 4 ? 32 : 24)

EXPORT int nvmlDeviceGetPciInfo_v3(device *d, struct gput__nvml_pci *ret);
int nvmlDeviceGetPciInfo_v3(device *d, struct gput__nvml_pci *ret)
{
    return pci("nvmlDeviceGetPciInfo_v3", d, 68, ret);
}

EXPORT int nvmlDeviceGetMemoryInfo_v2(device *d, struct gput__nvml_memory_v2 *ret);
int nvmlDeviceGetMemoryInfo_v2(device *d, struct gput__nvml_memory_v2 *ret)
{
    uint64_t used = 0;
    int code;

    if (ret->version != 0x02000028)
        return GPUT__NVML_ARGUMENT_VERSION;
    code = standin_get("nvmlDeviceGetMemoryInfo_v2", d, "used", &used);
    if (code == 0) {
        ret->total = beside(d, "total");
        ret->reserved = beside(d, "reserved");
        ret->used = used;
        ret->free = ret->total - ret->reserved - used;
    }
    return code;
}

EXPORT int nvmlDeviceGetCurrentClocksEventReasons(device *d, uint64_t *ret);
int nvmlDeviceGetCurrentClocksEventReasons(device *d, uint64_t *ret)
{
    return standin_get("nvmlDeviceGetCurrentClocksEventReasons", d, "throttle", ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetComputeRunningProcesses_v3;
int nvmlDeviceGetComputeRunningProcesses_v3(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetComputeRunningProcesses_v3", d, GPUT__NVML_COMPUTE, V3_STRIDE,
                     count, ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetGraphicsRunningProcesses_v3;
int nvmlDeviceGetGraphicsRunningProcesses_v3(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetGraphicsRunningProcesses_v3", d, GPUT__NVML_GRAPHICS, V3_STRIDE,
                     count, ret);
}

EXPORT gput__nvml_list_fn nvmlDeviceGetMPSComputeRunningProcesses_v3;
int nvmlDeviceGetMPSComputeRunningProcesses_v3(device *d, uint32_t *count, void *ret)
{
    return processes("nvmlDeviceGetMPSComputeRunningProcesses_v3", d, GPUT__NVML_MPS, V3_STRIDE,
                     count, ret);
}

#endif

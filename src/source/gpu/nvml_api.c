/* nvml_api.c - finds NVIDIA's management library and the calls that it has. */
#include "source/gpu/nvml_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libnvidia-ml.so.1"
#define AT(field) offsetof(struct gput__nvml_api, field)
#define LIST(which) (AT(processes) + (which) * sizeof(gput__nvml_list_fn *))

/* The newest name first: it stands for the newest layout or meaning that we know. */
static const struct symbol {
    size_t at;
    bool is_required;
    const char *names[3];
} symbols[] = {
    { AT(init), true, { "nvmlInit_v2", "nvmlInit" } },
    { AT(shutdown), true, { "nvmlShutdown" } },
    { AT(count), true, { "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount" } },
    { AT(by_index), true, { "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex" } },
    { AT(name), true, { "nvmlDeviceGetName" } },
    { AT(uuid), true, { "nvmlDeviceGetUUID" } },
    { AT(memory), true, { "nvmlDeviceGetMemoryInfo" } },

    { AT(error_string), false, { "nvmlErrorString" } },
    { AT(memory_v2), false, { "nvmlDeviceGetMemoryInfo_v2" } },
    { AT(pci),
      false,
      { "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo" } },
    { AT(utilization), false, { "nvmlDeviceGetUtilizationRates" } },
    { AT(power), false, { "nvmlDeviceGetPowerUsage" } },
    { AT(temperature), false, { "nvmlDeviceGetTemperature" } },
    { AT(clock), false, { "nvmlDeviceGetClockInfo" } },
    { AT(throttle),
      false,
      { "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons" } },
    { AT(energy), false, { "nvmlDeviceGetTotalEnergyConsumption" } },
    { LIST(GPUT__NVML_COMPUTE),
      false,
      { "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
        "nvmlDeviceGetComputeRunningProcesses" } },
    { LIST(GPUT__NVML_GRAPHICS),
      false,
      { "nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2",
        "nvmlDeviceGetGraphicsRunningProcesses" } },
    { LIST(GPUT__NVML_MPS),
      false,
      { "nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
        "nvmlDeviceGetMPSComputeRunningProcesses" } },
    { AT(samples), false, { "nvmlDeviceGetSamples" } },
    { AT(process_utilization), false, { "nvmlDeviceGetProcessUtilization" } },
    { AT(mig_mode), false, { "nvmlDeviceGetMigMode" } },
    { AT(mig_max), false, { "nvmlDeviceGetMaxMigDeviceCount" } },
    { AT(mig_by_index), false, { "nvmlDeviceGetMigDeviceHandleByIndex" } },
    { AT(instance_id), false, { "nvmlDeviceGetGpuInstanceId" } },
    { AT(gpm_support), false, { "nvmlGpmQueryDeviceSupport" } },
    { AT(gpm_alloc), false, { "nvmlGpmSampleAlloc" } },
    { AT(gpm_free), false, { "nvmlGpmSampleFree" } },
    { AT(gpm_sample), false, { "nvmlGpmSampleGet" } },
    { AT(gpm_sample_mig), false, { "nvmlGpmMigSampleGet" } },
    { AT(gpm_metrics), false, { "nvmlGpmMetricsGet" } },
    { AT(power_limit), false, { "nvmlDeviceGetEnforcedPowerLimit" } },
    { AT(max_clock), false, { "nvmlDeviceGetMaxClockInfo" } },
    { AT(pcie_generation), false, { "nvmlDeviceGetMaxPcieLinkGeneration" } },
    { AT(pcie_width), false, { "nvmlDeviceGetMaxPcieLinkWidth" } },
    { AT(fields), false, { "nvmlDeviceGetFieldValues" } },
    { AT(ecc), false, { "nvmlDeviceGetTotalEccErrors" } },
    { AT(remapped), false, { "nvmlDeviceGetRemappedRows" } },
    { AT(events_create), false, { "nvmlEventSetCreate" } },
    { AT(events_free), false, { "nvmlEventSetFree" } },
    { AT(events_register), false, { "nvmlDeviceRegisterEvents" } },
    { AT(events_wait), false, { "nvmlEventSetWait_v2", "nvmlEventSetWait" } },
};

static void *find(void *lib, const struct symbol *s)
{
    void *found = NULL;

    for (size_t i = 0; !found && i < 3 && s->names[i]; i++)
        found = dlsym(lib, s->names[i]);
    return found;
}

/* A library that is there but lacks one of its own names that one. */
static bool is_missing(const char *error, const char *path)
{
    return error && strstr(error, "No such file") && strstr(error, path);
}

static int open_library(const char *path, int flags, void **ret_lib, char *ret_why, size_t cap)
{
    const char *error;

    *ret_lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL | flags);
    if (*ret_lib)
        return 0;
    error = dlerror();
    if (is_missing(error, path)) {
        snprintf(ret_why, cap, "%s was not found", path);
        return -ENODEV;
    }
    snprintf(ret_why, cap, "%s could not be loaded: %s", path, error ? error : "no reason given");
    return -ELIBBAD;
}

/* Without a driver the library is of no use, and a loader that does not find it has asked the file
 * system a hundred times.  The driver's module may still have to be loaded, by a program of NVIDIA's;
 * under WSL there is another device; and a library path that the user gave may hold any kind. */
static bool may_have_driver(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0 ||
           access("/usr/bin/nvidia-modprobe", F_OK) == 0 || getenv("LD_LIBRARY_PATH");
}

int gput__nvml_present(const char *path, char *ret_why, size_t cap)
{
    void *lib;
    int r;

    if (!path && !may_have_driver()) {
        snprintf(ret_why, cap, "there is no /dev/nvidiactl");
        return -ENODEV;
    }
    r = open_library(path ? path : LIBRARY, RTLD_NODELETE, &lib, ret_why, cap);
    if (r < 0 && !path && access("/dev/nvidiactl", F_OK) < 0 && access("/dev/dxg", F_OK) < 0)
        return -ENODEV;
    if (r == 0)
        dlclose(lib); /* it stays in memory: loading it in earnest is free then */
    return r;
}

int gput__nvml_load(const char *path, struct gput__nvml_api *ret, char *ret_why, size_t cap)
{
    struct gput__nvml_api api = { 0 };
    int r;

    if (!path)
        path = LIBRARY;
    r = open_library(path, 0, &api.lib, ret_why, cap);
    if (r < 0)
        return r;
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *found = find(api.lib, &symbols[i]);

        if (!found && symbols[i].is_required) {
            snprintf(ret_why, cap, "%s lacks %s", path, symbols[i].names[0]);
            gput__nvml_unload(&api);
            return -ELIBBAD;
        }
        /* ISO C has no cast from an object's address to a function's */
        memcpy((char *)&api + symbols[i].at, &found, sizeof(found));
    }
    *ret = api;
    return 0;
}

void gput__nvml_unload(struct gput__nvml_api *api)
{
    if (api->lib)
        dlclose(api->lib);
    *api = (struct gput__nvml_api){ 0 };
}

const char *gput__nvml_words(const struct gput__nvml_api *api, int code)
{
    const char *own = api->error_string ? api->error_string(code) : NULL;

    if (own && *own)
        return own;
    switch (code) {
    case GPUT__NVML_SUCCESS:
        return "success";
    case GPUT__NVML_NOT_SUPPORTED:
        return "not supported";
    case GPUT__NVML_NO_PERMISSION:
        return "no permission";
    case GPUT__NVML_NOT_FOUND:
        return "not found";
    case GPUT__NVML_INSUFFICIENT_POWER:
        return "power cables not attached";
    case GPUT__NVML_DRIVER_NOT_LOADED:
        return "driver not loaded";
    case GPUT__NVML_TIMEOUT:
        return "timed out";
    case GPUT__NVML_IRQ_ISSUE:
        return "interrupt problem";
    case GPUT__NVML_GPU_IS_LOST:
        return "GPU lost";
    case GPUT__NVML_RESET_REQUIRED:
        return "GPU needs a reset";
    case GPUT__NVML_OPERATING_SYSTEM:
        return "blocked by the operating system";
    case GPUT__NVML_VERSION_MISMATCH:
        return "driver and library differ";
    default:
        return "unknown error";
    }
}

int gput__nvml_errno(int code)
{
    switch (code) {
    case GPUT__NVML_SUCCESS:
        return 0;
    case GPUT__NVML_INVALID_ARGUMENT:
        return -EINVAL;
    case GPUT__NVML_NOT_SUPPORTED:
    case GPUT__NVML_FUNCTION_NOT_FOUND:
    case GPUT__NVML_ARGUMENT_VERSION:
        return -ENOTSUP;
    case GPUT__NVML_NO_PERMISSION:
    case GPUT__NVML_OPERATING_SYSTEM:
        return -EACCES;
    case GPUT__NVML_NOT_FOUND:
    case GPUT__NVML_NO_DATA:
        return -ENODATA;
    case GPUT__NVML_DRIVER_NOT_LOADED:
    case GPUT__NVML_GPU_IS_LOST:
    case GPUT__NVML_RESET_REQUIRED:
    case GPUT__NVML_GPU_NOT_FOUND:
        return -ENODEV;
    case GPUT__NVML_TIMEOUT:
        return -ETIMEDOUT;
    case GPUT__NVML_VERSION_MISMATCH:
        return -EPROTO;
    case GPUT__NVML_MEMORY:
        return -ENOMEM;
    default:
        return -EIO;
    }
}

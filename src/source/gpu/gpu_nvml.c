/* gpu_nvml.c - NVIDIA GPUs through their management library: finding and describing them.
 *
 * A GPU in MIG mode is listed as a whole, so that its UUID can be chosen and its power read, and
 * each of its instances follows it as a device of its own.  Only the
 * instances report what is used of the memory, and by which process, so a sum over all devices
 * counts nothing twice; the whole GPU reports how much memory there is, the instances' parts included. */
#include "source/gpu/gpu_nvml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "source/machine/sys_memory.h"

/* --- answers -------------------------------------------------------------------------------- */

struct gput__nvml_gpu *gput__nvml_pick(struct gput__nvml *nvml, unsigned i, int *ret_error)
{
    *ret_error = i < nvml->n ? -ENODEV : -EINVAL;
    return i < nvml->n && !nvml->gpus[i].is_lost ? &nvml->gpus[i] : NULL;
}

int gput__nvml_answer(struct gput__nvml_gpu *gpu, int code)
{
    int r = gput__nvml_errno(code);

    gpu->is_lost |= r == -ENODEV;
    return r;
}

/* --- devices -------------------------------------------------------------------------------- */

static void read_text(struct gput__nvml_gpu *g, gput__nvml_text_fn *fn, const char *otherwise,
                      char *ret, size_t cap)
{
    char text[96] = "";

    if (gput__nvml_answer(g, fn(g->device, text, sizeof(text))) < 0 || !text[0])
        snprintf(text, sizeof(text), "%s", otherwise);
    text[sizeof(text) - 1] = '\0';
    snprintf(ret, cap, "%s", text);
}

static void read_pci(const struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    struct gput__nvml_pci pci = { .domain = 0 };

    if (nvml->api.pci && gput__nvml_answer(g, nvml->api.pci(g->device, &pci)) == 0)
        snprintf(g->info.pci, sizeof(g->info.pci), "%04x:%02x:%02x.0", pci.domain, pci.bus & 0xff,
                 pci.device & 0xff);
}

static void read_unified(const struct gput__gpu_config *config, struct gput__gpu_info *info)
{
    struct gput__sys_memory machine;
    char text[4096];

    info->is_unified = true;
    if (!config->proc || gput__root_read(config->proc, "meminfo", text, sizeof(text)) <= 0 ||
        gput__sys_memory_parse(text, &machine) < 0)
        return;
    info->memory_total = machine.total;
    info->has_memory_total = true;
}

/* Unified memory shows as a total of 0, or by no answer at all (GB10). */
static void read_memory_total(const struct gput__gpu_config *config, const struct gput__nvml *nvml,
                              struct gput__nvml_gpu *g)
{
    struct gput__nvml_memory_v2 m;
    int code = gput__nvml_memory_of(nvml, g, &m);

    if (!g->info.is_mig && !g->is_partitioned &&
        (code == GPUT__NVML_NOT_SUPPORTED || (code == GPUT__NVML_SUCCESS && m.total == 0))) {
        read_unified(config, &g->info);
        return;
    }
    if (gput__nvml_answer(g, code) < 0 || m.total == GPUT__NVML_NO_U64)
        return;
    g->info.memory_total = m.total;
    g->info.has_memory_total = true;
}

static bool is_partitioned(const struct gput__nvml *nvml, struct gput__nvml_gpu *g)
{
    const struct gput__nvml_api *api = &nvml->api;
    uint32_t current = 0, pending;

    return api->mig_mode && api->mig_max && api->mig_by_index &&
           gput__nvml_answer(g, api->mig_mode(g->device, &current, &pending)) == 0 && current == 1;
}

static struct gput__nvml_gpu *append(struct gput__nvml *nvml, struct gput__nvml_device *device)
{
    if (GPUT__GROW(nvml->gpus, nvml->cap, nvml->n + 1) < 0)
        return NULL;
    nvml->gpus[nvml->n] = (struct gput__nvml_gpu){ .device = device };
    return &nvml->gpus[nvml->n++];
}

static int add_instances(const struct gput__gpu_config *config, struct gput__nvml *nvml,
                         unsigned parent)
{
    struct gput__nvml_device *whole = nvml->gpus[parent].device, *device;
    uint32_t max = 0;

    if (nvml->api.mig_max(whole, &max) != GPUT__NVML_SUCCESS)
        return 0;
    for (uint32_t k = 0; k < max; k++) {
        struct gput__nvml_gpu *g;

        if (nvml->api.mig_by_index(whole, k, &device) != GPUT__NVML_SUCCESS)
            continue; /* numbers have gaps */
        g = append(nvml, device);
        if (!g)
            return -ENOMEM;
        g->info.is_mig = true;
        g->info.parent = parent;
        memcpy(g->info.pci, nvml->gpus[parent].info.pci, sizeof(g->info.pci));
        read_text(g, nvml->api.name, "NVIDIA MIG instance", g->info.name, sizeof(g->info.name));
        read_text(g, nvml->api.uuid, "", g->info.uuid, sizeof(g->info.uuid));
        read_memory_total(config, nvml, g);
    }
    return 0;
}

static int add_gpu(const struct gput__gpu_config *config, struct gput__nvml *nvml,
                   struct gput__nvml_device *device)
{
    struct gput__nvml_gpu *g = append(nvml, device);

    if (!g)
        return -ENOMEM;
    read_text(g, nvml->api.name, "NVIDIA GPU", g->info.name, sizeof(g->info.name));
    read_text(g, nvml->api.uuid, "", g->info.uuid, sizeof(g->info.uuid));
    read_pci(nvml, g);
    g->is_partitioned = is_partitioned(nvml, g);
    read_memory_total(config, nvml, g);
    return g->is_partitioned ? add_instances(config, nvml, nvml->n - 1) : 0;
}

/* --- starting ------------------------------------------------------------------------------- */

static const char *why_not_started(int code)
{
    switch (code) {
    case GPUT__NVML_NO_PERMISSION:
        return "no permission to use the NVIDIA driver: /dev/nvidiactl and /dev/nvidia0, ... must "
               "be readable and writable";
    case GPUT__NVML_INSUFFICIENT_POWER:
        return "the power cables of an NVIDIA GPU are not attached";
    case GPUT__NVML_DRIVER_NOT_LOADED:
        return "the NVIDIA driver is not loaded (modprobe nvidia loads it)";
    case GPUT__NVML_TIMEOUT:
        return "the NVIDIA driver did not answer in time";
    case GPUT__NVML_IRQ_ISSUE:
        return "the NVIDIA driver has trouble with the interrupts of a GPU: see dmesg";
    case GPUT__NVML_LIBRARY_NOT_FOUND:
        return "a library of the NVIDIA driver was not found: its installation is incomplete";
    case GPUT__NVML_GPU_IS_LOST:
        return "the NVIDIA GPU has fallen off the bus: see dmesg, then reboot";
    case GPUT__NVML_RESET_REQUIRED:
        return "the NVIDIA GPU needs a reset (nvidia-smi --gpu-reset, or reboot)";
    case GPUT__NVML_OPERATING_SYSTEM:
        return "the operating system or the container blocks the NVIDIA devices: give the "
               "container access to them";
    case GPUT__NVML_VERSION_MISMATCH:
        return "the loaded NVIDIA driver and its library differ in version: reboot or reload the "
               "driver";
    default:
        return NULL;
    }
}

/* Says so unless nothing failed; returns the error. */
static int explain(const struct gput__nvml *nvml, const char *what, int code, char *ret_why,
                   size_t cap)
{
    const char *why = why_not_started(code);

    if (why)
        snprintf(ret_why, cap, "%s", why);
    else if (code != GPUT__NVML_SUCCESS)
        snprintf(ret_why, cap, "%s: %s (NVML code %d)", what, gput__nvml_words(&nvml->api, code),
                 code);
    return gput__nvml_errno(code);
}

static int start(struct gput__nvml *nvml, char *ret_why, size_t cap)
{
    int r = explain(nvml, "NVML did not start", nvml->api.init(), ret_why, cap);

    nvml->is_started = r == 0;
    return r;
}

/* A GPU that cannot be had (lost, or not given to us) does not hide the others. */
static int find_gpus(const struct gput__gpu_config *config, struct gput__nvml *nvml, char *ret_why,
                     size_t cap)
{
    struct gput__nvml_device *device;
    uint32_t count = 0;
    int refused = GPUT__NVML_SUCCESS;
    int r = explain(nvml, "NVML does not count its GPUs", nvml->api.count(&count), ret_why, cap);

    for (uint32_t i = 0; r == 0 && i < count; i++) {
        int code = nvml->api.by_index(i, &device);

        if (code == GPUT__NVML_SUCCESS)
            r = add_gpu(config, nvml, device);
        else if (refused == GPUT__NVML_SUCCESS)
            refused = code;
    }
    if (r < 0 || nvml->n > 0)
        return r;
    if (refused != GPUT__NVML_SUCCESS)
        return explain(nvml, "NVML gives access to no GPU", refused, ret_why, cap);
    snprintf(ret_why, cap, "the NVIDIA driver is loaded and has no GPU");
    return -ENODEV;
}

static void close_gpus(void *gpus)
{
    struct gput__nvml *nvml = gpus;

    if (!nvml)
        return;
    gput__nvml_work_close(nvml);
    gput__nvml_counts_close(nvml);
    if (nvml->is_started)
        nvml->api.shutdown();
    gput__nvml_unload(&nvml->api);
    free(nvml->scratch);
    free(nvml->gpus);
    free(nvml);
}

static int open_gpus(const struct gput__gpu_config *config, void **ret_gpus, char *ret_why,
                     size_t cap)
{
    struct gput__nvml *nvml = calloc(1, sizeof(*nvml));
    int r;

    snprintf(ret_why, cap, "out of memory");
    if (!nvml)
        return -ENOMEM;
    r = gput__nvml_load(config->nvml_path, &nvml->api, ret_why, cap);
    if (r == 0)
        r = start(nvml, ret_why, cap);
    if (r == 0)
        r = find_gpus(config, nvml, ret_why, cap);
    if (r < 0) {
        close_gpus(nvml);
        return r;
    }
    *ret_gpus = nvml;
    return 0;
}

static unsigned count(const void *gpus)
{
    return ((const struct gput__nvml *)gpus)->n;
}

static int describe(void *gpus, unsigned i, struct gput__gpu_info *ret)
{
    const struct gput__nvml *nvml = gpus;

    if (i >= nvml->n)
        return -EINVAL;
    *ret = nvml->gpus[i].info;
    return 0;
}

static int present(const struct gput__gpu_config *config, char *ret_why, size_t cap)
{
    return gput__nvml_present(config->nvml_path, ret_why, cap);
}

const struct gput__gpu_ops gput__gpu_nvml = {
    .brand = GPUT_NVIDIA,
    .present = present,
    .open = open_gpus,
    .count = count,
    .describe = describe,
    .read = gput__nvml_read,
    .processes = gput__nvml_processes,
    .history = gput__nvml_history,
    .energy = gput__nvml_energy,
    .process_utilization = gput__nvml_process_utilization,
    .work = gput__nvml_work,
    .counts = gput__nvml_counts,
    .close = close_gpus,
};

/* gpu_amdgpu.c - AMD GPUs, as the amdgpu driver shows them in sysfs; ROCm processes from its
 * compute half (KFD), graphics processes from fdinfo.  No vendor library or tool is needed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "source/gpu/amd_kfd.h"
#include "source/gpu/drm_card.h"
#include "source/gpu/drm_clients.h"
#include "source/gpu/gpu.h"

enum { AMD_VENDOR = 0x1002, KFD_IDS = 16 };

struct amd_card {
    struct gput__drm_card card;
    bool is_apu;
    int64_t worked_ns;         /* when its work was last read */
    uint64_t kfd_ids[KFD_IDS]; /* several where one device is partitioned */
    unsigned n_kfd_ids;
};

static struct amd_card *card_of(const void *gpus, unsigned i)
{
    return (struct amd_card *)((const struct gput__drm_gpus *)gpus)->cards + i;
}

/* An APU has little memory of its own (a part of RAM that the firmware set aside, 0.5 GiB by
 * default) and works in GTT, pages of the system's memory.  Only APUs have a northbridge voltage
 * (Documentation/gpu/amdgpu/thermal.rst).  Sizes do not decide it: what is set aside may be 96 GiB, and
 * GTT is often larger than the VRAM of a discrete card; they only help where hwmon is missing. */
static bool is_apu(const struct gput__drm_card *c)
{
    double millivolts;
    uint64_t vram;
    int r = gput__drm_card_sensor(c, "in1_input", 1, &millivolts);

    if (c->hwmon[0])
        return r != -ENOENT; /* a reading that fails is still a sensor */
    return gput__drm_card_number(c, "device/mem_info_vram_total", &vram) < 0 || vram <= 512u << 20;
}

/* The order of nodes is not that of the cards: the PCI address ties them.  Of a partitioned device
 * the location also has the partition's number, in bits 28-31, or on older kernels in place of the
 * function. */
static struct amd_card *card_at(struct gput__drm_gpus *a, uint64_t domain, uint64_t location,
                                bool function)
{
    char pci[32];

    snprintf(pci, sizeof(pci), "%04x:%02x:%02x.%x", (unsigned)domain,
             (unsigned)(location >> 8) & 0xFF, (unsigned)(location >> 3) & 0x1F,
             function ? (unsigned)location & 7 : 0);
    for (unsigned i = 0; i < a->n; i++)
        if (!strcmp(card_of(a, i)->card.pci, pci))
            return card_of(a, i);
    return NULL;
}

static void match_node(void *ctx, uint64_t gpu_id, uint64_t domain, uint64_t location)
{
    struct amd_card *c = card_at(ctx, domain, location, true);

    if (!c)
        c = card_at(ctx, domain, location, false);
    if (c && c->n_kfd_ids < KFD_IDS)
        c->kfd_ids[c->n_kfd_ids++] = gpu_id;
}

/* --- devices --------------------------------------------------------------------------------- */

static int amd_open(const struct gput__gpu_config *config, void **ret_gpus, char *ret_why,
                    size_t cap)
{
    static const char *const drivers[] = { "amdgpu", NULL };
    struct gput__drm_gpus *a;
    int r =
        gput__drm_gpus_open(config, AMD_VENDOR, drivers, sizeof(struct amd_card), &a, ret_why, cap);

    if (r < 0)
        return r;
    for (unsigned i = 0; i < a->n; i++)
        card_of(a, i)->is_apu = is_apu(&card_of(a, i)->card);
    gput__kfd_nodes(a->sys, match_node, a);
    *ret_gpus = a;
    return 0;
}

/* VRAM, and on an APU the pages of RAM that the GPU works in. */
static int memory_sum(const struct amd_card *c, const char *vram_file, const char *gtt_file,
                      uint64_t *ret)
{
    uint64_t vram = 0, gtt = 0;
    int r = gput__drm_card_number(&c->card, vram_file, &vram);
    int r2 = c->is_apu ? gput__drm_card_number(&c->card, gtt_file, &gtt) : r;

    if (r < 0 && r2 < 0)
        return r;
    *ret = vram + gtt;
    return 0;
}

/* Cards without a serial number show none or zeros. */
static bool read_unique_id(const struct gput__drm_card *c, char *ret, size_t cap)
{
    return gput__drm_card_text(c, "device/unique_id", ret, cap) == 0 &&
           strspn(ret, "0x") != strlen(ret) && strspn(ret, "fF") != strlen(ret);
}

static int amd_describe(void *gpus, unsigned i, struct gput__gpu_info *ret)
{
    const struct amd_card *c = card_of(gpus, i);
    struct gput__gpu_info info = { .is_unified = c->is_apu };

    if (gput__drm_card_text(&c->card, "device/product_name", info.name, sizeof(info.name)) < 0)
        snprintf(info.name, sizeof(info.name), "AMD GPU 0x%04x", c->card.device_id);
    if (!read_unique_id(&c->card, info.uuid, sizeof(info.uuid)))
        snprintf(info.uuid, sizeof(info.uuid), "%s", c->card.pci);
    snprintf(info.pci, sizeof(info.pci), "%s", c->card.pci);
    info.has_memory_total = memory_sum(c, "device/mem_info_vram_total", "device/mem_info_gtt_total",
                                       &info.memory_total) == 0;
    *ret = info;
    return 0;
}

/* --- one moment ------------------------------------------------------------------------------- */

static int read_memory(const struct amd_card *c, struct gput__gpu_reading *ret)
{
    return memory_sum(c, "device/mem_info_vram_used", "device/mem_info_gtt_used",
                      &ret->memory_used);
}

static int read_utilization(const struct amd_card *c, struct gput__gpu_reading *ret)
{
    uint64_t percent;
    int r = gput__drm_card_number(&c->card, "device/gpu_busy_percent", &percent);

    if (r < 0)
        return r;
    if (percent > 100)
        return -ENODATA;
    ret->utilization = (double)percent;
    return 0;
}

/* Either name, by the kernel's and the chip's age. */
static int read_power(const struct amd_card *c, struct gput__gpu_reading *ret)
{
    if (gput__drm_card_sensor(&c->card, "power1_average", 1e6, &ret->power_watts) == 0)
        return 0;
    return gput__drm_card_sensor(&c->card, "power1_input", 1e6, &ret->power_watts);
}

static int read_temperature(const struct amd_card *c, struct gput__gpu_reading *ret)
{
    return gput__drm_card_temperature(&c->card, &ret->temperature_c);
}

static int read_clocks(const struct amd_card *c, struct gput__gpu_reading *ret)
{
    double mhz;
    int r = gput__drm_card_sensor(&c->card, "freq1_input", 1e6, &mhz);

    if (r < 0 || mhz < 0)
        return r < 0 ? r : -ENODATA;
    ret->clock_mhz = (unsigned)mhz;
    if (gput__drm_card_sensor(&c->card, "freq2_input", 1e6, &mhz) == 0 && mhz >= 0)
        ret->memory_clock_mhz = (unsigned)mhz;
    return 0;
}

static const struct {
    unsigned what;
    int (*read)(const struct amd_card *c, struct gput__gpu_reading *ret);
} figures[] = {
    { GPUT__GPU_MEMORY, read_memory }, { GPUT__GPU_UTILIZATION, read_utilization },
    { GPUT__GPU_POWER, read_power },   { GPUT__GPU_TEMPERATURE, read_temperature },
    { GPUT__GPU_CLOCKS, read_clocks },
};

static int amd_read(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret)
{
    const struct amd_card *c = card_of(gpus, i);
    struct gput__gpu_reading g = { 0 };
    bool denied = false;

    /* A card that is powered down does nothing, and is not woken to say so. */
    if ((what & ~(unsigned)GPUT__GPU_MEMORY) && gput__drm_card_asleep(&c->card)) {
        g.known = what & GPUT__GPU_UTILIZATION;
        what &= GPUT__GPU_MEMORY;
    }
    for (size_t k = 0; k < sizeof(figures) / sizeof(*figures); k++) {
        int r = what & figures[k].what ? figures[k].read(c, &g) : -ENODATA;

        if (r == 0)
            g.known |= figures[k].what;
        denied |= r == -EACCES;
    }
    if (!g.known && gput__drm_card_gone(&c->card))
        return -ENODEV;
    if (!g.known && denied)
        return -EACCES;
    *ret = g;
    return 0;
}

static const char no_counters[] = "amdgpu has no such counters for its users";

/* How busy the memory was of late. */
static int amd_work(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why)
{
    struct amd_card *c = card_of(gpus, i);
    int64_t now = gput__now(), before = c->worked_ns;
    uint64_t percent;
    int r;

    *ret_why = no_counters;
    if (gput__drm_card_asleep(&c->card))
        percent = 0;
    else if ((r = gput__drm_card_number(&c->card, "device/mem_busy_percent", &percent)) < 0)
        return r == -EACCES ? r : -ENOTSUP;
    if (percent > 100)
        return -ENOTSUP;
    c->worked_ns = now;
    if (!before)
        return -EAGAIN;
    *ret = (struct gput__gpu_work){ .seconds = gput__seconds(now - before) };
    gput__gpu_work_set(ret, GPUT__WORK_MEMORY, (double)percent);
    return 0;
}

/* --- processes -------------------------------------------------------------------------------- */

struct collecting {
    const struct amd_card *c;
    struct gput__gpu_processes *ret;
    int err;
};

static void add_client(void *ctx, pid_t pid, const struct gput__drm_client *client)
{
    static const char *const vram[] = { "vram", NULL }, *const apu[] = { "vram", "gtt", NULL };
    struct collecting *t = ctx;
    uint64_t bytes = 0;
    bool told;
    int r;

    if (strcmp(client->pdev, t->c->card.pci))
        return;
    told = gput__drm_client_memory(client, t->c->is_apu ? apu : vram, &bytes);
    r = gput__gpu_add_process(t->ret, pid, told, bytes);
    if (r < 0)
        t->err = r;
}

/* Both halves of the driver may count the same buffers: the larger figure, not the sum. */
static void add_kfd_process(void *ctx, pid_t pid, bool told, uint64_t bytes)
{
    struct collecting *t = ctx;
    int r;

    for (size_t i = 0; i < t->ret->n; i++) {
        struct gput__gpu_process *p = &t->ret->list[i];

        if (p->pid != pid)
            continue;
        p->has_memory |= told;
        if (p->memory < bytes)
            p->memory = bytes;
        return;
    }
    r = gput__gpu_add_process(t->ret, pid, told, bytes);
    if (r < 0)
        t->err = r;
}

static int amd_processes(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                         struct gput__gpu_processes *ret)
{
    const struct gput__drm_gpus *a = gpus;
    struct collecting t = { .c = card_of(gpus, i), .ret = ret };
    struct gput__drm_scan scan = { 0 };
    int r;

    ret->n = 0;
    r = gput__drm_clients(a->proc, a->check_major, job, n_job, add_client, &t, &scan);
    if (r == 0)
        gput__kfd_processes(a->sys, t.c->kfd_ids, t.c->n_kfd_ids, add_kfd_process, &t);
    if (r == 0)
        r = t.err;
    if (r < 0) {
        ret->n = 0;
        return r;
    }
    if (ret->n > 0)
        return 0;
    if (gput__drm_card_gone(&t.c->card))
        return -ENODEV;
    return scan.denied ? -EACCES : 0;
}

const struct gput__gpu_ops gput__gpu_amdgpu = {
    .brand = GPUT_AMD,
    .is_drm = true,
    .present = gput__gpu_drm_present,
    .open = amd_open,
    .count = gput__drm_gpus_count,
    .describe = amd_describe,
    .read = amd_read,
    .processes = amd_processes,
    .energy = gput__drm_gpus_energy,
    .work = amd_work,
    .close = gput__drm_gpus_close,
};

/* gpu_intel.c - Intel GPUs, as the i915 and xe drivers show them in sysfs, hwmon and fdinfo.
 *
 * Neither driver shows an ordinary user what all processes together use: memory and utilisation are
 * those of the job's own clients, as the last call of processes() found them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "source/gpu/drm_busy.h"
#include "source/gpu/drm_card.h"
#include "source/gpu/drm_clients.h"
#include "source/gpu/gpu.h"
#include "source/machine/sys_memory.h"

enum { INTEL_VENDOR = 0x8086, TILES = 8 };

struct intel_card {
    struct gput__drm_card card;
    bool is_integrated;
    int64_t worked_ns; /* up to when its engines were told of */

    struct gput__drm_busy busy;
    bool has_counters; /* some client had counters of engines, once */
    bool can_tell;     /* the last poll saw all that there is to see */
    bool has_percent;
    double percent;

    bool has_job_memory;
    uint64_t job_memory;

    int64_t energy_ns; /* when it was read; 0: never */
    double joules, watts;
    bool has_watts;
};

static struct intel_card *card_of(const void *gpus, unsigned i)
{
    return (struct intel_card *)((const struct gput__drm_gpus *)gpus)->cards + i;
}

/* --- devices --------------------------------------------------------------------------------- */

/* xe reports the memory of each tile; i915 only as Intel's own package of it, below the card or
 * its device. */
static bool own_memory(const struct gput__drm_card *c, uint64_t *ret)
{
    uint64_t sum = 0, bytes;
    char name[64];

    for (unsigned i = 0; i < TILES; i++) {
        snprintf(name, sizeof(name), "device/tile%u/physical_vram_size_bytes", i);
        if (gput__drm_card_number(c, name, &bytes) == 0)
            sum += bytes;
    }
    if (sum == 0 && gput__drm_card_number(c, "lmem_total_bytes", &sum) < 0)
        (void)gput__drm_card_number(c, "device/lmem_total_bytes", &sum);
    if (sum > 0)
        *ret = sum;
    return sum > 0;
}

/* A chip without memory of its own sits on the processor's bus, 0; cards are behind a bridge. */
static bool is_integrated(const struct gput__drm_card *c)
{
    uint64_t bytes;

    return !own_memory(c, &bytes) && strlen(c->pci) > 7 && !strncmp(c->pci + 4, ":00:", 4);
}

static void intel_close(void *gpus)
{
    struct gput__drm_gpus *g = gpus;

    for (unsigned i = 0; g && i < g->n; i++)
        gput__drm_busy_free(&card_of(g, i)->busy);
    gput__drm_gpus_close(g);
}

static int intel_open(const struct gput__gpu_config *config, void **ret_gpus, char *ret_why,
                      size_t cap)
{
    static const char *const drivers[] = { "i915", "xe", NULL };
    struct gput__drm_gpus *g;
    int r = gput__drm_gpus_open(config, INTEL_VENDOR, drivers, sizeof(struct intel_card), &g,
                                ret_why, cap);

    if (r < 0)
        return r;
    for (unsigned i = 0; i < g->n; i++)
        card_of(g, i)->is_integrated = is_integrated(&card_of(g, i)->card);
    *ret_gpus = g;
    return 0;
}

static bool system_memory(const struct gput__root *proc, uint64_t *ret)
{
    struct gput__sys_memory m;
    char text[4096];

    if (gput__root_read(proc, "meminfo", text, sizeof(text)) <= 0 ||
        gput__sys_memory_parse(text, &m) < 0)
        return false;
    *ret = m.total;
    return true;
}

static int intel_describe(void *gpus, unsigned i, struct gput__gpu_info *ret)
{
    const struct gput__drm_gpus *g = gpus;
    const struct intel_card *c = card_of(gpus, i);
    struct gput__gpu_info info = { .is_unified = c->is_integrated };

    if (gput__drm_card_text(&c->card, "device/product_name", info.name, sizeof(info.name)) < 0)
        snprintf(info.name, sizeof(info.name), "Intel GPU 0x%04x", c->card.device_id);
    /* the drivers show no serial number */
    snprintf(info.uuid, sizeof(info.uuid), "%s", c->card.pci);
    snprintf(info.pci, sizeof(info.pci), "%s", c->card.pci);
    info.has_memory_total = c->is_integrated ? system_memory(g->proc, &info.memory_total)
                                             : own_memory(&c->card, &info.memory_total);
    *ret = info;
    return 0;
}

/* --- one moment ------------------------------------------------------------------------------- */

/* A lower bound of 0 says nothing: other processes may use all of it. */
static int read_memory(struct intel_card *c, struct gput__gpu_reading *ret)
{
    uint64_t total, avail;

    if (gput__drm_card_number(&c->card, "lmem_avail_bytes", &avail) == 0 &&
        own_memory(&c->card, &total) && avail <= total) {
        ret->memory_used = total - avail;
        return 0;
    }
    if (!c->has_job_memory || c->job_memory == 0)
        return -ENODATA;
    ret->memory_used = c->job_memory;
    return 0;
}

static int read_utilization(struct intel_card *c, struct gput__gpu_reading *ret)
{
    if (gput__drm_busy_percent(&c->busy, &c->percent))
        c->has_percent = true;
    if (!c->has_percent || !c->can_tell)
        return -ENODATA;
    ret->utilization = c->percent;
    return 0;
}

/* There is an energy counter only: power is its change since the read before.  Reads in close
 * succession share one figure, because the counter itself moves in steps. */
static int read_power(struct intel_card *c, struct gput__gpu_reading *ret)
{
    int64_t now = gput__now();
    double joules;
    int r;

    if (!c->energy_ns || now - c->energy_ns >= 10 * GPUT__NS_PER_MS) {
        r = gput__drm_card_energy(&c->card, &joules);
        if (r < 0)
            return r;
        c->has_watts = c->energy_ns && joules >= c->joules; /* it begins anew after a reset */
        if (c->has_watts)
            c->watts = (joules - c->joules) / gput__seconds(now - c->energy_ns);
        c->joules = joules;
        c->energy_ns = now;
    }
    if (!c->has_watts)
        return -ENODATA;
    ret->power_watts = c->watts;
    return 0;
}

static int read_temperature(struct intel_card *c, struct gput__gpu_reading *ret)
{
    return gput__drm_card_temperature(&c->card, &ret->temperature_c);
}

static int read_clocks(struct intel_card *c, struct gput__gpu_reading *ret)
{
    uint64_t mhz;
    int r = gput__drm_card_number(&c->card, "gt_act_freq_mhz", &mhz);

    if (r < 0)
        r = gput__drm_card_number(&c->card, "device/tile0/gt0/freq0/act_freq", &mhz);
    if (r < 0)
        return r;
    if (mhz >= 0xFFFF)
        return -ENODATA;
    ret->clock_mhz = (unsigned)mhz;
    return 0;
}

static const struct {
    unsigned what;
    bool wakes; /* it powers up a device that sleeps */
    int (*read)(struct intel_card *c, struct gput__gpu_reading *ret);
} figures[] = {
    { GPUT__GPU_MEMORY, false, read_memory }, { GPUT__GPU_UTILIZATION, false, read_utilization },
    { GPUT__GPU_POWER, true, read_power },    { GPUT__GPU_TEMPERATURE, true, read_temperature },
    { GPUT__GPU_CLOCKS, true, read_clocks },
};

static int intel_read(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret)
{
    struct intel_card *c = card_of(gpus, i);
    struct gput__gpu_reading reading = { 0 };
    bool asleep, denied = false;

    asleep = (what & ~(unsigned)(GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION)) &&
             gput__drm_card_asleep(&c->card);
    for (size_t k = 0; k < sizeof(figures) / sizeof(*figures); k++) {
        int r = -ENODATA;

        if ((what & figures[k].what) && !(asleep && figures[k].wakes))
            r = figures[k].read(c, &reading);
        if (r == 0)
            reading.known |= figures[k].what;
        denied |= r == -EACCES;
    }
    /* what the job's clients said outlives the device */
    if (gput__drm_card_gone(&c->card))
        return -ENODEV;
    if (!reading.known && denied)
        return -EACCES;
    *ret = reading;
    return 0;
}

static const char no_counters[] = "the kernel's driver counts engines only, as the job uses them";

/* Of the engines that compute and draw, as the job used them up to the last reading. */
static int intel_work(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why)
{
    static const char *const engines[] = { "render", "compute", "rcs", "ccs", NULL };
    struct intel_card *c = card_of(gpus, i);
    int64_t before = c->worked_ns;
    double percent = gput__drm_busy_of(&c->busy, engines);

    *ret_why = no_counters;
    if (!c->can_tell || !c->busy.reported_ns)
        return -ENOTSUP;
    if (before == c->busy.reported_ns)
        return -EALREADY;
    c->worked_ns = c->busy.reported_ns;
    if (!before)
        return -EAGAIN;
    *ret = (struct gput__gpu_work){ .seconds = gput__seconds(c->worked_ns - before) };
    gput__gpu_work_set(ret, GPUT__WORK_ENGINE, percent > 0 ? percent : 0);
    return 0;
}

/* --- processes -------------------------------------------------------------------------------- */

struct collecting {
    struct intel_card *c;
    struct gput__gpu_processes *ret;
    int64_t now;
    uint64_t memory;
    bool has_memory, has_counters;
    int err;
};

static bool counts(const struct gput__drm_client *client)
{
    for (unsigned i = 0; i < client->n_engines; i++)
        if (client->engines[i].has_ns || client->engines[i].has_cycles)
            return true;
    return false;
}

static void add_client(void *ctx, pid_t pid, const struct gput__drm_client *client)
{
    static const char *const own[] = { "vram", "local", "stolen-local", NULL };
    struct collecting *t = ctx;
    uint64_t bytes = 0;
    bool told;
    int r;

    if (strcmp(client->pdev, t->c->card.pci))
        return;
    told = gput__drm_client_memory(client, t->c->is_integrated ? NULL : own, &bytes);
    t->has_memory |= told;
    t->memory += bytes;
    r = gput__gpu_add_process(t->ret, pid, told, bytes);
    t->has_counters |= client->has_id && counts(client);
    if (r == 0 && client->has_id)
        r = gput__drm_busy_add(&t->c->busy, client, t->now);
    if (r < 0)
        t->err = r;
}

static int intel_processes(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                           struct gput__gpu_processes *ret)
{
    struct gput__drm_gpus *g = gpus;
    struct intel_card *c = card_of(gpus, i);
    struct collecting t = { .c = c, .ret = ret, .now = gput__now() };
    struct gput__drm_scan scan = { 0 };
    int r;

    ret->n = 0;
    c->can_tell = c->has_job_memory = false;
    gput__drm_busy_begin(&c->busy);
    r = gput__drm_clients(g->proc, g->check_major, job, n_job, add_client, &t, &scan);
    if (r == 0)
        r = t.err;
    if (r < 0) {
        ret->n = 0;
        return r;
    }
    gput__drm_busy_end(&c->busy, t.now);
    c->has_job_memory = t.has_memory;
    c->job_memory = t.memory;
    c->has_counters |= t.has_counters;
    /* Descriptors that report nothing may be this device's, on a kernel before 5.19. */
    c->can_tell = t.has_counters || (!scan.denied && (c->has_counters || !scan.mute));
    if (ret->n > 0)
        return 0;
    if (gput__drm_card_gone(&c->card))
        return -ENODEV;
    return scan.denied ? -EACCES : 0;
}

const struct gput__gpu_ops gput__gpu_intel = {
    .brand = GPUT_INTEL,
    .is_drm = true,
    .present = gput__gpu_drm_present,
    .open = intel_open,
    .count = gput__drm_gpus_count,
    .describe = intel_describe,
    .read = intel_read,
    .processes = intel_processes,
    .energy = gput__drm_gpus_energy,
    .work = intel_work,
    .close = intel_close,
};

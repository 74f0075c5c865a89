/* gpu_nvml_counts.c - NVIDIA GPUs through their management library: what the driver counts on and on, such
 * as time at the power limit, bytes over PCIe and errors. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "source/gpu/gpu_nvml.h"

#define KIB 1024.0

/* --- fields ----------------------------------------------------------------------------------- */

/* Of the times that one count is made of the longest counts: they may overlap. */
enum { PCIE_RX, PCIE_TX };
static const struct {
    uint32_t id;
    int count; /* enum gput__gpu_count_id */
} fields[] = {
    { 74, GPUT__COUNT_POWER_CAPPED },  /* the driver's power cap */
    { 75, GPUT__COUNT_THERMAL },       /* the driver, for heat; 251 is its newer name */
    { 251, GPUT__COUNT_THERMAL },      /* */
    { 252, GPUT__COUNT_THERMAL },      /* the hardware, for heat */
    { 253, GPUT__COUNT_OTHER_CAPPED }, /* a power brake from outside */
    { 76, GPUT__COUNT_OTHER_CAPPED },  /* as slow as others of its group */
    { 77, GPUT__COUNT_OTHER_CAPPED },  /* a limit of the card */
    { 79, GPUT__COUNT_OTHER_CAPPED },  /* reliability */
    { 198, GPUT__COUNT_PCIE_RX },      { 197, GPUT__COUNT_PCIE_TX },
};
#define N_FIELDS (sizeof(fields) / sizeof(*fields))

static bool value_of(const struct gput__nvml_field *f, double *ret)
{
    if (f->code != GPUT__NVML_SUCCESS)
        return false;
    switch (f->type) {
    case GPUT__NVML_DOUBLE:
        *ret = f->value.f64;
        break;
    case GPUT__NVML_UINT:
        *ret = f->value.u32;
        break;
    case GPUT__NVML_ULONG:
    case GPUT__NVML_ULONGLONG:
        *ret = (double)f->value.u64;
        return f->value.u64 != GPUT__NVML_NO_U64;
    default:
        return false;
    }
    return isfinite(*ret) && *ret >= 0;
}

/* KiB in 32 bits begin anew after 4 TiB: at the speed of today's links that takes a minute. */
static void add_pcie(struct gput__nvml_counts *c, int which, const struct gput__nvml_field *f)
{
    uint32_t raw = f->value.u32;

    if (c->has_raw[which])
        c->pcie[which] += (uint32_t)(raw - c->raw[which]);
    c->raw[which] = raw;
    c->has_raw[which] = true;
}

static void set_count(struct gput__nvml_gpu *g, size_t k, const struct gput__nvml_field *f,
                      struct gput__gpu_counts *ret)
{
    int count = fields[k].count;
    double value;

    if (!value_of(f, &value))
        return;
    if (count == GPUT__COUNT_PCIE_RX || count == GPUT__COUNT_PCIE_TX) {
        int which = count == GPUT__COUNT_PCIE_RX ? PCIE_RX : PCIE_TX;

        add_pcie(&g->counts, which, f);
        gput__gpu_counts_set(ret, count, (double)g->counts.pcie[which] * KIB);
        return;
    }
    gput__gpu_counts_set(ret, count, fmax(ret->value[count], value / 1e9));
}

static void read_fields(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                        struct gput__gpu_counts *ret)
{
    struct gput__nvml_field asked[N_FIELDS] = { 0 };
    size_t which[N_FIELDS], n = 0;

    for (size_t k = 0; k < N_FIELDS; k++)
        if (!(g->counts.lacks >> k & 1)) {
            which[n] = k;
            asked[n++] =
                (struct gput__nvml_field){ .id = fields[k].id, .code = GPUT__NVML_NOT_SUPPORTED };
        }
    if (!nvml->api.fields || n == 0 ||
        gput__nvml_answer(g, nvml->api.fields(g->device, (int32_t)n, asked)) < 0)
        return;
    for (size_t k = 0; k < n; k++) {
        set_count(g, which[k], &asked[k], ret);
        if (asked[k].code == GPUT__NVML_NOT_SUPPORTED)
            g->counts.lacks |= 1U << which[k];
    }
}

/* --- errors ----------------------------------------------------------------------------------- */

static void read_ecc(struct gput__nvml *nvml, struct gput__nvml_gpu *g, int32_t kind, int count,
                     struct gput__gpu_counts *ret)
{
    uint64_t n = 0;

    if (nvml->api.ecc &&
        gput__nvml_answer(g, nvml->api.ecc(g->device, kind, GPUT__NVML_ECC_VOLATILE, &n)) == 0 &&
        n != GPUT__NVML_NO_U64)
        gput__gpu_counts_set(ret, count, (double)n);
}

static void read_errors(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                        struct gput__gpu_counts *ret)
{
    uint32_t corrected = 0, uncorrected = 0, is_pending, has_failed;

    read_ecc(nvml, g, GPUT__NVML_ECC_CORRECTED, GPUT__COUNT_ECC_CORRECTED, ret);
    read_ecc(nvml, g, GPUT__NVML_ECC_UNCORRECTED, GPUT__COUNT_ECC_UNCORRECTED, ret);
    if (nvml->api.remapped &&
        gput__nvml_answer(g, nvml->api.remapped(g->device, &corrected, &uncorrected, &is_pending,
                                                &has_failed)) == 0)
        gput__gpu_counts_set(ret, GPUT__COUNT_ROWS_REMAPPED, (double)corrected + uncorrected);
}

/* --- events ----------------------------------------------------------------------------------- */

static void ask_for_events(struct gput__nvml *nvml)
{
    const struct gput__nvml_api *api = &nvml->api;

    nvml->has_events = true;
    if (!api->events_create || !api->events_free || !api->events_register || !api->events_wait ||
        api->events_create(&nvml->events) != GPUT__NVML_SUCCESS)
        return;
    for (unsigned i = 0; i < nvml->n; i++) {
        struct gput__nvml_gpu *g = &nvml->gpus[i];

        if (!g->info.is_mig && !g->is_lost)
            g->counts.has_events = api->events_register(g->device, GPUT__NVML_EVENT_XID,
                                                        nvml->events) == GPUT__NVML_SUCCESS;
    }
}

static void count_event(struct gput__nvml *nvml, const struct gput__nvml_event *e)
{
    for (unsigned i = 0; i < nvml->n; i++)
        if (nvml->gpus[i].device == e->device && e->type == GPUT__NVML_EVENT_XID) {
            nvml->gpus[i].counts.n_xids++;
            nvml->gpus[i].counts.last_xid = (unsigned)e->data;
        }
}

/* Without waiting.  The events of all devices come together. */
static void read_events(struct gput__nvml *nvml, struct gput__nvml_gpu *g,
                        struct gput__gpu_counts *ret)
{
    struct gput__nvml_event e = { 0 };

    if (!nvml->has_events)
        ask_for_events(nvml);
    if (!g->counts.has_events)
        return;
    for (int k = 0; k < 100 && nvml->api.events_wait(nvml->events, &e, 0) == GPUT__NVML_SUCCESS;
         k++)
        count_event(nvml, &e);
    gput__gpu_counts_set(ret, GPUT__COUNT_XIDS, g->counts.n_xids);
    ret->last_xid = g->counts.last_xid;
}

/* A MIG instance has none of its own. */
int gput__nvml_counts(void *gpus, unsigned i, unsigned which, struct gput__gpu_counts *ret)
{
    int none;
    struct gput__nvml_gpu *g = gput__nvml_pick(gpus, i, &none);

    *ret = (struct gput__gpu_counts){ 0 };
    if (!g)
        return none;
    if (g->info.is_mig)
        return -ENOTSUP;
    if (which & GPUT__COUNTS_OF_EVENTS)
        read_events(gpus, g, ret);
    if (which & GPUT__COUNTS_OF_TIME)
        read_fields(gpus, g, ret);
    if (which & GPUT__COUNTS_OF_ERRORS)
        read_errors(gpus, g, ret);
    if (g->is_lost && !ret->known)
        return -ENODEV;
    return ret->known ? 0 : -ENOTSUP;
}

void gput__nvml_counts_close(struct gput__nvml *nvml)
{
    if (nvml->events)
        nvml->api.events_free(nvml->events);
    nvml->events = NULL;
}

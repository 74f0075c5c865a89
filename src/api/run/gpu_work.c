/* gpu_work.c - the figures of what one GPU really did. */
#include "api/run/gpu_work.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char by_counters[] = "weighted by time, from the hardware's counters between readings";
static const char highest[] = "the highest between two readings";
static const char added_up[] = "rates between readings, added up";
static const char not_told[] = "the driver does not tell";
static const char too_short[] = "the run was too short to count it";

static const size_t shares[] = {
#define AT(id, member, label) offsetof(struct gput_gpu_work, member),
    GPUT__GPU_SHARES(AT)
};
static const size_t flows[] = { GPUT__GPU_FLOWS(AT) };
static const size_t counts[] = { GPUT__GPU_TIMES(AT) GPUT__GPU_ERRORS(AT) };

static const size_t kinds[] = { GPUT__GPU_KINDS(AT) };
static const char by_shares[] = "what the shares between readings tell";
static const char bound_above[] = "an upper bound: tensor cores that are active need not be full";

static struct gput_figure figure(double value, const char *why, const char *why_not)
{
    if (isnan(value))
        return (struct gput_figure){ 0, GPUT_UNAVAILABLE, why_not };
    return (struct gput_figure){ value, GPUT_SAMPLED, why };
}

/* Whether anything was counted. */
static bool has_any(const struct gput__gpu_works *w)
{
    for (int k = 0; k < GPUT__N_GPU_WORK; k++)
        if (w->run.seconds[k] > 0)
            return true;
    return false;
}

static void set_exact(const struct gput__gpu_works *w, int id, struct gput_figure *ret)
{
    double value = gput__gpu_works_counted(w, id);

    if (!isnan(value))
        *ret = (struct gput_figure){ value, GPUT_EXACT, NULL };
}

/* Bytes that the driver counts are better than rates added up. */
static void fill_counts(const struct gput__gpu_works *w, struct gput_gpu_work *ret)
{
    const char *why_not = w->counted.known ? not_told : too_short;

    for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
        struct gput_figure *f = (struct gput_figure *)((char *)ret + counts[k]);

        *f = (struct gput_figure){ 0, GPUT_UNAVAILABLE, why_not };
        set_exact(w, (int)k, f);
    }
    set_exact(w, GPUT__COUNT_PCIE_RX, &ret->pcie_rx_bytes);
    set_exact(w, GPUT__COUNT_PCIE_TX, &ret->pcie_tx_bytes);
}

static void fill_time(const struct gput__gpu_time *t, const char *why_not,
                      struct gput_gpu_work *ret)
{
    double clock = t->clocked > 0 ? t->clock / t->clocked : NAN;
    double limit = t->power_limit_watts > 0 ? t->power_limit_watts : NAN;

    for (int k = 0; k < GPUT__N_GPU_KINDS; k++)
        *(struct gput_figure *)((char *)ret + kinds[k]) =
            figure(t->known > 0 ? t->seconds[k] : NAN, by_shares, why_not);
    ret->clock_percent = figure(100 * clock, by_counters, why_not);
    ret->dense_ceiling = figure(t->clocked > 0 ? t->dense / t->clocked : NAN, bound_above, why_not);
    ret->power_limit = figure(limit, by_counters, why_not);
    if (limit > 0)
        ret->power_limit.source = GPUT_EXACT;
}

void gput__gpu_fill_work(const struct gput__gpu_works *w, struct gput_gpu_work *ret)
{
    const char *why_not = w->why ? w->why : has_any(w) ? not_told : too_short;

    *ret = (struct gput_gpu_work){ 0 };
    for (int k = 0; k < GPUT__N_GPU_SHARES; k++) {
        struct gput_spread *s = (struct gput_spread *)((char *)ret + shares[k]);

        s->mean = figure(gput__gpu_works_mean(w, k), by_counters, why_not);
        s->max = figure(gput__gpu_works_max(w, k), highest, why_not);
    }
    for (int k = GPUT__N_GPU_SHARES; k < GPUT__N_GPU_WORK; k++) {
        struct gput_figure *f = (struct gput_figure *)((char *)ret + flows[k - GPUT__N_GPU_SHARES]);

        *f = figure(w->run.seconds[k] > 0 ? w->run.sum[k] : NAN, added_up, why_not);
    }
    fill_counts(w, ret);
    fill_time(&w->time, why_not, ret);
}

/* --- errors ---------------------------------------------------------------------------------- */

/* Those that say what to do. */
static const struct {
    unsigned xid;
    const char *words;
} xids[] = {
    { 13, "a kernel failed" },
    { 31, "a kernel used memory that is not its own" },
    { 43, "a kernel was stopped" },
    { 48, "memory error that was not corrected" },
    { 63, "a row of memory was remapped" },
    { 64, "a row of memory could not be remapped" },
    { 74, "NVLink error" },
    { 79, "the GPU has fallen off the bus" },
    { 94, "memory error, contained" },
    { 95, "memory error, not contained" },
};

static const char *words_of(unsigned xid)
{
    for (size_t i = 0; i < sizeof(xids) / sizeof(*xids); i++)
        if (xids[i].xid == xid)
            return xids[i].words;
    return "see NVIDIA's list of Xid errors";
}

static void add_error(char *ret, size_t cap, double n, const char *one, const char *several)
{
    size_t len = strlen(ret);

    if (n > 0)
        snprintf(ret + len, cap - len, "%s%.0f %s", len ? ", " : "", n, n == 1 ? one : several);
}

bool gput__gpu_errors(const struct gput__gpu_works *w, char *ret, size_t cap)
{
    double n_xids = gput__gpu_works_counted(w, GPUT__COUNT_XIDS);

    *ret = '\0';
    if (n_xids > 0)
        snprintf(ret, cap, "Xid %u (%s)", w->counted.last_xid, words_of(w->counted.last_xid));
    if (n_xids > 1)
        snprintf(ret + strlen(ret), cap - strlen(ret), " as the last of %.0f", n_xids);
    add_error(ret, cap, gput__gpu_works_counted(w, GPUT__COUNT_ECC_UNCORRECTED),
              "ECC error that was not corrected", "ECC errors that were not corrected");
    add_error(ret, cap, gput__gpu_works_counted(w, GPUT__COUNT_ROWS_REMAPPED),
              "row of memory remapped", "rows of memory remapped");
    add_error(ret, cap, gput__gpu_works_counted(w, GPUT__COUNT_ECC_CORRECTED),
              "ECC error that was corrected", "ECC errors that were corrected");
    return *ret != '\0';
}

void gput__gpu_stuck(const struct gput__gpu_works *w, char *ret, size_t cap)
{
    const struct gput__gpu_time *t = &w->time;
    char watts[64] = "";

    if (t->stuck_watts > 0 && t->power_limit_watts > 0)
        snprintf(watts, sizeof(watts), ", and it draws %.0f of %.0f W", t->stuck_watts,
                 t->power_limit_watts);
    snprintf(ret, cap,
             "looks stuck since %.0f s: a kernel is on it all the time, but less than 2 %% of it "
             "works%s",
             t->stuck, watts);
}

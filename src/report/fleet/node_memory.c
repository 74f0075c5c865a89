/* node_memory.c - the memory of all ranks of a node together, moment by moment. */
#include "report/fleet/node_file.h"

#include <math.h>

/* A rank whose processes were too short-lived for a memory scan has no PSS. */
static bool has_pss(const struct gput__rank_state *r)
{
    return r->number[GPUT__RANK_MAX_PSS] > 0;
}

static bool all_have_pss(const struct gput__node_file *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->ranks[i].moments.n > 0 && !has_pss(&f->ranks[i]))
            return false;
    return true;
}

/* What a rank had at a moment: the value of the next record, as long as it ran. */
static double value_at(const struct gput__rank_state *r, double start, double t, bool is_pss,
                       size_t *place)
{
    const struct gput__moments *m = &r->moments;
    const double *at = m->value[GPUT__MOMENT_TIME];
    double v;

    while (*place < m->n && at[*place] < t)
        (*place)++;
    if (t < start || *place >= m->n)
        return 0;
    v = m->value[is_pss ? GPUT__MOMENT_PSS : GPUT__MOMENT_RAM][*place];
    return isnan(v) ? 0 : v;
}

/* Moments rise, so one pass over each rank does for one list of them. */
static double largest_at(const struct gput__node_file *f, const double *t, size_t n, bool is_pss,
                         double *sums)
{
    double most = 0;

    for (size_t k = 0; k < n; k++)
        sums[k] = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct gput__rank_state *r = &f->ranks[i];
        double start = r->number[GPUT__RANK_START_BOOT] - f->boot;
        size_t place = 0;

        for (size_t k = 0; k < n; k++)
            sums[k] += value_at(r, start, t[k], is_pss, &place);
    }
    for (size_t k = 0; k < n; k++)
        most = sums[k] > most ? sums[k] : most;
    return most;
}

double gput__node_memory(const struct gput__node_file *f, const double *t, size_t n,
                         double *ret_values, bool *ret_is_pss)
{
    bool is_pss = all_have_pss(f);
    double most = 0;

    for (size_t i = 0; i < f->n; i++) {
        const struct gput__moments *m = &f->ranks[i].moments;
        double peak = f->ranks[i].number[GPUT__RANK_MAX_RAM], sums[1024];

        for (size_t first = 0; first < m->n; first += 1024) {
            size_t some = m->n - first < 1024 ? m->n - first : 1024;
            double at = largest_at(f, m->value[GPUT__MOMENT_TIME] + first, some, is_pss, sums);

            most = at > most ? at : most;
        }
        most = peak > most ? peak : most; /* between two records too */
    }
    if (t)
        (void)largest_at(f, t, n, is_pss, ret_values);
    *ret_is_pss = is_pss;
    return most;
}

/* energy.c - energy that the machine's processors took, and how much of it they take at rest. */
#include "sample/machine/energy.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

/* No processor takes more for long: watts. */
#define MOST_WATTS 1000.0
/* Of all cores; a machine that is used less is at rest. */
#define AT_REST 0.05
/* Shorter intervals are of few ticks of CPU time and few steps of the counter. */
#define LEAST_INTERVAL_NS (GPUT__NS_PER_S / 4)

void gput__energy_begin(struct gput__energy *e, unsigned n_cores)
{
    *e = (struct gput__energy){ .idle_watts = -1, .n_cores = n_cores };
    for (int i = 0; i < GPUT__MOST_ZONES; i++)
        e->counter[i].fd = -1;
}

void gput__energy_close(struct gput__energy *e)
{
    for (unsigned i = 0; i < e->found.n; i++)
        if (e->counter[i].fd >= 0)
            close(e->counter[i].fd);
}

static bool read_zone(const struct gput__root *sys, const struct gput__powercap_zone *z,
                      struct gput__energy_counter *c, double *joules)
{
    char path[sizeof(z->folder) + 16], text[64];
    uint64_t uj;

    snprintf(path, sizeof(path), "%s/energy_uj", z->folder);
    if (gput__root_reread(sys, path, &c->fd, text, sizeof(text)) <= 0 ||
        gput__powercap_parse(text, &uj) < 0)
        return false;
    if (c->is_known)
        *joules += (double)gput__powercap_gained(z, c->uj, uj) / 1e6;
    c->uj = uj;
    c->is_known = true;
    return true;
}

/* The least range of a zone, at the most that it can take. */
static double longest_s(const struct gput__powercap *found)
{
    double least = 0;

    for (unsigned i = 0; i < found->n; i++) {
        double s = (double)found->zone[i].range_uj / 1e6 / MOST_WATTS;

        least = s > 0 && (least == 0 || s < least) ? s : least;
    }
    return least;
}

static void judge_rest(struct gput__energy *e, const struct gput__energy_at *now)
{
    double seconds = gput__seconds(now->ns - e->last.ns);
    double watts = (now->joules - e->last.joules) / seconds;

    if (now->ns - e->last.ns < LEAST_INTERVAL_NS ||
        now->busy_s - e->last.busy_s > AT_REST * e->n_cores * seconds)
        return;
    if (e->idle_watts < 0 || watts < e->idle_watts)
        e->idle_watts = watts;
}

void gput__energy_read(struct gput__energy *e, const struct gput__root *sys, int64_t now,
                       struct gput__sample *ret)
{
    struct gput__energy_at at = { now, 0, ret->value[GPUT__SYSTEM_CPU] };
    bool is_first = !e->is_known;
    unsigned n_read = 0;

    if (!e->is_open)
        gput__powercap_find(sys, &e->found);
    e->is_open = true;
    for (unsigned i = 0; i < e->found.n; i++)
        n_read += read_zone(sys, &e->found.zone[i], &e->counter[i], &e->joules);
    e->is_known = n_read > 0 && n_read == e->found.n && !e->found.is_denied;
    if (!e->is_known)
        return;
    at.joules = e->joules;
    if (!is_first) {
        double most = longest_s(&e->found);

        e->is_doubtful |= most > 0 && gput__seconds(at.ns - e->last.ns) > most;
        judge_rest(e, &at);
    }
    e->last = at;
    gput__sample_set(ret, GPUT__SYSTEM_CPU_ENERGY, e->joules);
}

const char *gput__energy_why(const struct gput__energy *e)
{
    if (e->found.is_denied)
        return "only root may read energy_uj below /sys/class/powercap";
    return "there are no energy counters of processors (RAPL) below /sys/class/powercap";
}

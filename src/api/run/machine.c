/* machine.c - the machine's part of the figures, which is only measured where somebody asked for it. */
#include "api/tracker.h"

static const char no_disks[] = "/proc/diskstats or /sys/block cannot be read";
static const char no_net[] = "/proc/net/dev cannot be read";
static const char no_space[] = "no file system on a disk has told its space";
static const char late[] = "as told some time before the end";
static const char unsteady_disks[] = "a disk came, went or began anew";
static const char unsteady_nets[] = "an interface came, went or began anew";

static struct gput_figure unknown(const char *why)
{
    return (struct gput_figure){ .source = GPUT_UNAVAILABLE, .why = why };
}

/* Since the first moment, at which the run began. */
static struct gput_figure bytes(const struct gput__devices *d, int way, bool is_known,
                                const char *why_unsteady, const char *why_unknown)
{
    if (!is_known)
        return unknown(why_unknown);
    return (struct gput_figure){ .value = (double)d->total[way],
                                 .source = d->unsteady ? GPUT_SAMPLED : GPUT_EXACT,
                                 .why = d->unsteady ? why_unsteady : NULL };
}

static struct gput_figure space(const struct gput__machine *m, uint64_t value)
{
    const char *why = gput__machine_left_out(m);

    if (!m->space.is_known)
        return unknown(why ? why : no_space);
    if (!why && m->space.is_late)
        why = late;
    return (struct gput_figure){ .value = (double)value,
                                 .source = why ? GPUT_SAMPLED : GPUT_EXACT,
                                 .why = why };
}

void gput__machine_fill(const struct gput_tracker *t, struct gput_usage *u)
{
    const struct gput__machine *m = gput__sampler_machine(&t->sampler);

    if (!m)
        return;
    u->machine.disk_read_bytes =
        bytes(&m->disks, GPUT__BYTES_IN, m->knows_disks, unsteady_disks, no_disks);
    u->machine.disk_write_bytes =
        bytes(&m->disks, GPUT__BYTES_OUT, m->knows_disks, unsteady_disks, no_disks);
    u->machine.net_received_bytes =
        bytes(&m->nets, GPUT__BYTES_IN, m->knows_nets, unsteady_nets, no_net);
    u->machine.net_sent_bytes =
        bytes(&m->nets, GPUT__BYTES_OUT, m->knows_nets, unsteady_nets, no_net);
    u->machine.disk_space_total = space(m, m->space.sum.total);
    u->machine.disk_space_used = space(m, m->space.sum.used);
    u->machine.disk_space_free = space(m, m->space.sum.free);
}

void gput__machine_warn(struct gput_tracker *t)
{
    const struct gput__machine *m = gput__sampler_machine(&t->sampler);
    const char *why = m ? gput__machine_left_out(m) : NULL;

    if (!why || t->machine_warned)
        return;
    t->machine_warned = true;
    gput__warn(t, "disk space: %s", why);
}

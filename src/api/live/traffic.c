/* traffic.c - what goes over the machine's disks and network while a viewer looks.
 *
 * The viewer reads it for itself: the tracker may not measure the machine, and does no more for being
 * watched. */
#include "api/live/traffic.h"

#include <math.h>

static bool open_roots(struct gput__traffic *t)
{
    if (t->is_open)
        return true;
    if (gput__root_open(NULL, "/proc", &t->proc) < 0)
        return false;
    (void)gput__root_open(NULL, "/sys", &t->sys); /* without it no disk is known */
    gput__machine_open(&t->machine, &t->proc, &t->sys, NULL);
    t->is_open = true;
    return true;
}

static double value_of(const struct gput__sample *s, enum gput__metric m)
{
    return gput__sample_has(s, m) ? s->value[m] : NAN;
}

void gput__traffic_read(struct gput__traffic *t, struct gput_view *ret)
{
    struct gput__sample s = { 0 };

    if (open_roots(t))
        gput__machine_read_traffic(&t->machine, &s);
    ret->disk_read = value_of(&s, GPUT__DISK_READ);
    ret->disk_written = value_of(&s, GPUT__DISK_WRITE);
    ret->net_received = value_of(&s, GPUT__NET_RECEIVED);
    ret->net_sent = value_of(&s, GPUT__NET_SENT);
}

void gput__traffic_close(struct gput__traffic *t)
{
    if (!t->is_open)
        return;
    gput__machine_close(&t->machine);
    gput__root_close(&t->proc);
    gput__root_close(&t->sys);
    t->is_open = false;
}

/* test_devices.c - counters of devices that come, go and begin anew. */
#include "sample/machine/devices.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

/* A moment: "name in out", a device each, ended by an empty name.  All count but those that begin
 * with '-'. */
struct seen {
    const char *name;
    uint64_t in, out;
};

static void moment(struct gput__devices *d, const struct seen *seen)
{
    gput__devices_begin(d);
    for (; seen->name; seen++) {
        struct gput__device *device = gput__devices_see(d, seen->name, seen->in, seen->out);

        if (device && device->is_new)
            device->counts = seen->name[0] != '-';
    }
    gput__devices_seen(d);
    gput__devices_end(d);
}

static bool totals(const struct gput__devices *d, uint64_t in, uint64_t out)
{
    return d->total[GPUT__BYTES_IN] == in && d->total[GPUT__BYTES_OUT] == out;
}

static void steady(void)
{
    struct gput__devices d = { 0 };

    moment(&d, (struct seen[]){ { "a", 1000, 10 }, { "-b", 5, 5 }, { 0 } });
    OK(totals(&d, 0, 0) && d.n == 2, "what was there before does not count");
    moment(&d, (struct seen[]){ { "a", 1100, 30 }, { "-b", 500, 500 }, { 0 } });
    OK(totals(&d, 100, 20) && !d.unsteady && !d.changed, "what is added does, of those that count");
    moment(&d, (struct seen[]){ { "-b", 501, 500 }, { "a", 1101, 30 }, { 0 } });
    OK(totals(&d, 101, 20) && !d.changed, "in whatever order they are told");
    gput__devices_free(&d);
}

static void come_and_go(void)
{
    struct gput__devices d = { 0 };

    moment(&d, (struct seen[]){ { "a", 0, 0 }, { 0 } });
    moment(&d, (struct seen[]){ { "a", 1, 0 }, { "usb", 7000, 9000 }, { 0 } });
    OK(totals(&d, 1, 0) && d.changed && d.unsteady, "a newcomer counts from its first sight");
    moment(&d, (struct seen[]){ { "a", 1, 0 }, { "usb", 7010, 9020 }, { 0 } });
    OK(totals(&d, 11, 20) && !d.changed, "and then adds up");
    moment(&d, (struct seen[]){ { "a", 2, 0 }, { 0 } });
    OK(totals(&d, 12, 20) && d.changed && d.n == 1 && !gput__devices_find(&d, "usb"),
       "one that has gone keeps what it had");
    moment(&d, (struct seen[]){ { "a", 2, 0 }, { "usb", 100, 100 }, { 0 } });
    moment(&d, (struct seen[]){ { "a", 2, 0 }, { "usb", 101, 102 }, { 0 } });
    OK(totals(&d, 13, 22), "when it comes back it is a new one");
    gput__devices_free(&d);
}

static void begin_anew(void)
{
    struct gput__devices d = { 0 };

    moment(&d, (struct seen[]){ { "a", 1000, 2000 }, { 0 } });
    moment(&d, (struct seen[]){ { "a", 40, 50 }, { 0 } });
    OK(totals(&d, 40, 50) && d.unsteady && d.changed, "a counter that fell shows what is new");
    moment(&d, (struct seen[]){ { "a", 41, 52 }, { 0 } });
    OK(totals(&d, 41, 52), "and goes on from there");
    moment(&d, (struct seen[]){ { "a", 3, 60 }, { 0 } });
    OK(totals(&d, 44, 60), "one that wrapped says nothing of the other");
    gput__devices_free(&d);
}

static void other_mind(void)
{
    struct gput__devices d = { 0 };

    moment(&d, (struct seen[]){ { "a", 0, 0 }, { "b", 0, 0 }, { 0 } });
    moment(&d, (struct seen[]){ { "a", 5, 0 }, { "b", 7, 0 }, { 0 } });
    d.list[1].counts = false;
    moment(&d, (struct seen[]){ { "a", 6, 0 }, { "b", 100, 0 }, { 0 } });
    d.list[1].counts = true;
    moment(&d, (struct seen[]){ { "a", 6, 0 }, { "b", 103, 0 }, { 0 } });
    OK(totals(&d, 5 + 7 + 1 + 3, 0), "who counts is asked at each moment");
    gput__devices_free(&d);
}

static void many(void)
{
    struct gput__devices d = { 0 };
    char name[GPUT__DEVICE_NAME];

    for (unsigned round = 0; round < 3; round++) {
        gput__devices_begin(&d);
        for (unsigned i = 0; i < 300; i++) {
            struct gput__device *device;

            snprintf(name, sizeof(name), "disk%u", (i * 7) % 300);
            device = gput__devices_see(&d, name, round * 2, round);
            if (device)
                device->counts = true;
        }
        gput__devices_seen(&d);
        gput__devices_end(&d);
    }
    OK(d.n == 300 && totals(&d, 1200, 600), "three hundred of them");
    gput__devices_free(&d);
    OK(d.n == 0 && !d.list, "freed");
}

int main(void)
{
    steady();
    come_and_go();
    begin_anew();
    other_mind();
    many();
    return DONE();
}

/* test_drm_busy.c - how busy engines were, from the counters of clients at several polls. */
#include "source/gpu/drm_busy.h"

#include <string.h>

#include "tap.h"

#define MS INT64_C(1000000)

/* A poll of one client with one engine that counts time. */
static void poll_ns(struct gput__drm_busy *b, uint64_t id, uint64_t ns, unsigned capacity,
                    int64_t now)
{
    struct gput__drm_client c = { .has_id = true, .id = id, .n_engines = 1 };

    c.engines[0] = (struct gput__drm_engine){
        .name = "render", .has_ns = true, .ns = ns, .capacity = capacity
    };
    gput__drm_busy_begin(b);
    OK(gput__drm_busy_add(b, &c, now) == 0, "client %d at %d ms", (int)id, (int)(now / MS));
    gput__drm_busy_end(b, now);
}

static struct gput__drm_client in_cycles(uint64_t id, uint64_t cycles, uint64_t clock)
{
    struct gput__drm_client c = { .has_id = true, .id = id, .n_engines = 1 };

    c.engines[0] = (struct gput__drm_engine){ .name = "rcs",
                                              .has_cycles = true,
                                              .cycles = cycles,
                                              .has_total_cycles = true,
                                              .total_cycles = clock,
                                              .capacity = 1 };
    return c;
}

static void poll_cycles(struct gput__drm_busy *b, uint64_t id, uint64_t cycles, uint64_t clock,
                        int64_t now)
{
    struct gput__drm_client c = in_cycles(id, cycles, clock);

    gput__drm_busy_begin(b);
    OK(gput__drm_busy_add(b, &c, now) == 0, "client %d at clock %d", (int)id, (int)clock);
    gput__drm_busy_end(b, now);
}

static void poll_at_none(struct gput__drm_busy *b, int64_t now)
{
    gput__drm_busy_begin(b);
    gput__drm_busy_end(b, now);
}

static int is(struct gput__drm_busy *b, double want)
{
    double percent = -1;

    return gput__drm_busy_percent(b, &percent) && percent > want - 1e-9 && percent < want + 1e-9;
}

static int untold(struct gput__drm_busy *b)
{
    double percent = -1;

    return !gput__drm_busy_percent(b, &percent) && percent == -1;
}

static void time_counters(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    OK(untold(&b), "nothing was polled");
    poll_ns(&b, 1, 500 * MS, 1, 1000 * MS);
    OK(untold(&b), "one poll does not tell");
    poll_ns(&b, 1, 525 * MS, 1, 1100 * MS);
    OK(is(&b, 25), "25 ms of 100 ms");
    OK(untold(&b), "nothing new since");
    poll_ns(&b, 1, 545 * MS, 1, 1200 * MS);
    poll_ns(&b, 1, 605 * MS, 1, 1300 * MS);
    OK(is(&b, 40), "80 ms of 200 ms over two polls");
    poll_ns(&b, 1, 600 * MS, 1, 1400 * MS);
    OK(is(&b, 0), "a counter that steps back counts nothing");
    poll_ns(&b, 1, 610 * MS, 1, 1500 * MS);
    OK(is(&b, 5), "and goes on from its maximum");
    poll_at_none(&b, 1600 * MS);
    OK(is(&b, 0), "no client, no use");
    gput__drm_busy_free(&b);
}

static void capacity(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    poll_ns(&b, 1, 0, 4, 1000 * MS);
    poll_ns(&b, 1, 200 * MS, 4, 1100 * MS);
    OK(is(&b, 50), "200 ms of four engines in 100 ms");
    gput__drm_busy_free(&b);
}

static void new_clients(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    poll_at_none(&b, 1000 * MS);
    poll_ns(&b, 9, 30 * MS, 1, 1100 * MS);
    OK(is(&b, 30), "a client born since the last poll counts from 0");
    poll_ns(&b, 10, 5000 * MS, 1, 1300 * MS);
    poll_ns(&b, 10, 5000 * MS, 1, 1500 * MS);
    OK(is(&b, 50), "one with a history counts no more than the time that passed, 200 of 400 ms");
    gput__drm_busy_free(&b);
}

static void clients_add_up(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    for (int poll = 0; poll < 2; poll++) {
        int64_t now = (1000 + 100 * poll) * MS;

        gput__drm_busy_begin(&b);
        for (uint64_t id = 1; id <= 20; id++) {
            struct gput__drm_client c = { .has_id = true, .id = id, .n_engines = 2 };

            c.engines[0] = (struct gput__drm_engine){
                .name = "render", .has_ns = true, .capacity = 1, .ns = poll ? 2 * (uint64_t)MS : 0
            };
            c.engines[1] = (struct gput__drm_engine){ .name = "copy",
                                                      .has_ns = true,
                                                      .capacity = 1,
                                                      .ns = poll ? id % 2 * 5 * (uint64_t)MS : 0 };
            (void)gput__drm_busy_add(&b, &c, now);
        }
        gput__drm_busy_end(&b, now);
    }
    OK(is(&b, 50), "twenty clients: 40 ms of render, 50 ms of copy, the busier class");
    gput__drm_busy_free(&b);
}

static void cycle_counters(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    poll_cycles(&b, 1, 700, 1000, 1000 * MS);
    OK(untold(&b), "one poll does not tell");
    poll_cycles(&b, 1, 800, 1400, 1100 * MS);
    OK(is(&b, 25), "100 of 400 cycles, whatever the time");
    poll_at_none(&b, 1200 * MS);
    OK(is(&b, 0), "no client, no use");
    poll_cycles(&b, 2, 200, 2200, 1300 * MS);
    OK(is(&b, 50), "the clock ran on while nobody showed it: 200 of 400");
    gput__drm_busy_free(&b);
}

static void a_first_client_in_cycles(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;

    poll_at_none(&b, 1000 * MS);
    poll_at_none(&b, 1100 * MS);
    OK(is(&b, 0), "no client, no use");
    poll_cycles(&b, 1, 5000, 900000, 1200 * MS);
    OK(untold(&b), "the engine's clock was never seen before");
    poll_cycles(&b, 1, 5300, 901000, 1300 * MS);
    OK(is(&b, 30), "300 of 1000");
    gput__drm_busy_free(&b);
}

/* xe shows no engines of a device that sleeps. */
static void a_device_that_sleeps(void)
{
    struct gput__drm_busy b = GPUT__DRM_BUSY_INIT;
    struct gput__drm_client bare = { .has_id = true, .id = 1 };

    poll_cycles(&b, 1, 700, 1000, 1000 * MS);
    poll_cycles(&b, 1, 900, 1400, 1100 * MS);
    OK(is(&b, 50), "200 of 400");
    gput__drm_busy_begin(&b);
    OK(gput__drm_busy_add(&b, &bare, 1200 * MS) == 0, "a client without engines");
    gput__drm_busy_end(&b, 1200 * MS);
    OK(is(&b, 0), "asleep");
    poll_cycles(&b, 1, 1000, 2200, 1300 * MS);
    OK(is(&b, 25), "its counter goes on from where it stood");
    gput__drm_busy_free(&b);
}

int main(void)
{
    time_counters();
    capacity();
    new_clients();
    clients_add_up();
    cycle_counters();
    a_first_client_in_cycles();
    a_device_that_sleeps();
    return DONE();
}

/* live.c - the figures of a run for export, while it goes on and at its end. */
#include <errno.h>

#include "api/export/material.h"
#include "base/clock.h"
#include "model/gpus.h"

static void add_gpus(const struct gput_tracker *t, struct gput__points *p)
{
    double values[GPUT__MOST_GPUS][2];
    uint32_t n = gput__gpu_values(t, values, GPUT__MOST_GPUS);

    for (uint32_t i = 0; i < n; i++)
        gput__points_of_gpu(p, (int)i, values[i][0], values[i][1]);
}

/* No process is tracked at all. */
static bool is_of_machine(const struct gput_tracker *t)
{
    return t->job.attached && t->job.pid == 0;
}

/* After the end nothing has a level any more. */
static void add_levels(const struct gput_tracker *t, struct gput__points *p)
{
    if (t->client || t->end.at_ns || t->summary.n_records == 0)
        return;
    gput__points_of_sample(p, &t->summary.first, &t->summary.last, is_of_machine(t));
    add_gpus(t, p);
}

int gput_tracker_export(const struct gput_tracker *t, const struct gput_export_options *from,
                        char **ret_text)
{
    struct gput_export_options o = gput__export_options(from);
    struct gput__export_material m = { .usage.size = sizeof(m.usage) };
    int64_t now = gput__clock_ns(CLOCK_REALTIME);
    int r = gput_tracker_usage(t, &m.usage);

    if (r < 0)
        return r;
    if (is_of_machine(t))
        gput__points_of_machine(&m.exposed.points, &m.usage);
    else
        gput__points_of_usage(&m.exposed.points, &m.usage);
    r = gput__export_prepare(&m, &o, NULL);
    if (r == 0) {
        add_levels(t, &m.exposed.points);
        m.exposed.head.now_ns = now;
        m.exposed.head.start_ns = now - (int64_t)(m.usage.compute_time.time.value * 1e9);
        r = gput__export_write(&m.exposed, 1, &o, ret_text);
    }
    gput__export_free(&m);
    return r;
}

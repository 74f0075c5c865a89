/* watch.c - what the live page shows: a viewer of a tracker, and the rows that it has shown so far. */
#include "api/serve/watch.h"

#include <errno.h>
#include <stdlib.h>

#include "api/files/run.h"
#include "base/text/redact.h"

int gput__watch_open(struct gput__watch *w, struct gput_viewer *viewer, bool no_redact)
{
    *w = (struct gput__watch){ .viewer = viewer,
                               .view.size = sizeof(w->view),
                               .no_redact = no_redact };
    gput__streams_init(&w->rows);
    gput__run_tell_machine(&w->machine, NULL);
    return gput__streams_open_own(&w->rows, GPUT_KEEP_SERIES);
}

void gput__watch_close(struct gput__watch *w)
{
    w->viewer = gput_viewer_close(w->viewer);
    gput__streams_close(&w->rows);
    gput__run_free(&w->machine);
    free(w->command);
    w->command = NULL;
}

/* Rows that nobody saw are one with the next. */
static void keep_row(struct gput__watch *w)
{
    const struct gput__live_slot *slot = gput__viewer_slot(w->viewer);
    struct gput__series_gpus gpus = { (const double(*)[2])slot->gpus, slot->n_gpus };

    if (slot->row.boot_ns == 0 || (w->has_before && slot->row.boot_ns <= w->before.boot_ns))
        return;
    if (w->has_before)
        gput__streams_record(&w->rows, &w->before, &slot->row, &gpus);
    w->before = slot->row;
    w->has_before = true;
}

int gput__watch_read(struct gput__watch *w)
{
    int r = gput_viewer_read(w->viewer, &w->view);

    if (r < 0)
        return r == -ESRCH ? r : 0;
    w->has_view = true;
    if (!w->command && !w->no_redact && w->view.usage->job.command)
        w->command = gput__redacted(w->view.usage->job.command);
    keep_row(w);
    return 1;
}

bool gput__watch_is_over(const struct gput__watch *w)
{
    return w->has_view && w->view.state != GPUT_VIEW_RUNNING;
}

static int take_rows(const struct gput__watch *w, struct gput__run *run)
{
    const struct gput__series *s = w->rows.series;
    uint32_t n = GPUT__SERIES_FIRST + s->n_metrics + 2 * s->n_gpus;
    double **columns = calloc(GPUT__SERIES_FIRST + s->n_columns, sizeof(*columns));
    int r;

    if (!columns)
        return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        columns[i] = (double *)gput__series_column(s, i);
    r = gput__run_take_rows(run, s, columns, s->n);
    free(columns);
    return r;
}

int gput__watch_run(const struct gput__watch *w, struct gput__run *ret)
{
    const struct gput__live_slot *slot = gput__viewer_slot(w->viewer);
    int r;

    *ret = (struct gput__run){ .usage = *w->view.usage,
                               .start = slot->since,
                               .end = slot->since + w->view.live.elapsed,
                               .interval = slot->interval,
                               .host = w->machine.host,
                               .os = w->machine.os,
                               .cpu_model = w->machine.cpu_model };
    if (!w->no_redact)
        ret->usage.job.command = w->command;
    r = take_rows(w, ret);
    /* Of records the tracker made more, or fewer, than we saw rows. */
    ret->n_records = (uint64_t)ret->usage.tracker.n_records.value;
    return r;
}

void gput__watch_run_free(struct gput__run *run)
{
    gput__run_series_free(&run->series);
}

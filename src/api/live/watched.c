/* watched.c - a tracker that viewers of the same user can find and watch.
 *
 * As long as nobody does, that costs one fstat() twice a second: a viewer sets the time of the small
 * file.  Then the figures are shown, in memory that was made for the first viewer. */
#include "api/live/watched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/clock.h"

#define ASK_NS (GPUT__NS_PER_S / 2)
/* A viewer that has not asked for so long is gone. */
#define PATIENCE_NS (10 * GPUT__NS_PER_S)
/* Figures younger than this are not shown anew. */
#define FRESH_NS (GPUT__NS_PER_S * 9 / 20)

/* A command is one line in the file. */
static void copy_command(const char *from, char *to, size_t size)
{
    snprintf(to, size, "%s", from ? from : "");
    for (; *to; to++)
        if (*to == '\n')
            *to = ' ';
}

static void make_file(struct gput_tracker *t, struct gput__watched *w)
{
    struct gput__running_info info = { .pid = t->job.pid };
    int64_t ago = gput__now() - t->job.start_ns;

    info.since = gput__seconds(gput__clock_ns(CLOCK_REALTIME) - ago);
    copy_command(t->job.command, info.command, sizeof(info.command));
    (void)gput__running_file_make(&w->file, &info);
}

/* false: there is no memory. */
static bool has_part(struct gput_tracker *t)
{
    if (t->watch.viewers)
        return true;
    t->watch.viewers = calloc(1, sizeof(*t->watch.viewers));
    if (!t->watch.viewers)
        return false;
    gput__running_file_init(&t->watch.viewers->file);
    t->watch.viewers->memory = -1;
    return true;
}

void gput__watched_begin(struct gput_tracker *t)
{
    bool is_rows_alone = t->opts.flags & GPUT__STREAM_FLAGS;

    if (!(t->opts.flags & GPUT_FINDABLE) || is_rows_alone || !t->sampler.proc.live ||
        t->sampler.blind || (t->watch.viewers && t->watch.viewers->file.fd >= 0) || !has_part(t))
        return;
    make_file(t, t->watch.viewers);
    if (t->watch.viewers->memory >= 0)
        (void)gput__running_file_set_memory(&t->watch.viewers->file, t->watch.viewers->memory);
}

/* For the first viewer. */
static int make_memory(struct gput__watched *w)
{
    int r = gput__shared_create(sizeof(*w->page), &w->shared, &w->memory);

    if (r < 0)
        return r;
    w->size = gput__shared_size(sizeof(*w->page));
    r = gput__shared_allocate(w->memory, gput__shared_series_at(),
                              w->size - gput__shared_series_at());
    if (r < 0)
        return r;
    w->page = (void *)((char *)w->shared + gput__shared_series_at());
    snprintf(w->page->version, sizeof(w->page->version), "%s", gput_version());
    return 0;
}

static void free_memory(struct gput__watched *w)
{
    gput__shared_unmap(w->shared, w->size);
    if (w->memory >= 0)
        close(w->memory);
    w->shared = NULL;
    w->page = NULL;
    w->memory = -1;
}

int gput__watched_serve(struct gput_tracker *t)
{
    int r = has_part(t) ? make_memory(t->watch.viewers) : -ENOMEM;

    if (r < 0 && t->watch.viewers)
        free_memory(t->watch.viewers);
    else if (r == 0)
        t->watch.viewers->is_served = true;
    return r;
}

static int show_first(struct gput__watched *w)
{
    int r = make_memory(w);

    if (r == 0)
        r = gput__running_file_set_memory(&w->file, w->memory);
    if (r < 0)
        free_memory(w);
    return r;
}

static void fill_slot(const struct gput_tracker *t, struct gput__live_slot *slot)
{
    int n = gput__sampler_processes(&t->sampler, slot->processes, GPUT__LIVE_PROCESSES);

    slot->live = (struct gput_live){ .size = sizeof(slot->live) };
    (void)gput_tracker_live(t, &slot->live);
    slot->polled = gput__seconds(gput__sampler_last_poll(&t->sampler).at_ns - t->job.start_ns);
    slot->n_processes = n < GPUT__LIVE_PROCESSES ? n : GPUT__LIVE_PROCESSES;
    slot->n_left_out = n - slot->n_processes;
    slot->budget[0] = '\0';
    if (t->opts.budget && strlen(t->opts.budget) < sizeof(slot->budget))
        memcpy(slot->budget, t->opts.budget, strlen(t->opts.budget) + 1);
    slot->since = (double)t->summary.first.real_ns / 1e9;
    slot->interval = t->opts.sleep_time;
    slot->row = *gput__measure_last_row(t);
    slot->n_gpus = gput__gpu_values(t, slot->gpus, GPUT__MOST_GPUS);
}

static void show(struct gput_tracker *t, int64_t now)
{
    struct gput__watched *w = t->watch.viewers;
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_now at_present;

    if (gput_tracker_usage(t, &u) < 0)
        return;
    gput_tracker_now(t, &at_present);
    gput__shared_show(w->shared, &u, &at_present);
    fill_slot(t, gput__live_page_next(w->page));
    gput__live_page_show(w->page);
    w->shown_ns = now;
}

static bool is_watched(struct gput__watched *w, int64_t now)
{
    if (w->is_served)
        return true;
    if (now >= w->next_ns) {
        w->next_ns = now + ASK_NS;
        if (gput__running_file_is_touched(&w->file))
            w->until_ns = now + PATIENCE_NS;
    }
    return now < w->until_ns;
}

void gput__watched_tick(struct gput_tracker *t, int64_t now)
{
    struct gput__watched *w = t->watch.viewers;

    if (!w || w->is_impossible || !is_watched(w, now) || now - w->shown_ns < FRESH_NS)
        return;
    if (!w->shared && show_first(w) < 0) {
        w->is_impossible = true;
        return;
    }
    show(t, now);
}

void gput__watched_end(struct gput_tracker *t)
{
    struct gput__watched *w = t->watch.viewers;

    if (!w)
        return;
    gput__running_file_remove(&w->file);
    if (!w->shared)
        return;
    show(t, t->end.at_ns);
    atomic_store_explicit(&w->shared->final, 1, memory_order_release);
}

void gput__watched_close(struct gput_tracker *t)
{
    if (!t->watch.viewers)
        return;
    gput__running_file_remove(&t->watch.viewers->file);
    free_memory(t->watch.viewers);
    free(t->watch.viewers);
    t->watch.viewers = NULL;
}

/* progress.c - warnings, the status line and the partial result while the job runs. */
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static const double seconds_between_partials = 10;

static void warn(void *ctx, const char *line)
{
    struct progress *p = ctx;

    if (p->o->disable_logs)
        return;
    live_erase(&p->live);
    say("warning: %s", line);
}

static int store_partial(const struct progress *p, const struct gput_tracker *t)
{
    struct gput_usage usage = { .size = sizeof(usage) };
    char *text = NULL;
    int r = gput_tracker_usage(t, &usage);

    if (r == 0)
        r = gput_usage_format(&usage, option_format(p->o), p->o->full, &text);
    if (r == 0)
        r = output_partial(p->output, text);
    free(text);
    return r;
}

static void update_partial(struct progress *p, const struct gput_tracker *t, double elapsed)
{
    int r;

    if (!p->output->partial || elapsed < p->next_partial)
        return;
    p->next_partial = elapsed + seconds_between_partials;
    r = store_partial(p, t);
    if (r == 0 || p->partial_failed)
        return;
    p->partial_failed = true;
    if (!p->o->disable_logs) {
        live_erase(&p->live);
        say("warning: cannot write '%s': %s", p->output->partial, output_why(r));
    }
}

static void record(void *ctx, const struct gput_tracker *t)
{
    struct progress *p = ctx;
    struct gput_now now;

    gput_tracker_now(t, &now);
    update_partial(p, t, now.elapsed);
    if (p->o->live)
        live_show(&p->live, &now);
}

struct gput_callbacks progress_callbacks(struct progress *p)
{
    return (struct gput_callbacks){ .ctx = p, .warn = warn, .record = record };
}

void progress_end(struct progress *p)
{
    live_erase(&p->live);
}

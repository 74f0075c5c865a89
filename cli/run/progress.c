/* progress.c - warnings, the status line and the partial result while the job runs. */
#include "run/progress.h"

#include "run/result.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const time_t seconds_between_partials = 10;
static const double seconds_of_a_day = 24 * 3600;

/* Where it is noted when the user was last told that there is no GPU; NULL: nowhere. */
static char *stamp(void)
{
    char *path = NULL;

    return gput_user_file(GPUT_STATE_FILE, "told-of-no-gpu", &path) < 0 ? NULL : path;
}

bool progress_tells_of_no_gpu(const struct options *o)
{
    char *path = stamp();
    struct stat st;
    double ago = path && stat(path, &st) == 0 ? difftime(time(NULL), st.st_mtime) : -1;

    free(path);
    return o->gpu_brand || o->gpu_uuids ||
           (isatty(STDERR_FILENO) && !(ago >= 0 && ago < seconds_of_a_day));
}

static void warn(void *ctx, const char *line)
{
    struct progress *p = ctx;
    char *path;

    if (p->o->disable_logs)
        return;
    if (strncmp(line, "no GPU figures", 14) == 0) {
        path = stamp();
        if (path)
            (void)gput_user_file_touch(path); /* where it cannot be, one is told again */
        free(path);
    }
    say("warning: %s", line);
}

static int store_partial(const struct progress *p, const struct gput_tracker *t)
{
    struct gput_usage usage = { .size = sizeof(usage) };
    char *text = NULL;
    int r = gput_tracker_usage(t, &usage);

    result_choose_units(p->o, &usage);
    if (r == 0)
        r = gput_usage_format(&usage, p->o->format, p->o->full, &text);
    if (r == 0)
        r = output_partial(p->output, text);
    free(text);
    return r;
}

static void update_partial(struct progress *p, const struct gput_tracker *t)
{
    struct timespec now;
    int r;

    clock_gettime(CLOCK_BOOTTIME, &now);
    if (!p->output->partial || now.tv_sec < p->next_partial)
        return;
    p->next_partial = now.tv_sec + seconds_between_partials;
    r = store_partial(p, t);
    if (r == 0 || p->partial_failed)
        return;
    p->partial_failed = true;
    if (!p->o->disable_logs)
        say("warning: cannot write '%s': %s", p->output->partial, output_why(r));
}

static void record(void *ctx, const struct gput_tracker *t)
{
    struct progress *p = ctx;
    struct gput_live live = { .size = sizeof(live) };

    update_partial(p, t);
    if (p->exporter)
        gput_exporter_update(p->exporter, t);
    /* A forecast of the memory is expensive: only for who sees it. */
    if (p->o->live && gput_tracker_live(t, &live) == 0)
        live_show(&p->live, &live);
}

struct gput_callbacks progress_callbacks(struct progress *p)
{
    return (struct gput_callbacks){ .ctx = p, .warn = warn, .record = record };
}

void progress_end(struct progress *p)
{
    if (p->o->live)
        live_end();
}

/* run_files.c - a run from its tracking file, its result, or both. */
#include "api/files/run_files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/levels.h"
#include "store/runs/run_file.h"

static bool is_tracking_file(const struct gput__run *run)
{
    return run->kind && !strcmp(run->kind, "tracking file");
}

static void move_text(char **to, char **from)
{
    if (*to)
        return;
    *to = *from;
    *from = NULL;
}

/* A result says more of the figures, a tracking file of how they moved. */
static void move_series(struct gput__run *run, struct gput__run *from)
{
    run->series = from->series;
    from->series = (struct gput__run_series){ 0 };
    run->n_records = from->n_records;
    if (gput__levels_seconds(run->usage.cpu_levels.seconds) == 0)
        run->usage.cpu_levels = from->usage.cpu_levels;
    run->interval = from->interval;
    run->start = isnan(run->start) ? from->start : run->start;
    run->end = isnan(run->end) ? from->end : run->end;
    move_text(&run->host, &from->host);
    move_text(&run->os, &from->os);
    move_text(&run->cpu_model, &from->cpu_model);
    move_text(&run->cloud_vendor, &from->cloud_vendor);
    move_text(&run->instance_type, &from->instance_type);
    move_text(&run->region, &from->region);
}

/* Records of one run lie within its time, but for one interval before and behind it.  NULL: they may be
 * of one run. */
static const char *why_not_one_run(const struct gput__run *run, double start, const char *id,
                                   const char *other_id)
{
    const struct gput__run_series *s = &run->series;
    struct gput_figure time = run->usage.compute_time.time;
    double slack = 2 * fmax(run->interval, 1);

    if (id && other_id)
        return strcmp(id, other_id) ? "they are of different runs" : NULL;
    if (s->n == 0 || time.source == GPUT_UNAVAILABLE)
        return NULL;
    if (!isnan(start) &&
        (s->time[0] < start - slack || s->time[s->n - 1] > start + time.value + slack))
        return "the records are of another time than the result: they are of different runs";
    if (s->time[s->n - 1] - s->time[0] > time.value + slack)
        return "the records span more time than the run took: are they of one run?";
    return NULL;
}

static void warn_of_another_run(const char *why, const char *file, const char *result_file,
                                const struct gput_callbacks *on)
{
    char line[600];

    if (!why || !on->warn)
        return;
    snprintf(line, sizeof(line), "%.200s and %.200s: %s", file, result_file, why);
    on->warn(on->ctx, line);
}

static int join(struct gput__run *run, const char *file, const char *result_file,
                const struct gput_callbacks *on, struct gput_error *err)
{
    struct gput__run result;
    int r = gput__run_read(result_file, on, &result, err);
    const char *why;
    double start;

    if (r < 0)
        return r;
    if (is_tracking_file(&result)) { /* they may come in either order */
        struct gput__run first = *run;

        *run = result;
        result = first;
    }
    start = result.usage.run.start_time ? result.start : NAN;
    if (result.series.n == 0)
        move_series(&result, run);
    why = why_not_one_run(&result, start, run->usage.run.id, result.usage.run.id);
    warn_of_another_run(why, file, result_file, on);
    gput__run_free(run);
    *run = result;
    return 0;
}

int gput__run_files_read(const char *file, const char *result_file, const struct gput_callbacks *on,
                         struct gput__run *ret, struct gput_error *err)
{
    struct gput__run run;
    int r = gput__run_read(file, on, &run, err);

    if (r < 0)
        return r;
    if (result_file) {
        r = join(&run, file, result_file, on, err);
        if (r < 0) {
            gput__run_free(&run);
            return r;
        }
    }
    *ret = run;
    return 0;
}

/* run_files.c - a run from its tracking file, its result, or both. */
#include "api/files/run_files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "store/runs/run_file.h"

static bool is_tracking_file(const struct gput__run *run)
{
    return run->kind && !strcmp(run->kind, "tracking file");
}

static void take_text(char **to, char **from)
{
    if (*to)
        return;
    *to = *from;
    *from = NULL;
}

/* A result says more of the figures, a tracking file of how they moved. */
static void take_series(struct gput__run *run, struct gput__run *from)
{
    run->series = from->series;
    from->series = (struct gput__run_series){ 0 };
    run->n_records = from->n_records;
    run->interval = from->interval;
    run->start = isnan(run->start) ? from->start : run->start;
    run->end = isnan(run->end) ? from->end : run->end;
    take_text(&run->host, &from->host);
    take_text(&run->os, &from->os);
    take_text(&run->cpu_model, &from->cpu_model);
    take_text(&run->cloud_vendor, &from->cloud_vendor);
    take_text(&run->instance_type, &from->instance_type);
    take_text(&run->region, &from->region);
}

/* Records of one run lie within its time, but for one interval before and behind it. */
static void warn_of_another_run(const struct gput__run *run, const char *file,
                                const char *result_file, const struct gput_callbacks *on)
{
    const struct gput__run_series *s = &run->series;
    struct gput_figure time = run->usage.compute_time.time;
    double slack = 2 * fmax(run->interval, 1);
    char line[600];

    if (s->n < 2 || time.source == GPUT_UNAVAILABLE || !on->warn ||
        s->time[s->n - 1] - s->time[0] <= time.value + slack)
        return;
    snprintf(
        line, sizeof(line),
        "%.200s and %.200s: the records span more time than the run took: are they of one run?",
        file, result_file);
    on->warn(on->ctx, line);
}

static int join(struct gput__run *run, const char *result_file, const struct gput_callbacks *on,
                const char **tracking_file, struct gput_error *err)
{
    struct gput__run result;
    int r = gput__run_read(result_file, on, &result, err);

    if (r < 0)
        return r;
    if (is_tracking_file(&result)) { /* they may come in either order */
        struct gput__run first = *run;

        *tracking_file = result_file;
        *run = result;
        result = first;
    }
    if (result.series.n == 0)
        take_series(&result, run);
    gput__run_free(run);
    *run = result;
    return 0;
}

int gput__run_files_read(const char *file, const char *result_file, const struct gput_callbacks *on,
                         struct gput__run *ret, const char **ret_tracking_file,
                         struct gput_error *err)
{
    const char *tracking_file = NULL;
    struct gput__run run;
    int r = gput__run_read(file, on, &run, err);

    if (r < 0)
        return r;
    if (is_tracking_file(&run))
        tracking_file = file;
    if (result_file) {
        r = join(&run, result_file, on, &tracking_file, err);
        if (r < 0) {
            gput__run_free(&run);
            return r;
        }
        warn_of_another_run(&run, file, result_file, on);
    }
    *ret = run;
    *ret_tracking_file = tracking_file;
    return 0;
}

/* overlay.c - several runs over one time axis, each from its own start. */
#include "report/html/overlay.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { MOMENTS = 2000 };

static double start_of(const struct gput__run *run)
{
    return fmin(run->series.time[0], run->start); /* fmin() leaves NAN aside */
}

static double length_of(const struct gput__run *run)
{
    return fmax(run->series.time[run->series.n - 1], run->end) - start_of(run);
}

static int make_axis(struct gput__overlay *o, double length)
{
    struct gput__run_series *s = &o->run.series;

    s->time = malloc(MOMENTS * sizeof(*s->time));
    if (!s->time)
        return -ENOMEM;
    s->n = MOMENTS;
    for (size_t i = 0; i < MOMENTS; i++)
        s->time[i] = length * (double)i / (MOMENTS - 1);
    o->run.start = 0;
    o->run.end = length;
    o->run.n_records = MOMENTS;
    return 0;
}

/* Between two moments of the run. */
static double between(const struct gput__run_series *s, const double *value, size_t next,
                      double time)
{
    double a = value[next - 1], b = value[next], length = s->time[next] - s->time[next - 1];

    if (isnan(a) || isnan(b) || !(length > 0))
        return isnan(a) ? b : a;
    return a + (b - a) * (time - s->time[next - 1]) / length;
}

/* The highest of what falls to each moment of the axis, so that no peak is lost; where nothing does, what
 * lies between; NAN before the first and behind the last. */
static void fill(const struct gput__run *run, const struct gput__line *line,
                 const struct gput__run_series *axis, double *ret)
{
    const struct gput__run_series *s = &run->series;
    double start = start_of(run), half = axis->time[1] / 2;
    size_t k = 0;

    for (size_t i = 0; i < axis->n; i++) {
        double time = start + axis->time[i], most = NAN;

        for (; k < s->n && s->time[k] <= time + half; k++)
            most = isnan(most) || line->value[k] > most ? line->value[k] : most;
        if (isnan(most) && k > 0 && k < s->n)
            most = between(s, line->value, k, time);
        ret[i] = most * line->scale;
    }
}

static struct gput__chart *chart_of(struct gput__charts *charts, const struct gput__chart *like)
{
    struct gput__chart *c;

    for (size_t i = 0; i < charts->n; i++)
        if (strcmp(charts->chart[i].id, like->id) == 0)
            return &charts->chart[i];
    if (charts->n == GPUT__MOST_CHARTS)
        return NULL;
    c = &charts->chart[charts->n++];
    *c = (struct gput__chart){ like->id, like->title, like->unit, .limit = NAN };
    return c;
}

/* The first line is the job's own, or what is nearest to that. */
static int add_line(struct gput__overlay *o, const struct gput__run *run, const char *name,
                    int colour, const struct gput__chart *from)
{
    struct gput__chart *c = chart_of(&o->charts, from);
    struct gput__line *line;
    double *values;

    if (!c || c->n_lines == GPUT__MOST_LINES || from->n_lines == 0 || from->line[0].colour < 0)
        return 0;
    if (GPUT__GROW(o->values, o->cap, o->n + 1) < 0)
        return -ENOMEM;
    values = o->values[o->n] = malloc(MOMENTS * sizeof(*values));
    if (!values)
        return -ENOMEM;
    o->n++;
    fill(run, &from->line[0], &o->run.series, values);
    line = &c->line[c->n_lines++];
    *line = (struct gput__line){
        .value = values, .scale = 1, .max = from->line[0].max, .colour = colour
    };
    snprintf(line->label, sizeof(line->label), "%s", name);
    return 0;
}

static int add_run(struct gput__overlay *o, const struct gput__run *run, const char *name,
                   int colour)
{
    struct gput__charts *charts = malloc(sizeof(*charts));
    int r = charts ? 0 : -ENOMEM;

    if (charts)
        gput__charts_make(run, charts);
    for (size_t i = 0; r == 0 && i < charts->n; i++)
        r = add_line(o, run, name, colour, &charts->chart[i]);
    free(charts);
    return r;
}

int gput__overlay_make(const struct gput__run *const *runs, const char *const *names, size_t n,
                       struct gput__overlay *ret)
{
    double length = 0;
    int r;

    *ret = (struct gput__overlay){ .n = 0 };
    for (size_t i = 0; i < n; i++)
        if (runs[i] && runs[i]->series.n > 1)
            length = fmax(length, length_of(runs[i]));
    if (!(length > 0))
        return -ENODATA;
    r = make_axis(ret, length);
    for (size_t i = 0; r == 0 && i < n; i++)
        if (runs[i] && runs[i]->series.n > 1)
            r = add_run(ret, runs[i], names[i], (int)(i % GPUT__N_COLOURS));
    if (r < 0)
        gput__overlay_free(ret);
    return r;
}

void gput__overlay_free(struct gput__overlay *o)
{
    for (size_t i = 0; i < o->n; i++)
        free(o->values[i]);
    free(o->values);
    free(o->run.series.time);
    *o = (struct gput__overlay){ .n = 0 };
}

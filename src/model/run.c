/* run.c - a run as it is read afterwards. */
#include "model/run.h"

#include <stdlib.h>

#include "model/figure.h"

bool gput__any_known(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            return true;
    return false;
}

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

double gput__usual_step(const double *times, size_t n)
{
    double steps[1001]; /* evenly chosen where there are more */
    size_t most = sizeof(steps) / sizeof(*steps), n_steps = 0, stride = n / most + 1;

    for (size_t i = 1; i < n; i += stride)
        steps[n_steps++] = times[i] - times[i - 1];
    if (n_steps == 0)
        return NAN;
    qsort(steps, n_steps, sizeof(*steps), by_value);
    return steps[n_steps / 2];
}

double gput__run_n_gpus(const struct gput__run *run, double largest)
{
    double n = gput__figure_value(run->usage.gpu_utilization.n_expected_gpus);

    if (n >= 1)
        return n;
    return largest > 100 ? ceil(largest / 100) : 1;
}

void gput__run_series_free(struct gput__run_series *s)
{
    free(s->time);
    for (int m = 0; m < GPUT__N_METRICS; m++)
        free(s->value[m]);
    for (size_t i = 0; i < s->n_gpus; i++) {
        free(s->gpus[i].name);
        free(s->gpus[i].uuid);
        free(s->gpus[i].use);
        free(s->gpus[i].memory);
    }
    free(s->gpus);
    *s = (struct gput__run_series){ 0 };
}

void gput__run_times_rise(double *time, size_t n)
{
    double shift = 0;

    for (size_t i = 1; i < n; i++) {
        double shifted = time[i] + shift;

        if (shifted < time[i - 1]) {
            shift = time[i - 1] - time[i];
            shifted = time[i - 1]; /* the sum may be rounded to less */
        }
        time[i] = shifted;
    }
}

void gput__run_free(struct gput__run *run)
{
    char *texts[] = { run->source,    run->kind,         run->host,          run->os,
                      run->cpu_model, run->cloud_vendor, run->instance_type, run->region };

    gput__run_series_free(&run->series);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        free(texts[i]);
    for (char **t = run->texts; t && *t; t++)
        free(*t);
    free(run->texts);
    *run = (struct gput__run){ 0 };
}

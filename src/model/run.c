/* run.c - a run as it is looked at afterwards. */
#include "model/run.h"

#include <stdlib.h>

static void free_series(struct gput__run_series *s)
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
}

void gput__run_times_rise(double *time, size_t n)
{
    double shift = 0;

    for (size_t i = 1; i < n; i++) {
        if (time[i] + shift < time[i - 1])
            shift = time[i - 1] - time[i];
        time[i] += shift;
    }
}

void gput__run_free(struct gput__run *run)
{
    char *texts[] = { run->source,    run->kind,         run->host,          run->os,
                      run->cpu_model, run->cloud_vendor, run->instance_type, run->region };

    free_series(&run->series);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        free(texts[i]);
    for (char **t = run->texts; t && *t; t++)
        free(*t);
    free(run->texts);
    *run = (struct gput__run){ 0 };
}

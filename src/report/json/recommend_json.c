/* recommend_json.c - what was measured and what to ask for, for programs. */
#include <math.h>

#include "report/json/json.h"
#include "report/recommend.h"

/* A limit of 0 is not known either. */
static void write_known(struct gput__json *j, const char *key, double value)
{
    gput__json_double(j, key, value > 0 ? value : NAN);
}

static void write_figures(struct gput__json *j, const struct gput_demand *d)
{
    gput__json_double(j, "cpu_mean", d->cpu_mean);
    gput__json_double(j, "cpu_max", d->cpu_max);
    gput__json_double(j, "memory_peak_bytes", d->memory_peak);
    write_known(j, "memory_at_most_bytes", d->memory_most);
    gput__json_double(j, "gpu_mean", d->gpu_mean);
    gput__json_double(j, "gpu_max", d->gpu_max);
    gput__json_double(j, "vram_peak_bytes", d->vram_peak);
    write_known(j, "time_seconds", d->duration);
}

static void write_note(void *ctx, const char *note)
{
    gput__json_string(ctx, NULL, note);
}

static void write_run(struct gput__json *j, const struct gput__recommendation *r, size_t i)
{
    gput__json_open(j, NULL);
    gput__json_string(j, "file", r->files[i]);
    gput__json_string(j, "kind", r->kinds[i]);
    write_figures(j, &r->runs[i]);
    write_known(j, "memory_limit_bytes", r->runs[i].memory_limit);
    write_known(j, "cores_limit", r->runs[i].cores_limit);
    gput__json_close(j);
}

static void write_count(struct gput__json *j, const char *key, double value)
{
    gput__json_count(j, key, value > 0 ? value : NAN);
}

void gput__recommend_json(const struct gput__recommendation *r, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_open_list(&j, "runs");
    for (size_t i = 0; i < r->n; i++)
        write_run(&j, r, i);
    gput__json_close_list(&j);
    gput__json_open(&j, "measured");
    write_figures(&j, &r->all);
    gput__json_close(&j);
    gput__json_double(&j, "margin", r->margin);
    gput__json_open(&j, "recommendation");
    write_count(&j, "cpu", r->ask.cpu);
    write_count(&j, "memory_mib", (double)r->ask.memory_mib);
    gput__json_count(&j, "gpu", r->ask.gpu);
    gput__json_count(&j, "vram_mib", (double)r->ask.vram_mib);
    write_count(&j, "time_seconds", r->ask.time);
    gput__json_close(&j);
    gput__json_open_list(&j, "notes");
    gput__recommend_notes(r, write_note, &j);
    gput__json_close_list(&j);
    gput__json_close(&j);
}

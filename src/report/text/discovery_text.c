/* discovery_text.c - the server and its cloud as text for people. */
#include <math.h>
#include <stdio.h>

#include "base/text/dtoa.h"
#include "base/text/print.h"
#include "report/discovery.h"
#include "report/text/screen_text.h"

#define LABEL 20 /* columns */
#define GIB 1073741824.0

/* One row; the label only in the first of several. */
static void write_row(struct gput__buf *out, const char *label, const char *text)
{
    gput__buf_printf(out, "   %-*s", LABEL, label);
    gput__screen_line(out, text ? text : "unknown");
    gput__buf_putc(out, '\n');
}

static void write_gib(struct gput__buf *out, const char *label, double bytes, const char *otherwise)
{
    char text[64];

    if (isnan(bytes))
        snprintf(text, sizeof(text), "%s", otherwise);
    else
        gput__snprintf(text, sizeof(text), "%.2f GiB", bytes / GIB);
    write_row(out, label, text);
}

static void write_number(struct gput__buf *out, const char *label, double value,
                         const char *otherwise)
{
    char text[32];

    if (isnan(value))
        snprintf(text, sizeof(text), "%s", otherwise);
    else if (value == floor(value))
        gput__snprintf(text, sizeof(text), "%.0f", value);
    else
        gput__dtoa_round3(value, text);
    write_row(out, label, text);
}

static double count(int n)
{
    return n > 0 ? (double)n : (double)NAN;
}

static void write_gpus(struct gput__buf *out, const struct gput_server *s)
{
    char text[400];

    for (int i = 0; i < s->n_gpus; i++) {
        const struct gput_server_gpu *g = &s->gpus[i];

        if (isnan(g->memory))
            snprintf(text, sizeof(text), "%s (memory unknown), %s", g->name, g->uuid);
        else
            gput__snprintf(text, sizeof(text), "%s, %.2f GiB, %s", g->name, g->memory / GIB,
                           g->uuid);
        write_row(out, i ? "" : "GPUs", text);
    }
    if (s->n_gpus > 0)
        return;
    snprintf(text, sizeof(text), "%s: %s", s->n_gpus < 0 ? "unknown" : "none",
             s->gpu_why ? s->gpu_why : "none was found");
    write_row(out, "GPUs", text);
}

static void write_disks(struct gput__buf *out, const struct gput_server *s)
{
    static const char *const kinds[] = { "", ", solid state", ", rotating" };
    char text[300];

    for (int i = 0; i < s->n_disks; i++) {
        const struct gput_disk *d = &s->disks[i];

        gput__snprintf(text, sizeof(text), "%s, %.1f GB%s%s%s", d->name, d->size / 1e9,
                       kinds[d->is_rotational + 1], d->model ? ", " : "", d->model ? d->model : "");
        write_row(out, i ? "" : "disks", text);
    }
    if (s->n_disks == 0)
        write_row(out, "disks", "none is shown");
}

static void write_server(struct gput__buf *out, const struct gput_server *s)
{
    gput__buf_puts(out, "Server:\n");
    write_row(out, "host name", s->hostname);
    write_row(out, "system", s->distribution);
    gput__buf_printf(out, "   %-*s%s %s, %s\n", LABEL, "kernel", s->os ? s->os : "unknown",
                     s->kernel ? s->kernel : "unknown",
                     s->architecture ? s->architecture : "unknown");
    write_row(out, "CPU", s->cpu_model);
    write_number(out, "vCPUs", count(s->vcpus), "unknown");
    write_gib(out, "memory", s->memory, "unknown");
    write_gpus(out, s);
    write_disks(out, s);
    gput__buf_puts(out, "Limits here:\n");
    write_gib(out, "memory, cgroup", s->memory_cgroup, "none");
    write_gib(out, "memory, in effect", s->memory_effective, "unknown");
    write_number(out, "cores, cgroup", s->cores_cgroup, "none");
    write_number(out, "cores, affinity", count(s->cores_affinity), "unknown");
    write_number(out, "cores, in effect", s->cores_effective, "unknown");
}

static void write_cloud(struct gput__buf *out, const struct gput_cloud *c)
{
    gput__buf_puts(out, "Cloud:\n");
    write_row(out, "vendor", c->vendor);
    write_row(out, "instance type", c->instance_type);
    write_row(out, "region", c->region);
    gput__buf_printf(out, "   %-*s%.3f s\n", LABEL, "found in", c->discovery_time);
    if (c->why)
        write_row(out, "why unknown", c->why);
}

void gput__discovery_text(const struct gput__discovered *d, struct gput__buf *out)
{
    if (d->has_server && d->server)
        write_server(out, d->server);
    else if (d->has_server)
        gput__buf_puts(out, "Server: not known yet\n");
    if (d->has_cloud && d->cloud)
        write_cloud(out, d->cloud);
    else if (d->has_cloud)
        gput__buf_puts(out, "Cloud: not known yet\n");
}

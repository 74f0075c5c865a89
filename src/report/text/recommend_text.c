/* recommend_text.c - what was measured and what to ask for, for people. */
#include <math.h>

#include "analysis/recommend.h"
#include "report/recommend.h"

static void write_label(struct gput__buf *out, const char *label)
{
    gput__buf_printf(out, "   %-12s", label);
}

static int used_gpu(const struct gput_demand *d)
{
    return d->gpu_mean > 0 || d->vram_peak > 0;
}

static void write_cores(struct gput__buf *out, const struct gput_demand *d)
{
    if (!isfinite(d->cpu_mean)) {
        gput__buf_puts(out, "not known");
        return;
    }
    gput__buf_printf(out, "%.2f cores on average", d->cpu_mean);
    if (isfinite(d->cpu_max))
        gput__buf_printf(out, ", %.2f at most", d->cpu_max);
}

static void write_gpus(struct gput__buf *out, const struct gput_demand *d)
{
    if (isnan(d->gpu_mean) && isnan(d->vram_peak))
        gput__buf_puts(out, "not known");
    else if (!used_gpu(d))
        gput__buf_puts(out, "none");
    else if (!isfinite(d->gpu_mean))
        gput__buf_puts(out, "used; how much is not known");
    else
        gput__buf_printf(out, "%.2f on average, %.2f at most", d->gpu_mean, d->gpu_max);
}

static void write_measured(const struct gput_demand *d, struct gput__buf *out)
{
    write_label(out, "CPU");
    write_cores(out, d);
    gput__buf_putc(out, '\n');
    write_label(out, "Memory");
    if (isfinite(d->memory_peak)) {
        gput__write_bytes(out, d->memory_peak);
        gput__buf_puts(out, " at most");
        if (gput__demand_is_bounded(d)) {
            gput__buf_puts(out, ", or up to ");
            gput__write_bytes(out, d->memory_most);
        }
    } else {
        gput__buf_puts(out, "not known");
    }
    gput__buf_putc(out, '\n');
    write_label(out, "GPUs");
    write_gpus(out, d);
    gput__buf_putc(out, '\n');
    if (d->vram_peak > 0) {
        write_label(out, "GPU memory");
        gput__write_bytes(out, d->vram_peak);
        gput__buf_puts(out, " at most\n");
    }
    if (d->duration > 0) {
        write_label(out, "Time");
        gput__write_duration(out, d->duration);
        gput__buf_putc(out, '\n');
    }
}

static void write_ask(const struct gput_resources *ask, struct gput__buf *out)
{
    write_label(out, "CPU");
    if (ask->cpu > 0)
        gput__buf_printf(out, "%d core%s\n", ask->cpu, ask->cpu == 1 ? "" : "s");
    else
        gput__buf_puts(out, "not known\n");
    write_label(out, "Memory");
    if (ask->memory_mib > 0)
        gput__write_mib(out, ask->memory_mib);
    else
        gput__buf_puts(out, "not known");
    gput__buf_putc(out, '\n');
    write_label(out, "GPUs");
    if (ask->gpu > 0)
        gput__buf_printf(out, "%d\n", ask->gpu);
    else
        gput__buf_puts(out, "none\n");
    if (ask->vram_mib > 0) {
        write_label(out, "GPU memory");
        gput__write_mib(out, ask->vram_mib);
        gput__buf_puts(out, ask->gpu > 1 ? " on all of them together\n" : "\n");
    }
    if (ask->time > 0) {
        write_label(out, "Time limit");
        gput__write_duration(out, ask->time);
        gput__buf_putc(out, '\n');
    }
}

/* One line for each of several runs. */
static void write_run(const struct gput__recommendation *r, size_t i, struct gput__buf *out)
{
    const struct gput_demand *d = &r->runs[i];

    gput__buf_printf(out, "   %s (%s): ", r->names[i], r->kinds[i]);
    if (isfinite(d->cpu_mean))
        gput__buf_printf(out, "%.2f cores", d->cpu_mean);
    else
        gput__buf_puts(out, "CPU not known");
    gput__buf_puts(out, ", ");
    if (isfinite(d->memory_peak))
        gput__write_bytes(out, d->memory_peak);
    else
        gput__buf_puts(out, "memory not known");
    if (used_gpu(d)) {
        gput__buf_puts(out, ", GPU memory ");
        gput__write_bytes(out, isfinite(d->vram_peak) ? d->vram_peak : 0);
    }
    if (d->duration > 0) {
        gput__buf_puts(out, ", ");
        gput__write_duration(out, d->duration);
    }
    gput__buf_putc(out, '\n');
}

static void write_note(void *ctx, const char *note)
{
    struct gput__buf *out = ctx;

    gput__buf_printf(out, "\nNote: %s.\n", note);
}

void gput__recommend_text(const struct gput__recommendation *r, struct gput__buf *out)
{
    if (r->n == 1) {
        gput__buf_printf(out, "Measured in %s (%s):\n", r->names[0], r->kinds[0]);
    } else {
        gput__buf_printf(out, "Measured in %zu runs:\n", r->n);
        for (size_t i = 0; i < r->n && !r->facts; i++)
            write_run(r, i, out);
        gput__buf_puts(out, "\nTogether (the mean of the averages, the highest of the peaks):\n");
    }
    write_measured(&r->all, out);
    gput__buf_puts(out, "\nAsk for (memory and time with a margin of ");
    gput__write_percent(out, r->margin);
    gput__buf_puts(out, "):\n");
    write_ask(&r->ask, out);
    gput__recommend_notes(r, write_note, out);
}

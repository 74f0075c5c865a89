/* workflow.c - a run as the files that workflow managers keep of a task. */
#include <math.h>

#include "model/figure.h"
#include "report/formats/formats.h"

#define KIB 1024.0
#define MIB (KIB * KIB)
#define DAY 86400.0
#define HOUR 3600.0
#define MINUTE 60.0

/* --- Snakemake: sizes in MiB, "-" for what is not known ---------------------------------------- */

static void cell(struct gput__buf *out, struct gput_figure f, double unit)
{
    if (gput__figure_is_known(f))
        gput__buf_printf(out, "\t%.2f", f.value / unit);
    else
        gput__buf_puts(out, "\t-");
}

static void write_clock(struct gput__buf *out, double s)
{
    double rest = fmod(s, DAY);

    gput__buf_putc(out, '\t');
    if (s >= DAY)
        gput__buf_printf(out, "%.0f day%s, ", floor(s / DAY), s >= 2 * DAY ? "s" : "");
    gput__buf_printf(out, "%.0f:%02.0f:%02.0f", floor(rest / HOUR),
                     floor(fmod(rest, HOUR) / MINUTE), floor(fmod(rest, MINUTE)));
}

/* max_vms: address space is not measured.  max_rss and max_pss are the same here: shared memory counts
 * once. */
void gput__usage_snakemake(const struct gput_usage *u, struct gput__buf *out)
{
    struct gput_figure cpu = gput__format_cpu(u), load = cpu;
    double s = u->compute_time.time.value;

    load.value = s > 0 ? 100 * cpu.value / s : 0;
    gput__buf_puts(out, "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load"
                        "\tcpu_time\n");
    gput__buf_printf(out, "%.4f", s);
    write_clock(out, s);
    cell(out, u->max_ram.combined.total_rss, MIB);
    gput__buf_puts(out, "\t-");
    cell(out, u->max_ram.combined.private_rss, MIB);
    cell(out, u->max_ram.combined.total_rss, MIB);
    cell(out, u->totals.disk_read_bytes, MIB);
    cell(out, u->totals.disk_write_bytes, MIB);
    cell(out, load, 1);
    cell(out, cpu, 1);
    gput__buf_putc(out, '\n');
}

/* --- Nextflow: sizes of memory in KiB, tenths of percent; what is not known is left out --------- */

static void line(struct gput__buf *out, const char *key, struct gput_figure f, double unit)
{
    if (gput__figure_is_known(f))
        gput__buf_printf(out, "%s=%.0f\n", key, floor(f.value / unit));
}

void gput__usage_nextflow(const struct gput_usage *u, struct gput__buf *out)
{
    struct gput_figure cpu = gput__format_cpu(u), memory = u->max_ram.combined.total_rss;
    double s = u->compute_time.time.value, all = u->max_ram.system_capacity.value;

    cpu.value = s > 0 ? 1000 * cpu.value / s : 0;
    if (!(all > 0))
        memory.source = GPUT_UNAVAILABLE;
    memory.value = all > 0 ? 1000 * memory.value / all : 0;
    gput__buf_puts(out, "nextflow.trace/v2\n");
    line(out, "realtime", u->compute_time.time, 1e-3);
    line(out, "%cpu", cpu, 1);
    line(out, "read_bytes", u->totals.disk_read_bytes, 1);
    line(out, "write_bytes", u->totals.disk_write_bytes, 1);
    line(out, "%mem", memory, 1);
    line(out, "rss", u->max_ram.combined.total_rss, KIB);
    line(out, "peak_rss", u->max_ram.combined.total_rss, KIB);
    line(out, "vol_ctxt", u->totals.voluntary_switches, 1);
    line(out, "inv_ctxt", u->totals.involuntary_switches, 1);
}

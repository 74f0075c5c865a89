/* html_cards.c - the figures that matter most, one card each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/print.h"
#include "model/figure.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"

static void set_source(struct gput__card *c, struct gput_figure f)
{
    c->exact = f.value;
    c->why = f.why;
    c->how = gput__figure_is_known(f) ? gput__source_name(f.source) : NULL;
}

/* The number large, its unit small. */
static void write_value(struct gput__buf *out, const struct gput__card *c)
{
    const char *blank = strchr(c->value, ' ');

    if (!c->value[0]) {
        gput__buf_puts(out, "<p class=\"value missing\">not measured</p>");
        return;
    }
    gput__buf_printf(out, "<p class=\"value\" data-figure=\"%s\" data-value=\"%.17g\">",
                     c->figure ? c->figure : c->id, c->exact);
    if (blank && !strchr(blank + 1, ' '))
        gput__buf_printf(out, "%.*s<span class=\"unit\">&nbsp;%s</span>", (int)(blank - c->value),
                         c->value, blank + 1);
    else
        gput__html_text(out, c->value);
    gput__buf_puts(out, "</p>");
}

static void write_bar(struct gput__buf *out, double share)
{
    if (isnan(share))
        return;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    gput__buf_printf(
        out,
        "<svg class=\"bar%s\" aria-hidden=\"true\"><rect class=\"track\" width=\"100%%\" "
        "height=\"6\" rx=\"3\"/><rect width=\"%.1f%%\" height=\"6\" rx=\"3\"/></svg>",
        share >= 0.9 ? " full" : "", 100 * share);
}

static void write_card(struct gput__buf *out, const struct gput__card *c)
{
    gput__buf_printf(out, "<li class=\"card\" id=\"card-%s\"><h3>%s</h3>", c->id, c->name);
    write_value(out, c);
    write_bar(out, c->share);
    gput__buf_puts(out, "<p class=\"note\">");
    gput__html_text(out, c->note);
    gput__buf_puts(out, "</p>");
    if (c->how) {
        gput__buf_printf(out, "<p class=\"how\"%s", c->why ? " title=\"" : "");
        if (c->why) {
            gput__html_text(out, c->why);
            gput__buf_putc(out, '"');
        }
        gput__buf_printf(out, ">%s</p>", c->how);
    }
    gput__buf_puts(out, "</li>\n");
}

static void add(struct gput__cards *to, const struct gput__card *c)
{
    to->card[to->n++] = *c;
}

static void time_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = {
        .id = "time", .name = "Time", .share = NAN, .figure = "compute_time.time"
    };
    /* Mean use x time is the same; user and system time may be of fewer processes. */
    struct gput_figure own = u->totals.main_cpu_seconds, others = u->totals.descendants_cpu_seconds;
    double used = gput__figure_value(own) + gput__figure_value(others);
    bool is_exact = own.source == GPUT_EXACT && others.source == GPUT_EXACT;
    char text[GPUT__AMOUNT_SIZE];

    set_source(&c, u->compute_time.time);
    if (gput__figure_is_known(u->compute_time.time))
        gput__amount_seconds(u->compute_time.time.value, c.value);
    if (!isnan(used))
        snprintf(c.note, sizeof(c.note), "%s of CPU time%s", gput__amount_seconds(used, text),
                 is_exact ? "" : " (as sampled)");
    add(to, &c);
}

static void memory_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = { .id = "memory",
                            .name = "Peak memory",
                            .figure = "max_ram.combined.total_rss" };
    bool is_cgroup = gput__figure_is_known(u->limits.memory_cgroup) &&
                     u->limits.memory_cgroup.value <= u->limits.memory_effective.value;
    struct gput_figure peak = u->max_ram.combined.total_rss;
    struct gput_figure most = gput__figure_is_known(u->limits.memory_effective)
                                  ? u->limits.memory_effective
                                  : u->max_ram.system_capacity;
    char text[GPUT__AMOUNT_SIZE], share[GPUT__AMOUNT_SIZE];

    if (!gput__figure_is_known(peak) && gput__figure_is_known(u->max_ram.system)) {
        peak = u->max_ram.system;
        c.name = "Peak memory, whole machine";
        c.figure = "max_ram.system";
    }
    set_source(&c, peak);
    c.share = gput__figure_value(peak) / gput__figure_value(most);
    if (gput__figure_is_known(peak))
        gput__amount_bytes(peak.value, c.value);
    if (gput__figure_is_known(peak) && gput__figure_is_known(most))
        snprintf(c.note, sizeof(c.note), "%s of %s %s", gput__amount_share(c.share, share),
                 is_cgroup ? "its limit of" : "the machine's",
                 gput__amount_bytes(most.value, text));
    add(to, &c);
}

static void cpu_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = { .id = "cpu",
                            .name = "CPU, on average",
                            .figure = "cpu_utilization.combined.mean_sum_percent" };
    const struct gput_percentages *cpu = &u->cpu_utilization.combined;
    struct gput_figure mean, max;
    double cores = gput__figure_is_known(u->limits.cores_effective)
                       ? u->limits.cores_effective.value
                       : gput__figure_value(u->cpu_utilization.system_core_count);
    char one[GPUT__AMOUNT_SIZE], two[GPUT__AMOUNT_SIZE];

    if (!gput__figure_is_known(cpu->mean_sum_percent) &&
        gput__figure_is_known(u->cpu_utilization.system.mean_sum_percent)) {
        cpu = &u->cpu_utilization.system;
        c.name = "CPU of the machine, on average";
        c.figure = "cpu_utilization.system.mean_sum_percent";
    }
    mean = cpu->mean_sum_percent;
    max = cpu->max_sum_percent;
    set_source(&c, mean);
    c.share = gput__figure_value(mean) / 100 / cores;
    if (gput__figure_is_known(mean))
        gput__chart_value(GPUT__CHART_CORES, mean.value / 100, c.value);
    if (gput__figure_is_known(max) && !isnan(cores))
        snprintf(c.note, sizeof(c.note), "at most %s of %s, by records",
                 gput__amount_number(max.value / 100, one),
                 gput__chart_value(GPUT__CHART_CORES, cores, two));
    add(to, &c);
}

static bool has_gpu(const struct gput_usage *u)
{
    return gput__figure_value(u->gpu_utilization.system_gpu_count) > 0 || u->gpu.n_gpus > 0 ||
           gput__figure_value(u->max_gpu_ram.combined) > 0;
}

static void gpu_memory_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = { .id = "gpu-memory",
                            .name = "Peak GPU memory",
                            .figure = "max_gpu_ram.combined" };
    struct gput_figure peak = u->max_gpu_ram.combined, most = u->max_gpu_ram.system_capacity;
    char text[GPUT__AMOUNT_SIZE], share[GPUT__AMOUNT_SIZE];

    set_source(&c, peak);
    c.share =
        gput__figure_is_known(most) && most.value > 0 ? gput__figure_value(peak) / most.value : NAN;
    if (gput__figure_is_known(peak))
        gput__amount_bytes(peak.value, c.value);
    if (!isnan(c.share))
        snprintf(c.note, sizeof(c.note), "%s of %s", gput__amount_share(c.share, share),
                 gput__amount_bytes(most.value, text));
    add(to, &c);
}

static void gpu_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = { .id = "gpu",
                            .name = "GPU, on average",
                            .figure = "gpu_utilization.gpu_percentages.mean_hardware_percent" };
    struct gput_figure mean = u->gpu_utilization.gpu_percentages.mean_hardware_percent;
    struct gput_figure max = u->gpu_utilization.gpu_percentages.max_hardware_percent;
    double n = gput__figure_value(u->gpu_utilization.n_expected_gpus);
    char text[GPUT__AMOUNT_SIZE];

    set_source(&c, mean);
    c.share = gput__figure_value(mean) / 100;
    if (gput__figure_is_known(mean))
        gput__amount_percent(mean.value, c.value);
    if (gput__figure_is_known(max))
        snprintf(c.note, sizeof(c.note), "at most %s", gput__amount_percent(max.value, text));
    if (n > 1)
        gput__snprintf(c.note + strlen(c.note), sizeof(c.note) - strlen(c.note), "%sof %.0f GPUs",
                       c.note[0] ? ", " : "", n);
    add(to, &c);
}

/* It and those that follow: none where nothing is known. */
static void energy_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = { .id = "energy", .name = "Energy of the GPUs", .share = NAN };
    struct gput_figure sum = { .source = GPUT_UNAVAILABLE };
    double most = NAN;
    char text[GPUT__AMOUNT_SIZE];

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        struct gput_figure one = u->gpu.gpus[i].energy;

        if (!gput__figure_is_known(one))
            continue;
        sum.value += one.value;
        sum.source =
            !gput__figure_is_known(sum) || one.source < sum.source ? one.source : sum.source;
        sum.why = one.why ? one.why : sum.why;
        most = fmax(most, gput__figure_value(u->gpu.gpus[i].max_power));
    }
    if (!gput__figure_is_known(sum))
        return;
    set_source(&c, sum);
    gput__amount_energy(sum.value, c.value);
    if (!isnan(most))
        snprintf(c.note, sizeof(c.note), "at most %s W per GPU", gput__amount_number(most, text));
    add(to, &c);
}

static void disk_card(const struct gput_usage *u, struct gput__cards *to)
{
    struct gput__card c = {
        .id = "disk", .name = "Disk", .share = NAN, .figure = "totals.disk_read_bytes"
    };
    struct gput_figure in = u->totals.disk_read_bytes, written = u->totals.disk_write_bytes;
    char text[GPUT__AMOUNT_SIZE];

    if (!gput__figure_is_known(in) || !gput__figure_is_known(written))
        return;
    set_source(&c, in);
    gput__amount_bytes(in.value, c.value);
    snprintf(c.note, sizeof(c.note), "read; %s written", gput__amount_bytes(written.value, text));
    add(to, &c);
}

static void cost_card(const struct gput__html *h, struct gput__cards *to)
{
    struct gput__card c = { .id = "cost", .name = "Cost", .share = NAN, .exact = h->cost_usd };
    char hour[GPUT__AMOUNT_SIZE];

    if (!(h->cost_usd > 0))
        return;
    gput__amount_usd(h->cost_usd, c.value);
    snprintf(c.note, sizeof(c.note), "at %s an hour", gput__amount_usd(h->usd_per_hour, hour));
    add(to, &c);
}

void gput__html_list_cards(const struct gput__html *h, struct gput__cards *ret)
{
    const struct gput_usage *u = &h->run->usage;

    ret->n = 0;
    time_card(u, ret);
    memory_card(u, ret);
    cpu_card(u, ret);
    if (has_gpu(u)) {
        gpu_card(u, ret);
        gpu_memory_card(u, ret);
        energy_card(u, ret);
    }
    disk_card(u, ret);
    cost_card(h, ret);
}

void gput__html_cards(const struct gput__html *h, struct gput__buf *out)
{
    static const char *const columns[] = { "", "", "", "three", "four", "five", "three", "four" };
    struct gput__cards cards;

    gput__html_list_cards(h, &cards);
    gput__buf_printf(out,
                     "<section aria-labelledby=\"glance\">\n<h2 id=\"glance\" class=\"sr\">At a "
                     "glance</h2>\n<ul class=\"cards %s\">\n",
                     columns[cards.n < 8 ? cards.n : 7]);
    for (size_t i = 0; i < cards.n; i++)
        write_card(out, &cards.card[i]);
    gput__buf_puts(out, "</ul>\n</section>\n");
}

/* summary_text.c - a run in a few lines, for a person at a terminal. */
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "model/figure.h"
#include "report/advice.h"
#include "report/recommend.h"
#include "report/text/amount.h"
#include "report/text/ending.h"
#include "report/text/screen_text.h"
#include "report/usage.h"

/* Where the text beside the labels begins. */
enum { TEXT_COLUMN = 14, LONGEST_NAME = 48 };

struct summary {
    const struct gput_usage *usage;
    bool use_unicode;
};

static bool is_lower(struct gput_figure a, struct gput_figure b)
{
    return gput__figure_is_known(a) && !(a.value > gput__figure_value(b));
}

/* "1.24 GB at most" */
static void write_peak(struct gput__buf *out, struct gput_figure peak, struct gput_figure all,
                       const char *of)
{
    char text[GPUT__AMOUNT_SIZE];

    if (!gput__figure_is_known(peak)) {
        gput__buf_puts(out, "not known");
        return;
    }
    gput__buf_printf(out, "%s at most%s", gput__amount_bytes(peak.value, text),
                     peak.source == GPUT_SAMPLED ? " (as sampled)" : "");
    if (!gput__figure_is_known(all) || !(all.value > 0))
        return;
    gput__buf_printf(out, ", %s of ", gput__amount_share(peak.value / all.value, text));
    gput__buf_printf(out, "%s %s", of, gput__amount_bytes(all.value, text));
}

static void write_end(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    char ending[GPUT__ENDING_SIZE], time[GPUT__AMOUNT_SIZE];

    gput__ending_in_short(u, ending);
    gput__buf_printf(out, "%s after %s", *ending ? ending : "ended",
                     gput__amount_seconds(gput__figure_value(u->compute_time.time), time));
}

static void write_memory(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    bool is_cgroup = is_lower(u->limits.memory_cgroup, u->max_ram.system_capacity);

    write_peak(out, u->max_ram.combined.total_rss,
               is_cgroup ? u->limits.memory_cgroup : u->max_ram.system_capacity,
               is_cgroup ? "its limit of" : "the machine's");
}

static void write_cpu(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    double mean = gput__figure_value(u->cpu_utilization.combined.mean_sum_percent) / 100,
           max = gput__figure_value(u->cpu_utilization.combined.max_sum_percent) / 100,
           cores = gput__figure_is_known(u->limits.cores_effective)
                       ? u->limits.cores_effective.value
                       : gput__figure_value(u->cpu_utilization.system_core_count);
    char text[GPUT__AMOUNT_SIZE];

    if (isnan(mean)) {
        gput__buf_puts(out, "not known");
        return;
    }
    gput__buf_printf(out, "%s cores on average", gput__amount_number(mean, text));
    if (!isnan(max))
        gput__buf_printf(out, ", %s at most", gput__amount_number(max, text));
    if (!isnan(cores))
        gput__buf_printf(out, ", of %s", gput__amount_number(cores, text));
}

static void write_gpus(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    const struct gput_percentages *p = &u->gpu_utilization.gpu_percentages;
    double n = gput__figure_value(u->gpu_utilization.system_gpu_count);
    char mean[GPUT__AMOUNT_SIZE], max[GPUT__AMOUNT_SIZE];

    if (!(n > 0)) {
        gput__buf_puts(out, "none found");
        return;
    }
    if (gput__figure_is_known(p->mean_hardware_percent))
        gput__buf_printf(out, "%s busy on average, %s at most",
                         gput__amount_percent(p->mean_hardware_percent.value, mean),
                         gput__amount_percent(p->max_hardware_percent.value, max));
    else
        gput__buf_puts(out, "how busy is not known");
    if (n > 1)
        gput__buf_printf(
            out, ", of %s GPUs",
            gput__amount_number(gput__figure_value(u->gpu_utilization.n_expected_gpus), mean));
}

static void write_gpu_memory(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;

    if (gput__figure_value(u->gpu_utilization.system_gpu_count) > 0)
        write_peak(out, u->max_gpu_ram.combined, u->max_gpu_ram.system_capacity, "the GPUs'");
}

static int n_commands(const struct gput_usage *u)
{
    int n = 0;

    for (int i = 0; i < u->processes.n_groups; i++)
        n += u->processes.groups[i].count.value > 0;
    return n;
}

static double cpu_of_all(const struct gput_usage *u)
{
    double sum = 0;

    for (int i = 0; i < u->processes.n_groups; i++)
        if (gput__figure_is_known(u->processes.groups[i].cpu_seconds))
            sum += u->processes.groups[i].cpu_seconds.value;
    return sum;
}

/* The heaviest is the first.  "cc1, 227 processes: 86 % of the CPU time, 70.2 MB the largest" */
static void write_heaviest(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    const struct gput_process_group *g = u->processes.groups;
    char text[GPUT__AMOUNT_SIZE];
    double all = cpu_of_all(u);

    if (n_commands(u) < 2)
        return; /* it was the one that was started */
    (void)gput__screen_text(out, g->name, LONGEST_NAME, s->use_unicode);
    if (g->count.value > 1)
        gput__buf_printf(out, ", %s processes", gput__amount_count(g->count.value, text));
    gput__buf_puts(out, ":");
    if (all > 0)
        gput__buf_printf(out, " %s of the CPU time,",
                         gput__amount_percent(100 * g->cpu_seconds.value / all, text));
    gput__buf_printf(out, " %s%s", gput__amount_bytes(gput__figure_value(g->max_rss), text),
                     g->count.value > 1 ? " the largest" : "");
    if (gput__figure_value(g->gpu_ram) > 0)
        gput__buf_printf(out, ", %s on GPUs", gput__amount_bytes(g->gpu_ram.value, text));
}

static void write_limit(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    const struct gput__run run = { .usage = *u };
    char words[300];

    gput__limit_in_words(&run, words, sizeof(words));
    gput__buf_puts(out, words);
}

/* What a run needs tells one that ended well, or for want of something. */
static void write_request(const struct summary *s, struct gput__buf *out)
{
    const struct gput_usage *u = s->usage;
    struct gput_resources ask;
    struct gput_demand d;

    if (!(u->job.ending == GPUT_EXITED && u->job.code == 0) && !u->job.timed_out &&
        u->job.oom == GPUT_OOM_NO)
        return;
    gput_demand_of(u, &d);
    gput_recommend(&d, 1, &ask);
    if (ask.cpu == 0 || ask.memory_mib == 0 || ask.time == 0)
        return;
    gput__buf_printf(out, "%d core%s, ", ask.cpu, ask.cpu == 1 ? "" : "s");
    gput__write_mib(out, ask.memory_mib);
    if (ask.gpu > 0)
        gput__buf_printf(out, ", %d GPU%s", ask.gpu, ask.gpu == 1 ? "" : "s");
    gput__buf_puts(out, ", time limit ");
    gput__write_duration(out, ask.time);
}

/* In their order; one that has nothing to say is left out. */
/* clang-format off */
static const struct {
    const char *label;
    void (*write)(const struct summary *s, struct gput__buf *out);
} lines[] = {
    { "", write_end },
    { "Memory", write_memory },
    { "CPU", write_cpu },
    { "GPU", write_gpus },
    { "GPU memory", write_gpu_memory },
    { "Used most", write_heaviest },
    { "Limit", write_limit },
    { "Ask for", write_request },
};
/* clang-format on */

int gput__usage_summary(const struct gput_usage *u, int width, bool use_unicode,
                        struct gput__buf *out)
{
    const struct summary s = { u, use_unicode };
    char pid[40];

    gput__snprintf(pid, sizeof(pid), "process %d", (int)u->job.pid);
    (void)gput__screen_text(out, u->job.command ? u->job.command : pid, width, use_unicode);
    gput__buf_puts(out, ":");
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        size_t before = out->len, text;

        gput__buf_printf(out, "\n   %-*s", *lines[i].label ? TEXT_COLUMN - 3 : 0, lines[i].label);
        text = out->len;
        lines[i].write(&s, out);
        if (out->len == text && !out->err)
            out->data[out->len = before] = '\0';
    }
    gput__buf_putc(out, '\n');
    return out->err;
}

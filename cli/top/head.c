/* head.c - the lines above the processes. */
#include "top/head.h"

#include "terminal/amounts.h"

#include <math.h>

/* A limit farther away than this is not spoken of, seconds; nearer than that it alarms. */
static const double longest_forecast = 24 * 3600, near_s = 300;
static const double nearly_full = 0.9; /* of a limit */
enum { MOST_VERDICTS = 2, MOST_LIMITS = 4 };

static void write_job(const struct top_model *m, const char *command, struct top_head *h)
{
    static const char *const states[] = { "", ", ended", ", its tracker was killed" };
    const struct gput_live *l = &m->view.live;
    struct top_line *line = top_line_new(h);
    char text[AMOUNT_SIZE];

    top_line_add(line, "%.200s", command);
    line = top_line_new(h);
    top_line_add(line, "Time    %s", amount_clock(l->elapsed, text));
    if (!isnan(l->time_limit))
        top_line_add(line, " of %s", amount_clock(l->time_limit, text));
    if (m->view.state != GPUT_VIEW_ENDED)
        top_line_add(line, ", %d process%s", l->n_processes, l->n_processes == 1 ? "" : "es");
    if (m->view.state != GPUT_VIEW_ENDED && l->n_threads >= 0)
        top_line_add(line, ", %d thread%s", l->n_threads, l->n_threads == 1 ? "" : "s");
    top_line_add(line, "%s", states[m->view.state]);
    line->is_alarming = l->elapsed > l->time_limit * nearly_full;
}

static void write_memory(const struct gput_live *l, struct top_head *h)
{
    struct top_line *line = top_line_new(h);
    char text[AMOUNT_SIZE];

    top_line_add(line, "Memory  %s", amount_bytes(l->ram, text));
    if (!isnan(l->ram_limit))
        top_line_add(line, " of %s (%.0f %%)", amount_bytes(l->ram_limit, text),
                     100 * l->ram / l->ram_limit);
    if (l->limit_is_group)
        top_line_add(line, " of its control group");
    top_line_add(line, ", peak %s", amount_bytes(l->ram_peak, text));
    if (!isnan(l->ram_room))
        top_line_add(line, ", %s left", amount_bytes(l->ram_room, text));
    line->is_alarming = l->ram > l->ram_limit * nearly_full;
    if (!(l->seconds_to_limit < longest_forecast))
        return;
    line = top_line_new(h);
    top_line_add(line, "        it grows by %s/s: ", amount_bytes(l->ram_growth, text));
    top_line_add(line, "limit in %s at this rate", amount_span(l->seconds_to_limit, text));
    line->is_alarming = l->seconds_to_limit < near_s;
}

static void write_cpu(const struct gput_live *l, struct top_head *h)
{
    struct top_line *line = top_line_new(h);
    char text[AMOUNT_SIZE];

    top_line_add(line, "CPU     %.0f %%", l->cpu_percent);
    if (!isnan(l->cores))
        top_line_add(line, ": %.1f of %.4g cores", l->cpu_percent / 100, l->cores);
    if (!isnan(l->cpu_seconds))
        top_line_add(line, ", CPU time %s", amount_clock(l->cpu_seconds, text));
}

static void write_gpus(const struct gput_live *l, struct top_head *h)
{
    struct top_line *line;
    char text[AMOUNT_SIZE];

    if (l->n_gpus <= 0)
        return;
    line = top_line_new(h);
    top_line_add(line, "GPU     ");
    if (!isnan(l->gpu_percent))
        top_line_add(line, "%.0f %% of %d, ", l->gpu_percent, l->n_gpus);
    top_line_add(line, "memory %s", amount_bytes(l->gpu_ram, text));
    if (!isnan(l->gpu_ram_capacity))
        top_line_add(line, " of %s", amount_bytes(l->gpu_ram_capacity, text));
    line->is_alarming = l->gpu_ram > l->gpu_ram_capacity * nearly_full;
}

/* What is not known before the end is left out. */
static void write_budget(const struct gput_usage *u, struct top_head *h)
{
    char words[200];

    for (int i = 0, n = 0; i < u->budget.n_lines && n < MOST_LIMITS; i++) {
        struct gput_budget_line b = u->budget.lines[i];
        struct top_line *line;

        if (b.measured.source == GPUT_UNAVAILABLE)
            continue;
        b.measured.why = NULL; /* there is no room for that */
        n++;
        line = top_line_new(h);
        top_line_add(line, "Budget  %s", gput_budget_words(&b, words, sizeof(words)));
        line->is_alarming = b.op[0] == '<' && b.measured.value > b.limit * nearly_full;
    }
}

static void write_verdicts(const struct gput_usage *u, struct top_head *h)
{
    struct gput_bottleneck all[GPUT_MOST_BOTTLENECKS];
    int n = gput_bottlenecks(u, all);
    struct top_line *line = top_line_new(h);
    char words[200];

    top_line_add(line, "So far  ");
    if (n <= 0)
        top_line_add(line, "nothing limits it");
    for (int i = 0; i < n && i < MOST_VERDICTS; i++)
        top_line_add(line, "%s%s", i ? "; " : "",
                     gput_bottleneck_words(&all[i], words, sizeof(words)));
}

void top_head_write(const struct top_model *m, const char *command, struct top_head *ret)
{
    *ret = (struct top_head){ .n = 0 };
    write_job(m, command, ret);
    write_memory(&m->view.live, ret);
    write_cpu(&m->view.live, ret);
    write_gpus(&m->view.live, ret);
    write_budget(m->view.usage, ret);
    write_verdicts(m->view.usage, ret);
}

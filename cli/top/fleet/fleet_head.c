/* fleet_head.c - the lines above the grid of ranks. */
#include "top/fleet/fleet_head.h"

#include "terminal/amounts.h"

#include <math.h>

static void write_title(const struct gput_fleet_job *job, struct top_head *h)
{
    top_line_add(top_line_new(h), "%s%s%.200s", job->title, job->command[0] ? ": " : "",
                 job->command);
}

static void write_missing(const struct gput_fleet_job *job, struct top_head *h)
{
    int n = job->n_in_state[GPUT_RANK_MISSING], nodes = job->n_expected_nodes - job->n_nodes;
    struct top_line *l;

    if (n <= 0 && nodes <= 0)
        return;
    l = top_line_new(h);
    l->is_alarming = !top_fleet_is_early(job);
    top_line_add(l, "Missing ");
    if (n > 0)
        top_line_add(l, "%d rank%s%s%s", n, n > 1 ? "s" : "", job->missing_ranks[0] ? ": " : "",
                     job->missing_ranks);
    if (nodes > 0)
        top_line_add(l, "%s%d node%s%s%s", n > 0 ? "; " : "", nodes, nodes > 1 ? "s" : "",
                     job->missing_nodes[0] ? ", by number from 0: " : "", job->missing_nodes);
    if (!l->is_alarming)
        top_line_add(l, " (so early some nodes have written nothing yet)");
}

/* Those that failed, then those that are silent: they come first in the list. */
static void write_failed(const struct gput_fleet_job *job, int most, struct top_head *h)
{
    int n_bad = job->n_in_state[GPUT_RANK_FAILED] + job->n_in_state[GPUT_RANK_SILENT], n = 0;
    char text[AMOUNT_SIZE];

    for (int i = 0; i < job->n_ranks && n < most; i++) {
        const struct gput_fleet_rank *r = &job->ranks[i];
        struct top_line *l;

        if (r->state != GPUT_RANK_FAILED && r->state != GPUT_RANK_SILENT)
            continue;
        l = top_line_new(h);
        l->is_alarming = true;
        if (r->state == GPUT_RANK_FAILED)
            top_line_add(l, "Failed  rank %d on %s after %s: %s", r->rank, r->node,
                         amount_clock(r->elapsed, text), r->failure);
        else
            top_line_add(l, "Silent  rank %d on %s: no news for %s, its node may be gone", r->rank,
                         r->node, amount_span(r->age, text));
        n++;
        if (n == most && n_bad > n)
            top_line_add(l, "; %d more", n_bad - n);
    }
}

static void write_ranks(const struct gput_fleet_job *job, struct top_head *h)
{
    struct top_line *l = top_line_new(h);
    char text[AMOUNT_SIZE];

    top_line_add(l, "Ranks   %d running, %d ended, %d failed, on %d node%s; %s",
                 job->n_in_state[GPUT_RANK_RUNNING], job->n_in_state[GPUT_RANK_ENDED],
                 job->n_in_state[GPUT_RANK_FAILED], job->n_nodes, job->n_nodes == 1 ? "" : "s",
                 amount_clock(job->elapsed, text));
    if (!isnan(job->newest)) {
        top_line_add(l, "; as of %s", amount_span(job->newest, text));
        if (job->oldest - job->newest >= 1)
            top_line_add(l, " to %s", amount_span(job->oldest, text));
        top_line_add(l, " ago");
    }
}

/* The rank with the most of a figure. */
static const struct gput_fleet_rank *heaviest(const struct gput_fleet_job *job)
{
    const struct gput_fleet_rank *most = NULL;

    for (int i = 0; i < job->n_ranks; i++)
        if (!isnan(job->ranks[i].ram_peak) && (!most || job->ranks[i].ram_peak > most->ram_peak))
            most = &job->ranks[i];
    return most;
}

static void write_memory(const struct gput_fleet_job *job, struct top_head *h)
{
    const struct gput_fleet_rank *most = heaviest(job);
    struct top_line *l = top_line_new(h);
    char text[AMOUNT_SIZE];

    top_line_add(l, "Memory  %s at one moment at most", amount_bytes(job->ram_peak, text));
    if (most && most->rank >= 0)
        top_line_add(l, "; %s in rank %d on %s", amount_bytes(most->ram_peak, text), most->rank,
                     most->node);
}

static void write_share(struct top_line *l, const char *name, double used, double of,
                        const char *words)
{
    char text[AMOUNT_SIZE];

    if (isnan(used))
        return;
    top_line_add(l, "%s%s", name, amount_clock(used, text));
    if (of > 0)
        top_line_add(l, " of %s %s (%.0f %%)", amount_clock(of, text), words, 100 * used / of);
}

static void write_work(const struct gput_fleet_job *job, struct top_head *h)
{
    struct top_line *l = top_line_new(h);

    write_share(l, "CPU     ", job->cpu_seconds, job->cpu_seconds_given, "given");
    if (job->gpu_seconds_held > 0)
        write_share(l, "; GPU ", job->gpu_seconds_busy, job->gpu_seconds_held, "held");
}

static void write_apart(const struct gput_fleet_job *job, int most, struct top_head *h)
{
    int n = 0;

    for (int i = 0; i < job->n_ranks && n < most; i++)
        if (job->ranks[i].apart[0]) {
            top_line_add(top_line_new(h), "Apart   rank %d on %s: %s", job->ranks[i].rank,
                         job->ranks[i].node, job->ranks[i].apart);
            n++;
        }
}

static void write_faults(const struct top_fleet *fleet, struct top_head *h)
{
    int n = gput_fleet_faults(fleet->fleet);
    struct top_line *l;

    if (n == 0)
        return;
    l = top_line_new(h);
    l->is_alarming = true;
    top_line_add(l, "Unread  %.200s", gput_fleet_fault(fleet->fleet, 0));
    if (n > 1)
        top_line_add(l, "; %d more", n - 1);
}

void top_fleet_head_write(const struct top_fleet *fleet, const struct gput_fleet_job *job, int most,
                          struct top_head *ret)
{
    *ret = (struct top_head){ .n = 0 };
    write_title(job, ret);
    write_faults(fleet, ret);
    write_missing(job, ret);
    write_failed(job, most, ret);
    write_ranks(job, ret);
    write_memory(job, ret);
    write_work(job, ret);
    write_apart(job, most, ret);
}

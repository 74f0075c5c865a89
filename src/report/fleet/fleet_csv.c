/* fleet_csv.c - the ranks of a fleet's jobs as CSV, a row for each. */
#include <math.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "base/text/text.h"
#include "report/fleet/fleet_report.h"

static void text(struct gput__buf *out, const char *s)
{
    gput__buf_putc(out, '"');
    if (s && gput__text_is_formula(s, strlen(s)))
        gput__buf_putc(out, '\'');
    for (; s && *s; s++) {
        if (*s == '"')
            gput__buf_putc(out, '"');
        gput__buf_putc(out, (unsigned char)*s < ' ' ? '?' : *s);
    }
    gput__buf_puts(out, "\",");
}

/* What is not known is empty. */
static void number(struct gput__buf *out, double value)
{
    char digits[32];

    if (value == floor(value) && fabs(value) < 1e15)
        gput__buf_printf(out, "%.0f,", value);
    else if (isfinite(value)) {
        gput__dtoa(value, digits);
        gput__buf_printf(out, "%s,", digits);
    } else {
        gput__buf_putc(out, ',');
    }
}

static void whole(struct gput__buf *out, int value)
{
    number(out, value < 0 ? (double)NAN : value);
}

/* What went wrong with a rank, and what it stands apart by, in a word each. */
static void write_notes(struct gput__buf *out, const struct gput__fleet_job *job, size_t rank)
{
    size_t before;

    gput__buf_putc(out, '"');
    before = out->len;
    for (size_t i = 0; i < job->n_failures; i++)
        if (job->failures[i].rank == rank)
            gput__buf_printf(out, "%s%s", out->len > before ? " " : "",
                             gput__fleet_failing_names[job->failures[i].what]);
    gput__buf_puts(out, "\",\"");
    before = out->len;
    for (size_t i = 0; i < job->n_stragglers; i++)
        if (job->stragglers[i].rank == rank)
            gput__buf_printf(out, "%s%s:%s", out->len > before ? " " : "",
                             gput__fleet_figure_names[job->stragglers[i].figure],
                             job->stragglers[i].is_chronic ? "chronic" : "once");
    gput__buf_puts(out, "\"\n");
}

static void write_rank(struct gput__buf *out, const struct gput__fleet_job *job, size_t i)
{
    const struct gput__job_rank *r = &job->ranks[i];
    const struct gput__fleet_rank *rank = r->rank;

    text(out, job->id->id);
    text(out, job->id->step);
    whole(out, job->id->restart > 0 ? job->id->restart : 0);
    whole(out, rank->rank);
    text(out, job->nodes[r->node].name);
    whole(out, rank->local_rank);
    whole(out, rank->ending.exit_code);
    whole(out, rank->ending.signal);
    number(out, r->start);
    number(out, r->end);
    number(out, rank->wall_seconds);
    number(out, rank->cpu_seconds);
    number(out, rank->max_ram);
    number(out, rank->max_pss);
    number(out, rank->max_gpu_ram);
    number(out, r->gpu_held);
    number(out, r->gpu_busy);
    number(out, rank->disk_read);
    number(out, rank->disk_write);
    text(out, rank->ending.limited_by);
    write_notes(out, job, i);
}

void gput__fleet_csv(const struct gput__fleet_report *r, struct gput__buf *out)
{
    gput__buf_puts(out, "job,step,restart,rank,node,local_rank,exit_code,signal,start,end,"
                        "wall_seconds,cpu_seconds,max_ram,max_pss,max_gpu_ram,gpu_seconds_held,"
                        "gpu_seconds_busy,disk_read_bytes,disk_write_bytes,limited_by,failure,"
                        "stands_apart\n");
    for (size_t k = 0; k < r->n_jobs; k++)
        for (size_t i = 0; i < r->jobs[k].n_ranks; i++)
            write_rank(out, &r->jobs[k], i);
}

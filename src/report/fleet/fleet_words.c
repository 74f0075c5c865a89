/* fleet_words.c - ranks, numbers and failures of a fleet in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/print.h"
#include "gput.h"
#include "report/fleet/fleet_report.h"
#include "report/text/amount.h"

/* So many columns of numbers; the rest is counted. */
enum { ROOM_FOR_NUMBERS = 60 };

const char *const gput__fleet_figure_titles[GPUT__FLEET_FIGURES] = {
    [GPUT__FLEET_WALL] = "time",
    [GPUT__FLEET_CPU] = "CPU",
    [GPUT__FLEET_RAM] = "memory",
    [GPUT__FLEET_GPU] = "GPU",
};

const char *gput__fleet_value(enum gput__fleet_figure figure, double value,
                              char ret[GPUT__FLEET_WORDS])
{
    if (figure == GPUT__FLEET_WALL)
        return gput__amount_seconds(value, ret);
    return figure == GPUT__FLEET_RAM ? gput__amount_bytes(value, ret)
                                     : gput__amount_percent(value, ret);
}

const char *gput__fleet_rank_words(const struct gput__fleet_job *job, size_t rank,
                                   char ret[GPUT__FLEET_WORDS])
{
    const struct gput__job_rank *r = &job->ranks[rank];
    const char *node = job->nodes[r->node].name;

    if (r->rank->rank >= 0)
        snprintf(ret, GPUT__FLEET_WORDS, "rank %d on %.100s", r->rank->rank, node);
    else
        snprintf(ret, GPUT__FLEET_WORDS, "process %d on %.100s", r->rank->pid, node);
    return gput_text_plain(ret);
}

/* Adds a range, or counts it where there is no room. */
static void add_range(struct gput__buf *out, size_t before, size_t *n_more, int from, int to)
{
    char text[40];

    if (out->len - before > ROOM_FOR_NUMBERS) {
        *n_more += (size_t)(to - from) + 1;
        return;
    }
    snprintf(text, sizeof(text), from == to ? "%d" : to == from + 1 ? "%d, %d" : "%d-%d", from, to);
    gput__buf_printf(out, "%s%s", out->len > before ? ", " : "", text);
}

static void end_ranges(struct gput__buf *out, size_t n_more)
{
    if (n_more > 0)
        gput__buf_printf(out, " and %zu more", n_more);
}

void gput__fleet_numbers(struct gput__buf *out, const int *number, size_t n)
{
    size_t before = out->len, n_more = 0;

    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && number[end] <= number[end - 1] + 1; end++)
            ;
        add_range(out, before, &n_more, number[i], number[end - 1]);
    }
    end_ranges(out, n_more);
}

void gput__fleet_ranges(struct gput__buf *out, const struct gput__fleet_missing *m)
{
    size_t before = out->len, n_more = 0;

    for (size_t i = 0; i < m->n; i++)
        add_range(out, before, &n_more, m->range[i].from, m->range[i].to);
    end_ranges(out, n_more);
}

const char *gput__fleet_failure_words(const struct gput__fleet_failure *f,
                                      char ret[GPUT__FLEET_WORDS])
{
    static const char *const words[GPUT__FLEET_FAILINGS] = {
        [GPUT__FAILED_EXIT] = "exit code",
        [GPUT__FAILED_SIGNAL] = "signal",
        [GPUT__FAILED_MEMORY] = "killed for memory",
        [GPUT__FAILED_TIMEOUT] = "ended for its time limit",
        [GPUT__FAILED_KILLED] = "killed with its tracker; the figures are the last that it left",
        [GPUT__FAILED_RUNNING] = "no end is known: it runs, or its node is gone",
        [GPUT__FAILED_GPU] = "a GPU was stuck",
    };
    const char *name = f->what == GPUT__FAILED_SIGNAL ? sigabbrev_np(f->number) : NULL;

    if (name)
        snprintf(ret, GPUT__FLEET_WORDS, "signal %d (%s)", f->number, name);
    else if (f->what == GPUT__FAILED_XID)
        snprintf(ret, GPUT__FLEET_WORDS, "%d %s of its GPU (Xid)", f->number,
                 f->number == 1 ? "error" : "errors");
    else if (f->what == GPUT__FAILED_EXIT || f->what == GPUT__FAILED_SIGNAL)
        snprintf(ret, GPUT__FLEET_WORDS, "%s %d", words[f->what], f->number);
    else
        snprintf(ret, GPUT__FLEET_WORDS, "%s", words[f->what]);
    return ret;
}

static void write_when(const struct gput__straggler *s, struct gput__buf *out)
{
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE];

    if (s->is_chronic || !(s->to > s->from))
        gput__buf_puts(out, s->is_chronic ? ", all the time" : ", once");
    else
        gput__buf_printf(out, ", once: from %s to %s", gput__amount_seconds(s->from, a),
                         gput__amount_seconds(s->to, b));
}

void gput__fleet_straggler_words(const struct gput__straggler *s, struct gput__buf *out)
{
    char a[GPUT__FLEET_WORDS], b[GPUT__FLEET_WORDS];

    gput__buf_printf(out, "%s %s, median %s", gput__fleet_figure_titles[s->figure],
                     gput__fleet_value(s->figure, s->value, a),
                     gput__fleet_value(s->figure, s->median, b));
    if (s->is_node_wide)
        gput__buf_puts(out, ", like most ranks of its node");
    write_when(s, out);
}

const char *gput__fleet_job_words(const struct gput__fleet_job *job, char ret[GPUT__FLEET_WORDS])
{
    const struct gput__fleet_job_id *id = job->id;
    int n = snprintf(ret, GPUT__FLEET_WORDS, "Job %.80s, step %.40s", id->id,
                     id->step ? id->step : "0");

    if (id->array_job && id->array_task && n > 0 && n < GPUT__FLEET_WORDS)
        n += snprintf(ret + n, (size_t)(GPUT__FLEET_WORDS - n), ", task %.20s of array %.40s",
                      id->array_task, id->array_job);
    if (id->restart > 0 && n > 0 && n < GPUT__FLEET_WORDS)
        snprintf(ret + n, (size_t)(GPUT__FLEET_WORDS - n), ", restart %d", id->restart);
    return gput_text_plain(ret);
}

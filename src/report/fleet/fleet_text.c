/* fleet_text.c - a fleet's jobs as text: what is missing first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "gput.h"
#include "report/fleet/fleet_report.h"
#include "report/text/amount.h"
#include "report/text/screen_text.h"

/* Lines of each list; the JSON has all. */
enum { MOST_LINES = 10, LONGEST_COMMAND = 90 };

static const char *hours(double seconds, char *ret)
{
    if (seconds < 360) /* of a short job */
        return gput__amount_seconds(seconds, ret);
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, seconds >= 360000 ? "%.0f h" : "%.3g h", seconds / 3600);
    return ret;
}

static void line(struct gput__buf *out, const char *name)
{
    gput__buf_printf(out, "   %-21s", name);
}

static void more(struct gput__buf *out, size_t n)
{
    if (n > 0)
        gput__buf_printf(out, "   and %zu more: see -f json or --report\n", n);
}

/* --- the head ----------------------------------------------------------------------------------- */

static void write_count(struct gput__buf *out, size_t n, int expected, const char *what)
{
    if (expected >= 0 && (size_t)expected != n)
        gput__buf_printf(out, "%zu of %d %ss", n, expected, what);
    else
        gput__buf_printf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void write_head(const struct gput__fleet_job *job, struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS];
    const struct gput__fleet_job_id *id = job->id;

    gput__buf_puts(out, gput__fleet_job_words(job, words));
    if (id->name || id->launcher) {
        snprintf(words, sizeof(words), " (%.100s%s%.40s)", id->name ? id->name : "",
                 id->name && id->launcher ? ", " : "", id->launcher ? id->launcher : "");
        gput__buf_puts(out, gput_text_plain(words));
    }
    gput__buf_putc(out, '\n');
    if (job->command) {
        gput__buf_puts(out, "   ");
        gput__screen_text(out, job->command, LONGEST_COMMAND, true);
        gput__buf_putc(out, '\n');
    }
    gput__buf_puts(out, "   ");
    write_count(out, job->n_nodes, job->expected_nodes, "node");
    gput__buf_puts(out, ", ");
    write_count(out, job->n_ranks, job->expected_ranks, "rank");
    gput__buf_printf(out, ", %s\n", gput__amount_seconds(job->totals.wall_seconds, words));
}

/* --- missing and failed ------------------------------------------------------------------------- */

static void write_missing(const struct gput__fleet_job *job, struct gput__buf *out)
{
    int n = job->expected_ranks - (int)job->n_ranks;

    if (job->n_missing_nodes > 0) {
        line(out, "missing nodes");
        gput__buf_printf(out, "%zu of %d", job->n_missing_nodes, job->expected_nodes);
        if (job->missing_nodes.n > 0) {
            gput__buf_puts(out, ", by number from 0: ");
            gput__fleet_ranges(out, &job->missing_nodes);
        }
        gput__buf_putc(out, '\n');
    }
    if (job->missing_ranks.n_missing > 0) {
        line(out, "missing ranks");
        gput__buf_printf(out, "%zu: ", job->missing_ranks.n_missing);
        gput__fleet_ranges(out, &job->missing_ranks);
        gput__buf_putc(out, '\n');
    } else if (n > 0) {
        line(out, "missing ranks");
        gput__buf_printf(out, "%d, which the files do not number\n", n);
    }
}

static bool is_same(const struct gput__fleet_failure *a, const struct gput__fleet_failure *b)
{
    return a->what == b->what && a->number == b->number;
}

static int by_int(const void *a, const void *b)
{
    int one = *(const int *)a, other = *(const int *)b;

    return (one > other) - (one < other);
}

/* All ranks that failed as failure `i` did, which is the first of them. */
static void write_failures_like(const struct gput__fleet_job *job, size_t i, int *numbers,
                                struct gput__buf *out)
{
    const struct gput__fleet_failure *first = &job->failures[i];
    char words[GPUT__FLEET_WORDS], at[GPUT__AMOUNT_SIZE];
    size_t n = 0, n_numbers = 0;

    for (size_t k = i; k < job->n_failures; k++) {
        int number = job->ranks[job->failures[k].rank].rank->rank;

        if (!is_same(&job->failures[k], first))
            continue;
        n++;
        if (number >= 0)
            numbers[n_numbers++] = number;
    }
    gput__buf_printf(out, "   %s: ", gput__fleet_failure_words(first, words));
    gput__buf_puts(out, gput__fleet_rank_words(job, first->rank, words));
    if (first->at >= 0)
        gput__buf_printf(out, " after %s", gput__amount_seconds(first->at, at));
    if (n > 1) {
        gput__buf_printf(out, "%s; %zu in all", first->at >= 0 ? ", the first" : "", n);
        qsort(numbers, n_numbers, sizeof(*numbers), by_int);
        gput__buf_puts(out, n_numbers > 0 ? ": " : "");
        gput__fleet_numbers(out, numbers, n_numbers);
    }
    gput__buf_putc(out, '\n');
}

static void write_failures(const struct gput__fleet_job *job, struct gput__buf *out)
{
    int *numbers = malloc((job->n_failures + 1) * sizeof(*numbers));

    for (size_t i = 0; numbers && i < job->n_failures; i++) {
        bool is_first = true;

        for (size_t k = 0; k < i && is_first; k++)
            is_first = !is_same(&job->failures[k], &job->failures[i]);
        if (is_first)
            write_failures_like(job, i, numbers, out);
    }
    free(numbers);
}

static void write_twice(const struct gput__fleet_job *job, struct gput__buf *out)
{
    int *numbers = malloc((job->n_ranks + 1) * sizeof(*numbers));
    size_t n = 0;

    for (size_t i = 0; numbers && i < job->n_ranks; i++)
        if (job->ranks[i].is_twice)
            numbers[n++] = job->ranks[i].rank->rank;
    if (n > 0) {
        line(out, "more than once");
        gput__fleet_numbers(out, numbers, n);
        gput__buf_puts(out, " (a step that ran again, or two programs with the same rank)\n");
    }
    free(numbers);
}

static void write_incomplete(const struct gput__fleet_job *job, struct gput__buf *out)
{
    bool is_complete = gput__fleet_job_is_complete(job);

    if (!is_complete)
        gput__buf_puts(out, "\nMissing or failed\n");
    write_missing(job, out);
    write_failures(job, out);
    if (is_complete)
        gput__buf_puts(out, "   complete: no rank and no node is missing or failed\n");
    write_twice(job, out);
}

/* --- totals ------------------------------------------------------------------------------------- */

static void write_share(struct gput__buf *out, const char *name, double used, double of,
                        const char *words)
{
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE], c[GPUT__AMOUNT_SIZE];

    if (!(used >= 0))
        return;
    line(out, name);
    gput__buf_puts(out, hours(used, a));
    if (of > 0)
        gput__buf_printf(out, " of %s %s (%s)", hours(of, b), words,
                         gput__amount_percent(100 * used / of, c));
}

static void write_memory(const struct gput__fleet_totals *t, struct gput__buf *out)
{
    char a[GPUT__AMOUNT_SIZE];

    if (t->max_ram_at_once >= 0) {
        line(out, "Memory at one moment");
        gput__buf_printf(out, "at most %s", gput__amount_bytes(t->max_ram_at_once, a));
        gput__buf_printf(out, ", after %s%s\n", gput__amount_seconds(t->max_ram_when, a),
                         t->is_ram_shared_once ? "" : "; memory that ranks share counts for each");
    }
    if (t->sum_of_node_peaks >= 0) {
        line(out, "Sum of nodes' peaks");
        gput__buf_printf(out, "%s\n", gput__amount_bytes(t->sum_of_node_peaks, a));
    }
    if (t->sum_of_peak_ram >= 0) {
        line(out, "Sum of ranks' peaks");
        gput__buf_printf(out, "%s\n", gput__amount_bytes(t->sum_of_peak_ram, a));
    }
}

static void write_pair(struct gput__buf *out, const char *name, double one, const char *one_word,
                       double other, const char *other_word)
{
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE];

    if (!(one > 0) && !(other > 0))
        return;
    line(out, name);
    gput__buf_printf(out, "%s %s, %s %s\n", gput__amount_bytes(one, a), one_word,
                     gput__amount_bytes(other, b), other_word);
}

static void write_totals(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__fleet_totals *t = &job->totals;
    char a[GPUT__AMOUNT_SIZE];

    gput__buf_puts(out, "\nTotals\n");
    write_share(out, "CPU", t->cpu_seconds, t->cpu_seconds_given, "given");
    gput__buf_puts(out, t->cpu_seconds >= 0 ? "\n" : "");
    if (t->gpu_seconds_held > 0) {
        write_share(out, "GPU", t->gpu_seconds_busy, t->gpu_seconds_held, "held");
        gput__buf_printf(out, ", %s idle\n", hours(t->gpu_seconds_held - t->gpu_seconds_busy, a));
    }
    write_memory(t, out);
    if (t->energy >= 0) {
        line(out, "Energy of GPUs");
        gput__buf_printf(out, "%s\n", gput__amount_energy(t->energy, a));
    }
    write_pair(out, "Disk", t->disk_read, "read", t->disk_write, "written");
    write_pair(out, "Network of the nodes", t->net_received, "received", t->net_sent, "sent");
}

/* --- tables ------------------------------------------------------------------------------------- */

typedef const char *(*amount_words)(double value, char *ret);

static void write_at(const struct gput__fleet_job *job, bool is_node, size_t at,
                     struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS];

    if (is_node)
        snprintf(words, sizeof(words), "%.100s", job->nodes[at].name);
    else
        gput__fleet_rank_words(job, at, words);
    gput__buf_printf(out, "  %s\n", gput_text_plain(words));
}

static void write_spread(const struct gput__fleet_job *job, struct gput__buf *out, const char *name,
                         const struct gput__spread *s, amount_words words, bool is_node)
{
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE], c[GPUT__AMOUNT_SIZE], d[GPUT__AMOUNT_SIZE];
    double imbalance = gput__spread_imbalance(s);

    if (s->n == 0)
        return;
    gput__buf_printf(out, "   %-14s %13s %13s %13s %10s", name, words(s->min, a),
                     words(s->median, b), words(s->max, c),
                     isfinite(imbalance) ? gput__amount_percent(100 * imbalance, d) : "-");
    write_at(job, is_node, s->at_max, out);
}

static void write_table_head(struct gput__buf *out, const char *name)
{
    gput__buf_printf(out, "\n%-17s %13s %13s %13s %10s  %s\n", name, "min", "median", "max",
                     "imbalance", "the most");
}

static void write_tables(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__fleet_spreads *s = &job->spread;

    write_table_head(out, "Ranks");
    write_spread(job, out, "Time", &s->wall, gput__amount_seconds, false);
    write_spread(job, out, "CPU time", &s->cpu_seconds, gput__amount_seconds, false);
    write_spread(job, out, "CPU", &s->cpu_percent, gput__amount_percent, false);
    write_spread(job, out, "Memory", &s->max_ram, gput__amount_bytes, false);
    write_spread(job, out, "GPU", &s->gpu_busy, gput__amount_percent, false);
    write_spread(job, out, "GPU memory", &s->max_gpu_ram, gput__amount_bytes, false);
    write_table_head(out, "Nodes");
    write_spread(job, out, "CPU time", &s->node_cpu_seconds, gput__amount_seconds, true);
    write_spread(job, out, "Memory, job", &s->node_ram_job, gput__amount_bytes, true);
    write_spread(job, out, "Memory, all", &s->node_ram_system, gput__amount_bytes, true);
    write_spread(job, out, "GPU", &s->node_gpu_busy, gput__amount_percent, true);
}

static void write_skew(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__spread *start = &job->spread.start, *end = &job->spread.end;
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE];

    if (start->n < 2 || end->n < 2)
        return;
    gput__buf_printf(out, "\nStarts lie %s apart, ends %s.\n",
                     gput__amount_seconds(start->max - start->min, a),
                     gput__amount_seconds(end->max - end->min, b));
}

/* --- what stands apart --------------------------------------------------------------------------- */

static void write_straggler(const struct gput__fleet_job *job, const struct gput__straggler *s,
                            struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS];

    gput__buf_printf(out, "   %s: ", gput__fleet_rank_words(job, s->rank, words));
    gput__fleet_straggler_words(s, out);
    gput__buf_putc(out, '\n');
}

static void write_stragglers(const struct gput__fleet_job *job, struct gput__buf *out)
{
    size_t n = job->n_stragglers < MOST_LINES ? job->n_stragglers : MOST_LINES;

    if (n == 0)
        return;
    gput__buf_puts(out, "\nRanks that stand apart\n");
    for (size_t i = 0; i < n; i++)
        write_straggler(job, &job->stragglers[i], out);
    more(out, job->n_stragglers - n);
}

static double idle_of(const struct gput__job_rank *r)
{
    return r->gpu_held > 0 && r->gpu_busy >= 0 ? r->gpu_held - r->gpu_busy : -1;
}

/* The ranks with the most idle GPU time, if much of it is. */
static void write_idle(const struct gput__fleet_job *job, struct gput__buf *out)
{
    const struct gput__fleet_totals *t = &job->totals;
    double before = INFINITY;
    char words[GPUT__FLEET_WORDS], a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE];

    if (!(t->gpu_seconds_held - t->gpu_seconds_busy > t->gpu_seconds_held / 10))
        return;
    gput__buf_puts(out, "\nIdle GPUs, the ranks with the most\n");
    for (int k = 0; k < 5; k++) {
        size_t at = job->n_ranks;

        for (size_t i = 0; i < job->n_ranks; i++) {
            double idle = idle_of(&job->ranks[i]);

            if (idle > 0 && idle < before &&
                (at == job->n_ranks || idle > idle_of(&job->ranks[at])))
                at = i;
        }
        if (at == job->n_ranks)
            return;
        before = idle_of(&job->ranks[at]);
        gput__buf_printf(out, "   %s: idle %s of %s\n", gput__fleet_rank_words(job, at, words),
                         gput__amount_seconds(before, a),
                         gput__amount_seconds(job->ranks[at].gpu_held, b));
    }
}

static void write_clocks(const struct gput__fleet_job *job, struct gput__buf *out)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_nodes; i++) {
        const struct gput__job_node *node = &job->nodes[i];
        char a[GPUT__AMOUNT_SIZE], name[101];

        if (!(node->clock_ahead > 0) && !(node->clock_ahead < 0))
            continue;
        if (n++ == 0)
            gput__buf_puts(out, "\nClocks that are wrong; times above are put right\n");
        snprintf(name, sizeof(name), "%s", node->name);
        if (n <= MOST_LINES)
            gput__buf_printf(out, "   %s: %s %s\n", gput_text_plain(name),
                             gput__amount_seconds(fabs(node->clock_ahead), a),
                             node->clock_ahead > 0 ? "ahead" : "behind");
    }
    more(out, n > MOST_LINES ? n - MOST_LINES : 0);
}

/* --- the files ----------------------------------------------------------------------------------- */

static void write_versions(const struct gput__fleet *fleet, struct gput__buf *out)
{
    const char *first = fleet->files[0].version;

    for (size_t i = 1; first && i < fleet->n; i++) {
        const char *other = fleet->files[i].version;
        char words[100];

        if (!other || strcmp(first, other) == 0)
            continue;
        snprintf(words, sizeof(words), "%.40s and %.40s", first, other);
        gput__buf_printf(out, "\nThe files are of different versions of gpu-tracker: %s.\n",
                         gput_text_plain(words));
        return;
    }
}

static void write_faults(const struct gput__fleet *fleet, struct gput__buf *out)
{
    size_t n = 0, n_harmless = 0;

    for (size_t i = 0; i < fleet->n_faults; i++) {
        n_harmless += fleet->faults[i].is_harmless;
        if (fleet->faults[i].is_harmless)
            continue;
        if (n++ == 0)
            gput__buf_puts(out,
                           "\nFiles that could not be used; what they tell is missing above\n");
        if (n <= MOST_LINES)
            gput__buf_printf(out, "   %s\n", fleet->faults[i].text);
    }
    if (n > MOST_LINES)
        gput__buf_printf(out, "   and %zu more\n", n - MOST_LINES);
    if (n_harmless > 0)
        gput__buf_printf(out, "\n%zu other file%s (*.json) passed over: no node file%s.\n",
                         n_harmless, n_harmless > 1 ? "s" : "", n_harmless > 1 ? "s" : "");
}

static void write_job(const struct gput__fleet_job *job, struct gput__buf *out)
{
    write_head(job, out);
    write_incomplete(job, out);
    write_totals(job, out);
    write_tables(job, out);
    write_skew(job, out);
    write_stragglers(job, out);
    write_idle(job, out);
    write_clocks(job, out);
}

void gput__fleet_text(const struct gput__fleet_report *r, struct gput__buf *out)
{
    if (r->n_jobs > 1)
        gput__buf_printf(out, "%zu jobs, steps or restarts; each by itself:\n\n", r->n_jobs);
    for (size_t i = 0; i < r->n_jobs; i++) {
        gput__buf_puts(out, i > 0 ? "\n" : "");
        write_job(&r->jobs[i], out);
    }
    write_versions(r->fleet, out);
    write_faults(r->fleet, out);
}

/* history_text.c - the runs of a history, for people. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spread.h"
#include "analysis/trend.h"
#include "base/text/print.h"
#include "report/history.h"
#include "report/text/amount.h"
#include "report/text/screen_text.h"

enum { NAME = 16, COMMAND = 60 };

/* "2026-11-05 14:03:12", in UTC */
static const char *started(const struct gput__history_run *run, char ret[GPUT__AMOUNT_SIZE])
{
    char *zone;

    gput__amount_utc(run->start, ret);
    zone = strstr(ret, " UTC");
    if (zone)
        *zone = '\0';
    return ret;
}

/* How it ended, in a word: "0", "exit 3", "signal 9", "memory", "time limit". */
static const char *ended(const struct gput__history_run *run, char ret[GPUT__AMOUNT_SIZE])
{
    const char *ending = run->ending ? run->ending : "?";

    if (run->oom && strcmp(run->oom, "no") != 0)
        return strcpy(ret, "memory");
    if (run->timed_out)
        return strcpy(ret, "time limit");
    if (strcmp(ending, "exited") == 0)
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, run->code ? "exit %d" : "ok", run->code);
    else if (strcmp(ending, "signaled") == 0)
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "signal %d", run->code);
    else
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%.20s", ending);
    return ret;
}

/* Text of a fixed width; longer is cut. */
static void write_cell(struct gput__buf *out, const char *text, int width)
{
    int columns = gput__screen_text(out, text ? text : "-", width, true);

    gput__buf_printf(out, "%*s", width - columns + 2, "");
}

static const char *or_dash(double value, const char *(*amount)(double, char *), char *ret)
{
    return isnan(value) ? strcpy(ret, "-") : amount(value, ret);
}

void gput__history_head(struct gput__buf *out)
{
    gput__buf_printf(out, "%7s  %-19s  %-*s  %12s  %9s  %12s  %-10s  %s\n", "Run", "Started (UTC)",
                     NAME, "Name", "Time", "Memory", "CPU time", "Ended", "Command");
}

void gput__history_line(const struct gput__history_run *run, struct gput__buf *out)
{
    char start[GPUT__AMOUNT_SIZE], time[GPUT__AMOUNT_SIZE], ram[GPUT__AMOUNT_SIZE],
        cpu[GPUT__AMOUNT_SIZE], end[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out, "%7lld  %-19s  ", (long long)run->number,
                     isnan(run->start) ? "-" : started(run, start));
    write_cell(out, run->job_name, NAME);
    gput__buf_printf(out, "%12s  %9s  %12s  %-10s  ",
                     or_dash(run->figure[GPUT__NAMED_WALL_TIME], gput__amount_seconds, time),
                     or_dash(run->figure[GPUT__NAMED_RAM], gput__amount_bytes, ram),
                     or_dash(run->figure[GPUT__NAMED_CPU_TIME], gput__amount_seconds, cpu),
                     ended(run, end));
    (void)gput__screen_text(out, run->command ? run->command : "-", COMMAND, true);
    gput__buf_putc(out, '\n');
}

/* --- one run ---------------------------------------------------------------------------------- */

static const char *amount_of(int figure, double value, char ret[GPUT__AMOUNT_SIZE])
{
    return gput__amount_figure(value, gput__named_figures[figure].unit, ret);
}

static void write_text(struct gput__buf *out, const char *label, const char *text)
{
    if (!text)
        return;
    gput__buf_printf(out, "%-22s", label);
    gput__screen_line(out, text);
    gput__buf_putc(out, '\n');
}

static void write_tags(struct gput__buf *out, const char *tags)
{
    while (tags && *tags) {
        size_t n = strcspn(tags, "\n");
        struct gput__buf tag = GPUT__BUF_INIT;

        gput__buf_add(&tag, tags, n);
        write_text(out, "Tag", gput__buf_text(&tag));
        gput__buf_free(&tag);
        tags += n + (tags[n] != '\0');
    }
}

void gput__history_page(const struct gput__history_run *run, struct gput__buf *out)
{
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out, "%-22s%lld\n", "Run", (long long)run->number);
    write_text(out, "Id", run->run_id);
    if (!isnan(run->start))
        write_text(out, "Started", gput__amount_utc(run->start, text));
    write_text(out, "Name", run->job_name);
    write_text(out, "Command", run->command);
    write_text(out, "Folder", run->folder);
    write_text(out, "Host", run->host);
    write_text(out, "Version", run->version);
    write_tags(out, run->tags);
    write_text(out, "Ended", ended(run, text));
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        write_text(out, gput__named_figures[i].label,
                   isnan(run->figure[i]) ? "not known" : amount_of(i, run->figure[i], text));
}

/* --- trends ----------------------------------------------------------------------------------- */

static double value_of(const struct gput__history_series *s, size_t run, int figure)
{
    return s->figure[run * GPUT__N_NAMED_FIGURES + (size_t)figure];
}

/* The largest of the runs of each cell: no peak is lost; NAN: nothing is known there. */
static double cell_of(const struct gput__history_series *s, int figure, size_t cell, size_t cells)
{
    size_t from = cell * s->n / cells, to = (cell + 1) * s->n / cells;
    double most = NAN;

    for (size_t i = from; i < to; i++) {
        double value = value_of(s, i, figure);

        most = isnan(most) || value > most ? (isnan(value) ? most : value) : most;
    }
    return most;
}

/* From the least to the most of them; blank where nothing is known. */
static void write_line_of_cells(const struct gput__history_series *s, int figure, size_t cells,
                                bool use_unicode, struct gput__buf *out)
{
    static const char *const blocks[] = { "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
                                          "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86",
                                          "\xe2\x96\x87", "\xe2\x96\x88" };
    static const char *const ascii[] = { "_", ".", "-", "~", "=", "+", "*", "#" };
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < cells; i++) {
        double value = cell_of(s, figure, i, cells);

        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    for (size_t i = 0; i < cells; i++) {
        double value = cell_of(s, figure, i, cells);
        int step = high > low ? (int)(7.999 * (value - low) / (high - low)) : 0;

        gput__buf_puts(out, isnan(value) ? " " : use_unicode ? blocks[step] : ascii[step]);
    }
}

static void write_trend(const struct gput__history_series *s, int figure, size_t cells,
                        bool use_unicode, const double *values, struct gput__buf *out)
{
    char low[GPUT__AMOUNT_SIZE], median[GPUT__AMOUNT_SIZE], high[GPUT__AMOUNT_SIZE],
        step[GPUT__AMOUNT_SIZE];
    struct gput__spread spread;
    struct gput__trend trend;

    gput__spread_of(values, s->n, &spread);
    gput__trend_of(values, s->n, &trend);
    gput__buf_printf(out, "   %-20s ", gput__named_figures[figure].label);
    write_line_of_cells(s, figure, cells, use_unicode, out);
    gput__buf_printf(out, "  %s to %s, median %s", amount_of(figure, spread.low, low),
                     amount_of(figure, spread.high, high),
                     amount_of(figure, spread.median, median));
    if (trend.per_run != 0)
        gput__buf_printf(out, "; %s by %s a run", trend.per_run > 0 ? "grows" : "falls",
                         amount_of(figure, fabs(trend.per_run), step));
    gput__buf_putc(out, '\n');
}

/* What everybody asks for where there is any of it; other figures only where they moved. */
static bool is_worth_a_line(const struct gput__history_series *s, int figure, const double *values)
{
    static const int always[] = { GPUT__NAMED_RAM, GPUT__NAMED_GPU_RAM, GPUT__NAMED_CPU_TIME,
                                  GPUT__NAMED_WALL_TIME };
    bool is_any = false, is_moving = false, says_more = figure != GPUT__NAMED_MAIN_PROCESS_RAM;

    for (size_t i = 0; i < s->n; i++) {
        is_any |= values[i] > 0;
        is_moving |= !isnan(values[i]) && values[i] != values[0];
        says_more |= !(values[i] == value_of(s, i, GPUT__NAMED_RAM));
    }
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        if (always[i] == figure)
            return is_any;
    return is_any && is_moving && says_more;
}

void gput__trend_text(const struct gput__history_series *s, int only, int width, bool use_unicode,
                      struct gput__buf *out)
{
    size_t cells = s->n < (size_t)width ? s->n : (size_t)width;
    double *values = malloc((s->n + 1) * sizeof(*values));
    char first[GPUT__AMOUNT_SIZE], last[GPUT__AMOUNT_SIZE];

    gput__screen_line(out, s->name);
    gput__buf_printf(out, ": %zu run%s", s->n, s->n == 1 ? "" : "s");
    if (!isnan(s->first) && !isnan(s->last))
        gput__buf_printf(out, ", %.10s to %.10s", gput__amount_utc(s->first, first),
                         gput__amount_utc(s->last, last));
    gput__buf_putc(out, '\n');
    for (int f = 0; values && f < GPUT__N_NAMED_FIGURES; f++) {
        for (size_t i = 0; i < s->n; i++)
            values[i] = value_of(s, i, f);
        if (only == f || (only < 0 && is_worth_a_line(s, f, values)))
            write_trend(s, f, cells, use_unicode, values, out);
    }
    free(values);
}

/* junit.c - a run as JUnit's XML, which CI servers show: the command and each limit of its budget are test
 * cases, its figures are properties. */
#include "base/text/dtoa.h"
#include "base/text/print.h"
#include "model/budget.h"
#include "model/figure.h"
#include "model/named_figure.h"
#include "report/budget.h"
#include "report/formats/formats.h"
#include "report/html/html_text.h"
#include "report/text/ending.h"

static void write_attribute(struct gput__buf *out, const char *name, const char *value)
{
    gput__buf_printf(out, " %s=\"", name);
    gput__html_text(out, value);
    gput__buf_putc(out, '"');
}

static void write_number(struct gput__buf *out, const char *name, double value)
{
    char number[32];

    gput__dtoa_round3(value, number);
    write_attribute(out, name, number);
}

static void write_figure(double value, enum gput__figure_unit unit, char *ret, size_t size)
{
    if (unit == GPUT__IN_BYTES || unit == GPUT__IN_NUMBERS)
        gput__snprintf(ret, size, "%.0f", value);
    else
        gput__dtoa_round3(value, ret);
}

static void write_property(struct gput__buf *out, const char *name, const char *suffix,
                           const char *value)
{
    gput__buf_printf(out, "   <property name=\"%s%s\"", name, suffix);
    write_attribute(out, "value", value);
    gput__buf_puts(out, "/>\n");
}

/* What is not known is left out. */
static void write_properties(struct gput__buf *out, const struct gput_usage *u)
{
    gput__buf_puts(out, "  <properties>\n");
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++) {
        struct gput_figure f = gput__named_figure_of(u, i);
        enum gput__figure_unit unit = gput__named_figures[i].unit;
        const char *name = gput__named_figures[i].name;
        char number[32];

        if (!gput__figure_is_known(f))
            continue;
        write_figure(f.value, unit, number, sizeof(number));
        write_property(out, name, gput__format_suffix(unit), number);
        write_property(out, name, "_source", gput__source_name(f.source));
    }
    if (u->run.id)
        write_property(out, "run_id", "", u->run.id);
    if (u->run.version)
        write_property(out, "gpu_tracker_version", "", u->run.version);
    gput__buf_puts(out, "  </properties>\n");
}

static bool has_failed(const struct gput_usage *u)
{
    return u->job.timed_out || u->budget.ended_job || gput__format_status(u) > 0;
}

static int count_broken(const struct gput_usage *u)
{
    int n = 0;

    for (int i = 0; i < u->budget.n_lines; i++)
        n += !u->budget.lines[i].is_met;
    return n;
}

static void write_case(struct gput__buf *out, const char *group, const char *name, double seconds)
{
    gput__buf_puts(out, "  <testcase");
    write_attribute(out, "classname", group);
    write_attribute(out, "name", name);
    write_number(out, "time", seconds);
}

static void write_failure(struct gput__buf *out, const char *type, const char *words)
{
    gput__buf_printf(out, ">\n   <failure type=\"%s\"", type);
    write_attribute(out, "message", words);
    gput__buf_puts(out, "/>\n  </testcase>\n");
}

static void write_command(struct gput__buf *out, const struct gput_usage *u)
{
    char words[GPUT__ENDING_SIZE];

    gput__ending_in_short(u, words);
    write_case(out, "command", u->job.command ? u->job.command : "a running process",
               u->compute_time.time.value);
    if (!has_failed(u))
        gput__buf_puts(out, "/>\n");
    else
        write_failure(out, "exit",
                      u->job.timed_out      ? "ended for its time limit (--timeout)"
                      : u->budget.ended_job ? "ended for its budget (--kill-over-budget)"
                                            : words);
}

static void write_limit(struct gput__buf *out, const struct gput_budget_line *line)
{
    char name[sizeof(((struct gput__budget_limit *)NULL)->figure) + 64];
    char words[GPUT__BUDGET_WORDS];

    gput__snprintf(name, sizeof(name), "%s%s%s", line->figure, line->op, line->asked);
    gput_budget_words(line, words, sizeof(words));
    write_case(out, "budget", name, 0);
    if (!line->is_met) {
        write_failure(out, "budget", words);
        return;
    }
    gput__buf_puts(out, ">\n   <system-out>");
    gput__html_text(out, words);
    gput__buf_puts(out, "</system-out>\n  </testcase>\n");
}

static void write_counts(struct gput__buf *out, const struct gput_usage *u)
{
    gput__buf_printf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\"",
                     1 + u->budget.n_lines, has_failed(u) + count_broken(u));
    write_number(out, "time", u->compute_time.time.value);
}

void gput__usage_junit(const struct gput_usage *u, struct gput__buf *out)
{
    gput__buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    write_counts(out, u);
    gput__buf_puts(out, ">\n <testsuite");
    write_attribute(out, "name", u->run.job_name ? u->run.job_name : "gpu-tracker");
    write_counts(out, u);
    if (u->run.start_time)
        write_attribute(out, "timestamp", u->run.start_time);
    if (u->run.host)
        write_attribute(out, "hostname", u->run.host);
    gput__buf_puts(out, ">\n");
    write_properties(out, u);
    write_command(out, u);
    for (int i = 0; i < u->budget.n_lines; i++)
        write_limit(out, &u->budget.lines[i]);
    gput__buf_puts(out, " </testsuite>\n</testsuites>\n");
}

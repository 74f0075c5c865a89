/* analysis_text.c - an analysis of code blocks as text. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/analysis.h"
#include "report/text/grid.h"
#include "report/text/screen_text.h"

enum { INDENT = 3, LABEL = 25 };

static const char *const heads[] = { "min", "max", "mean", "std", "total" };
enum { N_STATS = 4, N_TIMES = 5 };

static void write_usage(struct gput__buf *out, int indent, const struct gput_stats *stats)
{
    const char *labels[GPUT__N_MEASURED];
    double values[GPUT__N_MEASURED][N_STATS];

    for (size_t i = 0; i < GPUT__N_MEASURED; i++) {
        labels[i] = gput__column_name(i);
        values[i][0] = stats[i].min;
        values[i][1] = stats[i].max;
        values[i][2] = stats[i].mean;
        values[i][3] = stats[i].std;
    }
    gput__grid_write(out, indent, labels, GPUT__N_MEASURED, heads, N_STATS, &values[0][0]);
}

static void write_times(struct gput__buf *out, int indent, const struct gput_stats *s)
{
    const double values[N_TIMES] = { s->min, s->max, s->mean, s->std, s->total };

    gput__grid_write(out, indent, NULL, 1, heads, N_TIMES, values);
}

/* Words that are written in capitals. */
static bool is_short_form(const char *word, size_t n)
{
    return (n == 3 && (memcmp(word, "ram", n) == 0 || memcmp(word, "gpu", n) == 0)) ||
           (n == 4 && memcmp(word, "gpus", n) == 0);
}

/* "gpu_ram_unit" as "GPU RAM unit:". */
static void write_label(struct gput__buf *out, int indent, const char *name)
{
    char label[48];
    char *p = label;

    snprintf(label, sizeof(label), "%s:", name);
    label[0] = is_short_form(label, strcspn(label, "_:")) ? label[0] : (char)toupper(label[0]);
    while (*p) {
        size_t n = strcspn(p, "_:");
        bool is_short = is_short_form(p, n);

        for (size_t i = 0; is_short && i < 3; i++)
            p[i] = (char)toupper(p[i]);
        p += n;
        if (*p == '_')
            *p = ' ';
        p += *p != '\0';
    }
    gput__buf_printf(out, "%*s%-*s ", indent, "", LABEL, label);
}

static void write_text(struct gput__buf *out, int indent, const char *name, const char *text)
{
    write_label(out, indent, name);
    gput__screen_line(out, text);
    gput__buf_puts(out, "\n");
}

static void write_count(struct gput__buf *out, int indent, const char *name, uint64_t count)
{
    write_label(out, indent, name);
    gput__buf_printf(out, "%llu\n", (unsigned long long)count);
}

static void write_number(struct gput__buf *out, int indent, const char *name, double value,
                         const char *unit)
{
    char number[48];

    write_label(out, indent, name);
    gput__grid_number(value, number);
    gput__buf_printf(out, "%s%s%s\n", number, isfinite(value) && *unit ? " " : "",
                     isfinite(value) ? unit : "");
}

static void write_static_data(struct gput__buf *out, const struct gput_analysis *a)
{
    gput__buf_puts(out, "Static data:\n");
    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++) {
        const struct gput__static_value *v = &a->statics[i];

        if (v->text)
            write_text(out, INDENT, v->name, v->text);
        else if (v->is_count)
            write_count(out, INDENT, v->name, (uint64_t)v->number);
        else
            write_number(out, INDENT, v->name, v->number, "");
    }
}

/* What marks with the process's own figures tell. */
static void write_exact(struct gput__buf *out, const struct gput_analysis *a,
                        const struct gput_block *b)
{
    const char *unit = a->has_tracking ? a->statics[0].text : "bytes";

    write_count(out, INDENT, "num_unfinished_calls", b->num_unfinished_calls);
    write_number(out, INDENT, "wall_time", b->wall_time, "seconds");
    if (b->num_exact_calls == 0)
        return;
    write_count(out, INDENT, "num_exact_calls", b->num_exact_calls);
    gput__buf_printf(out, "%*sExact CPU time (seconds):\n", INDENT, "");
    write_times(out, 2 * INDENT, &b->cpu_time);
    write_count(out, INDENT, "num_peaks", b->num_peaks);
    write_number(out, INDENT, "exact_peak_ram", b->peak_ram / a->ram_unit_size, unit);
}

static void write_block(struct gput__buf *out, const struct gput_analysis *a,
                        const struct gput_block *b, bool full)
{
    write_text(out, INDENT, "name", b->name);
    write_count(out, INDENT, "num_timepoints", b->num_timepoints);
    write_count(out, INDENT, "num_calls", b->num_calls);
    write_count(out, INDENT, "num_non_empty_calls", b->num_non_empty_calls);
    gput__buf_printf(out, "%*sCompute time (seconds):\n", INDENT, "");
    write_times(out, 2 * INDENT, &b->compute_time);
    if (a->has_tracking && b->num_timepoints == 0) {
        write_text(out, INDENT, "resource_usage", "no timepoint lies inside a call");
    } else if (a->has_tracking) {
        gput__buf_printf(out, "%*sResource usage:\n", INDENT, "");
        write_usage(out, 2 * INDENT, b->resource_usage);
    }
    if (full)
        write_exact(out, a, b);
}

void gput__analysis_text(const struct gput_analysis *a, bool full, struct gput__buf *out)
{
    if (a->has_tracking) {
        gput__buf_puts(out, "Overall:\n");
        write_usage(out, INDENT, a->overall);
        write_static_data(out, a);
    }
    gput__buf_puts(out, "Code block results:\n");
    for (size_t i = 0; i < a->n_blocks; i++) {
        if (i > 0)
            gput__buf_puts(out, "\n");
        write_block(out, a, &a->blocks[i], full);
    }
}

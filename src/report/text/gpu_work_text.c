/* gpu_work_text.c - what a GPU really did, as lines of a result. */
#include "report/text/gpu_work_text.h"

#include <string.h>

#include "base/text/dtoa.h"
#include "model/usage_rows.h"
#include "report/text/screen_text.h"

/* A figure, or the mean and the maximum of one: `at` is its first row of `n`. */
struct item {
    const char *label;
    const struct gput__row *at;
    size_t n;
};

static struct item item_at(const struct gput__row *row)
{
    if (row->kind == GPUT__ROW_OPEN)
        return (struct item){ row->label, row + 1, 4 };
    return (struct item){ row->label, row, 1 };
}

static const struct gput_figure *figure_of(const struct gput_gpu_work *work,
                                           const struct gput__row *row)
{
    return (const struct gput_figure *)((const char *)work + row->offset);
}

static void write_number(struct gput__buf *out, const struct gput_gpu_work *work,
                         const struct gput__row *row)
{
    char text[32];

    if (row->kind == GPUT__ROW_COUNT) {
        gput__buf_printf(out, "%.0f", figure_of(work, row)->value);
        return;
    }
    gput__dtoa_round3(figure_of(work, row)->value, text);
    gput__buf_puts(out, text);
}

static void write_known(struct gput__buf *out, int indent, const struct gput_gpu_work *work,
                        struct item item)
{
    gput__buf_printf(out, "%*s%s: ", indent, "", item.label);
    if (item.n > 1)
        gput__buf_puts(out, "mean ");
    write_number(out, work, item.at);
    if (item.n > 1) {
        gput__buf_puts(out, ", max ");
        write_number(out, work, item.at + 1);
    }
    gput__buf_putc(out, '\n');
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_unknown_for(const struct gput_gpu_work *work, struct item item, const char *why)
{
    const struct gput_figure *f = figure_of(work, item.at);

    return f->source == GPUT_UNAVAILABLE && is_same(f->why, why);
}

/* All that are not known for the reason of row `first`, unless one before it had the same. */
static void write_unknown(struct gput__buf *out, int indent, const struct gput_gpu_work *work,
                          size_t first)
{
    const struct gput__rows *rows = &gput__gpu_work_rows;
    const char *why = figure_of(work, item_at(&rows->row[first]).at)->why, *between = " ";

    for (size_t i = 0; i < first; i += item_at(&rows->row[i]).n)
        if (is_unknown_for(work, item_at(&rows->row[i]), why))
            return;
    gput__buf_printf(out, "%*sUnavailable:", indent, "");
    for (size_t i = first; i < rows->n; i += item_at(&rows->row[i]).n) {
        if (!is_unknown_for(work, item_at(&rows->row[i]), why))
            continue;
        gput__buf_printf(out, "%s%s", between, item_at(&rows->row[i]).label);
        between = "; ";
    }
    if (why) {
        gput__buf_puts(out, " (");
        gput__screen_line(out, why);
        gput__buf_putc(out, ')');
    }
    gput__buf_putc(out, '\n');
}

void gput__gpu_work_text(struct gput__buf *out, int indent, const struct gput_gpu_work *work)
{
    const struct gput__rows *rows = &gput__gpu_work_rows;

    for (size_t i = 0; i < rows->n; i += item_at(&rows->row[i]).n) {
        struct item item = item_at(&rows->row[i]);

        if (figure_of(work, item.at)->source == GPUT_UNAVAILABLE)
            write_unknown(out, indent, work, i);
        else
            write_known(out, indent, work, item);
    }
}

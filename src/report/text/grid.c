/* grid.c - a table of numbers as text, with the decimal points below each other. */
#include "report/text/grid.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/dtoa.h"

enum { MOST_COLUMNS = 8 };

struct width {
    int before, after; /* the decimal point, which counts to what follows it */
};

static int decimals_of(double size)
{
    return size < 10 ? 6 : size < 100 ? 5 : size < 1000 ? 4 : 3;
}

void gput__grid_number(double value, char ret[48])
{
    double size = fabs(value);
    int decimals = decimals_of(size);
    uint64_t scale = 1, scaled;
    char *end;

    if (!isfinite(value)) {
        strcpy(ret, "-");
        return;
    }
    if (size >= 1e15) {
        gput__dtoa(value, ret);
        return;
    }
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    /* By whole numbers: the point of printf's %f is the locale's. */
    scaled = (uint64_t)(size * (double)scale + 0.5);
    end = ret + snprintf(ret, 48, "%s%llu.%0*llu", value < 0 && scaled ? "-" : "",
                         (unsigned long long)(scaled / scale), decimals,
                         (unsigned long long)(scaled % scale));
    while (end[-1] == '0' && end[-2] != '.')
        *--end = '\0';
}

static int length_before_point(const char *number)
{
    return (int)strcspn(number, ".");
}

static struct width width_of(const char *head, const double *values, size_t n_rows,
                             size_t n_columns)
{
    struct width w = { 0 };
    char number[48];

    for (size_t i = 0; i < n_rows; i++) {
        int before, after;

        gput__grid_number(values[i * n_columns], number);
        before = length_before_point(number);
        after = (int)strlen(number) - before;
        w.before = before > w.before ? before : w.before;
        w.after = after > w.after ? after : w.after;
    }
    if (w.before + w.after < (int)strlen(head))
        w.before = (int)strlen(head) - w.after;
    return w;
}

static void write_number(struct gput__buf *out, double value, struct width w)
{
    char number[48];
    int before;

    gput__grid_number(value, number);
    before = length_before_point(number);
    gput__buf_printf(out, "   %*.*s%-*s", w.before, before, number, w.after, number + before);
}

static void trim(struct gput__buf *out)
{
    while (out->len > 0 && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
}

void gput__grid_write(struct gput__buf *out, int indent, const char *const *labels, size_t n_rows,
                      const char *const *heads, size_t n_columns, const double *values)
{
    struct width widths[MOST_COLUMNS];
    int label_width = 0;

    for (size_t i = 0; labels && i < n_rows; i++)
        label_width = (int)strlen(labels[i]) > label_width ? (int)strlen(labels[i]) : label_width;
    gput__buf_printf(out, "%*s%*s", indent, "", label_width, "");
    for (size_t k = 0; k < n_columns; k++) {
        widths[k] = width_of(heads[k], values + k, n_rows, n_columns);
        gput__buf_printf(out, "   %*s", widths[k].before + widths[k].after, heads[k]);
    }
    gput__buf_puts(out, "\n");
    for (size_t i = 0; i < n_rows; i++) {
        gput__buf_printf(out, "%*s%-*s", indent, "", label_width, labels ? labels[i] : "");
        for (size_t k = 0; k < n_columns; k++)
            write_number(out, values[i * n_columns + k], widths[k]);
        trim(out);
        gput__buf_puts(out, "\n");
    }
}

/* stream.c - the rows of a stream as CSV or JSON, a line each, or as a table for people. */
#include "report/stream.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/text/dtoa.h"
#include "base/text/print.h"
#include "report/text/amount.h"

void gput__stream_print_header(enum gput_stream s, enum gput_columns names, struct gput__buf *out)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, names, &all);
    for (size_t i = 0; i < all.n; i++)
        gput__buf_printf(out, "%s\"%s\"", i ? "," : "", all.column[i].name);
    gput__buf_add(out, "\n", 1);
}

static void print_value(bool is_whole, double value, const char *unknown, struct gput__buf *out)
{
    char text[32];

    if (isnan(value)) {
        gput__buf_printf(out, "%s", unknown);
    } else if (is_whole) {
        gput__buf_printf(out, "%.0f", value);
    } else {
        gput__dtoa(value, text);
        gput__buf_printf(out, "%s", text);
    }
}

void gput__stream_print_row(const struct gput__stream_columns *c, enum gput_line format,
                            const double *values, struct gput__buf *out)
{
    bool is_json = format == GPUT_LINE_JSON;

    gput__buf_printf(out, "%s", is_json ? "{" : "");
    for (size_t i = 0; i < c->n; i++) {
        gput__buf_printf(out, "%s", i == 0 ? "" : is_json ? ", " : ",");
        if (is_json)
            gput__buf_printf(out, "\"%s\": ", c->column[i].name);
        print_value(c->column[i].decimals == GPUT__STREAM_WHOLE, values[i], is_json ? "null" : "",
                    out);
    }
    gput__buf_printf(out, "%s\n", is_json ? "}" : "");
}

/* --- for people ----------------------------------------------------------------------------- */

static const struct gput__metric_info *metric_of(const struct gput__stream_column *c)
{
    return c->form >= GPUT__STREAM_LEVEL ? &gput__metrics[c->metric] : NULL;
}

static const char *head_of(const struct gput__stream_column *c)
{
    const struct gput__metric_info *m = metric_of(c);

    return c->form == GPUT__STREAM_TIME ? "time" : m && m->table.head ? m->table.head : c->name;
}

static unsigned rank_of(const struct gput__stream_column *c)
{
    const struct gput__metric_info *m = metric_of(c);

    return !m ? 0 : m->table.rank ? m->table.rank : GPUT__STREAM_MOST_COLUMNS;
}

/* With the blanks in front of it: "1.24 GB", "0.24", "14:03:12", of which no column is in front. */
static int width_of(const struct gput__stream_column *c)
{
    const struct gput__metric_info *m = metric_of(c);
    bool is_short = m && (m->unit == GPUT__PERCENT || m->kind == GPUT__RATE);
    int head = (int)strlen(head_of(c)), value = c->form == GPUT__STREAM_TIME ? 6 : is_short ? 5 : 7;

    return 2 + (head > value ? head : value);
}

static const char *say_value(const struct gput__stream_column *c, double value, char *ret)
{
    const struct gput__metric_info *m = metric_of(c);
    struct tm tm;
    time_t t;

    if (isnan(value))
        return "-";
    t = (time_t)value;
    if (c->form == GPUT__STREAM_TIME)
        return localtime_r(&t, &tm) && strftime(ret, GPUT__AMOUNT_SIZE, "%H:%M:%S", &tm) ? ret
                                                                                         : "-";
    if (!m || m->unit == GPUT__COUNT) {
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%.0f", value);
        return ret;
    }
    if (m->unit == GPUT__PERCENT ||
        (gput__metric_is_rate(c->metric) && !gput__metric_is_in_cores(c->metric)))
        return gput__amount_percent(value, ret);
    if (m->unit == GPUT__JOULES)
        return gput__amount_energy(value, ret);
    if (m->unit != GPUT__SECONDS)
        return gput__amount_bytes(value, ret);
    if (m->kind != GPUT__RATE)
        return gput__amount_seconds(value, ret);
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%.2f", value / 100); /* cores */
    return ret;
}

/* Which columns have room, the most important first. */
static void choose(const struct gput__stream_columns *c, const struct gput__stream_table *table,
                   bool *ret_is_shown)
{
    int left = table->width > 0 ? table->width : INT32_MAX;

    memset(ret_is_shown, 0, c->n * sizeof(*ret_is_shown));
    for (unsigned rank = 0; rank <= GPUT__STREAM_MOST_COLUMNS; rank++) {
        for (size_t i = 0; i < c->n; i++) {
            const struct gput__stream_column *one = &c->column[i];
            bool is_missing =
                metric_of(one) && !table->has_gpus && gput__metric_is_of_gpus(one->metric);

            if (rank_of(one) != rank || is_missing || width_of(one) > left)
                continue;
            ret_is_shown[i] = true;
            left -= width_of(one);
        }
    }
}

void gput__stream_print_table(const struct gput__stream_columns *c,
                              const struct gput__stream_table *table, const double *values,
                              struct gput__buf *out)
{
    bool is_shown[GPUT__STREAM_MOST_COLUMNS];
    char text[GPUT__AMOUNT_SIZE];

    choose(c, table, is_shown);
    for (int row = table->with_heads ? 0 : 1; row < 2; row++) {
        for (size_t i = 0; i < c->n; i++)
            if (is_shown[i])
                gput__buf_printf(out, "%*s", width_of(&c->column[i]),
                                 row == 0 ? head_of(&c->column[i])
                                          : say_value(&c->column[i], values[i], text));
        gput__buf_putc(out, '\n');
    }
}

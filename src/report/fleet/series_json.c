/* series_json.c - columns over time as JSON, made short without losing their extremes. */
#include "report/fleet/series_json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

static void write_value(struct gput__json *j, double value, int decimals)
{
    double scale = decimals == 3 ? 1e3 : decimals == 1 ? 10 : 1;

    if (isnan(value))
        gput__json_null(j, NULL);
    else if (decimals == 0)
        gput__json_count(j, NULL, value);
    else
        gput__json_double(j, NULL, round(value * scale) / scale);
}

/* Two values of the moments [first, end). */
static void write_pair(struct gput__json *j, const double *value, size_t first, size_t end,
                       int decimals)
{
    size_t low = first, high = first;

    for (size_t i = first; i < end; i++) {
        if (isnan(value[low]) || value[i] < value[low])
            low = i;
        if (isnan(value[high]) || value[i] > value[high])
            high = i;
    }
    write_value(j, value[low < high ? low : high], decimals);
    write_value(j, value[low < high ? high : low], decimals);
}

static size_t start_of(const struct gput__series_json *s, size_t bucket)
{
    return (size_t)((uint64_t)bucket * s->n / (s->most / 2));
}

static void write_column(struct gput__json *j, const struct gput__series_json *s, size_t c)
{
    const double *value = s->column[c].value;
    int decimals = s->column[c].decimals;
    size_t known = 0;

    while (value && known < s->n && isnan(value[known]))
        known++;
    if (!value || known == s->n) {
        gput__json_null(j, s->column[c].name);
        return;
    }
    gput__json_open_list(j, s->column[c].name);
    if (s->n <= s->most)
        for (size_t i = 0; i < s->n; i++)
            write_value(j, value[i], decimals);
    else
        for (size_t b = 0; b < s->most / 2; b++)
            write_pair(j, value, start_of(s, b), start_of(s, b + 1), decimals);
    gput__json_close_list(j);
}

/* Of two points the first and the last moment that they stand for. */
static void write_times(struct gput__json *j, const struct gput__series_json *s)
{
    gput__json_open_list(j, "t");
    if (s->n <= s->most)
        for (size_t i = 0; i < s->n; i++)
            write_value(j, s->t[i], 3);
    for (size_t b = 0; s->n > s->most && b < s->most / 2; b++) {
        write_value(j, s->t[start_of(s, b)], 3);
        write_value(j, s->t[start_of(s, b + 1) - 1], 3);
    }
    gput__json_close_list(j);
}

void gput__series_json(struct gput__json *j, const char *key, const struct gput__series_json *s)
{
    if (s->n == 0) {
        gput__json_null(j, key);
        return;
    }
    gput__json_open(j, key);
    write_times(j, s);
    for (size_t c = 0; c < s->n_columns; c++)
        write_column(j, s, c);
    gput__json_close(j);
}

/* analysis_json.c - analyses and comparisons of code blocks as JSON. */
#include <math.h>

#include "report/analysis.h"
#include "report/json/json.h"

static void write_stats(struct gput__json *j, const char *key, const struct gput_stats *s,
                        bool has_total)
{
    gput__json_open(j, key);
    gput__json_double(j, "min", s->min);
    gput__json_double(j, "max", s->max);
    gput__json_double(j, "mean", s->mean);
    gput__json_double(j, "std", s->std);
    if (has_total)
        gput__json_double(j, "total", s->total);
    gput__json_close(j);
}

static void write_usage(struct gput__json *j, const char *key, const struct gput_stats *stats)
{
    gput__json_open(j, key);
    for (size_t i = 0; i < GPUT__N_MEASURED; i++)
        write_stats(j, gput__column_name(i), &stats[i], false);
    gput__json_close(j);
}

static void write_static_data(struct gput__json *j, const struct gput_analysis *a)
{
    gput__json_open(j, "static_data");
    for (size_t i = 0; a->has_tracking && i < GPUT__N_STATIC_COLUMNS; i++) {
        const struct gput__static_value *v = &a->statics[i];

        if (v->text)
            gput__json_string(j, v->name, v->text);
        else if (v->is_count)
            gput__json_count(j, v->name, v->number);
        else
            gput__json_double(j, v->name, v->number);
    }
    gput__json_close(j);
}

/* What marks with the process's own figures tell. */
static void write_exact(struct gput__json *j, const struct gput_analysis *a,
                        const struct gput_block *b)
{
    gput__json_open(j, "exact");
    gput__json_count(j, "num_calls", (double)b->num_exact_calls);
    write_stats(j, "cpu_time", &b->cpu_time, true);
    gput__json_count(j, "num_peaks", (double)b->num_peaks);
    gput__json_double(j, "peak_ram", b->peak_ram / a->ram_unit_size);
    gput__json_close(j);
}

static void write_block(struct gput__json *j, const struct gput_analysis *a,
                        const struct gput_block *b, bool full)
{
    gput__json_open(j, NULL);
    gput__json_string(j, "name", b->name);
    gput__json_count(j, "num_timepoints", (double)b->num_timepoints);
    gput__json_count(j, "num_calls", (double)b->num_calls);
    gput__json_count(j, "num_non_empty_calls", (double)b->num_non_empty_calls);
    write_stats(j, "compute_time", &b->compute_time, true);
    if (a->has_tracking)
        write_usage(j, "resource_usage", b->resource_usage);
    else {
        gput__json_open(j, "resource_usage");
        gput__json_close(j);
    }
    if (full) {
        gput__json_count(j, "num_unfinished_calls", (double)b->num_unfinished_calls);
        gput__json_double(j, "wall_time", b->wall_time);
        write_exact(j, a, b);
    }
    gput__json_close(j);
}

void gput__analysis_json(const struct gput_analysis *a, bool full, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    if (a->has_tracking) {
        write_usage(&j, "overall", a->overall);
    } else {
        gput__json_open(&j, "overall");
        gput__json_close(&j);
    }
    write_static_data(&j, a);
    gput__json_open_list(&j, "code_block_results");
    for (size_t i = 0; i < a->n_blocks; i++)
        write_block(&j, a, &a->blocks[i], full);
    gput__json_close_list(&j);
    gput__json_close(&j);
}

static void write_ranking(struct gput__json *j, const char *key, const struct gput__ranked *list,
                          size_t n)
{
    gput__json_open(j, key);
    for (size_t i = 0; i < n; i++)
        gput__json_double(j, list[i].session, list[i].value);
    gput__json_close(j);
}

void gput__comparison_json(const struct gput__comparison *c, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_open(&j, "overall_resource_usage");
    for (size_t m = 0; m < c->n_measurements; m++)
        write_ranking(&j, c->measurements[m], c->overall + m * c->n_sessions, c->n_sessions);
    gput__json_close(&j);
    gput__json_open(&j, "code_block_resource_usage");
    for (size_t m = 0; c->n_blocks > 0 && m < c->n_measurements; m++) {
        gput__json_open(&j, c->measurements[m]);
        for (size_t b = 0; b < c->n_blocks; b++)
            write_ranking(&j, c->blocks[b], c->usage + (m * c->n_blocks + b) * c->n_sessions,
                          c->n_sessions);
        gput__json_close(&j);
    }
    gput__json_close(&j);
    gput__json_open(&j, "code_block_compute_time");
    for (size_t b = 0; b < c->n_blocks; b++)
        write_ranking(&j, c->blocks[b], c->computed + b * c->n_sessions, c->n_sessions);
    gput__json_close(&j);
    gput__json_close(&j);
}

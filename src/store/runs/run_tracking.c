/* run_tracking.c - a run from its tracking file. */
#include <errno.h>
#include <string.h>

#include "store/runs/run_reading.h"
#include "store/runs/run_series.h"
#include "store/runs/run_usage.h"
#include "store/runs/tracking_file.h"

/* The static data in its order, from the units on. */
enum { RAM_CAPACITY = 3, GPU_RAM_CAPACITY, CORES, EXPECTED_CORES, GPUS, EXPECTED_GPUS };

static struct gput_figure exact(double value)
{
    return (struct gput_figure){ .value = value, .source = GPUT_EXACT };
}

static void copy_static_data(const struct gput__tracking_file *f, struct gput_usage *u)
{
    double n_gpus = f->statics[GPUS].number;

    u->ram_unit = f->statics[0].text;
    u->gpu_ram_unit = f->statics[1].text;
    u->time_unit = f->statics[2].text;
    u->max_ram.system_capacity = exact(f->statics[RAM_CAPACITY].number * f->ram_unit_size);
    u->limits.memory_host = u->max_ram.system_capacity;
    u->cpu_utilization.system_core_count = exact(f->statics[CORES].number);
    u->limits.cores_host = u->cpu_utilization.system_core_count;
    u->cpu_utilization.n_expected_cores = exact(f->statics[EXPECTED_CORES].number);
    u->gpu_utilization.system_gpu_count = exact(n_gpus);
    u->gpu_utilization.n_expected_gpus = exact(f->statics[EXPECTED_GPUS].number);
    if (n_gpus > 0)
        u->max_gpu_ram.system_capacity =
            exact(f->statics[GPU_RAM_CAPACITY].number * f->gpu_ram_unit_size);
}

/* Where column i goes, and what it is multiplied by; -1: nowhere.  Without a GPU the file says 0
 * for what nobody knows. */
static int target_of(const struct gput__tracking_file *f, size_t i, double *ret_factor)
{
    const struct gput__record_column *c = &f->records.column[i];

    *ret_factor = 1;
    if (c->metric == GPUT__N_METRICS || c->is_share || !gput__tracking_file_has(f, i) ||
        (f->statics[GPUS].number == 0 && gput__metric_is_of_gpus(c->metric)))
        return -1;
    if (!c->is_further && gput__metrics[c->metric].unit == GPUT__BYTES)
        *ret_factor = f->ram_unit_size;
    if (!c->is_further && gput__metrics[c->metric].unit == GPUT__GPU_BYTES)
        *ret_factor = f->gpu_ram_unit_size;
    return (int)c->metric;
}

static int read_records(struct gput__run_reading *rd, struct gput__tracking_file *f,
                        struct gput__run_series_builder *b)
{
    double row[GPUT__MOST_COLUMNS], values[GPUT__MOST_COLUMNS], factor[GPUT__MOST_COLUMNS];
    size_t column[GPUT__MOST_COLUMNS]; /* of each metric in use */
    int r = 0;

    for (size_t i = 0; r == 0 && i < f->records.n; i++) {
        int m = target_of(f, i, &factor[i]);

        if (m < 0)
            continue;
        column[b->n_used] = i;
        r = gput__run_series_use(b, (enum gput__metric)m);
    }
    while (r == 0) {
        int more = gput__tracking_file_next(f, row, rd->ret_err);

        if (more <= 0)
            return more;
        for (int i = 0; i < b->n_used; i++)
            values[i] = row[column[i]] * factor[column[i]];
        r = gput__run_series_add_all(b, row[GPUT__N_COLUMNS - 1], values);
    }
    return gput__file_fail(r, rd->path, rd->ret_err, "%s", strerror(-r));
}

/* What further columns gained from record to record becomes a rate. */
static void make_rates(const struct gput__tracking_file *f, struct gput__run_series *s)
{
    double interval = gput__usual_step(s->time, s->n);

    for (size_t i = GPUT__N_COLUMNS; i < f->records.n; i++) {
        enum gput__metric m = f->records.column[i].metric;

        if (gput__metrics[m].kind == GPUT__COUNTER)
            gput__run_series_to_rates(s, m, gput__metric_rate_unit(m), interval);
    }
}

int gput__run_read_tracking(struct gput__run_reading *rd, struct gput__table *table)
{
    struct gput__run_series_builder b = { .cap = 0 };
    struct gput__tracking_file f;
    int r = gput__tracking_file_begin(&f, table, true, rd->ret_err);

    if (r == 0)
        r = read_records(rd, &f, &b);
    if (r == 0) {
        copy_static_data(&f, &rd->run->usage);
        gput__run_series_end(&b, &rd->run->series);
        make_rates(&f, &rd->run->series);
        gput__run_sum_up(rd->run);
    }
    gput__tracking_file_close(&f);
    gput__run_series_free(&b.s);
    if (r == 0 && !gput__run_text(&rd->run->kind, "tracking file"))
        r = gput__file_fail(-ENOMEM, rd->path, rd->ret_err, "%s", strerror(ENOMEM));
    return r;
}

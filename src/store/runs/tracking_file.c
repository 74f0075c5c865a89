/* tracking_file.c - reads a tracking file: static data, then one row for each record. */
#include "store/runs/tracking_file.h"

#include <errno.h>

#include "model/unit.h"

/* The first three of the static data are units: of RAM, of GPU RAM, of time. */
enum { RAM_UNIT, GPU_RAM_UNIT, TIME_UNIT, N_UNITS };

/* What the columns are called, from the lists that the writers use. */
static void name_columns(struct gput__tracking_file *f, bool with_further)
{
    const struct gput__static_data none = { .ram_unit = "",
                                            .gpu_ram_unit = "",
                                            .time_unit = "",
                                            .ram_unit_size = 1,
                                            .gpu_ram_unit_size = 1 };

    gput__static_values(&none, f->statics);
    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++)
        f->static_names[i] = f->statics[i].name;
    gput__record_columns(with_further, &f->records);
    for (size_t i = 0; i < f->records.n; i++)
        f->names[i] = f->records.column[i].name;
    f->static_columns =
        (struct gput__columns){ .names = f->static_names, .n_needed = GPUT__N_STATIC_COLUMNS };
    f->columns = (struct gput__columns){ .names = f->names,
                                         .n_needed = GPUT__N_COLUMNS,
                                         .n_optional = (unsigned)f->records.n - GPUT__N_COLUMNS,
                                         .may_have_others = true };
}

static int read_unit(struct gput__tracking_file *f, unsigned i, struct gput_error *ret_err)
{
    const struct gput__unit *unit;
    const char *text;
    char why[GPUT__UNIT_REFUSAL];
    size_t len;

    if (gput__table_text(f->table, i, &text, &len, ret_err) < 0)
        return -EBADMSG;
    unit = i == TIME_UNIT ? gput__unit_of_time(text) : gput__unit_of_memory(text);
    if (!unit) {
        if (i == TIME_UNIT)
            gput__unit_refuse_time(text, why, sizeof(why));
        else
            gput__unit_refuse_memory(text, why, sizeof(why));
        return gput__table_fail(f->table, ret_err, "%s: %s", f->static_names[i], why);
    }
    f->statics[i].text = unit->name;
    if (i == RAM_UNIT)
        f->ram_unit_size = unit->size;
    if (i == GPU_RAM_UNIT)
        f->gpu_ram_unit_size = unit->size;
    return 0;
}

static int read_static_value(struct gput__tracking_file *f, unsigned i, struct gput_error *ret_err)
{
    int64_t count;
    int r;

    if (i < N_UNITS)
        return read_unit(f, i, ret_err);
    if (!f->statics[i].is_count)
        return gput__table_number(f->table, i, &f->statics[i].number, ret_err);
    r = gput__table_whole(f->table, i, &count, ret_err);
    if (r == 0)
        f->statics[i].number = (double)count;
    return r;
}

static int read_static_data(struct gput__tracking_file *f, struct gput_error *ret_err)
{
    int r = gput__table_begin(f->table, "static_data", &f->static_columns, ret_err);

    if (r == 0)
        return gput__table_fail(f->table, ret_err,
                                f->table->has_told ? "the header is unfinished"
                                                   : "the file is empty");
    r = r < 0 ? r : gput__table_next(f->table, ret_err);
    if (r == 0)
        return gput__table_fail(f->table, ret_err,
                                f->table->has_told ? "the static data is unfinished"
                                                   : "there is no static data");
    for (unsigned i = 0; r > 0 && i < GPUT__N_STATIC_COLUMNS; i++)
        if (read_static_value(f, i, ret_err) < 0)
            r = -EBADMSG;
    return r < 0 ? r : 0;
}

int gput__tracking_file_open(struct gput__tracking_file *f, const char *path,
                             const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput__table *table;
    int r;

    *f = (struct gput__tracking_file){ .table = NULL };
    r = gput__table_open(path, on, &table, ret_err);
    return r < 0 ? r : gput__tracking_file_begin(f, table, false, ret_err);
}

int gput__tracking_file_begin(struct gput__tracking_file *f, struct gput__table *table,
                              bool with_further, struct gput_error *ret_err)
{
    int r;

    *f = (struct gput__tracking_file){ .table = table };
    name_columns(f, with_further);
    r = read_static_data(f, ret_err);
    r = r < 0 ? r : gput__table_begin(f->table, "data", &f->columns, ret_err);
    f->has_records = r > 0;
    return r < 0 ? r : 0;
}

bool gput__tracking_file_has(const struct gput__tracking_file *f, size_t i)
{
    return i < GPUT__N_COLUMNS ||
           (f->has_records && gput__table_has_optional(f->table, (unsigned)i - GPUT__N_COLUMNS));
}

int gput__tracking_file_next(struct gput__tracking_file *f, double *ret, struct gput_error *ret_err)
{
    return f->has_records ? gput__table_next_numbers(f->table, ret, ret_err) : 0;
}

void gput__tracking_file_close(struct gput__tracking_file *f)
{
    f->table = gput__table_close(f->table);
}

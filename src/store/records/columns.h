/* columns.h - what stands in a tracking file, whatever its format: the columns of the static data
 * and those of a record. */
#ifndef GPUT_STORE_COLUMNS_H
#define GPUT_STORE_COLUMNS_H

#include <stddef.h>

#include "gput.h"
#include "model/sample.h"

/* Which run a file is of, texts all of them; NULL: not known. */
#define GPUT__N_RUN_COLUMNS 10
struct gput__run_column {
    const char *name, *text;
};

struct gput__static_data {
    const char *ram_unit, *gpu_ram_unit, *time_unit;
    double ram_unit_size, gpu_ram_unit_size;
    double ram_system_capacity, gpu_ram_system_capacity; /* bytes */
    unsigned system_core_count, n_expected_cores, system_gpu_count, n_expected_gpus;
    bool has_all_columns; /* every metric is recorded */
    const struct gput__run_column
        *run; /* GPUT__N_RUN_COLUMNS of them; SQLite alone has room for it */
};

/* One value of the static data, in the file's units. */
struct gput__static_value {
    const char *name;
    const char *text; /* NULL: a number */
    double number;
    bool is_count; /* a whole number, written without a fraction */
};
#define GPUT__N_STATIC_COLUMNS 9
void gput__run_columns(const struct gput_usage *u,
                       struct gput__run_column ret[GPUT__N_RUN_COLUMNS]);
void gput__static_values(const struct gput__static_data *d,
                         struct gput__static_value ret[GPUT__N_STATIC_COLUMNS]);

/* Every record has these: the metrics with a `column`, two for those that are percentages, then the
 * time in seconds since 1970.  Further metrics may follow under their own names, in bytes, percent,
 * counts and seconds: levels, rates, or what was gained since the record before. */
#define GPUT__N_COLUMNS 22
#define GPUT__MOST_COLUMNS (GPUT__N_COLUMNS + GPUT__N_METRICS)

struct gput__record_column {
    const char *name;
    enum gput__metric metric; /* whose value or rate it is; GPUT__N_METRICS: the time */
    bool is_share;            /* of the hardware, that is */
    bool is_further;          /* behind the time; NAN where it is not known */
    bool is_count;
};

struct gput__record_columns {
    size_t n;
    struct gput__record_column column[GPUT__MOST_COLUMNS];
};
void gput__record_columns(bool all, struct gput__record_columns *ret);

/* The name of one of the first GPUT__N_COLUMNS. */
const char *gput__column_name(size_t i);

/* What a share of the hardware is a share of: cores or GPUs. */
double gput__record_hardware(const struct gput__static_data *d, enum gput__metric m);

/* The values of a record in the file's units; rates are over the interval since `before`. */
void gput__record_values(const struct gput__record_columns *c, const struct gput__static_data *d,
                         const struct gput__sample *before, const struct gput__sample *sample,
                         double ret[GPUT__MOST_COLUMNS]);

#endif

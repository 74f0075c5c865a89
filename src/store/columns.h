/* columns.h - what stands in a tracking file, whatever its format: the columns of the static data
 * and those of a record, each list once. */
#ifndef GPUT_STORE_COLUMNS_H
#define GPUT_STORE_COLUMNS_H

#include <stddef.h>

#include "model/sample.h"

struct gput__static_data {
    const char *ram_unit, *gpu_ram_unit, *time_unit;
    double ram_unit_size, gpu_ram_unit_size;
    double ram_system_capacity, gpu_ram_system_capacity; /* bytes */
    unsigned system_core_count, n_expected_cores, system_gpu_count, n_expected_gpus;
};

/* One value of the static data, in the file's units. */
struct gput__static_value {
    const char *name;
    const char *text; /* NULL: a number */
    double number;
    bool is_count; /* a whole number, written without a fraction */
};
#define GPUT__N_STATIC_COLUMNS 9
void gput__static_values(const struct gput__static_data *d,
                         struct gput__static_value ret[GPUT__N_STATIC_COLUMNS]);

/* The last column of a record is its time in seconds since 1970. */
#define GPUT__N_COLUMNS 22
const char *gput__column_name(size_t i);
bool gput__column_is_count(size_t i);
/* Whose value or rate the column is; -1: the time, or a share of what another column has. */
int gput__column_metric(size_t i);
/* The values of a record in the file's units; rates are over the interval since `before`. */
void gput__column_values(const struct gput__static_data *d, const struct gput__sample *before,
                         const struct gput__sample *sample, double ret[GPUT__N_COLUMNS]);

#endif

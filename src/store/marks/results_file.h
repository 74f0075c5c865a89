/* results_file.h - reads the JSON of an analysis, for comparison: one statistic of each measurement. */
#ifndef GPUT_STORE_RESULTS_FILE_H
#define GPUT_STORE_RESULTS_FILE_H

#include <stddef.h>

#include "gput.h"

struct gput__result_block {
    const char *name;
    double compute_time; /* NAN: null, as of a block that was never called */
    double *usage;       /* one for each measurement */
};

struct gput__result {
    size_t n_measurements, n_blocks;
    const char **measurements; /* in the order of the file */
    double *overall;           /* one for each measurement */
    struct gput__result_block *blocks;
    struct gput_json *json; /* holds the texts */
};

/* Free it in any case. */
int gput__result_read(struct gput__result *res, const char *path, enum gput_statistic statistic,
                      struct gput_error *ret_err);
void gput__result_free(struct gput__result *res);

#endif

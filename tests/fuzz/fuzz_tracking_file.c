/* fuzz_tracking_file.c - a tracking file as CSV. */
#include <math.h>

#include "file.h"
#include "fuzz.h"
#include "store/runs/tracking_file.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__table *table = fuzz_table(data, size);
    struct gput__tracking_file file;
    struct gput_error err = { .field = "" };
    double row[GPUT__MOST_COLUMNS];
    int r;

    if (!table)
        return 0;
    r = gput__tracking_file_begin(&file, table, true, &err);
    while (r >= 0 && (r = gput__tracking_file_next(&file, row, &err)) > 0)
        for (size_t i = 0; i < GPUT__N_COLUMNS; i++)
            fuzz_must(isfinite(row[i]));
    fuzz_must(r == 0 || err.text[0]);
    gput__tracking_file_close(&file);
    return 0;
}

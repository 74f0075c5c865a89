/* fuzz_sub_tracking_file.c - a sub-tracking file as CSV. */
#include <math.h>

#include "file.h"
#include "fuzz.h"
#include "store/marks/sub_tracking_file.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__table *table = fuzz_table(data, size);
    struct gput__sub_tracking_file file;
    struct gput__names names = { 0 };
    struct gput_error err = { .field = "" };
    struct gput__read_mark mark;
    int r;

    if (!table)
        return 0;
    r = gput__sub_tracking_file_begin(&file, table, &err);
    while (r >= 0 && (r = gput__sub_tracking_file_next(&file, &names, &mark, &err)) > 0)
        fuzz_must(isfinite(mark.timestamp) && mark.name < names.n && mark.row > 1 &&
                  strlen(names.list[mark.name].text) == names.list[mark.name].len);
    fuzz_must(r == 0 || err.text[0]);
    gput__sub_tracking_file_close(&file);
    gput__names_free(&names);
    return 0;
}

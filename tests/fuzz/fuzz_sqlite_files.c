/* fuzz_sqlite_files.c - tracking and sub-tracking files that are SQLite. */
#include <math.h>
#include <unistd.h>

#include "fuzz.h"
#include "store/marks/sub_tracking_file.h"
#include "store/runs/run_file.h"
#include "text.h"

static void read_marks(const char *path)
{
    struct gput__sub_tracking_file file;
    struct gput__names names = { 0 };
    struct gput_error err = { .field = "" };
    struct gput__read_mark mark;
    struct gput__table *table;
    int r = gput__table_open_database(path, NULL, &table, &err);

    if (r < 0) {
        fuzz_must(err.text[0]);
        return;
    }
    r = gput__sub_tracking_file_begin(&file, table, &err);
    while (r >= 0 && (r = gput__sub_tracking_file_next(&file, &names, &mark, &err)) > 0)
        fuzz_must(isfinite(mark.timestamp) && mark.name < names.n);
    fuzz_must(r == 0 || err.text[0]);
    gput__sub_tracking_file_close(&file);
    gput__names_free(&names);
}

/* SQLite wants a file that has a name. */
static void write_file(char *path, const uint8_t *data, size_t size)
{
    int fd = mkstemp(path);

    fuzz_must(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size));
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/dev/shm/gput-fuzz.XXXXXX";
    struct gput_error err = { .field = "" };
    struct gput__run run;

    write_file(path, data, size);
    read_marks(path);
    if (gput__run_read(path, NULL, &run, &err) < 0) {
        fuzz_must(err.text[0]);
    } else {
        for (size_t i = 1; i < run.series.n; i++)
            fuzz_must(run.series.time[i] >= run.series.time[i - 1]);
        gput__run_free(&run);
    }
    unlink(path);
    return 0;
}

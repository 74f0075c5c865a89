/* fuzz_run_file.c - a finished run from any of its files but SQLite. */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "store/runs/run_file.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char sqlite[] = "SQLite format 3";
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct gput_error err = { .field = "" };
    struct gput__input in;
    struct gput__run run;
    char *text = NULL;
    int r;

    fuzz_must(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size) &&
              lseek(fd, 0, SEEK_SET) == 0);
    if (gput__input_open_fd(fd, &in) < 0)
        return 0;
    if (size >= sizeof(sqlite) && memcmp(data, sqlite, sizeof(sqlite)) == 0) {
        gput__input_close(&in); /* it would be searched for by its name */
        return 0;
    }
    r = gput__run_read_input(&in, "/nowhere", NULL, &run, &err);
    fuzz_must(r == 0 || err.text[0]);
    if (r < 0)
        return 0;
    fuzz_must(run.kind && run.source);
    for (size_t i = 1; i < run.series.n; i++)
        fuzz_must(run.series.time[i] >= run.series.time[i - 1]);
    fuzz_must(gput_usage_format(&run.usage, GPUT_JSON, 1, &text) == 0);
    free(text);
    gput__run_free(&run);
    return 0;
}

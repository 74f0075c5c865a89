/* marks.c - what a mark and a record of a tracking file cost.
 *
 * usage: marks FOLDER
 * One line per kind: its name, wall us, CPU us. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "gput.h"
#include "store/records/records.h"

struct stopwatch {
    int64_t wall, cpu;
};

static struct stopwatch start(void)
{
    return (struct stopwatch){ gput__clock_ns(CLOCK_MONOTONIC),
                               gput__clock_ns(CLOCK_PROCESS_CPUTIME_ID) };
}

static void stop(const struct stopwatch *w, const char *what, int n)
{
    printf("%s %.3f %.3f\n", what, (double)(gput__clock_ns(CLOCK_MONOTONIC) - w->wall) / n / 1e3,
           (double)(gput__clock_ns(CLOCK_PROCESS_CPUTIME_ID) - w->cpu) / n / 1e3);
}

static int measure_marks(const char *what, const char *path, uint32_t flags, int n)
{
    struct gput_marks *m;
    struct stopwatch w;
    int r = gput_marks_open(path, flags | GPUT_MARKS_OVERWRITE, &m, NULL);

    if (r < 0)
        return r;
    w = start();
    for (int i = 0; r == 0 && i < n; i += 2) {
        r = gput_block_begin(m, "/home/somebody/project/train.py:128");
        if (r == 0)
            r = gput_block_end(m, "/home/somebody/project/train.py:128");
    }
    stop(&w, what, n);
    gput_marks_close(m);
    unlink(path);
    return r;
}

static int measure_records(const char *what, const char *path, int n)
{
    static const struct gput__static_data data = {
        .ram_unit = "gigabytes",
        .gpu_ram_unit = "gigabytes",
        .time_unit = "hours",
        .ram_unit_size = 1e9,
        .gpu_ram_unit_size = 1e9,
        .system_core_count = 8,
        .n_expected_cores = 8,
    };
    struct gput__sample a = { 0 }, b = { 0 };
    struct gput__records records;
    struct stopwatch w;
    int r = gput__records_open(&records, path, true, &data);

    if (r == 0)
        r = gput__records_begin(&records);
    for (unsigned i = 0; i < GPUT__N_METRICS; i++)
        gput__sample_set(&b, i, 1.2345678e9 * (i + 1));
    w = start();
    for (int i = 0; r == 0 && i < n; i++) {
        b.boot_ns += GPUT__NS_PER_S;
        b.real_ns = gput__clock_ns(CLOCK_REALTIME);
        r = gput__records_write(&records, &a, &b);
    }
    stop(&w, what, n);
    gput__records_close(&records);
    unlink(path);
    return r;
}

int main(int argc, char **argv)
{
    char csv[4096], sqlite[4096];

    if (argc != 2)
        return 2;
    snprintf(csv, sizeof(csv), "%s/bench-marks.csv", argv[1]);
    snprintf(sqlite, sizeof(sqlite), "%s/bench-marks.sqlite", argv[1]);
    return measure_marks("mark-csv", csv, 0, 200000) < 0 ||
           measure_marks("mark-csv-exact", csv, GPUT_MARKS_EXACT, 100000) < 0 ||
           measure_marks("mark-sqlite", sqlite, 0, 20000) < 0 ||
           measure_marks("mark-sqlite-exact", sqlite, GPUT_MARKS_EXACT, 20000) < 0 ||
           measure_records("record-csv", csv, 20000) < 0 ||
           measure_records("record-sqlite", sqlite, 20000) < 0;
}

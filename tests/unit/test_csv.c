/* test_csv.c - the tracking file, byte by byte. */
#include "store/records/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "fixture.h"
#include "tap.h"

#define STATIC_HEADER                                                                              \
    "ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,"                 \
    "system_core_count,n_expected_cores,system_gpu_count,n_expected_gpus\r\n"
#define HEADER                                                                                     \
    "main_ram,descendants_ram,combined_ram,system_ram,main_gpu_ram,"                               \
    "descendants_gpu_ram,combined_gpu_ram,system_gpu_ram,gpu_sum_utilization_percent,"             \
    "gpu_hardware_utilization_percent,main_n_threads,descendants_n_threads,"                       \
    "combined_n_threads,cpu_system_sum_utilization_percent,"                                       \
    "cpu_system_hardware_utilization_percent,cpu_main_sum_utilization_percent,"                    \
    "cpu_main_hardware_utilization_percent,cpu_descendants_sum_utilization_percent,"               \
    "cpu_descendants_hardware_utilization_percent,"                                                \
    "cpu_combined_sum_utilization_percent,"                                                        \
    "cpu_combined_hardware_utilization_percent,timestamp\r\n"

static const struct gput__static_data data = {
    .ram_unit = "megabytes",
    .gpu_ram_unit = "gigabytes",
    .time_unit = "hours",
    .ram_unit_size = 1e6,
    .gpu_ram_unit_size = 1e9,
    .ram_system_capacity = 16e9,
    .gpu_ram_system_capacity = 24.5e9,
    .system_core_count = 8,
    .n_expected_cores = 4,
    .system_gpu_count = 2,
    .n_expected_gpus = 2,
};

static struct fixture f;

static bool holds(const char *name, const char *want)
{
    char text[8192];

    return gput__root_read(&f.root, name, text, sizeof(text)) == (ssize_t)strlen(want) &&
           !strcmp(text, want);
}

static struct gput__sample sample_at(int64_t seconds)
{
    struct gput__sample s = { .boot_ns = seconds * 1000000000,
                              .real_ns = (1700000000 + seconds) * 1000000000 + 500000000 };

    gput__sample_set(&s, GPUT__MAIN_RAM, 1.5e6);
    gput__sample_set(&s, GPUT__DESCENDANTS_RAM, 4.582764544e9);
    gput__sample_set(&s, GPUT__COMBINED_RAM, 100);
    gput__sample_set(&s, GPUT__SYSTEM_RAM, 8e9);
    gput__sample_set(&s, GPUT__MAIN_GPU_RAM, 1e9);
    gput__sample_set(&s, GPUT__DESCENDANTS_GPU_RAM, 2e9);
    gput__sample_set(&s, GPUT__COMBINED_GPU_RAM, 3e9);
    gput__sample_set(&s, GPUT__SYSTEM_GPU_RAM, 4e9);
    gput__sample_set(&s, GPUT__GPU_PERCENT, 75);
    gput__sample_set(&s, GPUT__MAIN_N_THREADS, 1);
    gput__sample_set(&s, GPUT__DESCENDANTS_N_THREADS, 12);
    gput__sample_set(&s, GPUT__COMBINED_N_THREADS, 13);
    gput__sample_set(&s, GPUT__SYSTEM_CPU, 5.0 * (double)seconds);
    gput__sample_set(&s, GPUT__MAIN_CPU, 0.5 * (double)seconds);
    gput__sample_set(&s, GPUT__DESCENDANTS_CPU, 1.0 * (double)seconds);
    gput__sample_set(&s, GPUT__COMBINED_CPU, 1.5 * (double)seconds);
    return s;
}

static int begin_file(struct gput__csv *csv, bool all)
{
    struct gput__record_columns columns;

    gput__record_columns(all, &columns);
    return gput__csv_begin(csv, &data, &columns);
}

static int write_row(struct gput__csv *csv, bool all, const struct gput__sample *before,
                     const struct gput__sample *sample)
{
    struct gput__record_columns columns;
    double values[GPUT__MOST_COLUMNS];

    gput__record_columns(all, &columns);
    gput__record_values(&columns, &data, before, sample, values);
    return gput__csv_write(csv, &columns, values);
}

static void a_whole_file(const char *path)
{
    struct gput__sample a = sample_at(0), b = sample_at(2), bare = { .real_ns = 5000000000 };
    struct gput__csv csv;

    if (!OK(gput__csv_open(&csv, path, false) == 0 && holds("t.csv", ""),
            "opened: nothing is written yet"))
        return;
    OK(csv.is_new && fcntl(csv.fd, F_GETFD) == FD_CLOEXEC, "new, and not the job's");
    OK(begin_file(&csv, false) == 0, "begun");
    OK(write_row(&csv, false, &a, &b) == 0 && write_row(&csv, false, &b, &bare) == 0, "two rows");
    gput__csv_close(&csv);
    gput__csv_close(&csv);
    OK(holds("t.csv",
             STATIC_HEADER "megabytes,gigabytes,hours,16000.0,24.5,8,4,2,2\r\n" HEADER
                           "1.5,4582.764544,0.0001,8000.0,1.0,2.0,3.0,4.0,75.0,37.5,1,12,13,"
                           "500.0,62.5,50.0,12.5,100.0,25.0,150.0,37.5,1700000002.5\r\n"
                           "0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0,0,0,0.0,0.0,0.0,0.0,0.0,"
                           "0.0,0.0,0.0,5.0\r\n"),
       "byte by byte");
}

/* Further columns stand behind the time; what is not known is empty. */
static void every_column(const char *path)
{
    struct gput__sample a = sample_at(0), b = sample_at(2);
    struct gput__record_columns columns, few;
    struct gput__csv csv;
    char text[8192], *last;
    int n_commas = 0;

    gput__record_columns(false, &few);
    gput__record_columns(true, &columns);
    OK(few.n == GPUT__N_COLUMNS && !strcmp(few.column[few.n - 1].name, "timestamp"),
       "the usual columns end with the time");
    gput__sample_set(&a, GPUT__NET_SENT, 1000);
    gput__sample_set(&b, GPUT__NET_SENT, 5000);
    gput__sample_set(&b, GPUT__N_PROCESSES, 3);
    fixture_remove(&f, "t.csv");
    gput__csv_open(&csv, path, false);
    begin_file(&csv, true);
    OK(write_row(&csv, true, &a, &b) == 0, "a row with every column");
    gput__csv_close(&csv);
    gput__root_read(&f.root, "t.csv", text, sizeof(text));
    OK(strstr(text, "cpu_combined_hardware_utilization_percent,timestamp,job_pss,") &&
           strstr(text, ",n_processes,") && strstr(text, ",net_sent,"),
       "further ones have their own names");
    last = strstr(text, "\r\n1.5,");
    OK(last && strstr(last, ",1700000002.5,,"), "what is not known is empty");
    OK(last && strstr(last, ",3,") && strstr(last, ",4000.0,"),
       "levels as they were, counters as they gained");
    for (char *p = last ? last + 2 : text; *p; p++)
        n_commas += *p == ',';
    OK(n_commas == (int)columns.n - 1, "a cell for each");
    fixture_remove(&f, "t.csv");
}

static void an_existing_file(const char *path)
{
    struct gput__csv csv = { .fd = 77 };

    fixture_write(&f, "t.csv", "precious\n");
    OK(gput__csv_open(&csv, path, false) == -EEXIST && csv.fd == 77 && holds("t.csv", "precious\n"),
       "is not touched");
    OK(gput__csv_open(&csv, path, true) == 0 && !csv.is_new && holds("t.csv", "precious\n"),
       "to be replaced: as it was until the run begins");
    OK(begin_file(&csv, false) == 0 &&
           holds("t.csv",
                 STATIC_HEADER "megabytes,gigabytes,hours,16000.0,24.5,8,4,2,2\r\n" HEADER),
       "then replaced");
    gput__csv_close(&csv);
}

/* A row goes to the end, whoever has written meanwhile or cut the file. */
static void rows_are_appended(const char *path)
{
    struct gput__sample a = sample_at(0), b = sample_at(2);
    struct gput__csv csv;
    char text[4096];

    fixture_remove(&f, "t.csv");
    gput__csv_open(&csv, path, false);
    begin_file(&csv, false);
    fixture_write(&f, "t.csv", "x\n");
    write_row(&csv, false, &a, &b);
    gput__csv_close(&csv);
    gput__root_read(&f.root, "t.csv", text, sizeof(text));
    OK(!strncmp(text, "x\n1.5,4582.764544,", 18), "rows are appended");
}

/* A file that may be appended to and not be cut. */
static void a_file_that_keeps_what_it_has(void)
{
    int fd = memfd_create("sealed", MFD_ALLOW_SEALING);
    struct gput__csv csv;
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, "old\n", 4) != 4 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) < 0 ||
        gput__csv_open(&csv, path, true) < 0) {
        OK(1, "a file that cannot be cut # SKIP no sealed files");
        return;
    }
    OK(begin_file(&csv, false) == -EPERM, "a file that cannot be cut is told");
    gput__csv_close(&csv);
    close(fd);
}

static void refusals(void)
{
    struct gput__sample a = sample_at(0), b = sample_at(2);
    struct gput__csv csv = { .fd = 77 };

    OK(gput__csv_open(&csv, "/nowhere/t.csv", true) == -ENOENT && csv.fd == 77, "no folder");
    OK(gput__csv_open(&csv, "/tmp", true) == -EISDIR, "a folder");
    if (access("/dev/full", W_OK) < 0) {
        OK(1, "a full disk # SKIP no /dev/full");
        return;
    }
    OK(gput__csv_open(&csv, "/dev/full", false) == -EEXIST, "a device is there already");
    OK(gput__csv_open(&csv, "/dev/full", true) == 0, "and may be written to");
    OK(begin_file(&csv, false) == -ENOSPC, "a full disk is told");
    OK(write_row(&csv, false, &a, &b) == -ENOSPC, "each time");
    gput__csv_close(&csv);
    OK(csv.fd == -1, "and closed");
}

int main(void)
{
    char path[64];

    fixture_begin(&f);
    fixture_path(&f, "t.csv", path, sizeof(path));
    a_whole_file(path);
    every_column(path);
    an_existing_file(path);
    rows_are_appended(path);
    a_file_that_keeps_what_it_has();
    refusals();
    fixture_end(&f);
    return DONE();
}

/* test_stream.c - the columns of the streams, and rows as lines. */
#include "report/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stream.h"
#include "tap.h"

static const char system_header[] =
    "\"timestamp\",\"processes\",\"utime\",\"stime\",\"cpu_usage\",\"memory_free\",\"memory_used\","
    "\"memory_buffers\",\"memory_cached\",\"memory_active\",\"memory_inactive\",\"disk_read_bytes\","
    "\"disk_write_bytes\",\"disk_space_total_gb\",\"disk_space_used_gb\",\"disk_space_free_gb\","
    "\"net_recv_bytes\",\"net_sent_bytes\",\"gpu_usage\",\"gpu_vram\",\"gpu_utilized\"\n";
static const char process_header_mib[] =
    "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory_mib\","
    "\"disk_read_bytes\",\"disk_write_bytes\",\"gpu_usage\",\"gpu_vram_mib\",\"gpu_utilized\"\n";

static int header_is(enum gput_stream s, enum gput_columns names, const char *want)
{
    struct gput__buf out = { 0 };
    int same;

    gput__stream_print_header(s, names, &out);
    same = strcmp(gput__buf_text(&out), want) == 0;
    gput__buf_free(&out);
    return same;
}

static double told(enum gput_stream s, enum gput_columns names, const char *name, double value)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, names, &all);
    for (size_t i = 0; i < all.n; i++)
        if (strcmp(all.column[i].name, name) == 0)
            return gput__stream_value(&all.column[i], value);
    return -1;
}

static void values(void)
{
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, "memory_free", 37828072.0 * 1024) == 37828072,
       "memory in KiB");
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_MIB, "memory_free_mib", 37828072.0 * 1024) ==
           36941.4766,
       "memory in MiB, to four places");
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, "utime", 0.4) == 40, "CPU time in clock ticks");
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_MIB, "utime", 0.4) == 0.4, "CPU time in seconds");
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, "cpu_usage", 70.98) == 0.7098, "CPU in cores");
    OK(told(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, "disk_space_total_gb", 5635251234567.0) ==
           5635.25,
       "space in GB, to two places");
    OK(told(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, "gpu_usage", NAN) == 0,
       "without a GPU none was used");
    OK(isnan(told(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, "read_bytes", NAN)),
       "what is not known otherwise is not zero");
    OK(told(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, "timestamp", 1741785685.6762981) ==
           1741785685.6762981,
       "the time has all its digits");
    OK(told(GPUT_STREAM_PROCESS, GPUT_COLUMNS_MIB, "timestamp", 1741785685.6762981) ==
           1741785685.676,
       "or three under the newer names");
}

/* How many columns are not found again by their own name. */
static int count_lost(enum gput_stream s, enum gput_columns names)
{
    struct gput__stream_columns all, older;
    int lost = 0;

    gput__stream_columns(s, names, &all);
    gput__stream_columns(s, names & GPUT_COLUMNS_ALL, &older);
    for (size_t i = 0; i < all.n; i++) {
        bool is_newer = false, is_old = strcmp(all.column[i].name, older.column[i].name) == 0;
        struct gput__stream_column same;

        if (all.column[i].form < GPUT__STREAM_LEVEL)
            continue;
        lost += !gput__stream_find(s, all.column[i].name, &same, &is_newer) ||
                same.metric != all.column[i].metric || is_newer == is_old;
    }
    return lost;
}

static void names(void)
{
    struct gput__stream_column found;
    bool is_newer;

    OK(count_lost(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB) == 0 &&
           count_lost(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_MIB) == 0 &&
           count_lost(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB) == 0 &&
           count_lost(GPUT_STREAM_PROCESS, GPUT_COLUMNS_MIB) == 0 &&
           count_lost(GPUT_STREAM_PROCESS, GPUT_COLUMNS_ALL_MIB) == 0 &&
           count_lost(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_ALL) == 0,
       "every column is found by its names");
    OK(!gput__stream_find(GPUT_STREAM_SYSTEM, "pid", &found, &is_newer),
       "but not by those of the other stream");
}

static void lines(void)
{
    const double row[] = { 1741785685.5, 77, NAN, 40, 31, 0.71, 9000, 4096, 0, 0, 0, 0 };
    struct gput__stream_columns columns;
    struct gput__buf out = { 0 };

    gput__stream_columns(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, &columns);
    gput__stream_print_row(&columns, GPUT_LINE_CSV, row, &out);
    OK(strcmp(gput__buf_text(&out), "1741785685.5,77,,40,31,0.71,9000,4096,0,0.0,0.0,0\n") == 0,
       "a row of CSV: whole numbers bare, what is not known left empty");
    gput__buf_clear(&out);
    gput__stream_print_row(&columns, GPUT_LINE_JSON, row, &out);
    OK(strcmp(
           gput__buf_text(&out),
           "{\"timestamp\": 1741785685.5, \"pid\": 77, \"children\": null, \"utime\": 40, "
           "\"stime\": 31, \"cpu_usage\": 0.71, \"memory\": 9000, \"read_bytes\": 4096, "
           "\"write_bytes\": 0, \"gpu_usage\": 0.0, \"gpu_vram\": 0.0, \"gpu_utilized\": 0}\n") ==
           0,
       "a row of JSON");
    gput__buf_free(&out);
}

/* In every column, also in that of the time. */
static void unknown(void)
{
    const struct gput__stream_table table = { .has_gpus = true };
    struct gput__stream_columns columns;
    double row[GPUT__STREAM_MOST_COLUMNS];
    struct gput__buf out = { 0 };
    size_t n = 0;

    gput__stream_columns(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_ALL, &columns);
    for (size_t i = 0; i < columns.n; i++)
        row[i] = NAN;
    gput__stream_print_table(&columns, &table, row, &out);
    for (const char *p = gput__buf_text(&out); (p = strchr(p, '-')); p++)
        n++;
    OK(n == columns.n && strspn(gput__buf_text(&out), " -\n") == out.len,
       "a table: what is not known is a dash");
    gput__buf_free(&out);
}

/* Two ticks of 10 ms in 1 ms, on two cores. */
static void more_ticks_than_time(void)
{
    struct gput__sample a = { .boot_ns = 0 }, b = { .boot_ns = 1000000 },
                        c = { .boot_ns = 11000000 };

    gput__sample_set(&a, GPUT__SYSTEM_CPU, 5);
    gput__sample_set(&b, GPUT__SYSTEM_CPU, 5.02);
    gput__sample_set(&b, GPUT__SYSTEM_USER_CPU, 5.02);
    gput__sample_set(&c, GPUT__SYSTEM_CPU, 5.02);
    gput__sample_hold_back(&a, &b, 2);
    OK(fabs(gput__sample_rate(&a, &b, GPUT__SYSTEM_CPU) - 200) < 1e-6,
       "no more than the cores have time for");
    OK(b.value[GPUT__SYSTEM_USER_CPU] == 5.02, "ticks themselves are told as they are");
    gput__sample_hold_back(&b, &c, 2);
    OK(c.value[GPUT__SYSTEM_CPU] == 5.02 && gput__sample_rate(&b, &c, GPUT__SYSTEM_CPU) < 200,
       "and the rest counts in the next interval");
    gput__sample_hold_back(&c, &a, 2);
    OK(a.value[GPUT__SYSTEM_CPU] == 5, "what did not rise is left alone");
    a = b = (struct gput__sample){ 0 };
    b.boot_ns = 1000000000;
    gput__sample_set(&a, GPUT__SYSTEM_CPU_PRESSURE, 5);
    gput__sample_set(&b, GPUT__SYSTEM_CPU_PRESSURE, 6.2);
    gput__sample_hold_back(&a, &b, 2);
    OK(b.value[GPUT__SYSTEM_CPU_PRESSURE] == 6, "of waiting no second has more than itself");
}

int main(void)
{
    OK(header_is(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, system_header),
       "the columns of the machine");
    OK(header_is(GPUT_STREAM_PROCESS, GPUT_COLUMNS_MIB, process_header_mib),
       "the columns of a process, newer names");
    values();
    names();
    lines();
    unknown();
    more_ticks_than_time();
    return DONE();
}

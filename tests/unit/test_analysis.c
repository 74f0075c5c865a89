/* test_analysis.c - marks paired to calls, records inside them, through the public functions. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "gput.h"
#include "report/text/grid.h"
#include "tap.h"

#define STATIC                                                                                     \
    "ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,"                 \
    "system_core_count,n_expected_cores,system_gpu_count,n_expected_gpus\r\n"                      \
    "megabytes,gigabytes,hours,16000.0,24.5,8,4,2,2\r\n"
#define MARKS "process_id,code_block_name,position,timestamp\r\n"

static struct fixture f;
static char tf[64], stf[64];
static int n_warnings;

static void warn(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
    n_warnings++;
}

static const struct gput_callbacks on = { .warn = warn };

/* A record at each of these moments; all columns have its number. */
static void write_records(const double *times, int n)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fputs(STATIC, out);
    for (unsigned i = 0; gput_column_name(i); i++)
        fprintf(out, "%s,", gput_column_name(i));
    fputs("timestamp\r\n", out);
    for (int k = 0; k < n; k++) {
        for (unsigned i = 0; gput_column_name(i); i++)
            fprintf(out, "%d,", k);
        fprintf(out, "%.17g\r\n", times[k]);
    }
    fclose(out);
    fixture_write(&f, "t.csv", text);
    free(text);
}

static struct gput_analysis *analyze(const char *marks)
{
    struct gput_analysis *a = NULL;
    struct gput_error err;

    fixture_write(&f, "s.csv", marks);
    n_warnings = 0;
    if (gput_sub_analyze(tf, stf, &on, &a, &err) < 0)
        printf("# %s\n", err.text);
    return a;
}

static const struct gput_block *block(const struct gput_analysis *a, size_t i)
{
    size_t n = 0;
    const struct gput_block *blocks = a ? gput_analysis_blocks(a, &n) : NULL;

    return i < n ? &blocks[i] : NULL;
}

static void recursion(void)
{
    const double times[] = { 0.5, 1, 2, 3, 4 };
    struct gput_analysis *a;
    const struct gput_block *b;

    write_records(times, 5);
    a = analyze(MARKS "7,f,0,1\n7,f,0,2\n7,f,0,2.5\n7,f,1,2.75\n7,f,1,3\n7,f,1,3.5\n");
    b = block(a, 0);
    OK(b && b->num_calls == 3 && b->num_timepoints == 3 && b->num_non_empty_calls == 2,
       "recursion three deep: three calls, each record once");
    OK(b && b->calls[0].start == 1 && b->calls[0].stop == 3.5 && b->calls[2].stop == 2.75,
       "the inner ones end first");
    OK(b && b->wall_time == 2.5 && b->compute_time.total == 3.75,
       "time of the calls, and on the wall");
    OK(b && b->resource_usage[0].min == 1 && b->resource_usage[0].max == 3, "ends included");
    gput_analysis_close(a);
}

static void equal_times(void)
{
    const double times[] = { 1, 2 };
    struct gput_analysis *a;
    const struct gput_block *b;

    write_records(times, 2);
    a = analyze(MARKS "7,f,0,1\n7,f,1,2\n7,f,0,2\n7,f,1,2\n7,f,0,2\n7,f,1,3\n");
    b = block(a, 0);
    OK(b && b->num_calls == 3 && b->compute_time.min == 0 && b->compute_time.max == 1 &&
           b->num_timepoints == 2 && b->num_non_empty_calls == 3,
       "marks of the same moment stay in the order of the file");
    gput_analysis_close(a);
}

static void clock_set_back(void)
{
    const double times[] = { 1, 2, 3, 1.5, 2.5, 3.5, 0.5, 9 };
    struct gput_analysis *a;
    const struct gput_block *b;

    write_records(times, 8);
    a = analyze(MARKS "7,f,0,1\n8,g,0,1.75\n7,f,1,2\n8,g,1,3\n");
    b = block(a, 0);
    OK(b && b->num_timepoints == 3 && b->resource_usage[3].max == 3, "records out of order: f");
    b = block(a, 1);
    OK(b && b->num_timepoints == 3 && b->resource_usage[3].mean == (1 + 2 + 4) / 3., "and g");
    OK(a && gput_analysis_overall(a)[0].mean == 3.5 && gput_analysis_duration(a) == 8.5, "overall");
    gput_analysis_close(a);
    a = analyze(MARKS "7,f,1,2\n7,f,0,1\n");
    OK(a && block(a, 0)->num_calls == 1, "marks out of order");
    gput_analysis_close(a);
}

static void processes(void)
{
    const double times[] = { 1, 2, 3, 4 };
    struct gput_analysis *a;

    write_records(times, 4);
    a = analyze(MARKS "1,f,0,1\n2,f,0,2\n1,f,1,3\n2,f,1,4\n1,f,0,5\n2,g,0,5\n");
    OK(a && block(a, 0)->num_calls == 2 && block(a, 0)->compute_time.std == 0 &&
           block(a, 0)->wall_time == 3,
       "processes do not mix");
    OK(a && n_warnings == 1 && block(a, 0)->num_unfinished_calls == 1, "unfinished: one warning");
    OK(a && block(a, 1)->num_calls == 0 && isnan(block(a, 1)->compute_time.mean) &&
           block(a, 1)->compute_time.total == 0,
       "a block that was never finished");
    gput_analysis_close(a);
}

static void parts(void)
{
    struct gput_analysis *a = NULL;
    struct gput_error err;
    char *text = NULL;
    size_t n;

    OK(gput_sub_analyze(NULL, stf, NULL, &a, NULL) == 0 && gput_analysis_ram_unit(a) == NULL &&
           block(a, 0)->num_calls == 2,
       "without a tracking file: the calls");
    OK(gput_analysis_format(a, GPUT_TEXT, 1, &text) == 0 &&
           !strncmp(text, "Code block results:", 19),
       "as text");
    free(text);
    OK(gput_analysis_format(a, GPUT_JSON, 1, &text) == 0 && strstr(text, "\"overall\": {},"),
       "as JSON");
    free(text);
    gput_analysis_close(a);
    OK(gput_sub_analyze(tf, NULL, NULL, &a, NULL) == 0 && gput_analysis_blocks(a, &n) && n == 0 &&
           gput_analysis_overall(a)[0].max == 3 && !strcmp(gput_analysis_ram_unit(a), "megabytes"),
       "without marks: the whole run");
    gput_analysis_close(a);
    a = NULL;
    OK(gput_sub_analyze("/nowhere/t.csv", stf, NULL, &a, &err) == -ENOENT && !a, "no such file");
    OK(gput_analysis_close(NULL) == NULL, "nothing to close");
    OK(gput_sub_compare(NULL, 0, GPUT_MEAN, GPUT_JSON, NULL, &text, &err) == -EINVAL, "no session");
    OK(gput_sub_combine("/tmp/x.csv", NULL, 0, NULL, &err) == -EINVAL, "no file");
}

#define STATS(name) "\"" name "\": {\"min\": 1, \"max\": 2, \"mean\": 1.5, \"std\": 0}"
#define BLOCKS "\"code_block_results\": ["

/* Results of runs that cannot be compared say why. */
static void odd_results(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "{\"overall\": {" STATS("other") "}, " BLOCKS "]}", "'overall' has no 'main_ram'" },
        { "{\"overall\": {\"main_ram\": {}}, " BLOCKS "]}", "no number 'mean' in 'main_ram'" },
        { "{\"overall\": {" STATS("main_ram") "}, " BLOCKS "{}]}", "a code block without a name" },
        { "{\"overall\": {" STATS("main_ram") "}, " BLOCKS "{\"name\": \"b\"}]}",
          "no number 'mean' in 'compute_time'" },
        { "{\"overall\": {" STATS("main_ram") "}, " BLOCKS "{\"name\": \"b\", " STATS(
              "compute_time") ", \"resource_usage\": {}}]}",
          "no number 'mean' in 'main_ram'" },
    };
    struct gput_session sessions[] = { { "one", tf }, { "two", stf } };

    fixture_write(&f, "t.csv", "{\"overall\": {" STATS("main_ram") "}, " BLOCKS "]}");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gput_error err = { .text = "" };
        char *text = NULL;
        int r;

        fixture_write(&f, "s.csv", cases[i].text);
        r = gput_sub_compare(sessions, 2, GPUT_MEAN, GPUT_JSON, NULL, &text, &err);
        OK(r == -EBADMSG && !text && strstr(err.text, cases[i].want), "%s", err.text);
    }
}

static int is_shown(double value, const char *want)
{
    char text[48];

    gput__grid_number(value, text);
    return strcmp(text, want) == 0;
}

static void numbers(void)
{
    OK(is_shown(0, "0.0") && is_shown(1, "1.0") && is_shown(-0.0, "0.0") && is_shown(12.5, "12.5"),
       "one decimal at least");
    OK(is_shown(1.23456789, "1.234568") && is_shown(1234.56789, "1234.568") &&
           is_shown(0.0000012, "0.000001") && is_shown(-1e-9, "0.0"),
       "as many as the size asks for");
    OK(is_shown(NAN, "-") && is_shown(INFINITY, "-") && is_shown(1e300, "1e+300"), "none; huge");
}

int main(void)
{
    fixture_begin(&f);
    fixture_path(&f, "t.csv", tf, sizeof(tf));
    fixture_path(&f, "s.csv", stf, sizeof(stf));
    recursion();
    equal_times();
    clock_set_back();
    processes();
    parts();
    odd_results();
    numbers();
    fixture_end(&f);
    return DONE();
}

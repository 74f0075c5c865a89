/* test_history.c - what many runs say of the next one; a history where it cannot be. */
#include "store/history/history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/past_demands.h"
#include "analysis/trend.h"
#include "api/files/demand_json.h"
#include "base/netfs.h"
#include "tap.h"

static bool is_remote;

bool __wrap_gput__netfs_has(int fd);
bool __wrap_gput__netfs_has(int fd)
{
    (void)fd;
    return is_remote;
}

static void trends(void)
{
    const double rising[] = { 1, 2, NAN, 3, 4, 5, 100, 7 }, flat[] = { 5, 5, 5, 5, 5, 5 },
                 few[] = { 1, 2, 3, 4 }, falling[] = { 9, 8, 7, 6, 5, 4 };
    struct gput__trend t;

    gput__trend_of(rising, 8, &t);
    OK(t.n == 7 && t.per_run == 1 && t.next == 8, "one odd run bends no trend");
    gput__trend_of(falling, 6, &t);
    OK(t.per_run == -1 && t.next == 3, "downwards");
    gput__trend_of(flat, 6, &t);
    OK(t.per_run == 0 && t.next == 5, "nothing moves");
    gput__trend_of(few, 4, &t);
    OK(t.per_run == 0 && t.next == 2.5, "four runs are too few for a trend");
    gput__trend_of(few, 0, &t);
    OK(t.n == 0 && isnan(t.next), "no run at all");
}

static void percentiles(void)
{
    double values[100];

    for (int i = 0; i < 100; i++)
        values[i] = 100 - i;
    OK(gput__percentile(values, 100, 0.95) == 95 && gput__percentile(values, 100, 1) == 100 &&
           gput__percentile(values, 1, 0.95) == 100 && isnan(gput__percentile(values, 0, 0.95)),
       "so large a share does not exceed it");
}

static struct gput_demand a_demand(double peak)
{
    return (struct gput_demand){ .memory_peak = peak,
                                 .memory_most = NAN,
                                 .memory_limit = NAN,
                                 .vram_peak = NAN,
                                 .duration = 60,
                                 .ending = GPUT_EXITED };
}

static void past(void)
{
    struct gput_demand runs[30];
    struct gput__past p;
    size_t n;

    for (int i = 0; i < 30; i++)
        runs[i] = a_demand(i == 7 ? 9e9 : 1e9);
    n = gput__past_demands(runs, 30, &p);
    OK(n == 30 && runs[7].memory_peak == 1e9 && p.share < 1, "one peak of thirty is lowered");
    runs[0] = a_demand(1e9);
    runs[1] = a_demand(2e9);
    runs[1].oom = GPUT_OOM_YES;
    runs[1].memory_limit = 3e9;
    runs[2] = a_demand(1e9);
    runs[2].code = 1;
    n = gput__past_demands(runs, 3, &p);
    OK(n == 2 && p.n_killed == 1 && p.killed_at == 3e9 && p.n_left_out == 1 && p.share == 1,
       "a run killed for memory counts, with what it had; one that failed does not");
    runs[0] = a_demand(1e9);
    runs[0].oom = GPUT_OOM_YES;
    runs[1] = a_demand(2e9);
    n = gput__past_demands(runs, 2, &p);
    OK(n == 1 && runs[0].memory_peak == 2e9, "until another one has needed more");
    runs[0] = a_demand(1e9);
    runs[0].code = 1;
    n = gput__past_demands(runs, 1, &p);
    OK(n == 1, "where all failed, they are what there is");
    for (int i = 0; i < 8; i++)
        runs[i] = a_demand(1e9 + i * 1e8);
    n = gput__past_demands(runs, 8, &p);
    OK(n == 8 && fabs(p.growth - 1e8) < 1 && fabs(runs[7].memory_peak - 1.8e9) < 1,
       "growth is followed to the next run");
}

static void demands(void)
{
    struct gput_demand d = a_demand(1e9), back;
    char *text = NULL;

    d.cpu_seconds_at[3] = 2.5;
    d.oom = GPUT_OOM_PROBABLY;
    snprintf(d.gpu_brand, sizeof(d.gpu_brand), "nvidia");
    OK(gput__demand_write(&d, &text) == 0 && gput__demand_parse(text, &back) == 0, "kept and read");
    OK(back.memory_peak == 1e9 && isnan(back.memory_most) && back.cpu_seconds_at[3] == 2.5 &&
           back.cpu_seconds_at[4] == 0 && back.oom == GPUT_OOM_PROBABLY &&
           back.ending == GPUT_EXITED && !strcmp(back.gpu_brand, "nvidia"),
       "it is what it was");
    free(text);
    OK(gput__demand_parse("{", &back) == -EBADMSG && gput__demand_parse(NULL, &back) == -EBADMSG,
       "other text is none");
}

static int count(void *ctx, const struct gput__history_run *run)
{
    *(int *)ctx += run->run_id && !isnan(run->figure[GPUT__NAMED_RAM]);
    return 0;
}

static void files(void)
{
    char folder[] = "/tmp/gput-unit.XXXXXX", path[64];
    struct gput__history_run run = { .run_id = "1", .start = NAN };
    const struct gput__history_filter all = { .job_name = NULL };
    struct gput_error err;
    struct stat st;
    int n = 0;

    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        run.figure[i] = i;
    if (!mkdtemp(folder)) {
        OK(false, "mkdtemp");
        return;
    }
    snprintf(path, sizeof(path), "%s/h.sqlite", folder);
    is_remote = true;
    OK(gput__history_check(path, &err) == -EREMOTE && strstr(err.text, "network"),
       "a file system of a network is refused: %s", err.text);
    OK(gput__history_add(path, &run, &err) == -EREMOTE, "and nothing is written there");
    (void)unlink(path);
    is_remote = false;
    OK(gput__history_check(path, &err) == 0 && stat(path, &st) < 0, "a check makes nothing");
    OK(gput__history_add(path, &run, &err) == 0 && gput__history_add(path, &run, &err) == 0 &&
           gput__history_read(path, &all, count, &n, &err) == 0 && n == 1,
       "a run that is added twice is there once");
    OK(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600, "for the user alone");
    (void)unlink(path);
    (void)rmdir(folder);
}

int main(void)
{
    trends();
    percentiles();
    past();
    demands();
    files();
    return DONE();
}

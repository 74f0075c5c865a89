/* test_named_figure.c - figures of a run by their names. */
#include "model/named_figure.h"

#include <errno.h>
#include <string.h>

#include "run_fixture.h"
#include "tap.h"

static void short_names(void)
{
    bool all = true;

    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        all &= gput__named_figures[i].name &&
               gput__named_figure_find(gput__named_figures[i].name) == i;
    OK(all, "each figure of the table is found by its name");
    OK(gput__named_figure_find("rams") == -1 && gput__named_figure_find("") == -1,
       "other words are none");
}

static void values(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;
    struct gput_gpu gpus[2] = { { .energy = { 100, GPUT_EXACT, NULL } },
                                { .energy = { 20, GPUT_SAMPLED, "x" } } };
    struct gput_figure f = gput__named_figure_of(u, GPUT__NAMED_CPU_TIME);

    OK(gput__named_figure_of(u, GPUT__NAMED_RAM).value == 2e9, "ram is the peak of the whole job");
    OK(f.value == 120 && f.source == GPUT_EXACT, "CPU time follows from mean and wall time");
    u->totals.main_cpu_seconds = exact(30);
    u->totals.descendants_cpu_seconds = (struct gput_figure){ 5, GPUT_SAMPLED, "why" };
    f = gput__named_figure_of(u, GPUT__NAMED_CPU_TIME);
    OK(f.value == 35 && f.source == GPUT_SAMPLED && !strcmp(f.why, "why"),
       "where both parts are told they are added; one that is sampled makes the sum sampled");
    OK(gput__named_figure_of(u, GPUT__NAMED_ENERGY).source == GPUT_UNAVAILABLE,
       "no GPU, no energy");
    u->gpu.gpus = gpus;
    u->gpu.n_gpus = 2;
    f = gput__named_figure_of(u, GPUT__NAMED_ENERGY);
    OK(f.value == 120 && f.source == GPUT_SAMPLED, "the energy of all GPUs is added up");
    OK(gput__named_figure_of(u, GPUT__NAMED_LEFTOVER).source == GPUT_EXACT, "nobody was left");
    u->job.ending = GPUT_GONE;
    OK(gput__named_figure_of(u, GPUT__NAMED_LEFTOVER).source == GPUT_UNAVAILABLE,
       "who is left is not known of a run whose end nobody saw");
}

static void paths(void)
{
    struct gput__run run = a_run();
    enum gput__figure_unit unit;
    struct gput_figure f;

    OK(gput__figure_at_path(&run.usage, "max_ram.combined.total_rss", &f, &unit) == 0 &&
           f.value == 2e9 && unit == GPUT__IN_BYTES,
       "a path of the default output, in bytes whatever its unit there");
    OK(gput__figure_at_path(&run.usage, "cpu_utilization.combined.max_sum_percent", &f, &unit) ==
               0 &&
           f.value == 700 && unit == GPUT__IN_PERCENT,
       "a path of percentages");
    OK(gput__figure_at_path(&run.usage, "totals.disk_read_bytes", &f, &unit) == 0 &&
           f.source == GPUT_UNAVAILABLE && unit == GPUT__IN_BYTES,
       "a path of --full that this run does not tell");
    OK(gput__figure_at_path(&run.usage, "compute_time.time", &f, &unit) == 0 && f.value == 60 &&
           unit == GPUT__IN_SECONDS,
       "seconds");
    OK(gput__figure_at_path(&run.usage, "max_ram", &f, &unit) == -ENOENT &&
           gput__figure_at_path(&run.usage, "max_ram.unit", &f, &unit) == -ENOENT &&
           gput__figure_at_path(&run.usage, "", &f, &unit) == -ENOENT,
       "groups and texts are no figures");
}

int main(void)
{
    short_names();
    values();
    paths();
    return DONE();
}

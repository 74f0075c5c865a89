/* test_sample.c - values at one moment, and rates between two; the metric table. */
#include "model/sample.h"

#include <string.h>

#include "tap.h"

static struct gput__sample at(int64_t boot_ns, double cpu)
{
    struct gput__sample s = { .boot_ns = boot_ns };

    gput__sample_set(&s, GPUT__MAIN_CPU, cpu);
    return s;
}

static double rate(struct gput__sample from, struct gput__sample to)
{
    return gput__sample_rate(&from, &to, GPUT__MAIN_CPU);
}

static void rates(void)
{
    struct gput__sample bare = { .boot_ns = 1000000000 };

    OK(rate(at(0, 0), at(1000000000, 1)) == 100, "a second of a second is 100 percent");
    OK(rate(at(5000000000, 10), at(7000000000, 10.5)) == 25, "by the difference of both");
    OK(rate(at(0, 0), at(500000000, 4)) == 800, "eight cores");
    OK(rate(at(0, 5), at(1000000000, 5)) == 0, "nothing used");
    OK(rate(at(0, 5), at(1000000000, 4)) == 0, "a counter that fell");
    OK(rate(at(7, 5), at(7, 6)) == 0, "an interval of no length");
    OK(rate(at(8, 5), at(7, 6)) == 0, "a clock that went back");
    OK(rate(at(0, 0), bare) == 0, "not known at its end");
    bare.boot_ns = 0;
    OK(rate(bare, at(1000000000, 1)) == 0, "nor at its beginning");
}

static void what_is_known(void)
{
    struct gput__sample s = { 0 };
    int wrong = 0;

    for (int m = 0; m < GPUT__N_METRICS; m++) {
        wrong += gput__sample_has(&s, (enum gput__metric)m);
        gput__sample_set(&s, (enum gput__metric)m, m + 0.5);
        wrong += !gput__sample_has(&s, (enum gput__metric)m);
    }
    for (int m = 0; m < GPUT__N_METRICS; m++)
        wrong += s.value[m] != m + 0.5;
    OK(wrong == 0, "each metric has a bit and a place of its own");
    OK(GPUT__N_METRICS <= 8 * sizeof(s.known), "there are bits enough");
}

static void the_table(void)
{
    int wrong = 0;

    for (int m = 0; m < GPUT__N_METRICS; m++) {
        const struct gput__metric_info *info = &gput__metrics[m];

        wrong += !info->name || !info->origin || !info->help || !info->family;
        wrong += info->kind == GPUT__GAUGE && info->unit == GPUT__SECONDS;
        for (int other = 0; info->name && other < m; other++)
            wrong += !strcmp(info->name, gput__metrics[other].name);
    }
    OK(wrong == 0, "each metric has a name of its own and an origin");
    OK(!strcmp(gput__metrics[GPUT__MAIN_RAM + GPUT__COMBINED].name, "combined_ram") &&
           !strcmp(gput__metrics[GPUT__MAIN_PRIVATE_RAM + GPUT__DESCENDANTS].name,
                   "descendants_private_ram") &&
           !strcmp(gput__metrics[GPUT__MAIN_SHARED_RAM + GPUT__COMBINED].name,
                   "combined_shared_ram"),
       "main, descendants and combined follow each other");
}

int main(void)
{
    rates();
    what_is_known();
    the_table();
    return DONE();
}

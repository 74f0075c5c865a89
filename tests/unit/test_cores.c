/* test_cores.c - how busy each core of a machine was, and what it swapped, from one read to the next. */
#include "sample/machine/cores.h"

#include <math.h>

#include "fixture.h"
#include "sample/machine/machine.h"
#include "source/stalls/sys_vmstat.h"
#include "tap.h"

static struct fixture f;
static struct gput__cores cores;

/* Cores with so many ticks busy and idle; behind them what the kernel writes there. */
static void write_stat(const int (*ticks)[2], unsigned n, unsigned stolen)
{
    struct gput__buf text = GPUT__BUF_INIT;

    gput__buf_printf(&text, "cpu  100 0 0 900 0 0 0 %u 0 0\n", stolen);
    for (unsigned i = 0; i < n; i++)
        if (ticks[i][1] >= 0)
            gput__buf_printf(&text, "cpu%u %d 0 0 %d 7 0 0 0 0 0\n", i, ticks[i][0], ticks[i][1]);
    gput__buf_puts(&text, "intr 12345 0 0\nctxt 67890\n");
    fixture_write(&f, "stat", gput__buf_text(&text));
    gput__buf_free(&text);
}

static struct gput__sample read_cores(void)
{
    struct gput__sample s = { 0 };

    gput__cores_read(&cores, &f.root, &s);
    return s;
}

static void begin(void)
{
    fixture_begin(&f);
    gput__cores_open(&cores);
    gput__cores_want_each(&cores);
}

static void end(void)
{
    gput__cores_close(&cores);
    fixture_end(&f);
}

static bool is(const struct gput__sample *s, double busiest, double n_busy)
{
    if (gput__sample_has(s, GPUT__SYSTEM_BUSIEST_CORE) &&
        fabs(s->value[GPUT__SYSTEM_BUSIEST_CORE] - busiest) < 1e-9 &&
        s->value[GPUT__SYSTEM_BUSY_CORES] == n_busy)
        return true;
    printf("# %g %% of the busiest, %g busy\n", s->value[GPUT__SYSTEM_BUSIEST_CORE],
           s->value[GPUT__SYSTEM_BUSY_CORES]);
    return false;
}

/* The pattern of one thread on two cores. */
static void one_of_two(void)
{
    struct gput__sample s;

    begin();
    write_stat((const int[][2]){ { 100, 900 }, { 50, 950 } }, 2, 40);
    s = read_cores();
    OK(!gput__sample_has(&s, GPUT__SYSTEM_BUSIEST_CORE),
       "the first read has nothing to compare with");
    OK(gput__sample_has(&s, GPUT__SYSTEM_STOLEN_CPU) && s.value[GPUT__SYSTEM_STOLEN_CPU] == 0.4,
       "40 ticks stolen");
    write_stat((const int[][2]){ { 196, 904 }, { 55, 1045 } }, 2, 90);
    s = read_cores();
    OK(is(&s, 96, 1), "one was busy");
    OK(s.value[GPUT__SYSTEM_STOLEN_CPU] == 0.9, "90 ticks stolen");
    write_stat((const int[][2]){ { 199, 904 }, { 58, 1045 } }, 2, 90);
    s = read_cores();
    OK(!gput__sample_has(&s, GPUT__SYSTEM_BUSIEST_CORE), "three ticks are too few to tell");
    write_stat((const int[][2]){ { 208, 905 }, { 68, 1045 } }, 2, 90);
    s = read_cores();
    OK(is(&s, 100, 2), "they count at the next one");
    end();
}

static void cores_that_come_and_go(void)
{
    struct gput__sample s;

    begin();
    write_stat((const int[][2]){ { 0, 100 }, { 0, -1 }, { 50, 50 } }, 3, 0);
    (void)read_cores();
    write_stat((const int[][2]){ { 0, 200 }, { 0, 100 }, { 100, 100 } }, 3, 0);
    s = read_cores();
    OK(is(&s, 50, 0), "a core that has just come is not judged");
    write_stat((const int[][2]){ { 0, 300 }, { 100, 100 } }, 2, 0);
    s = read_cores();
    OK(is(&s, 100, 1), "it is at the next read; another has gone");
    write_stat((const int[][2]){ { 0, 400 }, { 10, 10 } }, 2, 0);
    s = read_cores();
    OK(is(&s, 0, 0), "counts that begin anew are none");
    end();
}

static void many(void)
{
    static int ticks[600][2];
    struct gput__sample s;
    size_t size;

    begin();
    for (int i = 0; i < 600; i++)
        ticks[i][0] = ticks[i][1] = 10000;
    write_stat(ticks, 600, 0);
    (void)read_cores();
    for (int i = 0; i < 600; i++)
        ticks[i][i % 2] += 100;
    write_stat(ticks, 600, 0);
    s = read_cores();
    OK(is(&s, 100, 300), "600 cores, which take more room than a page");
    size = cores.size;
    for (int i = 0; i < 100; i++)
        (void)read_cores();
    OK(cores.size == size, "%zu bytes then and a hundred reads later", size);
    end();
}

static void not_asked(void)
{
    struct gput__sample s;

    begin();
    cores.is_each_wanted = false;
    write_stat((const int[][2]){ { 0, 100 } }, 1, 0);
    (void)read_cores();
    write_stat((const int[][2]){ { 100, 100 } }, 1, 0);
    s = read_cores();
    OK(gput__sample_has(&s, GPUT__SYSTEM_CPU) && !gput__sample_has(&s, GPUT__SYSTEM_BUSIEST_CORE),
       "core by core on request alone");
    fixture_write(&f, "stat", "cpux\n");
    s = read_cores();
    OK(!gput__sample_has(&s, GPUT__SYSTEM_CPU), "no such file");
    end();
}

static void swap(void)
{
    struct gput__sys_vmstat v;

    gput__sys_vmstat_parse("nr_free_pages 1\npswpin 12\npswpout 34\noom_kill 5\n", &v);
    OK(v.has_swap && v.swapped_in == 12 && v.swapped_out == 34 && v.oom_kills == 5, "vmstat");
    gput__sys_vmstat_parse("pswpin 12\npswpoutx 3\n", &v);
    OK(!v.has_swap && v.oom_kills == 0, "a kernel without swap, and an old one");
}

/* Nothing in swap: its counters are read once. */
static void swap_that_is_not_used(void)
{
    static const char unused[] =
        "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 8 kB\nSwapFree: 8 kB\n";
    static const char used[] =
        "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 8 kB\nSwapFree: 4 kB\n";
    struct gput__root none = GPUT__ROOT_NONE;
    struct gput__machine m;
    struct gput__sample s[4] = { 0 };
    double page = (double)sysconf(_SC_PAGESIZE);

    fixture_begin(&f);
    gput__machine_open(&m, &f.root, &none, NULL);
    gput__machine_want_waiting(&m, 2);
    fixture_write(&f, "meminfo", unused);
    fixture_write(&f, "vmstat", "pswpin 10\npswpout 20\n");
    gput__machine_read(&m, &s[0]);
    fixture_write(&f, "vmstat", "pswpin 11\npswpout 21\n");
    gput__machine_read(&m, &s[1]);
    fixture_write(&f, "meminfo", used);
    fixture_write(&f, "vmstat", "pswpin 12\npswpout 29\n");
    gput__machine_read(&m, &s[2]);
    fixture_write(&f, "meminfo", unused);
    fixture_write(&f, "vmstat", "pswpin 16\npswpout 30\n");
    gput__machine_read(&m, &s[3]);
    OK(s[0].value[GPUT__SYSTEM_SWAPPED_IN] == 10 * page, "where it began");
    OK(s[1].value[GPUT__SYSTEM_SWAPPED_IN] == 10 * page, "nothing is in swap: not read");
    OK(s[2].value[GPUT__SYSTEM_SWAPPED_OUT] == 29 * page, "something is");
    OK(s[3].value[GPUT__SYSTEM_SWAPPED_IN] == 16 * page, "it was until a moment ago");
    gput__machine_close(&m);
    fixture_end(&f);
}

int main(void)
{
    one_of_two();
    cores_that_come_and_go();
    many();
    not_asked();
    swap();
    swap_that_is_not_used();
    return DONE();
}

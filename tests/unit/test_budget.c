/* test_budget.c - limits are read, runs are judged by them. */
#include "model/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run_fixture.h"
#include "tap.h"

static char why[480];

static int parse(const char *list, struct gput__budget *ret)
{
    why[0] = '\0';
    return gput__budget_parse(list, ret, why, sizeof(why));
}

static double limit_of(const char *list)
{
    struct gput__budget b = { .n = 0 };

    return parse(list, &b) == 0 && b.n == 1 ? b.limit[0].limit : -1;
}

static void units(void)
{
    OK(limit_of("ram=4GB") == 4e9 && limit_of("ram=4GiB") == 4.0 * (1 << 30), "1000 and 1024");
    OK(limit_of("ram<=1.5 gb") == 1.5e9 && limit_of(" ram = 1e3kB ") == 1e6 &&
           limit_of("gpu_ram=2TiB") == 2199023255552.0,
       "any case of letters, blanks, fractions");
    OK(limit_of("cpu=250ms") == 0.25 && limit_of("cpu=90") == 90 && limit_of("time=10min") == 600 &&
           limit_of("time=1.5h") == 5400 && limit_of("time=2d") == 172800,
       "times; a bare number is in seconds");
    OK(limit_of("energy=5kJ") == 5000 && limit_of("energy=1Wh") == 3600 &&
           limit_of("energy=0.5kWh") == 1.8e6,
       "energies");
    OK(limit_of("gpu_util>=50") == 50 && limit_of("gpu_util>=50%") == 50, "percentages");
    OK(limit_of("leftover=0") == 0 && limit_of("disk_write=0") == 0 &&
           limit_of("ram=1000000") == 1e6,
       "counts; nothing; bytes that a program has worked out");
    OK(limit_of("totals.major_faults<=5") == 5 &&
           limit_of("limits.near_memory_seconds=2min") == 120,
       "paths of the JSON have the unit of their figure");
}

static void lists(void)
{
    struct gput__budget b = { .n = 7 };

    OK(parse("ram=4GB, cpu<=300s,gpu_util>=50", &b) == 0 && b.n == 3 && !b.limit[0].is_least &&
           !b.limit[1].is_least && b.limit[2].is_least,
       "= and <= are at most, >= is at least");
    OK(parse("threads>=2,threads<=4", &b) == 0 && b.n == 2, "a figure between two limits");
    OK(parse(NULL, &b) == 0 && b.n == 0 && parse("", &b) == 0 && b.n == 0, "no limits");
}

static void refusals(void)
{
    static const char *const wrong[] = {
        "rams=4GB",    "ram=4",
        "ram=4G",      "ram=-4GB",
        "ram==4GB",    "ram<4GB",
        "ram>4GB",     "ram=",
        "=4GB",        "ram",
        ",",           "ram=1GB,",
        ",ram=1GB",    "cpu=3m",
        "ram=nan",     "ram=inf",
        "ram=0x10MB",  "ram=1GB2",
        "ram=-0GB",    "processes=8B",
        "max_ram=1",   "ram=1GB,ram<=2GB",
        "ram<>=1GB",   "ram=>1GB",
        "ram!=1GB",    "cpu=1s;time=2",
        "ram=1e999GB", "ram=00000000000000000000000000000000001GB",
    };
    struct gput__budget b = { .n = 7 };
    size_t refused = 0, n = sizeof(wrong) / sizeof(*wrong);
    char long_name[400];

    for (size_t i = 0; i < n; i++) {
        bool is = parse(wrong[i], &b) == -EINVAL && why[0] && !strchr(why, '\n') && b.n == 7;

        if (!is)
            printf("# %s: %s\n", wrong[i], why);
        refused += is;
    }
    OK(refused == n, "what is no budget is refused with a reason, and ret is left alone");
    memset(long_name, 'x', sizeof(long_name));
    long_name[sizeof(long_name) - 1] = '\0';
    OK(parse(long_name, &b) == -EINVAL, "a long word");
    memcpy(long_name + 200, "=1", 3);
    OK(parse(long_name, &b) == -EINVAL && strlen(why) < sizeof(why) - 1, "a long name");
}

static void too_many(void)
{
    static const char *const paths[] = { "max_ram.main.total_rss", "max_ram.main.private_rss",
                                         "max_ram.main.shared_rss", "max_ram.system",
                                         "totals.max_swap" };
    char list[4000] = "";
    struct gput__budget b;
    int n = 0;

    for (int i = 0; i < 2 * GPUT__N_NAMED_FIGURES; i++, n++)
        snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s%s5000", n ? "," : "",
                 gput__named_figures[i / 2].name, i % 2 ? ">=" : "<=");
    OK(parse(list, &b) == 0 && b.n == n, "every short name, both ways");
    for (size_t i = 0; i < 2 * sizeof(paths) / sizeof(*paths); i++)
        snprintf(list + strlen(list), sizeof(list) - strlen(list), ",%s%s5000", paths[i / 2],
                 i % 2 ? ">=" : "<=");
    OK(parse(list, &b) == -EINVAL && strstr(why, "more than"),
       "more limits than there is room for");
}

static struct gput_budget_line judged(const struct gput_usage *u, const char *list)
{
    static struct gput__budget b;

    if (parse(list, &b) < 0)
        abort();
    return gput__budget_judge(&b.limit[0], u);
}

static void judgements(void)
{
    struct gput__run run = a_run();
    const struct gput_usage *u = &run.usage;
    struct gput_budget_line line = judged(u, "ram<=2GB");

    OK(line.is_met && line.limit == 2e9 && line.measured.value == 2e9 && !strcmp(line.op, "<=") &&
           !strcmp(line.unit, "bytes") && !strcmp(line.asked, "2GB"),
       "the limit itself is allowed");
    OK(!judged(u, "ram<=1999999999B").is_met && judged(u, "ram>=2GB").is_met &&
           !judged(u, "ram>=2000000001B").is_met,
       "a byte more is not");
    OK(judged(u, "cpu_utilization.combined.max_sum_percent<=700").is_met &&
           !judged(u, "cpu_utilization.combined.max_sum_percent<=699.9").is_met,
       "a path of the JSON");
    line = judged(u, "energy<=1MJ");
    OK(!line.is_met && line.measured.why,
       "a figure that is unavailable breaks it, with the reason");
    OK(!judged(u, "energy>=0").is_met, "whichever way it is asked for");
}

static bool is_hard(const char *list)
{
    struct gput__run run = a_run();

    return judged(&run.usage, list).is_hard;
}

static void what_can_be_passed_early(void)
{
    OK(is_hard("ram=1GB") && is_hard("time=1s") && is_hard("cpu=1") && is_hard("processes=1") &&
           is_hard("max_ram.main.private_rss=1MB"),
       "what only grows");
    OK(!is_hard("gpu_util<=50") && !is_hard("leftover=0") && !is_hard("ram>=1GB") &&
           !is_hard("cpu_utilization.combined.mean_sum_percent<=90") &&
           !is_hard("machine.disk_space_used<=1TB"),
       "what may fall again, or is known at the end alone, or is a least");
}

static void on_request(void)
{
    struct gput__budget b;

    OK(parse("ram=1GB,energy=1J", &b) == 0 && gput__budget_wants_all(&b), "energy");
    OK(parse("machine.max_cached=1GB", &b) == 0 && gput__budget_wants_all(&b), "the machine");
    OK(parse("ram=1GB,cpu=3,max_ram.system=1GB", &b) == 0 && !gput__budget_wants_all(&b),
       "no more");
}

static void words(void)
{
    struct gput__run run = a_run();
    struct gput_budget_line line = judged(&run.usage, "ram<=2.5GB");
    char text[480];

    gput_budget_words(&line, text, sizeof(text));
    OK(!strcmp(text, "ram: 2.00 GB, at most 2.5GB: 500 MB (20 %) below (exact)"), "%s", text);
    line = judged(&run.usage, "time<=30s");
    OK(!strcmp(gput_budget_words(&line, text, sizeof(text)),
               "time: 1 min, at most 30s: 30.0 s (100 %) above (exact)"),
       "%s", text);
    line = judged(&run.usage, "leftover=0");
    OK(!strcmp(gput_budget_words(&line, text, sizeof(text)),
               "leftover: 0, at most 0: just that (exact)"),
       "%s", text);
    line = judged(&run.usage, "energy>=1kJ");
    OK(!strcmp(gput_budget_words(&line, text, sizeof(text)),
               "energy: not known, at least 1kJ: no GPU tells its energy (--full asks for it)"),
       "%s", text);
    line.measured = (struct gput_figure){ 5, GPUT_SAMPLED, "a reason" };
    OK(strstr(gput_budget_words(&line, text, sizeof(text)), "(sampled: a reason)"), "%s", text);
    OK(strlen(gput_budget_words(&line, text, 10)) == 9, "no longer than there is room");
}

int main(void)
{
    units();
    lists();
    refusals();
    too_many();
    judgements();
    what_can_be_passed_early();
    on_request();
    words();
    return DONE();
}

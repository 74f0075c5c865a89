/* test_usage.c - the figures of a run as text and as JSON, against literals. */
#include "gput.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_tree.h"
#include "tap.h"

static const char why[] = "only seen between records";

static struct gput_figure exact(double value)
{
    return (struct gput_figure){ value, GPUT_EXACT, NULL };
}

static struct gput_figure sampled(double value)
{
    return (struct gput_figure){ value, GPUT_SAMPLED, why };
}

static struct gput_rss rss(double total)
{
    return (struct gput_rss){ exact(total), sampled(total / 4), sampled(total * 3 / 4) };
}

static struct gput_percentages percentages(double sum)
{
    return (struct gput_percentages){ sampled(sum), sampled(sum / 4), exact(sum / 2),
                                      exact(sum / 8) };
}

/* A figure of each kind with a value of its own. */
static struct gput_usage known(void)
{
    struct gput_usage u = { .size = sizeof(u),
                            .ram_unit = "megabytes",
                            .gpu_ram_unit = "gigabytes",
                            .time_unit = "minutes" };

    u.max_ram.system_capacity = exact(67254165504);
    u.max_ram.system = sampled(4582764544);
    u.max_ram.main = rss(400000000);
    u.max_ram.descendants = rss(12345678);
    u.max_ram.combined = rss(0);
    u.max_gpu_ram.system_capacity = exact(2e9);
    u.max_gpu_ram.system = sampled(1500000000);
    u.max_gpu_ram.main = sampled(506000000);
    u.max_gpu_ram.descendants = sampled(1000);
    u.max_gpu_ram.combined = sampled(506001000);
    u.cpu_utilization.system_core_count = exact(12);
    u.cpu_utilization.n_expected_cores = exact(4);
    u.cpu_utilization.system = percentages(600);
    u.cpu_utilization.main = percentages(398.25);
    u.cpu_utilization.descendants = percentages(0);
    u.cpu_utilization.combined = percentages(100.1);
    u.cpu_utilization.main_n_threads = sampled(3);
    u.cpu_utilization.descendants_n_threads = sampled(0);
    u.cpu_utilization.combined_n_threads = sampled(1000000);
    u.gpu_utilization.system_gpu_count = exact(1);
    u.gpu_utilization.n_expected_gpus = exact(1);
    u.gpu_utilization.gpu_percentages = percentages(80);
    u.compute_time.time = exact(93.75);
    u.job.command = "sh \x1b[2J\n\"x\"";
    u.job.pid = 4242;
    u.job.ending = GPUT_SIGNALED;
    u.job.code = 9;
    u.job.timed_out = 1;
    u.job.oom = GPUT_OOM_YES;
    u.job.n_left = 2;
    u.tracker.process_events = 1;
    return u;
}

static const char default_text[] = "Max RAM:\n"
                                   "   Unit: megabytes\n"
                                   "   System capacity: 67254.166\n"
                                   "   System: 4582.765\n"
                                   "   Main:\n"
                                   "      Total RSS: 400.0\n"
                                   "      Private RSS: 100.0\n"
                                   "      Shared RSS: 300.0\n"
                                   "   Descendants:\n"
                                   "      Total RSS: 12.346\n"
                                   "      Private RSS: 3.086\n"
                                   "      Shared RSS: 9.259\n"
                                   "   Combined:\n"
                                   "      Total RSS: 0.0\n"
                                   "      Private RSS: 0.0\n"
                                   "      Shared RSS: 0.0\n"
                                   "Max GPU RAM:\n"
                                   "   Unit: gigabytes\n"
                                   "   System capacity: 2.0\n"
                                   "   System: 1.5\n"
                                   "   Main: 0.506\n"
                                   "   Descendants: 0.0\n"
                                   "   Combined: 0.506\n"
                                   "CPU utilization:\n"
                                   "   System core count: 12\n"
                                   "   Number of expected cores: 4\n"
                                   "   System:\n"
                                   "      Max sum percent: 600.0\n"
                                   "      Max hardware percent: 150.0\n"
                                   "      Mean sum percent: 300.0\n"
                                   "      Mean hardware percent: 75.0\n"
                                   "   Main:\n"
                                   "      Max sum percent: 398.25\n"
                                   "      Max hardware percent: 99.562\n"
                                   "      Mean sum percent: 199.125\n"
                                   "      Mean hardware percent: 49.781\n"
                                   "   Descendants:\n"
                                   "      Max sum percent: 0.0\n"
                                   "      Max hardware percent: 0.0\n"
                                   "      Mean sum percent: 0.0\n"
                                   "      Mean hardware percent: 0.0\n"
                                   "   Combined:\n"
                                   "      Max sum percent: 100.1\n"
                                   "      Max hardware percent: 25.025\n"
                                   "      Mean sum percent: 50.05\n"
                                   "      Mean hardware percent: 12.512\n"
                                   "   Main number of threads: 3\n"
                                   "   Descendants number of threads: 0\n"
                                   "   Combined number of threads: 1000000\n"
                                   "GPU utilization:\n"
                                   "   System GPU count: 1\n"
                                   "   Number of expected GPUs: 1\n"
                                   "   GPU percentages:\n"
                                   "      Max sum percent: 80.0\n"
                                   "      Max hardware percent: 20.0\n"
                                   "      Mean sum percent: 40.0\n"
                                   "      Mean hardware percent: 10.0\n"
                                   "Compute time:\n"
                                   "   Unit: minutes\n"
                                   "   Time: 1.562\n";

static const char default_json[] = "{\n"
                                   " \"max_ram\": {\n"
                                   "  \"unit\": \"megabytes\",\n"
                                   "  \"system_capacity\": 67254.165504,\n"
                                   "  \"system\": 4582.764544,\n"
                                   "  \"main\": {\n"
                                   "   \"total_rss\": 400.0,\n"
                                   "   \"private_rss\": 100.0,\n"
                                   "   \"shared_rss\": 300.0\n"
                                   "  },\n"
                                   "  \"descendants\": {\n"
                                   "   \"total_rss\": 12.345678,\n"
                                   "   \"private_rss\": 3.0864195,\n"
                                   "   \"shared_rss\": 9.2592585\n"
                                   "  },\n"
                                   "  \"combined\": {\n"
                                   "   \"total_rss\": 0.0,\n"
                                   "   \"private_rss\": 0.0,\n"
                                   "   \"shared_rss\": 0.0\n"
                                   "  }\n"
                                   " },\n"
                                   " \"max_gpu_ram\": {\n"
                                   "  \"unit\": \"gigabytes\",\n"
                                   "  \"system_capacity\": 2.0,\n"
                                   "  \"system\": 1.5,\n"
                                   "  \"main\": 0.506,\n"
                                   "  \"descendants\": 1e-06,\n"
                                   "  \"combined\": 0.506001\n"
                                   " },\n"
                                   " \"cpu_utilization\": {\n"
                                   "  \"system_core_count\": 12,\n"
                                   "  \"n_expected_cores\": 4,\n"
                                   "  \"system\": {\n"
                                   "   \"max_sum_percent\": 600.0,\n"
                                   "   \"max_hardware_percent\": 150.0,\n"
                                   "   \"mean_sum_percent\": 300.0,\n"
                                   "   \"mean_hardware_percent\": 75.0\n"
                                   "  },\n"
                                   "  \"main\": {\n"
                                   "   \"max_sum_percent\": 398.25,\n"
                                   "   \"max_hardware_percent\": 99.5625,\n"
                                   "   \"mean_sum_percent\": 199.125,\n"
                                   "   \"mean_hardware_percent\": 49.78125\n"
                                   "  },\n"
                                   "  \"descendants\": {\n"
                                   "   \"max_sum_percent\": 0.0,\n"
                                   "   \"max_hardware_percent\": 0.0,\n"
                                   "   \"mean_sum_percent\": 0.0,\n"
                                   "   \"mean_hardware_percent\": 0.0\n"
                                   "  },\n"
                                   "  \"combined\": {\n"
                                   "   \"max_sum_percent\": 100.1,\n"
                                   "   \"max_hardware_percent\": 25.025,\n"
                                   "   \"mean_sum_percent\": 50.05,\n"
                                   "   \"mean_hardware_percent\": 12.5125\n"
                                   "  },\n"
                                   "  \"main_n_threads\": 3,\n"
                                   "  \"descendants_n_threads\": 0,\n"
                                   "  \"combined_n_threads\": 1000000\n"
                                   " },\n"
                                   " \"gpu_utilization\": {\n"
                                   "  \"system_gpu_count\": 1,\n"
                                   "  \"n_expected_gpus\": 1,\n"
                                   "  \"gpu_percentages\": {\n"
                                   "   \"max_sum_percent\": 80.0,\n"
                                   "   \"max_hardware_percent\": 20.0,\n"
                                   "   \"mean_sum_percent\": 40.0,\n"
                                   "   \"mean_hardware_percent\": 10.0\n"
                                   "  }\n"
                                   " },\n"
                                   " \"compute_time\": {\n"
                                   "  \"unit\": \"minutes\",\n"
                                   "  \"time\": 1.5625\n"
                                   " }\n"
                                   "}\n";

/* Says where two texts part. */
static int same(const char *got, const char *want)
{
    size_t at = 0;

    while (got[at] && got[at] == want[at])
        at++;
    if (got[at] != want[at])
        printf("# differs at %zu: got <%.40s>\n", at, got + at);
    return got[at] == want[at];
}

static char *text_of(const struct gput_usage *u, enum gput_format format, int full)
{
    char *text = NULL;

    OK(gput_usage_format(u, format, full, &text) == 0 && text, "written");
    return text ? text : strdup("");
}

static void the_default_output(void)
{
    struct gput_usage u = known();
    char *text = text_of(&u, GPUT_TEXT, 0), *json = text_of(&u, GPUT_JSON, 0);

    OK(same(text, default_text), "text");
    OK(same(json, default_json), "JSON");
    free(text);
    free(json);
}

static void the_default_output_keeps_its_schema(void)
{
    struct gput_usage u = { .ram_unit = "bytes", .gpu_ram_unit = "bytes", .time_unit = "hours" };
    char *text = text_of(&u, GPUT_TEXT, 0), *json = text_of(&u, GPUT_JSON, 0);

    OK(!strstr(text, "unavailable") && strstr(text, "Total RSS: 0.0\n"), "unknown is 0 in text");
    OK(!strstr(json, "null") && strstr(json, "\"time\": 0.0"), "and in JSON");
    free(text);
    free(json);
}

/* --- with --full ---------------------------------------------------------------------------- */

static void full_text(void)
{
    struct gput_usage u = known();
    char *text;

    u.max_gpu_ram.main = (struct gput_figure){ 0, GPUT_UNAVAILABLE, "no driver" };
    u.limits.memory_cgroup = (struct gput_figure){ 0, GPUT_UNAVAILABLE, NULL };
    u.totals.cpu_user_seconds = exact(1.2345);
    text = text_of(&u, GPUT_TEXT, 1);
    OK(!strncmp(text, default_text, 200), "the default groups come first");
    OK(strstr(text, "   Main: unavailable (no driver)\n"), "what is unknown is said, with why");
    OK(strstr(text, "   Memory limit of the cgroup: unavailable\n"), "or without");
    OK(strstr(text, "   Command: sh \\x1b[2J\\n\"x\"\n"), "nothing steers the terminal");
    OK(strstr(text, "   Process id: 4242\n   Ending: killed by a signal\n   Exit code: none\n"
                    "   Signal: 9\n   Ended for its time limit: yes\n   Killed for memory: yes\n"
                    "   Descendants still running: 2\n"),
       "how the job ended");
    OK(strstr(text, "   CPU seconds in user mode: 1.234\n") ||
           strstr(text, "   CPU seconds in user mode: 1.235\n"),
       "totals");
    OK(strstr(text, "   Process events: yes\n"), "the tracker itself");
    OK(strstr(text, "\nSources:\n"), "where the figures come from");
    free(text);
}

static void gpus_in_text(void)
{
    struct gput_gpu gpus[2] = { { .name = "A \x1b[2J GPU", .uuid = "GPU-1" },
                                { .index = 1, .name = "B", .uuid = "GPU-2" } };
    struct gput_gpu_process process = { .pid = 77 };
    struct gput_usage u = known();
    char *text;

    u.gpu.gpus = gpus;
    u.gpu.n_gpus = 2;
    u.gpu.processes = &process;
    u.gpu.n_processes = 1;
    u.gpu.note = "others use them too";
    text = text_of(&u, GPUT_TEXT, 1);
    OK(strstr(text, "\nGPU 0:\n") && strstr(text, "\nGPU 1:\n"), "each GPU");
    OK(strstr(text, "A \\x1b[2J GPU\n"), "whose name steers no terminal");
    OK(strstr(text, "\nGPU processes:\n   Attribution: none\n   Note: others use them too\n"
                    "   Process 1:\n"),
       "and who used them");
    OK(strstr(text, "unavailable\n"), "what its driver does not tell is unavailable");
    free(text);
    u.gpu.n_gpus = 0;
    text = text_of(&u, GPUT_TEXT, 1);
    OK(!strstr(text, "GPU processes:"), "without a GPU there is nothing to say");
    free(text);
}

static const struct gput_json *at(const struct gput_json *object, const char *path)
{
    char copy[100];

    snprintf(copy, sizeof(copy), "%s", path);
    for (char *key = strtok(copy, "/"); key; key = strtok(NULL, "/"))
        object = gput_json_member(object, key);
    return object;
}

static const char *word(const struct gput_json *object, const char *path)
{
    const struct gput_json *value = at(object, path);

    return value && value->text ? value->text : "";
}

static bool is_null(const struct gput_json *object, const char *path)
{
    const struct gput_json *value = at(object, path);

    return value && value->kind == GPUT_JSON_NULL;
}

static double number(const struct gput_json *object, const char *path)
{
    const struct gput_json *value = at(object, path);

    return value && value->kind == GPUT_JSON_NUMBER ? value->number : NAN;
}

static void full_json(void)
{
    struct gput_usage u = known();
    char *text;
    struct gput_json *j = NULL;

    u.max_gpu_ram.main = (struct gput_figure){ 0, GPUT_UNAVAILABLE, "no driver" };
    text = text_of(&u, GPUT_JSON, 1);
    (void)gput__json_tree_of(text, strlen(text), false, &j, NULL);
    if (!OK(j, "the full JSON is JSON, and no key comes twice")) {
        free(text);
        return;
    }
    OK(is_null(j, "max_gpu_ram/main"), "unknown is null");
    OK(number(j, "max_gpu_ram/system") == 1.5, "known is a number");
    OK(!strcmp(word(j, "job/command"), "sh \x1b[2J\n\"x\""), "the command as it was");
    OK(number(j, "job/pid") == 4242 && is_null(j, "job/exit_code") &&
           number(j, "job/signal") == 9 && at(j, "job/timed_out")->number == 1,
       "how it ended");
    OK(!strcmp(word(j, "job/ending"), "killed by a signal") &&
           !strcmp(word(j, "job/killed_for_memory"), "yes"),
       "in words");
    OK(is_null(j, "totals/minor_faults"), "totals that are not known");
    OK(!strcmp(word(j, "sources/max_ram.main.total_rss/source"), "exact") &&
           !at(j, "sources/max_ram.main.total_rss/why"),
       "a source");
    OK(!strcmp(word(j, "sources/max_ram.main.private_rss/source"), "sampled") &&
           !strcmp(word(j, "sources/max_ram.main.private_rss/why"), why),
       "with why");
    OK(!strcmp(word(j, "sources/compute_time.time/source"), "exact"), "of a group of one level");
    OK(!strcmp(word(j, "sources/max_gpu_ram.main/source"), "unavailable"), "of what is not known");
    gput_json_free(j);
    free(text);
}

/* Each number of the groups by its path must stand among the sources; "job" has no figures. */
static size_t without_source(const struct gput_json *group, const char *path,
                             const struct gput_json *sources, size_t *ret_figures)
{
    size_t missing = 0;

    for (size_t i = 0; i < group->n; i++) {
        const struct gput_json *value = &group->item[i];
        char longer[100];

        snprintf(longer, sizeof(longer), "%s%s%s", path, *path ? "." : "", value->name);
        if (!strcmp(longer, "job") || !strcmp(longer, "schema") || !strcmp(longer, "sources"))
            continue;
        if (value->kind == GPUT_JSON_OBJECT) {
            missing += without_source(value, longer, sources, ret_figures);
        } else if (value->kind == GPUT_JSON_NUMBER) {
            missing += !gput__json_member_of(sources, longer, GPUT_JSON_OBJECT);
            ++*ret_figures;
        }
    }
    return missing;
}

static void every_figure_has_a_source(void)
{
    struct gput_usage u = known();
    char *text;
    struct gput_json *j = NULL;
    size_t figures = 0;

    u.totals.minor_faults = exact(1);
    u.limits.cores_host = exact(12);
    text = text_of(&u, GPUT_JSON, 1);
    (void)gput__json_tree_of(text, strlen(text), false, &j, NULL);
    OK(j && without_source(j, "", at(j, "sources"), &figures) == 0 && figures > 40,
       "%zu figures, each with a source", figures);
    gput_json_free(j);
    free(text);
}

/* A caller built against a header that had no `machine` has no memory there. */
static void older_caller(void)
{
    struct gput_usage u = known(), *shorter;
    size_t size = offsetof(struct gput_usage, machine);
    char *text;

    u.tracker.n_records = exact(321);
    u.machine.net_sent_bytes = exact(99887766);
    u.size = (uint32_t)size;
    shorter = malloc(size);
    if (!OK(shorter != NULL, "memory"))
        return;
    memcpy((void *)shorter, &u, size);
    text = text_of(shorter, GPUT_TEXT, 1);
    OK(strstr(text, "Records: 321\n") && strstr(text, "Bytes sent to the network: unavailable\n") &&
           !strstr(text, "99887766"),
       "what an older caller has no room for is not known");
    free(text);
    free(shorter);
}

/* Figures that are known in the same way are told together. */
static void sources_in_text(void)
{
    struct gput_usage u = { .ram_unit = "bytes", .gpu_ram_unit = "bytes", .time_unit = "hours" };
    char *text = text_of(&u, GPUT_TEXT, 1), *sources = strstr(text, "\nSources:\n");

    OK(sources && same(sources, "\nSources:\n   Max RAM: unavailable\n   Max GPU RAM: unavailable\n"
                                "   CPU utilization: unavailable\n"
                                "   GPU utilization: unavailable\n   Compute time: unavailable\n"
                                "   Totals: unavailable\n   Limits: unavailable\n"
                                "   Waiting: unavailable\n   Energy: unavailable\n"
                                "   Machine: unavailable\n"
                                "   Tracker: unavailable\n   Cgroup: unavailable\n"
                                "   Bounds of max RAM in bytes: unavailable\n"),
       "one line for a whole group");
    free(text);
    u.max_ram.main = rss(5);
    text = text_of(&u, GPUT_TEXT, 1);
    sources = strstr(text, "\nSources:\n");
    OK(sources && strstr(sources, "   Max RAM:\n      System capacity: unavailable\n"
                                  "      System: unavailable\n      Main:\n"
                                  "         Total RSS: exact\n"
                                  "         Private RSS: sampled (only seen between records)\n"
                                  "         Shared RSS: sampled (only seen between records)\n"
                                  "      Descendants: unavailable\n      Combined: unavailable\n"
                                  "   Max GPU RAM: unavailable\n"),
       "one for each part where they differ");
    free(text);
}

static void endings(void)
{
    static const struct {
        enum gput_ending ending;
        const char *text;
    } all[] = {
        { GPUT_RUNNING, "Ending: running\n   Exit code: none\n   Signal: none\n" },
        { GPUT_EXITED, "Ending: exited\n   Exit code: 9\n   Signal: none\n" },
        { GPUT_GONE, "Ending: ended, status unknown\n   Exit code: none\n   Signal: none\n" },
        { GPUT_DETACHED, "Ending: still running\n   Exit code: none\n   Signal: none\n" },
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct gput_usage u = known();
        char *text;

        u.job.ending = all[i].ending;
        u.job.command = NULL;
        text = text_of(&u, GPUT_TEXT, 1);
        OK(strstr(text, all[i].text) && strstr(text, "Command: none\n"), "ending %zu", i);
        free(text);
    }
}

int main(void)
{
    the_default_output();
    the_default_output_keeps_its_schema();
    full_text();
    gpus_in_text();
    full_json();
    every_figure_has_a_source();
    older_caller();
    sources_in_text();
    endings();
    return DONE();
}

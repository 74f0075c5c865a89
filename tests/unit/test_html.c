/* test_html.c - the report of a run: its parts, and what must never be in it. */
#include "report/html/html.h"
#include "servers/server_choice.h"

#include <stdbool.h>
#include <string.h>

#include "run_fixture.h"
#include "tap.h"

/* The page; free() it. */
static char *page_of(const struct gput__html *h)
{
    struct gput__buf out = { 0 };
    char *page = NULL;

    OK(gput__html_write(h, &out) == 0 && gput__buf_detach(&out, &page) == 0, "a page is written");
    return page;
}

static bool has(const char *page, const char *text)
{
    return strstr(page, text) != NULL;
}

static size_t count(const char *page, const char *text)
{
    size_t n = 0;

    for (const char *p = page; (p = strstr(p, text)); p += strlen(text))
        n++;
    return n;
}

static void a_bare_run(void)
{
    struct gput__run run = { .start = NAN, .end = NAN, .interval = NAN };
    char *page = page_of(&(struct gput__html){ .run = &run });

    *strstr(page, "<footer>") = '\0'; /* scripts follow */
    memmove(page, strstr(page, "<main"), strlen(strstr(page, "<main")) + 1);
    OK(count(page, "not measured") > 3 && !has(page, ">0 B<") && !has(page, ">0<span"),
       "what is not known is not zero");
    OK(!has(page, "id=\"chart-") && !has(page, "id=\"card-gpu\"") &&
           !has(page, "id=\"card-cost\"") && !has(page, "id=\"card-energy\"") &&
           !has(page, "nan") && !has(page, "inf"),
       "and has no charts or cards");
    free(page);
}

static void the_figures(void)
{
    struct gput__run run = a_run();
    char *page;

    run.usage.job.command = "python3 train.py";
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "data-value=\"2000000000\">2.00<span class=\"unit\">&nbsp;GB</span>"),
       "peak memory");
    OK(has(page, "2.00<span class=\"unit\">&nbsp;cores</span>") ||
           has(page, ">2<span class=\"unit\">&nbsp;cores"),
       "CPU in cores");
    OK(has(page, "12 % of the machine&#39;s 16.0 GB"), "and of what");
    OK(has(page, "<title>python3 train.py</title>") && has(page, "Finished"),
       "the command, the end");
    OK(!has(page, "id=\"card-gpu\""), "no GPU, no card of it");
    free(page);
    run.usage.totals.main_cpu_seconds = exact(30);
    run.usage.totals.descendants_cpu_seconds = (struct gput_figure){ 90, GPUT_SAMPLED, "seen" };
    run.usage.totals.cpu_user_seconds = run.usage.totals.cpu_system_seconds = exact(20);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "2 min of CPU time (as sampled)"), "the CPU time of the JSON: mean x time");
    free(page);
}

static void the_machine_alone(void)
{
    struct gput__run run = { .start = NAN, .end = NAN, .interval = NAN };
    char *page;

    run.usage.compute_time.time = exact(60);
    run.usage.max_ram.system = exact(3e9);
    run.usage.cpu_utilization.system.mean_sum_percent = exact(150);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "Peak memory, whole machine") && has(page, "data-value=\"3000000000\"") &&
           has(page, "CPU of the machine"),
       "where only the machine is known its figures are shown, and called so");
    OK(has(page, "What limited it is not known."), "and nothing is said of a job");
    add_series(&run, 10);
    add_metric(&run, GPUT__DISK_READ, 1e6);
    add_metric(&run, GPUT__DISK_WRITE, 2e6);
    free(page);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "Read, whole machine") && !has(page, "class=\"key off\""),
       "its lines are not hidden");
    free(page);
    gput__run_free(&run);
}

static void hostile_words(void)
{
    static const char nasty[] =
        "</script><script>x()</script><img src=x onerror=x()>\"'\xff\xe2\x80\xae";
    struct gput_call call = { 1, 1.7e9, 1.7e9 + 1 };
    struct gput_block block = { .name = nasty, .num_calls = 1, .wall_time = 1, .calls = &call };
    struct gput__run run = a_run();
    struct gput_gpu gpu = { .name = nasty, .uuid = nasty, .throttled = nasty, .is_counted = 1 };
    struct gput__run_gpu seen = { .name = (char *)nasty, .use = (double[]){ 1, 2 } };
    char *page;

    run.usage.job.command = nasty;
    run.host = run.os = run.cpu_model = run.cloud_vendor = run.source = (char *)nasty;
    run.usage.gpu.gpus = &gpu;
    run.usage.gpu.n_gpus = 1;
    run.usage.gpu.note = nasty;
    run.usage.max_ram.combined.total_rss.why = nasty;
    add_series(&run, 2);
    run.series.gpus = &seen;
    run.series.n_gpus = 1;
    page = page_of(
        &(struct gput__html){ .run = &run, .title = nasty, .blocks = &block, .n_blocks = 1 });
    OK(!has(page, "<script>x") && !has(page, "<img"), "words from outside make no elements");
    OK(count(page, "<script") == 3 && count(page, "</script>") == 3,
       "there are three scripts, ours");
    OK(!has(page, "\xff") && !has(page, "\xe2\x80\xae"), "and the page is plain UTF-8");
    OK(count(page, "&lt;script&gt;x()") >= 8, "they are shown");
    OK(has(page, "\\u003c/script"), "in the data too");
    free(page);
    free(run.series.time);
}

static void the_charts(void)
{
    struct gput__run run = a_run();
    double *ram;
    char *page;

    add_series(&run, 50000);
    ram = add_metric(&run, GPUT__COMBINED_RAM, 1e9);
    ram[12345] = 7e9;
    add_metric(&run, GPUT__MAIN_RAM, 1e9);
    add_metric(&run, GPUT__DESCENDANTS_RAM, 0);
    add_metric(&run, GPUT__COMBINED_CPU, 150);
    add_metric(&run, GPUT__SYSTEM_CPU, 300);
    add_metric(&run, GPUT__GPU_PERCENT, 0);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "id=\"chart-cpu\"") && has(page, "id=\"chart-memory\""),
       "CPU and memory have data");
    OK(!has(page, "id=\"chart-gpu\"") && !has(page, "id=\"chart-disk\""), "GPU and disk have none");
    OK(has(page, "peak </span>7.00 GB"), "the peak of one record is told");
    OK(!has(page, "Main process"), "main is not shown where it is all of the job");
    OK(has(page, "Whole machine"), "the machine is there for who asks");
    OK(has(page, "\"deep\":{"), "there is more for who zooms in");
    OK(strlen(page) < 1500000, "and the page is small");
    free(page);
    gput__run_free(&run);
}

static void quiet_charts(void)
{
    struct gput__run run = a_run();
    char *page;

    add_series(&run, 50);
    add_metric(&run, GPUT__COMBINED_CPU, 0);
    add_metric(&run, GPUT__JOB_DISK_READ, 0);
    add_metric(&run, GPUT__JOB_DISK_WRITE, 0);
    add_metric(&run, GPUT__DISK_WRITE, 5e6);
    add_metric(&run, GPUT__NET_RECEIVED, 0);
    add_metric(&run, GPUT__NET_SENT, 0)[7] = 1000;
    page = page_of(&(struct gput__html){ .run = &run });
    OK(!has(page, "id=\"chart-disk\"") &&
           has(page, "id=\"quiet\">Disk: the job read and wrote nothing.</p>"),
       "a chart that is zero throughout is a sentence");
    OK(has(page, "id=\"chart-network\""), "one record with something is a chart");
    OK(has(page, "id=\"chart-cpu\""), "CPU is shown always");
    free(page);
    run.series.value[GPUT__NET_SENT][7] = 0;
    free(run.series.value[GPUT__JOB_DISK_READ]);
    free(run.series.value[GPUT__JOB_DISK_WRITE]);
    run.series.value[GPUT__JOB_DISK_READ] = run.series.value[GPUT__JOB_DISK_WRITE] = NULL;
    run.series.value[GPUT__DISK_WRITE][7] = 0;
    for (size_t i = 0; i < run.series.n; i++)
        run.series.value[GPUT__DISK_WRITE][i] = 0;
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page,
           "Disk: nothing was read or written. Network of the machine: nothing was received or "
           "sent.</p>"),
       "two charts, one line");
    free(page);
    gput__run_free(&run);
}

/* The drawing of the one line of the chart of memory. */
static const char *drawing(char *page)
{
    char *line = strstr(strstr(page, "id=\"chart-memory\""), "class=\"line c0\" d=\"");

    *strchr(line + 20, '"') = '\0';
    return line;
}

static void a_gap(void)
{
    struct gput__run run = a_run();
    char *page;

    add_series(&run, 100);
    add_metric(&run, GPUT__COMBINED_RAM, 1e9);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(count(drawing(page), "M") == 1, "records one after the other are one line");
    free(page);
    for (size_t i = 50; i < 100; i++)
        run.series.time[i] += 3600;
    page = page_of(&(struct gput__html){ .run = &run });
    OK(count(drawing(page), "M") == 2, "an hour without a record is not bridged");
    free(page);
    run.series.value[GPUT__COMBINED_RAM][20] = NAN;
    page = page_of(&(struct gput__html){ .run = &run });
    OK(count(drawing(page), "M") == 3, "nor is a record that does not know it");
    free(page);
    gput__run_free(&run);
}

/* Noise cannot be packed: the finer series is made as much coarser as it takes. */
static void a_noisy_run(void)
{
    enum { N = 300000 };
    static const enum gput__metric metrics[] = { GPUT__COMBINED_RAM, GPUT__MAIN_RAM,
                                                 GPUT__SYSTEM_RAM, GPUT__COMBINED_CPU };
    struct gput__run run = a_run();
    unsigned seed = 7;
    size_t n = 0;
    char *page;

    add_series(&run, N);
    for (size_t m = 0; m < sizeof(metrics) / sizeof(*metrics); m++) {
        double *value = add_metric(&run, metrics[m], 0);

        for (size_t i = 0; i < N; i++)
            value[i] = 1e9 * (double)rand_r(&seed) / RAND_MAX;
    }
    page = page_of(&(struct gput__html){ .run = &run });
    OK(strlen(page) <= 1400u << 10, "a page of noise has %zu bytes", strlen(page));
    page = has(page, "\"deep\":{\"n\":") ? page : NULL;
    OK(page &&
           sscanf(strstr(page, "\"deep\":{\"n\":"), "\"deep\":{\"n\":%zu,\"thin\":true", &n) == 1 &&
           n > 10000 && n < N,
       "and shows %zu moments of %d records", n, N);
    free(page);
    gput__run_free(&run);
}

static void no_records(void)
{
    struct gput__run run = a_run();
    char *page;

    run.kind = strdup("tracking file");
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "There are no charts"), "a tracking file without records says so");
    free(page);
    free(run.kind);
    run.kind = strdup("result of a run");
    page = page_of(&(struct gput__html){ .run = &run });
    OK(!has(page, "There are no charts"), "a result alone has none anyway");
    free(page);
    gput__run_free(&run);
}

static void long_texts(void)
{
    enum { LONG = 1000000 };
    struct gput__run run = a_run();
    struct gput_block block = { .num_calls = 0 };
    char *page, *text = malloc(LONG + 1);

    memset(text, 'x', LONG);
    text[LONG] = '\0';
    run.usage.job.command = text;
    block.name = text;
    page = page_of(&(struct gput__html){ .run = &run, .blocks = &block, .n_blocks = 1 });
    OK(strlen(page) < 300000, "a command of a megabyte does not make the page larger");
    OK(strlen(strstr(page, "<title>")) - strlen(strstr(page, "</title>")) < 200,
       "nor the title longer");
    free(page);
    free(text);
}

static void several_gpus(void)
{
    struct gput__run run = a_run();
    char *page;

    add_series(&run, 10);
    add_metric(&run, GPUT__JOB_GPU_PERCENT, 320);
    run.usage.gpu_utilization.n_expected_gpus = exact(4);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "peak </span>80 %"), "of what the job used of several GPUs the mean is shown");
    free(page);
    run.usage.gpu_utilization.n_expected_gpus.source = GPUT_UNAVAILABLE;
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "peak </span>80 %"), "also where their number can only be guessed");
    free(page);
    gput__run_free(&run);
}

/* The card and the chart have one peak, or say why not. */
static void peak_between_records(void)
{
    struct gput__run run = a_run();
    char *page;

    add_series(&run, 60);
    add_metric(&run, GPUT__COMBINED_RAM, 1e9);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "peak </span>1.00 GB, 2.00 GB between records</span>"),
       "a peak that no point of the chart shows is told beside it");
    free(page);
    run.usage.max_ram.combined.total_rss = exact(1.005e9);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "peak </span>1.00 GB</span>"), "else there is one peak");
    free(page);
    gput__run_free(&run);
}

static void offers_and_cost(void)
{
    const struct gput_server_offer offers[] = {
        { "aws", "g5.xlarge", "us-east-1", 4, 16384, 1, "A10G", 24576, 1.0, "a list",
          "2026-07-06" },
        { "aws", "p5.48xlarge", "", 192, 2097152, 8, "H100", 655360, 98, "another", "2025-03-02" },
    };
    struct gput__server_choice choice = { .list = offers,
                                          .n = 2,
                                          .seconds = 1800,
                                          .origin = "the <built-in> catalogue",
                                          .current = { .vendor = "aws",
                                                       .type = "p3.2xlarge",
                                                       .region = "eu-west-1",
                                                       .usd_hour = 4,
                                                       .source = "a list",
                                                       .as_of = "2026-07-06" },
                                          .current_region = "eu-west-1" };
    struct gput__run run = a_run();
    struct gput__html h = { .run = &run };
    char *page;

    gput__server_choice_html(&choice, &h);
    page = page_of(&h);
    OK(has(page, "save 75 % ($1.50 for a run like this)"), "the saving");
    OK(has(page, "id=\"card-cost\"") && has(page, ">$2.00<"), "and the cost");
    OK(has(page, "$49.00</td><td>2025-03-02<br><small>another"), "each price has its day");
    OK(has(page, "the &lt;built-in&gt; catalogue"), "and the list its origin");
    free(page);
    choice.current_region = "mars";
    page = page_of(&h);
    OK(has(page, "an hour in <bdi>eu-west-1</bdi>"),
       "where its price is from, if not from its region");
    free(page);
    choice.current.usd_hour = 0.5;
    page = page_of(&h);
    OK(!has(page, "save ") && has(page, "it costs no less"), "more expensive ones do not save");
    free(page);
    choice.current.usd_hour = NAN;
    gput__server_choice_html(&choice, &h);
    page = page_of(&h);
    OK(!has(page, "save ") && !has(page, "id=\"card-cost\"") &&
           has(page, "whose price is not known"),
       "no price known: neither");
    free(page);
    choice = (struct gput__server_choice){ .seconds = 1800 };
    choice.why_none = "no server has 9 GPUs";
    page = page_of(&h);
    OK(has(page, "None in the catalogue: no server has 9 GPUs.") && !has(page, "id=\"offers\""),
       "where none fits it says why");
    free(page);
    h.write_servers = NULL;
    page = page_of(&h);
    OK(!has(page, "id=\"servers\""), "without a catalogue there is no word of servers");
    free(page);
}

/* The first of two texts stands in front of the other. */
static bool in_order(const char *page, const char *one, const char *other)
{
    const char *a = strstr(page, one), *b = a ? strstr(a, other) : NULL;

    return a && b;
}

/* Rectangles of the lane of a block. */
static size_t pieces_of(const char *page, const char *block)
{
    const char *lanes = strstr(page, "id=\"lanes\""), *lane = lanes ? strstr(lanes, block) : NULL;
    const char *end = lane ? strstr(lane, "</svg>") : NULL;
    size_t n = 0;

    for (const char *p = lane; end && p < end; p++)
        n += *p == 'z';
    return n;
}

static void code_blocks(void)
{
    enum { N = 20000 };
    static struct gput_call many[N],
        two[] = { { 1, 1.7e9 + 40, 1.7e9 + 50 }, { 2, 1.7e9 + 45, 1.7e9 + 55 } };
    static struct gput_stats stats[32];
    struct gput_block blocks[] = {
        { .name = "often", .num_calls = N, .wall_time = 5, .calls = many },
        { .name = "overlapping",
          .num_calls = 2,
          .wall_time = 15,
          .calls = two,
          .resource_usage = stats,
          .num_timepoints = 3,
          .num_peaks = 1,
          .peak_ram = 7e9 },
        { .name = "as long", .num_calls = 1, .wall_time = 15, .calls = two },
        { .name = "unfinished", .wall_time = 0 },
    };
    struct gput__run run = a_run();
    struct gput__html h = { .run = &run, .blocks = blocks, .n_blocks = 4 };
    const char *rows;
    char *page;

    for (size_t i = 0; i < N; i++) { /* from close together to far apart */
        double start = 1.7e9 + 40 * pow((double)i / N, 8);

        many[i] = (struct gput_call){ 1, start, start + 1e-5 };
    }
    for (size_t i = 0; i < 32; i++)
        stats[i] = (struct gput_stats){ .min = 1, .max = 4e9, .mean = 50 };
    add_series(&run, 60);
    add_metric(&run, GPUT__COMBINED_RAM, 1e9);
    run.usage.gpu_utilization.system_gpu_count = exact(1);
    page = page_of(&h);
    OK(pieces_of(page, "overlapping") == 1, "calls that overlap are one piece of a lane");
    OK(pieces_of(page, "often") > 1 && pieces_of(page, "often") <= 1500,
       "twenty thousand calls are drawn in %zu pieces", pieces_of(page, "often"));
    OK(in_order(strstr(page, "id=\"lanes\""), ">often", ">as long"), "lanes by their first call");
    rows = strstr(page, "id=\"block-table\"");
    OK(in_order(rows, ">as long", ">overlapping") && in_order(rows, ">overlapping", ">often") &&
           in_order(rows, ">often", ">unfinished"),
       "rows by their time, then by name");
    OK(in_order(rows, "<td>7.00 GB</td>", "<td>50 %</td>") && in_order(rows, "50 %", "4.00 GB"),
       "a peak between records counts, and what the GPU did meanwhile");
    OK(in_order(strstr(rows, ">unfinished"), "not seen", "not seen"), "what was not seen says so");
    free(page);
    gput__run_free(&run);
    run = a_run();
    page = page_of(&h);
    OK(pieces_of(page, "overlapping") == 1, "without records the calls tell how long it was");
    free(page);
}

static void cards_of_gpus(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;
    struct gput_gpu gpus[] = {
        { .name = "A",
          .uuid = "1",
          .energy = { 3.6e6, GPUT_EXACT, NULL },
          .max_power = { 300, GPUT_SAMPLED, NULL } },
        { .name = "B", .uuid = "2", .energy = { 3.6e6, GPUT_SAMPLED, "summed up from its power" } },
        { .name = "C", .uuid = "3" },
    };
    char *page;

    u->gpu.gpus = gpus;
    u->gpu.n_gpus = 3;
    u->gpu_utilization.system_gpu_count = u->gpu_utilization.n_expected_gpus = exact(3);
    u->gpu_utilization.gpu_percentages.mean_hardware_percent = exact(25);
    u->gpu_utilization.gpu_percentages.max_hardware_percent = exact(75);
    u->max_gpu_ram.combined = exact(20e9);
    u->max_gpu_ram.system_capacity = exact(80e9);
    u->limits.memory_cgroup = u->limits.memory_effective = exact(4e9);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "25 % of 80.0 GB"), "GPU memory, and of how much");
    OK(has(page, "at most 75 %, of 3 GPUs"), "how busy they were at most, and how many there are");
    OK(has(page, "id=\"card-energy\"") && has(page, "at most 300 W per GPU"),
       "energy of those that tell it");
    OK(has(page, "50 % of"), "memory of the limit of the control group");
    free(page);
}

static void said_to_have_failed(void)
{
    struct gput__run run = a_run();
    struct gput__html h = { .run = &run, .has_failed = 1 };
    char *page = page_of(&h);

    OK(has(page, "<p class=\"verdict bad\"") && has(page, "Failed</p>"),
       "it is said to have failed");
    free(page);
    run.usage.job.ending = GPUT_EXITED;
    run.usage.job.code = 3;
    page = page_of(&h);
    OK(has(page, "Failed with exit code 3</p>"), "where more is known that is told");
    free(page);
}

/* Layers, of which each holds those below it; only where hardware counters tell all of them. */
static void what_gpus_did(void)
{
    struct gput__run run = a_run();
    double *tensor;
    char *page;

    add_series(&run, 10);
    tensor = add_metric(&run, GPUT__GPUS_TENSOR, 60);
    tensor[4] = NAN;
    add_metric(&run, GPUT__GPUS_ENGINE, 80);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(!has(page, "id=\"chart-gpu-work\""), "of engines alone there is no such chart");
    free(page);
    add_metric(&run, GPUT__GPUS_AT_WORK, 95);
    page = page_of(&(struct gput__html){ .run = &run });
    OK(has(page, "id=\"chart-gpu-work\"") && has(page, "of the time; above it: idle"), "a chart");
    OK(has(page, "Tensor cores") && has(page, "and other kernels") && has(page, "and copies"),
       "with three layers");
    OK(has(page, "class=\"area c2\"") && has(page, "class=\"area c0\" d=\"M0 200L0 "),
       "down to the ground");
    OK(has(page, "V200ZM"), "what is not known is left out");
    OK(has(page, "\"id\":\"gpu-work\"") && has(page, "\"stacked\":true"), "and live");
    free(page);
    gput__run_free(&run);
}

int main(void)
{
    a_bare_run();
    the_figures();
    the_machine_alone();
    hostile_words();
    the_charts();
    several_gpus();
    quiet_charts();
    a_gap();
    a_noisy_run();
    no_records();
    long_texts();
    peak_between_records();
    offers_and_cost();
    code_blocks();
    cards_of_gpus();
    said_to_have_failed();
    what_gpus_did();
    return DONE();
}

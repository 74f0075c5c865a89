/* test_html_fragment.c - a run as a part of somebody else's page. */
#include <stdbool.h>
#include <string.h>

#include "report/fragment/html_fragment.h"
#include "run_fixture.h"
#include "tap.h"

/* The part; free() it. */
static char *fragment_of(const struct gput__html *h)
{
    struct gput__buf out = { 0 };
    char *part = NULL;

    OK(gput__html_fragment(h, &out) == 0 && gput__buf_detach(&out, &part) == 0, "it is written");
    return part;
}

static bool has(const char *part, const char *text)
{
    return strstr(part, text) != NULL;
}

/* As many ends of elements as beginnings, those that have none apart. */
static bool is_balanced(const char *part)
{
    int depth = 0;

    for (const char *p = part; (p = strchr(p, '<')); p++) {
        const char *end = strchr(p, '>');

        if (!end)
            return false;
        depth += p[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        if (depth < 0)
            return false;
    }
    return depth == 0;
}

/* What exporters take away, or what would reach for something else. */
static bool stands_alone(const char *part)
{
    return !has(part, "<script") && !has(part, "<style") && !has(part, "<link") &&
           !has(part, "src=") && !has(part, "href=") && !has(part, "url(") && !has(part, "id=\"");
}

static void a_finished_run(void)
{
    struct gput__run run = a_run();
    char *part;

    add_series(&run, 5000);
    add_metric(&run, GPUT__COMBINED_RAM, 1e9)[1234] = 2e9;
    add_metric(&run, GPUT__COMBINED_CPU, 150);
    add_metric(&run, GPUT__NET_SENT, 150);
    part = fragment_of(&(struct gput__html){ .run = &run, .title = "cell 3" });
    OK(has(part, "<bdi>cell 3</bdi>") && has(part, "</span> Finished</span>"), "title and end");
    OK(has(part, "data-part=\"memory\" data-value=\"2000000000\"") && has(part, ">2.00 GB<") &&
           has(part, ">2 cores<"),
       "the figures of the report's cards");
    OK(has(part, "Memory at most 2.00 GB<") && has(part, "data-part=\"curve-memory\"") &&
           has(part, "data-part=\"curve-cpu\"") && !has(part, "curve-network"),
       "curves of what matters most");
    OK(has(part, "L236 0L"), "that reach the peak of a single record");
    OK(has(part, "data-part=\"limit\""), "what limited it");
    OK(stands_alone(part) && is_balanced(part), "elements alone, each ended, and nothing fetched");
    OK(strlen(part) < 16000, "small, however long the run");
    free(part);
    gput__run_free(&run);
}

static void while_it_runs(void)
{
    struct gput__run run = a_run();
    struct gput_budget_line lines[] = {
        { .figure = "ram",
          .op = "<=",
          .asked = "1GB",
          .unit = "bytes",
          .limit = 1e9,
          .measured = exact(2e9) },
        { .figure = "gpu_util",
          .op = ">=",
          .asked = "50",
          .unit = "percent",
          .limit = 50,
          .measured = exact(20) },
        { .figure = "time",
          .op = "<=",
          .asked = "1h",
          .unit = "seconds",
          .limit = 3600,
          .measured = exact(60),
          .is_met = 1 },
    };
    char *part;

    run.usage.budget.lines = lines;
    run.usage.budget.n_lines = 3;
    run.usage.job.ending = GPUT_DETACHED;
    add_series(&run, 3);
    add_metric(&run, GPUT__COMBINED_RAM, 2e9)[2] = 5e8;
    part = fragment_of(&(struct gput__html){ .run = &run });
    OK(has(part, "Still running") && has(part, "Memory 500 MB, at most 2.00 GB"),
       "what it holds now");
    OK(has(part, "Budget broken: ram: 2.00 GB") && !has(part, "gpu_util") && !has(part, "kept"),
       "of the budget only what cannot become good any more");
    free(part);
    run.usage.job.ending = GPUT_GONE;
    part = fragment_of(&(struct gput__html){ .run = &run, .has_failed = 1 });
    OK(has(part, "</span> Failed</span>") && has(part, "Budget broken: gpu_util") &&
           has(part, "Budget kept: time"),
       "at the end all of it, and that it failed");
    free(part);
    gput__run_free(&run);
}

static void without_records(void)
{
    struct gput__run run = { .start = NAN, .end = NAN, .interval = NAN };
    char *part = fragment_of(&(struct gput__html){ .run = &run });

    OK(has(part, "A run") && !has(part, "<svg") && !has(part, "data-value") && !has(part, "nan"),
       "what is not known is not there");
    free(part);
}

static void hostile_words(void)
{
    static const char nasty[] =
        "</div><script>x()</script><img src=x onerror=x()>\"'\xff\xe2\x80\xae";
    struct gput__run run = a_run();
    struct gput_gpu gpu = { .name = nasty, .uuid = nasty, .throttled = nasty, .is_counted = 1 };
    struct gput_budget_line line = { .figure = nasty,
                                     .op = "<=",
                                     .asked = nasty,
                                     .unit = "bytes",
                                     .measured = { 0, GPUT_UNAVAILABLE, nasty } };
    char *part;

    run.usage.job.command = nasty;
    run.usage.gpu.gpus = &gpu;
    run.usage.gpu.n_gpus = 1;
    run.usage.budget.lines = &line;
    run.usage.budget.n_lines = 1;
    part = fragment_of(&(struct gput__html){ .run = &run });
    OK(has(part, "&lt;script&gt;x()") && !has(part, "<script") && !has(part, "<img") &&
           is_balanced(part),
       "words from outside make no elements");
    OK(!has(part, "\xff") && !has(part, "\xe2\x80\xae"), "and are plain UTF-8");
    free(part);
}

int main(void)
{
    a_finished_run();
    while_it_runs();
    without_records();
    hostile_words();
    return DONE();
}

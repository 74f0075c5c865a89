/* test_plot.c - pictures of runs: what holds of all of them.  What they look like is in tests/golden. */
#include "report/plot/plot.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../golden/plot_stories.h"
#include "report/plot/plot_parts.h"
#include "tap.h"

static char *draw(const struct gput__run *run, struct gput__plot_style style)
{
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;

    if (gput__plot(run, &style, &out) < 0 || gput__buf_detach(&out, &text) < 0)
        abort();
    return text;
}

/* Columns as the C library counts them; escape sequences of colours take none. */
static int columns_of(const char *line, size_t length)
{
    const char *end = line + length;
    int columns = 0;

    while (line < end) {
        wchar_t c;
        int n;

        if (*line == '\033') {
            line = memchr(line, 'm', (size_t)(end - line)) + 1;
            continue;
        }
        n = mbtowc(&c, line, (size_t)(end - line));
        if (n <= 0 || wcwidth(c) < 0)
            return -1;
        columns += wcwidth(c);
        line += n;
    }
    return columns;
}

struct faults {
    int wide, unprintable, blank_ends, not_ascii;
};

static void check_text(const char *text, struct gput__plot_style style, struct faults *f)
{
    for (const char *line = text, *end; *line; line = end + 1) {
        int columns;

        end = strchr(line, '\n');
        if (!end)
            abort(); /* each line has its end */
        columns = columns_of(line, (size_t)(end - line));
        f->wide += columns > style.width;
        f->unprintable += columns < 0;
        f->blank_ends += end > line && end[-1] == ' ';
        for (const char *p = line; !style.use_unicode && p < end; p++)
            f->not_ascii += (signed char)*p < 0;
    }
}

static void lines_fit_at_every_width(const struct plot_story *story)
{
    struct faults f = { 0 };
    struct gput__run run;

    story->tell(&run);
    for (int width = 40; width <= 300; width += run.series.n > 10000  ? 37
                                                : run.series.n > 1000 ? 7
                                                                      : 1) {
        for (int i = 0; i < 3; i++) {
            struct gput__plot_style style = { width, i > 0, i > 1, NULL };
            char *text = draw(&run, style);

            check_text(text, style, &f);
            free(text);
        }
    }
    OK(f.wide == 0, "%s: no line is wider than 40 to 300 columns", story->name);
    OK(f.unprintable == 0, "%s: all can be printed", story->name);
    OK(f.blank_ends == 0, "%s: no line ends in a blank", story->name);
    OK(f.not_ascii == 0, "%s: ASCII is ASCII", story->name);
    gput__run_free(&run);
}

static void widths_out_of_range(void)
{
    struct faults f = { 0 };
    struct gput__run run;
    char *text;

    plot_story_tell("ramp", &run);
    text = draw(&run, (struct gput__plot_style){ -3, true, false, NULL });
    check_text(text, (struct gput__plot_style){ GPUT__PLOT_NARROWEST, true, false, NULL }, &f);
    free(text);
    text = draw(&run, (struct gput__plot_style){ 100000, true, false, NULL });
    check_text(text, (struct gput__plot_style){ GPUT__PLOT_WIDEST, true, false, NULL }, &f);
    free(text);
    OK(f.wide == 0, "widths out of range are taken as the nearest");
    gput__run_free(&run);
}

static int count(const char *text, const char *what)
{
    int n = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

static void colours_come_when_asked(void)
{
    struct gput__run run;
    char *plain, *coloured;

    plot_story_tell("gpu-job", &run);
    plain = draw(&run, (struct gput__plot_style){ 80, true, false, NULL });
    coloured = draw(&run, (struct gput__plot_style){ 80, true, true, NULL });
    OK(!strchr(plain, '\033'), "no escape sequence without colours");
    OK(count(coloured, "\033[36m") > 0 && count(coloured, "\033[35m") > 0, "colours if asked for");
    OK(count(coloured, "\033[0m") * 2 == count(coloured, "\033["), "each colour is ended");
    free(plain);
    free(coloured);
    gput__run_free(&run);
}

/* The row of the labels' `label` in the picture, from the axis on. */
static const char *row(const char *text, const char *label)
{
    const char *at = strstr(text, label);

    return at ? strstr(at, "+") : NULL;
}

static void unknown_is_blank_and_zero_is_not(void)
{
    struct gput__run run;
    double *ram;
    char *text;

    plot_story_begin(&run, 80, 1);
    ram = plot_story_series(&run, GPUT__COMBINED_RAM);
    for (size_t i = 0; i < 80; i++)
        ram[i] = i < 30 ? 0 : i < 50 ? NAN : 4e6;
    text = draw(&run,
                (struct gput__plot_style){ 94, false, false, NULL }); /* a column for each second */
    OK(row(text, " 0 +") && strncmp(row(text, " 0 +"), "+..............................", 31) == 0,
       "zero is a line on the ground");
    OK(row(text, " 0 +") && strncmp(row(text, " 0 +") + 31, "                    ####", 24) == 0,
       "the unknown is blank");
    free(text);
    gput__run_free(&run);
}

static void what_is_zero_or_unknown_is_left_out(void)
{
    struct gput__run run;
    char *text;

    plot_story_tell("constant", &run);
    text = draw(&run, (struct gput__plot_style){ 80, false, false, NULL });
    OK(strstr(text, "RAM") && !strstr(text, "CPU"), "CPU that was never used is left out");
    OK(strstr(text, "1.90 MB +---") && strstr(text, "the same throughout"),
       "a constant is a flat line with its value");
    free(text);
    gput__run_free(&run);

    plot_story_tell("gpu-job", &run);
    for (size_t i = 0; i < run.series.n; i++)
        run.series.value[GPUT__GPU_PERCENT][i] = run.series.value[GPUT__COMBINED_GPU_RAM][i] = 0;
    text = draw(&run, (struct gput__plot_style){ 80, false, false, NULL });
    OK(strstr(text, "0 throughout: GPU use, GPU RAM\n"), "an idle GPU is worth a line");
    OK(!strstr(text, "Net receives"), "an idle network is not");
    free(text);
    gput__run_free(&run);
}

static void what_hardly_moves_is_a_line_too(void)
{
    struct gput__run run;
    double *ram;
    char *text;

    plot_story_tell("constant", &run);
    ram = run.series.value[GPUT__COMBINED_RAM];
    for (size_t i = 0; i < run.series.n; i++)
        ram[i] = i % 2 ? 66.6e6 : 66.8e6;
    run.series.value[GPUT__COMBINED_CPU][7] = 0.2;
    text = draw(&run, (struct gput__plot_style){ 80, false, false, NULL });
    OK(strstr(text, "66.7 MB +---") && strstr(text, "66.6 MB to 66.8 MB"), "with its range");
    OK(!strstr(text, "CPU"), "and what is said as 0 is left out");
    free(text);
    gput__run_free(&run);
}

static void peaks_between_records_are_told(void)
{
    struct gput__run run;
    char *text;

    plot_story_tell("spike", &run);
    text = draw(&run, (struct gput__plot_style){ 80, true, false, NULL });
    OK(strstr(text, "max 9.70 GB") && strstr(text, "10.4 GB between records"),
       "the largest record, and what came between");
    free(text);
    run.usage.max_ram.combined.total_rss.value = 9.7e9;
    text = draw(&run, (struct gput__plot_style){ 80, true, false, NULL });
    OK(!strstr(text, "between records"), "nothing where the records have it");
    free(text);
    gput__run_free(&run);
}

static void the_axis_ends_with_the_run(void)
{
    struct gput__run run;
    char *text;

    plot_story_tell("ramp", &run);
    run.usage.compute_time.time.value = 90.9;
    text = draw(&run, (struct gput__plot_style){ 80, false, false, NULL });
    OK(strstr(text, " 1 min 31 s\n"), "not with its last record");
    free(text);
    gput__run_free(&run);
}

static void ticks(double span, int n_columns, double want)
{
    double step = gput__plot_tick_step(span, n_columns);

    OK(step == want, "%g s in %d columns: a label each %g s, got %g", span, n_columns, want, step);
}

static void endings(void)
{
    static const struct {
        enum gput_ending ending;
        int code, timed_out;
        enum gput_oom oom;
        const char *want;
    } cases[] = {
        { GPUT_EXITED, 3, 0, GPUT_OOM_NO, "exited with 3 after 5 min" },
        { GPUT_SIGNALED, 11, 0, GPUT_OOM_NO, "killed by SIGSEGV after 5 min" },
        { GPUT_SIGNALED, 40, 0, GPUT_OOM_NO, "killed by signal 40 after 5 min" },
        { GPUT_SIGNALED, 9, 0, GPUT_OOM_YES, "killed for memory after 5 min" },
        { GPUT_SIGNALED, 9, 0, GPUT_OOM_PROBABLY, "probably killed for memory after 5 min" },
        { GPUT_EXITED, 137, 0, GPUT_OOM_YES, "killed for memory after 5 min" },
        { GPUT_EXITED, 1, 0, GPUT_OOM_YES, "a process was killed for memory after 5 min" },
        { GPUT_SIGNALED, 15, 1, GPUT_OOM_NO, "ended for its time limit after 5 min" },
        { GPUT_RUNNING, 0, 0, GPUT_OOM_NO, "still running after 5 min" },
        { GPUT_DETACHED, 0, 0, GPUT_OOM_NO, "still running after 5 min" },
        { GPUT_GONE, 0, 0, GPUT_OOM_NO, "5 min" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gput__run run;
        char *text, line[80];

        plot_story_tell("constant", &run);
        run.usage.job.ending = cases[i].ending;
        run.usage.job.code = cases[i].code;
        run.usage.job.timed_out = cases[i].timed_out;
        run.usage.job.oom = cases[i].oom;
        text = draw(&run, (struct gput__plot_style){ 80, false, false, NULL });
        snprintf(line, sizeof(line), "\n%s", cases[i].want);
        OK(strstr(text, line), "it is said: %s", cases[i].want);
        free(text);
        gput__run_free(&run);
    }
}

int main(void)
{
    if (!setlocale(LC_CTYPE, "C.UTF-8")) {
        printf("1..0 # SKIP no C.UTF-8 to count columns by\n");
        return 0;
    }
    for (const struct plot_story *s = plot_stories; s->name; s++)
        lines_fit_at_every_width(s);
    widths_out_of_range();
    colours_come_when_asked();
    unknown_is_blank_and_zero_is_not();
    what_is_zero_or_unknown_is_left_out();
    what_hardly_moves_is_a_line_too();
    peaks_between_records_are_told();
    the_axis_ends_with_the_run();
    ticks(4320, 64, 900);
    ticks(4320, 24, 1800);
    ticks(60, 64, 10);
    ticks(0.3, 68, 0.05);
    ticks(1e6, 64, 172800);
    ticks(36e6, 64, 86400 * 100);
    endings();
    return DONE();
}

/* report.c - `gpu-tracker report`: a finished run as a page to look at, or as text. */
#include "commands/commands.h"
#include "commands/open_page.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/expand.h"
#include "output/output.h"
#include "output/say.h"
#include "terminal/bars.h"
#include "terminal/plot.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct report {
    struct given given;
    struct gput_report_options o;
    const char *output;
    bool wants_browser, is_text, no_redact;
    struct plot plot;
};

#define KEEP(member) AT(struct report, member)
/* Of the page, or of the text. */
#define PAGE(member) .excludes = "text", KEEP(member)
#define TEXT(member) .needs = "text", KEEP(member)
const struct option_def report_options[] = {
    { "output", "<output>",
      "Where the page is written; %h, %p and %r as for a run. Without it: beside FILE, with the end "
      ".html.",
      .letter = 'o', .kind = KIND_FILE, PAGE(output) },
    { "stf", "<sub-track-file>", "The marks of its code blocks, .csv or .sqlite.",
      .kind = KIND_FILE, KEEP(o.sub_tracking_file) },
    { "title", "<title>", "The title; without it, the command.", .kind = KIND_ANY, PAGE(o.title) },
    { "no-redact", NULL, "Leave passwords, tokens and the like in the command.", KEEP(no_redact) },
    { "open", NULL, "Open the page in a browser: $BROWSER, else xdg-open.", PAGE(wants_browser) },
    { "text", NULL, "Print charts for a terminal on standard output instead of writing a page.",
      KEEP(is_text) },
    { "width", "<columns>",
      "Columns of --text, 40 to 1000. Without it: those of the terminal, else $COLUMNS, else 80.",
      .kind = KIND_COUNT, .min = PLOT_NARROWEST, .max = PLOT_WIDEST, TEXT(plot.width) },
    { "ascii", NULL, "Draw --text in ASCII alone, as it is where the locale has no UTF-8.",
      TEXT(plot.is_ascii) },
    { .name = NULL },
};

static int parse(struct report *report, const struct command *command, int argc, char **argv)
{
    int words = command_parse(command, &report->given, argc, argv);

    if (words < 0)
        return -1;
    if (words == argc || argc - words > 2) {
        say(words == argc ? "report: the file of a run is missing"
                          : "report: at most two files: a tracking file and a result");
        return -1;
    }
    report->o.file = argv[words];
    report->o.result_file = argv[words + 1]; /* NULL behind the last */
    report->o.no_redact = report->plot.no_redact = report->no_redact;
    report->plot.file = report->o.file;
    report->plot.result_file = report->o.result_file;
    return 0;
}

/* "runs/a.csv" gives "runs/a.html"; what is no file, "report.html" here. */
static char *default_output(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    struct stat st;
    char *name;
    int n = (int)strlen(file);

    if (stat(file, &st) < 0 || !S_ISREG(st.st_mode))
        return strdup("report.html");
    if (dot && dot > (slash ? slash + 1 : file))
        n = (int)(dot - file);
    return asprintf(&name, "%.*s.html", n, file) < 0 ? NULL : name;
}

/* free() the result; NULL: it has been said. */
static char *output_name(const struct report *report, const char *label)
{
    char host[256], *name = NULL;
    struct expansion by;
    struct refusal why = { .text = "" };

    expand_here(host, &by);
    if (!report->output)
        name = default_output(report->o.file);
    else if (expand(label, report->output, &by, &name, &why) < 0)
        name = NULL;
    if (!name) {
        say("report: %s", why.text[0] ? why.text : strerror(ENOMEM));
        return NULL;
    }
    if (output_is(name, report->o.file) || output_is(name, report->o.result_file) ||
        output_is(name, report->o.sub_tracking_file)) {
        say("report: %s: '%s' is one of the files to read", label, name);
        free(name);
        return NULL;
    }
    return name;
}

/* Of a job on many nodes: the page of `merge`. */
static int make_fleet_page(const struct report *report, char **ret_html, struct gput_error *err)
{
    const char *const paths[] = { report->o.file, report->o.result_file };
    struct gput_fleet *fleet = NULL;
    int r = gput_fleet_read(paths, paths[1] ? 2 : 1, NULL, NULL, &fleet, err);

    if (r == 0)
        r = gput_fleet_html(fleet, report->o.title, ret_html, err);
    gput_fleet_close(fleet);
    return r;
}

static int write_page(struct report *report, struct output *output)
{
    struct gput_error err = { .text = "" };
    char *html = NULL;
    int r;

    report->o.on.warn = say_warning;
    r = gput_fleet_is(report->o.file) ? make_fleet_page(report, &html, &err)
                                      : gput_report_html(&report->o, &html, &err);
    if (r < 0) {
        say("report: %s", err.text);
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    r = output_finish(output, html);
    free(html);
    if (r < 0) {
        say("report: cannot write '%s': %s", output->name, output_why(r));
        return EXIT_FAILED;
    }
    return 0;
}

static bool is_table(const char *file)
{
    const char *end = file ? strrchr(file, '.') : NULL;

    return end && (!strcmp(end, ".csv") || !strcmp(end, ".sqlite"));
}

/* The code blocks as bars; the figures of those that a tracking file tells of. */
static int print_blocks(const struct report *report)
{
    const struct bars_style style = { .width = report->plot.width ? report->plot.width
                                                                  : terminal_width(80),
                                      .has_colour = terminal_has_colour(),
                                      .has_utf8 = !report->plot.is_ascii && terminal_has_utf8() };
    const struct gput_callbacks on = { .warn = say_warning };
    const char *file = is_table(report->o.file)          ? report->o.file
                       : is_table(report->o.result_file) ? report->o.result_file
                                                         : NULL;
    struct gput_analysis *analysis = NULL;
    struct gput_error err;
    int r = gput_sub_analyze(file, report->o.sub_tracking_file, &on, &analysis, &err);

    if (r < 0)
        say("report: %s", err.text);
    else
        bars_format(analysis, &style, stdout);
    gput_analysis_close(analysis);
    return r == -EINVAL ? EXIT_USAGE : r < 0 ? EXIT_FAILED : 0;
}

static int print_fleet(const struct report *report)
{
    struct gput_fleet *fleet = NULL;
    struct gput_error err;
    char *text = NULL;
    int r = gput_fleet_read((const char *const *)&report->o.file, 1, NULL, NULL, &fleet, &err);

    if (r < 0) {
        say("report: %s", err.text);
        return EXIT_FAILED;
    }
    r = gput_fleet_format(fleet, GPUT_FLEET_TEXT, &text);
    fputs(r == 0 ? text : "", stdout);
    free(text);
    gput_fleet_close(fleet);
    return r == 0 ? 0 : EXIT_FAILED;
}

static int print_text(const struct report *report)
{
    int status;

    if (gput_fleet_is(report->o.file))
        return print_fleet(report);
    status = plot_print(&report->plot);
    return status || !report->o.sub_tracking_file ? status : print_blocks(report);
}

int command_report(const struct command *command, int argc, char **argv)
{
    struct report report = { .o = GPUT_REPORT_OPTIONS_INIT };
    struct output output = { .fd = -1 };
    struct refusal why;
    char *name, label[LABEL_SIZE];
    int status;

    if (parse(&report, command, argc, argv) < 0)
        return EXIT_USAGE;
    if (report.is_text)
        return print_text(&report);
    name = output_name(&report, option_label_named(&report.given, "output", label));
    if (!name)
        return EXIT_USAGE;
    if (output_prepare(label, name, &output, &why) < 0) {
        say("report: %s", why.text);
        status = EXIT_USAGE;
    } else {
        status = write_page(&report, &output);
        if (status == 0 && output.way != OUTPUT_DESCRIPTOR)
            puts(name);
        if (status == 0 && report.wants_browser)
            status = open_page("report: ", name);
    }
    output_free(&output);
    free(name);
    return status;
}

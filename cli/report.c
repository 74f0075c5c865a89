/* report.c - `gpu-tracker report`: a finished run as a page to look at, or as text. */
#include "commands.h"
#include "exit_codes.h"
#include "expand.h"
#include "gput.h"
#include "open_page.h"
#include "output.h"
#include "plot.h"
#include "say.h"
#include "sub_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT, STF, TITLE, OPEN, TEXT, WIDTH, ASCII };

const struct sub_option report_options[] = {
    [OUTPUT] = { "output", "<output>",
                 "Where the page is written; %h, %p and %r as for a run. Without it: beside FILE, "
                 "with the end .html.",
                 NULL, 'o', true },
    [STF] = { "stf", "<sub-track-file>", "The marks of its code blocks, .csv or .sqlite.", NULL, 0,
              true },
    [TITLE] = { "title", "<title>", "The title; without it, the command.", NULL, 0, false },
    [OPEN] = { "open", NULL, "Open the page in a browser: $BROWSER, else xdg-open.", NULL, 0,
               false },
    [TEXT] = { "text", NULL,
               "Print charts for a terminal on standard output instead of writing a page.", NULL, 0,
               false },
    [WIDTH] = { "width", "<columns>",
                "Columns of --text, 40 to 1000. Without it: those of the terminal, else $COLUMNS, "
                "else 80.",
                NULL, 0, false },
    [ASCII] = { "ascii", NULL,
                "Draw --text in ASCII alone, as it is where the locale has no UTF-8.", NULL, 0,
                false },
    { .name = NULL },
};

struct report {
    struct gput_report_options o;
    const char *output;
    int open;
    struct plot plot;
    bool is_text;
};

static int take_width(struct report *report, const char *text)
{
    if (plot_parse_width(text, &report->plot.width) == 0)
        return 0;
    say("report: --width: '%s' is not a number of columns from %d to %d", text, PLOT_NARROWEST,
        PLOT_WIDEST);
    return -1;
}

static int take(void *ctx, int option, const char *value)
{
    struct report *report = ctx;

    switch (option) {
    case OUTPUT:
        report->output = value;
        break;
    case STF:
        report->o.sub_tracking_file = value;
        break;
    case TITLE:
        report->o.title = value;
        break;
    case OPEN:
        report->open = 1;
        break;
    case TEXT:
        report->is_text = true;
        break;
    case WIDTH:
        return take_width(report, value);
    case ASCII:
        report->plot.is_ascii = true;
        break;
    }
    return 0;
}

/* Options of the page are none of the text, and the other way round. */
static int check_form(const struct report *report)
{
    const char *alien;

    if (report->is_text)
        alien = report->output                ? "--output"
                : report->o.sub_tracking_file ? "--stf"
                : report->o.title             ? "--title"
                : report->open                ? "--open"
                                              : NULL;
    else
        alien = report->plot.width ? "--width" : report->plot.is_ascii ? "--ascii" : NULL;
    if (!alien)
        return 0;
    say(report->is_text ? "report: %s is for the page, which --text does not write"
                        : "report: %s is for --text",
        alien);
    return -1;
}

static int parse(struct report *report, const struct sub_command *command, int argc, char **argv)
{
    int words = sub_options_parse(command, "report", argc, argv, take, report);

    if (words < 0)
        return -1;
    if (words == argc || argc - words > 2) {
        say(words == argc ? "report: the file of a run is missing"
                          : "report: at most two files: a tracking file and a result");
        return -1;
    }
    report->o.file = argv[words];
    report->o.result_file = argv[words + 1]; /* NULL behind the last */
    report->plot.file = report->o.file;
    report->plot.result_file = report->o.result_file;
    return check_form(report);
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
static char *output_name(const struct report *report)
{
    char host[256], *name = NULL;
    struct expansion by;
    struct refusal why = { .text = "" };

    expand_here(host, &by);
    if (!report->output)
        name = default_output(report->o.file);
    else if (expand("--output", report->output, &by, &name, &why) < 0)
        name = NULL;
    if (!name) {
        say("report: %s", why.text[0] ? why.text : strerror(ENOMEM));
        return NULL;
    }
    if (output_is(name, report->o.file) || output_is(name, report->o.result_file) ||
        output_is(name, report->o.sub_tracking_file)) {
        say("report: --output: '%s' is one of the files to read", name);
        free(name);
        return NULL;
    }
    return name;
}

static int write_page(struct report *report, struct output *output)
{
    struct gput_error err;
    char *html = NULL;
    int r;

    report->o.on.warn = say_warning;
    r = gput_report_html(&report->o, &html, &err);
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

int command_report(const struct sub_command *command, int argc, char **argv)
{
    struct report report = { .o = GPUT_REPORT_OPTIONS_INIT };
    struct output output = { .fd = -1 };
    struct refusal why;
    char *name;
    int status;

    if (parse(&report, command, argc, argv) < 0)
        return EXIT_USAGE;
    if (report.is_text)
        return plot_print(&report.plot);
    name = output_name(&report);
    if (!name)
        return EXIT_USAGE;
    if (output_prepare("--output", name, &output, &why) < 0) {
        say("report: %s", why.text);
        status = EXIT_USAGE;
    } else {
        status = write_page(&report, &output);
        if (status == 0 && output.way != OUTPUT_DESCRIPTOR)
            puts(name);
        if (status == 0 && report.open)
            status = open_page(name);
    }
    output_free(&output);
    free(name);
    return status;
}

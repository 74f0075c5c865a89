/* merge.c - `gpu-tracker merge`: one answer for a job on many nodes. */
#include "commands/merge.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct merge {
    struct given given;
    enum gput_fleet_format format;
    const char *output, *page, *job, *step;
};

static const char *const formats[] = { "text", "json", "csv", NULL }; /* enum gput_fleet_format */

#define KEEP(member) AT(struct merge, member)
const struct option_def merge_options[] = {
    { "format", "<format>", "Format of the output, 'text' by default; csv has a row per rank.",
      .letter = 'f', .kind = KIND_INDEX, .choices = formats, KEEP(format) },
    { "output", "<output>", "Where to write it; without it, to standard output.", .letter = 'o',
      .kind = KIND_FILE, KEEP(output) },
    { "report", "<page>",
      "Write an HTML page too: a grid of the ranks, their charts, the nodes over "
      "time.",
      .kind = KIND_FILE, KEEP(page) },
    { "job", "<id>", "Only of this job.", .kind = KIND_TEXT, KEEP(job) },
    { "step", "<step>", "Only of this step.", .kind = KIND_TEXT, KEEP(step) },
    { .name = NULL },
};

static int write_file(const char *option, const char *name, const char *text)
{
    struct output output = { .fd = -1 };
    struct refusal why;
    int r, status;

    if (output_prepare(option, name, &output, &why) < 0) {
        say("merge: %s", why.text);
        status = EXIT_USAGE;
    } else {
        r = output_finish(&output, text);
        if (r < 0)
            say("merge: cannot write '%s': %s", name, output_why(r));
        status = r < 0 ? EXIT_FAILED : 0;
    }
    output_free(&output);
    return status;
}

static int write_text(const struct merge *m, const char *text)
{
    if (m->output)
        return write_file("--output", m->output, text);
    fputs(text, stdout);
    return fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

static int write_page(const struct merge *m, const struct gput_fleet *fleet)
{
    struct gput_error err = { .text = "" };
    char *html = NULL;
    int status, r = gput_fleet_html(fleet, NULL, &html, &err);

    if (r < 0) {
        say("merge: --report: %s", err.text[0] ? err.text : strerror(-r));
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    status = write_file("--report", m->page, html);
    free(html);
    return status;
}

static int merge(const struct merge *m, const struct gput_fleet *fleet)
{
    char *text = NULL;
    int status, r = gput_fleet_format(fleet, m->format, &text);

    if (r < 0) {
        say("merge: %s", strerror(-r));
        return EXIT_FAILED;
    }
    status = write_text(m, text);
    free(text);
    if (status == 0 && m->page)
        status = write_page(m, fleet);
    if (status)
        return status;
    return gput_fleet_is_complete(fleet) ? 0 : EXIT_FAILED;
}

int command_merge(const struct command *command, int argc, char **argv)
{
    struct merge m = { .job = NULL };
    int files = command_parse(command, &m.given, argc, argv), status;
    struct gput_fleet *fleet = NULL;
    struct gput_error err;

    if (files < 0)
        return EXIT_USAGE;
    if (files == argc) {
        say("merge: the folder of node files is missing (that of --fleet)");
        return EXIT_USAGE;
    }
    if (gput_fleet_read((const char *const *)argv + files, (size_t)(argc - files), m.job, m.step,
                        &fleet, &err) < 0) {
        say("merge: %s", err.text);
        return EXIT_FAILED;
    }
    status = merge(&m, fleet);
    gput_fleet_close(fleet);
    return status;
}

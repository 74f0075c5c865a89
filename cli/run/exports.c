/* exports.c - figures for monitoring while it is measured. */
#include "run/exports.h"

#include "output/exit_codes.h"
#include "output/expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool exports_are_wanted(const struct exports *x)
{
    return x->metrics_file || x->listen || x->push || x->otlp;
}

static int expand_file(const struct exports *x, const struct given *given,
                       const struct exports_about *about, char **ret)
{
    char host[256], label[LABEL_SIZE];
    struct expansion by;
    struct refusal why;

    if (!x->metrics_file)
        return 0;
    expand_here(host, &by);
    by.launch = *about->launch;
    option_label_named(given, "metrics-file", label);
    if (expand(label, x->metrics_file, &by, ret, &why) == 0)
        return 0;
    say("%s%s", about->prefix, why.text);
    return EXIT_USAGE;
}

/* Labels with the rank in front: each of many ranks is a run of its own. */
static char *make_labels(const struct exports *x, int rank)
{
    char *given = many_lines(&x->labels), *text = NULL;

    if (rank < 0 || (given && (strncmp(given, "rank=", 5) == 0 || strstr(given, "\nrank="))))
        return given;
    if (asprintf(&text, "rank=%d\n%s", rank, given ? given : "") < 0)
        text = NULL;
    free(given);
    return text;
}

static int say_error(const struct given *given, const char *prefix, const struct gput_error *error,
                     int r)
{
    int id = error->field[0] ? option_by_key(given->options, error->field) : -1;
    const char *text = error->text[0] ? error->text : strerror(-r);
    char label[LABEL_SIZE];

    if (id >= 0)
        say("%s%s: %s", prefix, option_label(given, id, label), text);
    else
        say("%s%s", prefix, text);
    return error->field[0] ? EXIT_USAGE : EXIT_TRACKER_FAILED;
}

int exports_start(const struct exports *x, const struct given *given,
                  const struct exports_about *about, const struct gput_tracker *t,
                  const struct gput_callbacks *on, struct gput_exporter **ret)
{
    struct gput_exporter_options o = GPUT_EXPORTER_OPTIONS_INIT;
    struct gput_error error = { .field = "" };
    char *file = NULL, *labels = NULL;
    int r;

    if (!exports_are_wanted(x))
        return 0;
    r = expand_file(x, given, about, &file);
    if (r)
        return r;
    labels = make_labels(x, about->launch->rank);
    o.metrics_file = file;
    o.keep_metrics = x->keep_metrics;
    o.listen = x->listen;
    o.push = x->push;
    o.push_delete = x->push_delete;
    o.otlp = x->otlp;
    o.labels = labels;
    o.no_redact = about->no_redact;
    o.task = about->task;
    o.on = *on;
    r = gput_exporter_start(&o, t, ret, &error);
    free(file);
    free(labels);
    if (r < 0)
        return say_error(given, about->prefix, &error, r);
    if (gput_exporter_address(*ret) && !about->is_quiet)
        say_bare("Metrics: http://%s/metrics", gput_exporter_address(*ret));
    return 0;
}

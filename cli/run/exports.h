/* exports.h - figures for monitoring while it is measured: the options, and what becomes of them. */
#ifndef CLI_EXPORTS_H
#define CLI_EXPORTS_H

#include "gput.h"
#include "options/option.h"

/* The values of the options; a member of the struct of a command's values. */
struct exports {
    const char *metrics_file, *listen, *push, *otlp;
    struct many labels;
    bool keep_metrics, push_delete;
};

/* Rows of a table of options; KEEP(member) says where the value is kept. */
#define OPTION_METRICS_FILE(keep)                                                                  \
    "metrics-file", "<file>",                                                                      \
        .kind = KIND_FILE, keep, .key = "metrics_file",                                            \
        .help =                                                                                    \
            "Keep the figures so far in a file for node_exporter's textfile collector; %h, %p, "   \
            "%r and others as in --output. It is removed at the end."
#define OPTION_KEEP_METRICS(keep)                                                                  \
    "keep-metrics", NULL, .needs = "metrics-file", keep, .help = "Leave that file there."
#define OPTION_LISTEN(keep)                                                                        \
    "listen", "<address:port>",                                                                    \
        .kind = KIND_TEXT, keep, .key = "listen",                                                  \
        .help =                                                                                    \
            "Answer Prometheus at /metrics meanwhile; ':9400' is on loopback, '0.0.0.0:9400' for " \
            "others too. GPUT_LISTEN_TOKEN asks for a bearer token."
#define OPTION_PUSH(keep)                                                                          \
    "push", "<url>",                                                                               \
        .kind = KIND_TEXT, keep, .key = "push",                                                    \
        .help =                                                                                    \
            "Send the figures of the whole run to a Pushgateway at its end, under its job name "   \
            "and host."
#define OPTION_PUSH_DELETE(keep)                                                                   \
    "push-delete", NULL,                                                                           \
        .needs = "push", keep,                                                                     \
        .help = "Send figures during the run instead, and delete them at its end."
#define OPTION_OTLP(keep)                                                                          \
    "otlp", "<url>",                                                                               \
        .kind = KIND_TEXT, keep, .key = "otlp",                                                    \
        .help = "Send figures to an OpenTelemetry receiver (OTLP/HTTP, JSON); 'env': to that of "  \
                "OTEL_EXPORTER_OTLP_ENDPOINT."
#define OPTION_LABEL(keep)                                                                         \
    "label", "<name=value>",                                                                       \
        .kind = KIND_MANY, keep, .key = "labels",                                                  \
        .help = "A label for each of these figures; may be given several times."

bool exports_are_wanted(const struct exports *x);

/* What else the exporter is told. */
struct exports_about {
    const char *prefix;               /* of messages */
    const char *task;                 /* the program, for a push without job name; NULL: none */
    const struct gput_launch *launch; /* who this process is in a job of many */
    bool no_redact, is_quiet;
};

/* Starts the exporter that they ask for; NULL in *ret: none.  0, or the exit status: what was wrong has been
 * said. */
int exports_start(const struct exports *x, const struct given *given,
                  const struct exports_about *about, const struct gput_tracker *t,
                  const struct gput_callbacks *on, struct gput_exporter **ret);

#endif

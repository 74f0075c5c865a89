/* exporter.h - a process beside the tracker that hands figures to others: files, HTTP, receivers. */
#ifndef GPUT_API_EXPORT_EXPORTER_H
#define GPUT_API_EXPORT_EXPORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/beside/beside.h"
#include "gput.h"

/* What goes over the socket beside the messages of beside.h. */
enum gput__export_message {
    GPUT__EXPORT_TEXT = GPUT__BESIDE_OWN, /* for Prometheus */
    GPUT__EXPORT_OTLP,                    /* for OpenTelemetry */
    GPUT__EXPORT_FINAL_TEXT,              /* of the whole run */
    GPUT__EXPORT_FINAL_OTLP,
};

/* What it is to do; strings are absolute names and whole URLs, and stay. */
struct gput__export_plan {
    const char *metrics_file;
    bool keep_metrics;
    int listen_fd; /* -1: none */
    const char *listen_token;
    const char *push_url; /* of the group */
    const char *push_token;
    bool push_delete;
    const char *otlp_url;
    const char *otlp_headers; /* lines of "Name: value" */
    const char *otlp_ca, *push_ca;
    double otlp_interval;
    const char *run_id; /* for names of what could not be sent */
};

/* exporter_process.c: the exporter itself; does not return. */
void gput__exporter_process(const struct gput__export_plan *plan, int fd) __attribute__((noreturn));

/* The time in which everything must have an end, seconds. */
#define GPUT__EXPORT_END_PATIENCE 2.0

#endif

/* exposition.h - figures as Prometheus reads them. */
#ifndef GPUT_EXPORT_EXPOSITION_H
#define GPUT_EXPORT_EXPOSITION_H

#include "export/head.h"
#include "export/points.h"

/* One run of several that go into one text: each family stands there once. */
struct gput__exposed {
    struct gput__export_head head;
    struct gput__points points;
};

enum gput__exposition {
    GPUT__EXPOSE_TEXT, /* version 0.0.4: scrapes, textfile collector, Pushgateway */
    GPUT__EXPOSE_OPENMETRICS,
};

void gput__expose(const struct gput__exposed *runs, size_t n, enum gput__exposition form,
                  struct gput__buf *out);

#endif

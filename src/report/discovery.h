/* discovery.h - the server and its cloud, written as text or JSON. */
#ifndef GPUT_REPORT_DISCOVERY_H
#define GPUT_REPORT_DISCOVERY_H

#include <stdbool.h>

#include "base/buf.h"
#include "gput.h"

struct gput__discovered {
    bool has_server, has_cloud;       /* it was asked for */
    const struct gput_server *server; /* NULL: not known yet */
    const struct gput_cloud *cloud;
};

void gput__discovery_text(const struct gput__discovered *d, struct gput__buf *out);
void gput__discovery_json(const struct gput__discovered *d, struct gput__buf *out);

#endif

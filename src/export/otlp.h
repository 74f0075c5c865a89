/* otlp.h - figures as OpenTelemetry has them: an ExportMetricsServiceRequest as JSON. */
#ifndef GPUT_EXPORT_OTLP_H
#define GPUT_EXPORT_OTLP_H

#include "export/exposition.h"

/* `resource` are further attributes, as $OTEL_RESOURCE_ATTRIBUTES has them ("k=v,k2=v2"), and `service`
 * the service's name; NULL: the job's name, else the command's program. */
void gput__otlp_json(const struct gput__exposed *runs, size_t n, const char *resource,
                     const char *service, struct gput__buf *out);

#endif

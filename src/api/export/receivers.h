/* receivers.h - where figures go: URLs, tokens and headers, checked before anything starts. */
#ifndef GPUT_API_EXPORT_RECEIVERS_H
#define GPUT_API_EXPORT_RECEIVERS_H

#include "gput.h"

/* An http or https URL without credentials: -EINVAL, with the reason for `field`. */
int gput__receiver_check(const char *url, const char *field, struct gput_error *err);
/* "http://host/metrics/job/NAME/instance/HOST/rank/N"; `rank` NULL: without it.  free() it. */
char *gput__push_url(const char *base, const char *job, const char *instance, const char *rank);
/* "http://host:4318" gets "/v1/metrics", what has a path stays; free() it. */
char *gput__otlp_url(const char *base);
/* The endpoint of the environment; free() it.  NULL: there is none. */
char *gput__otlp_endpoint(void);
/* "k=v,k2=v2" of the environment as lines of "k: v"; free() it.  NULL: there are none. */
char *gput__otlp_headers(void);
/* $NAME, or what is in the file that $NAME_FILE names, which nobody else may read.  NULL: neither.
 * -EPERM and others: the file cannot be used, and `err` says why. */
int gput__receiver_token(const char *name, char **ret, struct gput_error *err);

#endif

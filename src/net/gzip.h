/* gzip.h - a text made small for the way. */
#ifndef GPUT_NET_GZIP_H
#define GPUT_NET_GZIP_H

#include <stddef.h>

#include "base/buf.h"

/* Adds it as gzip.  -ENOSYS: this build has no zlib. */
int gput__gzip(const char *text, size_t n, struct gput__buf *out);

#endif

/* iso_time.h - moments as ISO 8601 has them: "2026-11-19T04:00:30.123456+00:00". */
#ifndef GPUT_BASE_ISO_TIME_H
#define GPUT_BASE_ISO_TIME_H

#include <stdint.h>

enum { GPUT__ISO_TIME = 40 };

/* In UTC, from nanoseconds since 1970; "": that is no time.  Returns `ret`. */
const char *gput__iso_time(int64_t real_ns, char ret[GPUT__ISO_TIME]);
/* Seconds since 1970; NAN: it is not such a text.  Any zone, "Z" too; a fraction may be missing. */
double gput__iso_time_read(const char *text);

#endif

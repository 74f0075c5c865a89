/* unit.h - the units that users choose for RAM, GPU RAM and time. */
#ifndef GPUT_MODEL_UNIT_H
#define GPUT_MODEL_UNIT_H

#include <stddef.h>

struct gput__unit {
    const char *name;  /* as results and files have it */
    const char *brief; /* as people write it */
    double size;       /* in bytes or seconds */
};

/* By either name.  NULL: there is no such unit. */
const struct gput__unit *gput__unit_of_memory(const char *name);
const struct gput__unit *gput__unit_of_time(const char *name);

/* "'x' is not one of: bytes (B), kilobytes (kB), ...": at most GPUT__UNIT_REFUSAL characters */
enum { GPUT__UNIT_REFUSAL = 300 };
void gput__unit_refuse_memory(const char *name, char *ret_text, size_t cap);
void gput__unit_refuse_time(const char *name, char *ret_text, size_t cap);

#endif

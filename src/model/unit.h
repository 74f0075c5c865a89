/* unit.h - the units that users choose for RAM, GPU RAM and time. */
#ifndef GPUT_MODEL_UNIT_H
#define GPUT_MODEL_UNIT_H

#include <stddef.h>

struct gput__unit {
    const char *name;
    double size; /* in bytes or seconds */
};

/* NULL: no unit of that name. */
const struct gput__unit *gput__unit_of_memory(const char *name);
const struct gput__unit *gput__unit_of_time(const char *name);

/* "'x' is not one of: bytes, kilobytes, ..." */
void gput__unit_refuse_memory(const char *name, char *ret_text, size_t cap);
void gput__unit_refuse_time(const char *name, char *ret_text, size_t cap);

#endif

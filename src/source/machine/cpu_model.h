/* cpu_model.h - the name of the processor, from /proc/cpuinfo. */
#ifndef GPUT_SOURCE_CPU_MODEL_H
#define GPUT_SOURCE_CPU_MODEL_H

#include <stddef.h>

/* That of the first one; "" where it has none.  `text` may be the beginning of the file only. */
void gput__cpu_model_parse(const char *text, char *ret, size_t cap);

#endif

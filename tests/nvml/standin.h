/* standin.h - what the files of the stand-in share. */
#ifndef STANDIN_H
#define STANDIN_H

#include "script.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct gput__nvml_device device;

extern struct script standin_script;

/* Each call begins with this: notes it, waits as the script says; a code to answer with, or 0. */
int standin_enter(const char *function, const device *d);
/* A call that reads one key of the script. */
int standin_get(const char *function, device *d, const char *key, uint64_t *ret);

#endif

/* catalogue_cache.h - the user's own catalogue of servers. */
#ifndef GPUT_STORE_CATALOGUE_CACHE_H
#define GPUT_STORE_CATALOGUE_CACHE_H

#include "gput.h"

/* Where it is, or would be; free() it.  -ENOENT: there is no home folder, or we
 * are root and it is another's. */
int gput__catalogue_cache_path(char **ret);

/* Puts a text that is known to be a catalogue there; `path` is what the call above gave. */
int gput__catalogue_cache_write(const char *path, const char *text, struct gput_error *err);

#endif

/* catalogue_embedded.h - the catalogue of servers that is built in: data/catalogue.csv. */
#ifndef GPUT_STORE_CATALOGUE_EMBEDDED_H
#define GPUT_STORE_CATALOGUE_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>

#include "servers/catalogue.h"

#define GPUT__BUILT_IN "the built-in catalogue"

/* Written by tools/embed-catalogue.  It is not touched, and so not read from disk, until somebody
 * asks for it. */
struct gput__embedded_catalogue {
    const unsigned char *bytes;
    size_t size;
    bool is_deflated;
};
extern const struct gput__embedded_catalogue gput__embedded_catalogue;

int gput__catalogue_embedded(struct gput_catalogue **ret, struct gput_error *err);

#endif

/* catalogue.h - a catalogue of servers: a CSV file with one line for each type in each region.
 *
 * The text comes in pieces of any size, so that a file and what is unpacked on the way are read alike
 * and never stand in memory whole.  Each fault is told with its line. */
#ifndef GPUT_STORE_CATALOGUE_H
#define GPUT_STORE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "gput.h"

/* The first line of each catalogue. */
#define GPUT__CATALOGUE_HEADER                                                                     \
    "vendor,type,vcpus,mem_mib,gpus,gpu_model,vram_mib,region,usd_hour,source,as_of"

enum { GPUT__CATALOGUE_LONGEST_LINE = 1024 };

struct gput_catalogue {
    char *origin; /* the file, or GPUT__BUILT_IN */
    struct gput_server_offer *list;
    size_t n, cap;
    struct gput__names names; /* the texts of the list */
};

struct gput__catalogue_reader {
    struct gput_catalogue *c;
    struct gput_error *err;
    uint64_t line; /* the one that is being put together, from 1 */
    size_t len;
    struct gput__names places; /* vendor, type and region that were there already */
    char text[GPUT__CATALOGUE_LONGEST_LINE + 1];
};

/* `origin` is copied.  Faults go to `err`, with `origin` and the line in front. */
int gput__catalogue_begin(struct gput__catalogue_reader *r, const char *origin,
                          struct gput_error *err);
/* -EBADMSG: a line is not what it should be; -ENOMEM.  Nothing may follow but the end. */
int gput__catalogue_feed(struct gput__catalogue_reader *r, const char *bytes, size_t n);
/* Hands the catalogue over if `result`, what begin() or the last feed() returned, is 0 and the text
 * may end here; else it is freed. */
int gput__catalogue_end(struct gput__catalogue_reader *r, int result, struct gput_catalogue **ret);

/* A whole file, or a whole text that is in memory. */
int gput__catalogue_read(const char *path, struct gput_catalogue **ret, struct gput_error *err);
int gput__catalogue_parse(const char *text, size_t n, const char *origin,
                          struct gput_catalogue **ret, struct gput_error *err);

/* An empty one, and one more server in it, whose texts are copied. */
int gput__catalogue_new(const char *origin, struct gput_catalogue **ret);
int gput__catalogue_add(struct gput_catalogue *c, const struct gput_server_offer *offer);

void gput__catalogue_free(struct gput_catalogue *c);

#endif

/* catalogue_row.h - one line of a catalogue of servers. */
#ifndef GPUT_STORE_CATALOGUE_ROW_H
#define GPUT_STORE_CATALOGUE_ROW_H

#include <stddef.h>

#include "gput.h"

enum gput__catalogue_field {
    GPUT__VENDOR,
    GPUT__TYPE,
    GPUT__VCPUS,
    GPUT__MEM_MIB,
    GPUT__GPUS,
    GPUT__GPU_MODEL,
    GPUT__VRAM_MIB,
    GPUT__REGION,
    GPUT__USD_HOUR,
    GPUT__SOURCE,
    GPUT__AS_OF,
    GPUT__N_CATALOGUE_FIELDS,
};

/* Cuts a line into its fields, in place: each ends in NUL and may have stood in double quotes.
 * Returns how many there are, `max` + 1 where there are more, or -EBADMSG: a quote is not closed, or
 * something follows the closing one. */
int gput__catalogue_split(char *line, char **ret_fields, int max);

/* Checks the fields and fills in an offer, whose texts are the fields.  -EBADMSG: `ret_why` says which
 * field is wrong and what it should be. */
int gput__catalogue_row(char *const *fields, struct gput_server_offer *ret, char *ret_why,
                        size_t size);

#endif

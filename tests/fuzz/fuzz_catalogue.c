/* fuzz_catalogue.c - a catalogue of servers. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "store/catalogue.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__catalogue_reader reader;
    struct gput_catalogue *c = NULL;
    struct gput_error err = { .field = "" };
    size_t half = size / 2;
    int r = gput__catalogue_begin(&reader, "fuzz", &err);

    fuzz_must(r == 0);
    r = gput__catalogue_feed(&reader, (const char *)data, half);
    if (r == 0)
        r = gput__catalogue_feed(&reader, (const char *)data + half, size - half);
    r = gput__catalogue_end(&reader, r, &c);
    fuzz_must((r == 0) == (c != NULL) && (r == 0 || err.text[0]));
    for (size_t i = 0; c && i < c->n; i++) {
        const struct gput_server_offer *o = &c->list[i];

        fuzz_must(*o->vendor && *o->type && o->vcpus > 0 && o->memory_mib > 0 && o->gpus >= 0);
        fuzz_must(isnan(o->usd_hour) || (o->usd_hour > 0 && *o->region && strlen(o->as_of) == 10));
    }
    gput__catalogue_free(c);
    return 0;
}

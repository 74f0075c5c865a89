/* fuzz_catalogue.c - a catalogue of servers. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "servers/catalogue.h"
#include "text.h"

/* Quotes in a name are doubled where it is written. */
static bool has_too_long_line(const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        if (end - text > GPUT__CATALOGUE_LONGEST_LINE)
            return true;
    return false;
}

/* The cheapest of it, in their order; as a catalogue they are read again. */
static void try_search(const struct gput_catalogue *c)
{
    const struct gput_server_needs needs = { .vcpus = 2, .memory_mib = 1024 };
    struct gput_server_offer found[5];
    struct gput_error err = { .field = "" };
    struct gput_catalogue *again = NULL;
    char *text = NULL;
    int n = gput_catalogue_find(c, &needs, NULL, found, 5, NULL, &err);

    fuzz_must(n <= 5 && (n > 0 || err.text[0]));
    for (int i = 0; i < n; i++)
        fuzz_must(found[i].vcpus >= 2 && found[i].memory_mib >= 1024 &&
                  (i == 0 || found[i - 1].usd_hour <= found[i].usd_hour));
    if (n <= 0)
        return;
    fuzz_must(gput_servers_format(found, (size_t)n, GPUT_SERVERS_CSV, &text) == 0);
    if (gput__catalogue_parse(text, strlen(text), "again", &again, &err) == 0)
        fuzz_must(again->n == (size_t)n);
    else
        fuzz_must(has_too_long_line(text));
    gput__catalogue_free(again);
    free(text);
}

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
    if (c)
        try_search(c);
    gput__catalogue_free(c);
    return 0;
}

/* fuzz_keeper.c - answers of the Keeper of Spare Cores. */
#include <math.h>

#include "fuzz.h"
#include "servers/keeper.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput_catalogue *c = NULL;
    const char *why = NULL;
    char region[64] = "";
    double price = 0;
    int r = gput__keeper_servers((const char *)data, size, "fuzz", "2026-01-01", &c, &why);

    fuzz_must((r == 0) == (c != NULL) && (r == 0 || why));
    for (size_t i = 0; c && i < c->n; i++)
        fuzz_must(c->list[i].vcpus > 0 && c->list[i].usd_hour > 0 && c->list[i].gpus >= 0);
    gput__catalogue_free(c);
    r = gput__keeper_price((const char *)data, size, "r", &price, region, &why);
    fuzz_must(r < 0 || price > 0);
    return 0;
}

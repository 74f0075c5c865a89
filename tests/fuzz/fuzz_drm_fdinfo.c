/* fuzz_drm_fdinfo.c - /proc/PID/fdinfo/FD of a DRM device. */
#include "fuzz.h"
#include "source/gpu/drm_fdinfo.h"
#include "text.h"

static void check(const struct gput__drm_client *c)
{
    uint64_t all = 0, vram = 0;
    static const char *const prefixes[] = { "vram", NULL };

    fuzz_must(c->driver[0] && strlen(c->driver) < GPUT__DRM_NAME);
    fuzz_must(strlen(c->pdev) < GPUT__DRM_NAME);
    fuzz_must(c->n_engines <= GPUT__DRM_ENGINES && c->n_regions <= GPUT__DRM_REGIONS);
    for (unsigned i = 0; i < c->n_engines; i++)
        fuzz_must(c->engines[i].name[0] && c->engines[i].capacity > 0);
    for (unsigned i = 0; i < c->n_regions; i++)
        for (unsigned k = 0; k < i; k++)
            fuzz_must(strcmp(c->regions[i].name, c->regions[k].name) != 0);
    if (gput__drm_client_memory(c, prefixes, &vram))
        fuzz_must(gput__drm_client_memory(c, NULL, &all));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__drm_client c = { .id = 77 };

    if (gput__drm_fdinfo_parse(text, &c) < 0)
        fuzz_must(c.id == 77);
    else
        check(&c);
    free(text);
    return 0;
}

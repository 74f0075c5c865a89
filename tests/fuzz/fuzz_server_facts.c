/* fuzz_server_facts.c - os-release and /proc/cpuinfo. */
#include "fuzz.h"
#include "source/machine/cpu_model.h"
#include "source/machine/os_release.h"
#include "text.h"

static int is_shown(const char *text, size_t cap)
{
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            return 0;
    return strlen(text) < cap;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), model[32];
    struct gput__os_release release;

    gput__os_release_parse(text, &release);
    fuzz_must(is_shown(release.name, sizeof(release.name)) &&
              is_shown(release.id, sizeof(release.id)) &&
              is_shown(release.version, sizeof(release.version)));
    gput__cpu_model_parse(text, model, sizeof(model));
    fuzz_must(is_shown(model, sizeof(model)));
    free(text);
    return 0;
}

/* fuzz_recommend.c - what to ask for next time, from the file of a run. */
#include "fuzz.h"
#include "gput.h"
#include "memory_file.h"

static void check(const struct gput_demand *d)
{
    struct gput_resources r;

    gput_recommend(d, 1, &r);
    fuzz_must(r.cpu >= 0 && r.gpu >= 0 && r.time >= 0);
    fuzz_must(r.memory_mib == 0 || (double)r.memory_mib * 1048576 >= d->memory_peak ||
              r.memory_mib > UINT64_C(1) << 40);
}

static void try_target(const char *const *files, const char *target)
{
    struct gput_recommend_options o = GPUT_RECOMMEND_OPTIONS_INIT;
    struct gput_error err = { .field = "" };
    char *text = NULL;

    o.target = target;
    o.format = target ? GPUT_TEXT : GPUT_JSON;
    if (gput_recommend_files(files, 1, &o, NULL, &text, &err) < 0)
        fuzz_must(!text && err.text[0]);
    else
        fuzz_must(text[0] && text[strlen(text) - 1] == '\n' && !strchr(text, 0x1B));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    const char *const files[] = { file.path };
    struct gput_error err = { .field = "" };
    struct gput_demand d;

    if (gput_demand_read(file.path, NULL, &d, &err) < 0) {
        fuzz_must(err.text[0]);
    } else {
        check(&d);
        for (unsigned i = 0; gput_recommend_target(i); i++)
            try_target(files, gput_recommend_target(i));
        try_target(files, NULL);
    }
    close(file.fd);
    return 0;
}

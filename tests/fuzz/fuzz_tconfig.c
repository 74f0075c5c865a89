/* fuzz_tconfig.c - the file of --tconfig. */
#include "options/config.h"

#include "fuzz.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    struct options o = { .tconfig = file.path };
    struct refusal why = { "" };

    fuzz_must(config_load(&o, &why) < 0 ? why.text[0] : !why.text[0]);
    for (int id = 0; id < N_OPTIONS; id++)
        fuzz_must(o.given.origin[id] == FROM_NOWHERE || run_options[id].in_config);
    fuzz_must(!o.given.origin[OPT_ST] || o.sleep_time > 0);
    fuzz_must(!o.given.origin[OPT_NEC] || o.n_expected_cores > 0);
    options_free(&o.given);
    close(file.fd);
    return 0;
}

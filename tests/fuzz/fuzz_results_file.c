/* fuzz_results_file.c - the JSON of an analysis, as it is read for comparison. */
#include "fuzz.h"
#include "memory_file.h"
#include "store/marks/results_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput_error err = { .field = "" };
    struct gput__result res;
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    int r = gput__result_read(&res, file.path, GPUT_MEAN, &err);

    fuzz_must(r == 0 || err.text[0]);
    for (size_t i = 0; r == 0 && i < res.n_blocks; i++)
        fuzz_must(res.blocks[i].name != NULL && res.blocks[i].usage != NULL);
    gput__result_free(&res);
    close(file.fd);
    return 0;
}

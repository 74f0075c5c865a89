/* fuzz_results_file.c - the JSON of an analysis, as it is read for comparison. */
#include "fuzz.h"
#include "store/marks/results_file.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput_error err = { .field = "" };
    struct gput__result res;
    char *text = fuzz_text(data, size);
    int r = gput__result_parse(&res, "fuzz.json", text, size, GPUT_MEAN, &err);

    fuzz_must(r == 0 || err.text[0]);
    for (size_t i = 0; r == 0 && i < res.n_blocks; i++)
        fuzz_must(res.blocks[i].name != NULL && res.blocks[i].usage != NULL);
    gput__result_free(&res);
    free(text);
    return 0;
}

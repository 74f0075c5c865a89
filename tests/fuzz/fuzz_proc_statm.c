/* fuzz_proc_statm.c - /proc/PID/statm. */
#include "fuzz.h"
#include "source/proc/proc_statm.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__proc_statm st = { 77, 78 };

    if (gput__proc_statm_parse(text, &st) < 0)
        fuzz_must(st.resident == 77 && st.shared == 78);
    else
        fuzz_must(st.shared <= st.resident);
    free(text);
    return 0;
}

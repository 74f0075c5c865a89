/* fuzz_proc_status.c - /proc/PID/status. */
#include "fuzz.h"
#include "source/proc/proc_status.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__proc_status st = { .rss = 77 };

    if (gput__proc_status_parse(text, &st) < 0)
        fuzz_must(st.rss == 77);
    else
        fuzz_must(st.has_memory || (!st.rss && !st.hwm && !st.anon && !st.file && !st.shmem));
    free(text);
    return 0;
}

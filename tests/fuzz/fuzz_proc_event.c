/* fuzz_proc_event.c - messages of the proc connector. */
#include "fuzz.h"
#include "source/proc/proc_events.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__proc_birth e = { -77, -78, -79 };

    if (gput__proc_event_parse(data, size, &e) < 0)
        fuzz_must(e.pid == -77 && e.parent == -78);
    return 0;
}

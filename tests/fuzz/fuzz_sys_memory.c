/* fuzz_sys_memory.c - /proc/meminfo. */
#include "fuzz.h"
#include "source/machine/sys_memory.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__sys_memory m = { .total = 77, .available = 78 };

    if (gput__sys_memory_parse(text, &m) < 0)
        fuzz_must(m.total == 77 && m.available == 78);
    else
        fuzz_must(m.available <= m.total && m.total % 1024 == 0);
    free(text);
    return 0;
}

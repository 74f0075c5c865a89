/* fuzz_sys_cpu.c - /proc/stat. */
#include "fuzz.h"
#include "source/machine/sys_cpu.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__sys_cpu cpu = { .busy = 77 };
    struct gput__sys_core core;
    unsigned n = 0;

    if (gput__sys_cpu_parse(text, &cpu) < 0)
        fuzz_must(cpu.busy == 77);
    fuzz_must(gput__sys_cpu_count(text) <= size / 4); /* a core needs "cpu0" */
    for (const char *p = text; gput__sys_cpu_next_core(&p, &core); n++)
        fuzz_must(p > text && p <= text + size);
    fuzz_must(n <= gput__sys_cpu_count(text));
    free(text);
    return 0;
}

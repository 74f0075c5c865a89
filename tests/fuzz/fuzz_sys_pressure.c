/* fuzz_sys_pressure.c - /proc/pressure/ and the same of control groups; cpu.stat of one with a quota. */
#include "fuzz.h"
#include "source/cgroup/cgroup_throttle.h"
#include "source/stalls/sys_pressure.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__sys_pressure p = { .some_us = 77 };
    struct gput__throttled t = { .periods = 77 };

    if (gput__sys_pressure_parse(text, &p) < 0)
        fuzz_must(p.some_us == 77);
    if (gput__throttled_parse(text, &t) < 0)
        fuzz_must(t.periods == 77);
    free(text);
    return 0;
}

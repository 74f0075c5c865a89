/* fuzz_cpu_list.c - lists such as "0-3,8", and the numbers that they are made of. */
#include "base/text/scan.h"
#include "fuzz.h"
#include "text.h"

static void try_numbers(const char *text, size_t size)
{
    const char *p = text;
    uint64_t u = 77;
    int64_t i = 77;

    fuzz_must(gput__scan_u64(&p, &u) == 0 ? p > text : p == text && u == 77);
    p = text;
    fuzz_must(gput__scan_i64(&p, &i) == 0 ? p > text : p == text && i == 77);
    p = text;
    u = 77;
    fuzz_must(gput__scan_hex_until(&p, '-', &u) == 0 ? p > text : p == text && u == 77);
    p = text;
    fuzz_must(gput__scan_skip(&p, 2) == 0 ? p > text : p == text);
    fuzz_must(p <= text + size);
    u = 77;
    fuzz_must(gput__scan_key(text, "key", &u) == 0 || u == 77);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    unsigned n = 0;

    if (gput__scan_cpu_list(text, &n) < 0)
        fuzz_must(n == 0);
    try_numbers(text, size);
    free(text);
    return 0;
}

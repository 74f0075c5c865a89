/* fuzz_dtoa.c - a double as text and back: any one comes back as it was. */
#include <math.h>

#include "base/text/atod.h"
#include "base/text/dtoa.h"
#include "fuzz.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double value, back = 77;
    char text[32];
    const char *end;
    size_t n;

    if (size != sizeof(value))
        return 0;
    memcpy(&value, data, sizeof(value));
    if (!isfinite(value))
        return 0;
    n = gput__dtoa(value, text);
    fuzz_must(n < sizeof(text) && strlen(text) == n);
    end = gput__atod(text, &back);
    fuzz_must(end == text + n && memcmp(&back, &value, sizeof(value)) == 0);
    fuzz_must(strtod(text, NULL) == value);
    return 0;
}

/* fuzz_number.c - decimal text as a double, against strtod(). */
#include <ctype.h>

#include "base/text/atod.h"
#include "fuzz.h"
#include "text.h"

/* What strtod() takes besides: blanks, hexadecimal digits, "inf" and "nan". */
static int is_only_strtods(const char *text)
{
    text += *text == '-' || *text == '+';
    return !isdigit((unsigned char)*text) && *text != '.';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *by_strtod;
    double ours = 77, theirs = strtod(text, &by_strtod);
    const char *end = gput__atod(text, &ours);

    if (!end)
        fuzz_must(ours == 77 && (by_strtod == text || is_only_strtods(text)));
    else if (strpbrk(text, "xX") == NULL)
        fuzz_must(end == by_strtod && memcmp(&ours, &theirs, sizeof(ours)) == 0);
    free(text);
    return 0;
}

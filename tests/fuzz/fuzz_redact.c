/* fuzz_redact.c - command lines without their secrets. */
#include "base/text/redact.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "text.h"

#define SECRET "xyzzy0plugh"

/* Whatever follows, what was said to be a password is gone. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char before[] =
        "x --password " SECRET " https://u:" SECRET "@h/ TOKEN=" SECRET " ";
    static const char after[] = "x --password [REDACTED] [URL] TOKEN=[REDACTED] ";
    char *text = fuzz_text(data, size), *shown = gput__redacted(text), *line;

    fuzz_must(shown && strlen(shown) <= 4 * strlen(text) + 20 * (strlen(text) + 1));
    line = malloc(sizeof(before) + strlen(text));
    fuzz_must(line != NULL);
    strcpy(line, before);
    strcat(line, text);
    free(shown);
    shown = gput__redacted(line);
    fuzz_must(shown && strncmp(shown, after, sizeof(after) - 1) == 0);
    free(shown);
    free(line);
    free(text);
    return 0;
}

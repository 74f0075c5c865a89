/* fuzz_screen_text.c - text from outside on its way to a terminal.
 *
 * The first byte of the input decides how many columns there are. */
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "fuzz.h"
#include "gput.h"
#include "report/text/screen_text.h"
#include "text.h"

static unsigned character_at(const char *p, size_t n)
{
    unsigned c = n == 1 ? (unsigned char)*p : (unsigned char)*p & (0xFFu >> (n + 1));

    for (size_t i = 1; i < n; i++)
        c = c << 6 | ((unsigned char)p[i] & 0x3Fu);
    return c;
}

/* Within its columns, and nothing in it that steers a terminal. */
static void try(const char *text, int room, bool use_unicode)
{
    struct gput__buf out = { 0 };
    int told = gput__screen_text(&out, text, room, use_unicode), columns = 0;

    for (const char *p = gput__buf_text(&out); *p;) {
        size_t n = gput__utf8_length(p);
        unsigned c = n ? character_at(p, n) : 0;

        fuzz_must(n > 0 && (use_unicode || n == 1));
        fuzz_must(c >= ' ' && !(c >= 0x7F && c < 0xA0) && !(c >= 0x200B && c <= 0x200F) &&
                  !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069) && c != 0xFEFF);
        columns += gput__screen_columns(c);
        p += n;
    }
    fuzz_must(columns == told && told <= room);
    gput__buf_free(&out);
}

/* The same for messages: never longer, and nothing left to hide. */
static void try_plain(char *text)
{
    size_t before = strlen(text);

    (void)gput__text_is_formula(text, before);
    gput_text_plain(text);
    fuzz_must(strlen(text) <= before && gput__text_is_plain(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text;

    if (size < 1)
        return 0;
    text = fuzz_text(data + 1, size - 1);
    try(text, data[0], true);
    try(text, data[0], false);
    try_plain(text);
    free(text);
    return 0;
}

/* utf8.c - characters of UTF-8, in texts that may be none. */
#include "base/text/utf8.h"

size_t gput__utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = *s < 0x80                 ? 1
               : *s >= 0xC2 && *s < 0xE0 ? 2
               : *s >= 0xE0 && *s < 0xF0 ? 3
               : *s >= 0xF0 && *s < 0xF5 ? 4
                                         : 0;

    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) || (*s == 0xF0 && s[1] < 0x90) ||
        (*s == 0xF4 && s[1] > 0x8F))
        return 0;
    return n;
}

size_t gput__utf8_read(const char *text, uint32_t *ret)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = gput__utf8_length(text);
    uint32_t character = n < 2 ? s[0] : s[0] & (0xFFu >> (n + 1));

    for (size_t i = 1; i < n; i++)
        character = character << 6 | (s[i] & 0x3Fu);
    *ret = character;
    return n;
}

void gput__utf8_append(struct gput__buf *out, uint32_t character)
{
    int n = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const unsigned char first[] = { 0, 0xC0, 0xE0, 0xF0 };

    gput__buf_putc(out, (char)(first[n] | character >> 6 * n));
    for (int i = n - 1; i >= 0; i--)
        gput__buf_putc(out, (char)(0x80 | (character >> 6 * i & 0x3F)));
}

bool gput__utf8_is_hidden(uint32_t character)
{
    static const uint32_t ranges[][2] = {
        { 0x0, 0x1F },        { 0x7F, 0x9F },        { 0xAD, 0xAD },       { 0x61C, 0x61C },
        { 0x180B, 0x180F },   { 0x200B, 0x200F },    { 0x2028, 0x202E },   { 0x2060, 0x206F },
        { 0x3164, 0x3164 },   { 0xD800, 0xF8FF },    { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },
        { 0xFFF0, 0xFFFB },   { 0xFFFE, 0xFFFF },    { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A },
        { 0xE0000, 0xE0FFF }, { 0xF0000, 0x10FFFF },
    };

    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        if (character >= ranges[i][0] && character <= ranges[i][1])
            return true;
    return false;
}

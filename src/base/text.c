/* text.c - short texts from outside, made fit to be shown. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7F;
}

bool gput__text_is_plain(const char *text)
{
    while (*text && !is_control(*text))
        text++;
    return !*text;
}

char *gput__text_plain(char *text)
{
    for (char *p = text; p && *p; p++)
        if (is_control(*p))
            *p = '?';
    return text;
}

char *gput__text_tidy(char *text)
{
    size_t n = strlen(text), start = 0;

    while (n > 0 && is_blank(text[n - 1]))
        n--;
    while (start < n && is_blank(text[start]))
        start++;
    n -= start;
    memmove(text, text + start, n);
    text[n] = '\0';
    return gput__text_plain(text);
}

const char *gput__text_shown(const char *text, size_t len, char *ret, size_t size)
{
    size_t n = len < size ? len : size - 4;

    while (n < len && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--; /* not within a character of UTF-8 */
    snprintf(ret, size, "%.*s%s", (int)n, text, n < len ? "..." : "");
    return gput__text_plain(ret);
}

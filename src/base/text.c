/* text.c - short texts from outside, made fit to be shown. */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
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
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
            text[i] = '?';
    return text;
}

/* text.c - short texts from outside, made fit to be shown. */
#include "base/text/text.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "gput.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t gput_text_next(const char *text, int *ret_is_hidden)
{
    uint32_t character;
    size_t n = gput__utf8_read(text, &character);

    *ret_is_hidden = n == 0 || gput__utf8_is_hidden(character);
    return n ? n : 1;
}

bool gput__text_is_plain(const char *text)
{
    int is_hidden = 0;

    while (*text && !is_hidden)
        text += gput_text_next(text, &is_hidden);
    return !is_hidden;
}

char *gput_text_plain(char *text)
{
    const char *from = text;
    char *to = text;

    while (from && *from) {
        int is_hidden;
        size_t n = gput_text_next(from, &is_hidden);

        if (is_hidden)
            *to = '?';
        else
            memmove(to, from, n);
        to += is_hidden ? 1 : n;
        from += n;
    }
    if (to)
        *to = '\0';
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
    return gput_text_plain(text);
}

bool gput__text_is_formula(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && text[i] == '\'')
        i++;
    while (i < len && is_blank(text[i]))
        i++;
    return i < len && text[i] && strchr("=+-@", text[i]);
}

const char *gput__text_shown(const char *text, size_t len, char *ret, size_t size)
{
    size_t n = len < size ? len : size - 4;

    while (n < len && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--; /* not within a character of UTF-8 */
    snprintf(ret, size, "%.*s%s", (int)n, text, n < len ? "..." : "");
    return gput_text_plain(ret);
}

static bool is_plain_in_shell(const char *word, const char *also)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,./-";

    while (*word && (strchr(plain, *word) || strchr(also, *word)))
        word++;
    return *word == '\0';
}

void gput__shell_word(struct gput__buf *out, const char *word, const char *also)
{
    if (*word && is_plain_in_shell(word, also)) {
        gput__buf_puts(out, word);
        return;
    }
    gput__buf_putc(out, '\'');
    for (; *word; word++)
        gput__buf_add(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    gput__buf_putc(out, '\'');
}

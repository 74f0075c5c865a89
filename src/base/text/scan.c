/* scan.c - reading numbers and words out of kernel text, without scanf. */
#include "base/text/scan.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* A word ends at a blank, a tab, a newline or the end of the text.  Every record reads some hundred words:
 * one look into a table for each character, not four comparisons. */
static const bool ends[256] = { [' '] = true, ['\t'] = true, ['\n'] = true, ['\0'] = true };

static bool ends_word(char c)
{
    return ends[(unsigned char)c];
}

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

#define NO_DIGIT 255u

static unsigned digit_of(char c, unsigned base)
{
    unsigned d = (unsigned char)c - (unsigned)'0';

    if (d <= 9)
        return d;
    return base == 16 && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : NO_DIGIT;
}

static inline int scan_digits(const char **p, unsigned base, uint64_t *ret)
{
    const char *s = *p;
    uint64_t v = 0;
    unsigned d;

    for (; (d = digit_of(*s, base)) != NO_DIGIT; s++)
        if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, d, &v))
            return -EBADMSG;
    if (s == *p)
        return -EBADMSG;
    *p = s;
    *ret = v;
    return 0;
}

int gput__scan_u64(const char **p, uint64_t *ret)
{
    const char *s = skip_blanks(*p);
    uint64_t v;

    if (scan_digits(&s, 10, &v) < 0 || !ends_word(*s))
        return -EBADMSG;
    *p = s;
    *ret = v;
    return 0;
}

int gput__scan_i64(const char **p, int64_t *ret)
{
    const char *s = skip_blanks(*p);
    bool negative = *s == '-';
    uint64_t v;

    s += negative;
    if (scan_digits(&s, 10, &v) < 0 || !ends_word(*s) || v > INT64_MAX)
        return -EBADMSG;
    *p = s;
    *ret = negative ? -(int64_t)v : (int64_t)v;
    return 0;
}

static int scan_until(const char **p, unsigned base, char end, uint64_t *ret)
{
    const char *s = *p;
    uint64_t v;

    if (scan_digits(&s, base, &v) < 0 || *s != end)
        return -EBADMSG;
    *p = s + 1;
    *ret = v;
    return 0;
}

int gput__scan_hex_until(const char **p, char end, uint64_t *ret)
{
    return scan_until(p, 16, end, ret);
}

int gput__scan_dec_until(const char **p, char end, uint64_t *ret)
{
    return scan_until(p, 10, end, ret);
}

int gput__scan_skip(const char **p, unsigned n)
{
    const char *s = *p;

    for (; n > 0; n--) {
        s = skip_blanks(s);
        if (ends_word(*s))
            return -EBADMSG;
        while (!ends_word(*s))
            s++;
    }
    *p = s;
    return 0;
}

int gput__scan_key(const char *text, const char *key, uint64_t *ret)
{
    size_t n = strlen(key);

    while (text && *text) {
        const char *p = text + n;

        if (!strncmp(text, key, n) && (*p == ' ' || *p == '\t'))
            return gput__scan_u64(&p, ret);
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return -ENODATA;
}

int gput__scan_cpu_list(const char *text, unsigned *ret)
{
    const char *p = skip_blanks(text);
    uint64_t from, to;
    unsigned n = 0;

    for (;; p++) {
        if (scan_digits(&p, 10, &from) < 0)
            return -EBADMSG;
        to = from;
        if (*p == '-') {
            p++;
            if (scan_digits(&p, 10, &to) < 0)
                return -EBADMSG;
        }
        if (to < from || to > 1u << 20)
            return -EBADMSG;
        n += (unsigned)(to - from) + 1;
        if (*p != ',')
            break;
    }
    if (!ends_word(*p))
        return -EBADMSG;
    *ret = n;
    return 0;
}

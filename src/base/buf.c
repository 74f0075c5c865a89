/* buf.c - a byte buffer that grows. */
#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"

enum { FIRST_CAP = 128 };

static int grow(struct gput__buf *b, size_t need)
{
    size_t cap = b->cap ? b->cap : FIRST_CAP;
    char *data;

    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    data = realloc(b->data, cap);
    if (!data)
        return b->err = -ENOMEM;
    if (!b->data)
        data[0] = '\0';
    b->data = data;
    b->cap = cap;
    return 0;
}

int gput__buf_reserve(struct gput__buf *b, size_t n)
{
    if (b->err < 0)
        return b->err;
    if (n >= SIZE_MAX - b->len)
        return b->err = -ENOMEM;
    return b->len + n + 1 <= b->cap ? 0 : grow(b, b->len + n + 1);
}

void gput__buf_add(struct gput__buf *b, const void *bytes, size_t n)
{
    if (gput__buf_reserve(b, n) < 0)
        return;
    if (n > 0) /* memcpy() must not see NULL, not even for nothing */
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void gput__buf_puts(struct gput__buf *b, const char *s)
{
    gput__buf_add(b, s, strlen(s));
}

void gput__buf_putc(struct gput__buf *b, char c)
{
    gput__buf_add(b, &c, 1);
}

void gput__buf_printf(struct gput__buf *b, const char *fmt, ...)
{
    size_t room = b->data && b->err == 0 ? b->cap - b->len : 0;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = gput__vsnprintf(room ? b->data + b->len : NULL, room, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < room) {
        b->len += (size_t)n;
        return;
    }
    if (room)
        b->data[b->len] = '\0'; /* it did not fit: once more */
    if (n < 0 && b->err == 0)
        b->err = -EINVAL;
    if (n < 0 || gput__buf_reserve(b, (size_t)n) < 0)
        return;

    va_start(ap, fmt);
    gput__vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

const char *gput__buf_text(const struct gput__buf *b)
{
    return b->data ? b->data : "";
}

int gput__buf_detach(struct gput__buf *b, char **ret_text)
{
    int r = gput__buf_reserve(b, 0); /* an empty text is a text too */

    if (r < 0) {
        gput__buf_free(b);
        return r;
    }
    *ret_text = b->data;
    *b = GPUT__BUF_INIT;
    return 0;
}

void gput__buf_clear(struct gput__buf *b)
{
    b->len = 0;
    b->err = 0;
    if (b->data)
        b->data[0] = '\0';
}

void gput__buf_free(struct gput__buf *b)
{
    free(b->data);
    *b = GPUT__BUF_INIT;
}

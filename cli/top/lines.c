/* lines.c - the lines above the table. */
#include "top/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct top_line *top_line_new(struct top_head *h)
{
    struct top_line *l = &h->lines[h->n < TOP_MOST_HEAD - 1 ? h->n++ : TOP_MOST_HEAD - 1];

    *l = (struct top_line){ .is_alarming = false };
    return l;
}

void top_line_add(struct top_line *l, const char *fmt, ...)
{
    size_t len = strlen(l->text);
    va_list args;

    va_start(args, fmt);
    vsnprintf(l->text + len, sizeof(l->text) - len, fmt, args);
    va_end(args);
}
